#!lua
-- The request has ended: the host's clock starts anew.
-- KEYS: 1 gate of the host
-- ARGV: 1 holder, 2 duration of the request in ms, 3 ms for which the host itself asked to be left
--       alone (0: none), 4 ms for which the gate is kept
-- Reply: 'ok' | 'lost' (the holder has it no more; only the host's own wish counts still)
-- Complexity: O(1).
--- @include "lib/clock.lua"
--- @include "lib/run.lua"
local gate = KEYS[1]
local now = now_ms()
local pause = tonumber(ARGV[3])
local g = redis.call('HMGET', gate, 'holder', 'run', 'notBefore')
local run = run_id_and_start(now)
local not_before = tonumber(g[3] or 0)
-- Forgotten by a restarted Redis and held by nobody: the request has ended all the same.
local is_mine = g[1] == ARGV[1] or (not g[1] and g[2] ~= run)
if not is_mine and not g[1] then
  return 'lost'
end
-- One more, because the clock's milliseconds are cut off.
if pause > 0 and now + pause + 1 > not_before then
  not_before = now + pause + 1
  redis.call('HSET', gate, 'notBefore', not_before)
end
if is_mine then
  redis.call('HDEL', gate, 'holder', 'heldUntil')
  redis.call('HSET', gate, 'lastEnd', now, 'lastMs', ARGV[2], 'run', run)
end
redis.call('PEXPIRE', gate, tonumber(ARGV[4]) + math.max(0, not_before - now))
return is_mine and 'ok' or 'lost'
