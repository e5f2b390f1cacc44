#!lua
-- The request has ended: the host's clock starts anew.
-- KEYS: 1 gate of the host
-- ARGV: 1 holder, 2 duration of the request in ms, 3 ms for which the host itself asked to be left
--       alone (0: none), 4 ms for which the gate is kept
-- Reply: 'ok' | 'lost' (somebody else holds it; nothing changes)
-- Complexity: O(1).
--- @include "lib/clock.lua"
--- @include "lib/run.lua"
local gate = KEYS[1]
local now = now_ms()
local g = redis.call('HMGET', gate, 'holder', 'run')
local run = run_id_and_start(now)
-- Forgotten by a restarted Redis and held by nobody: the request has ended all the same.
if g[1] ~= ARGV[1] and (g[1] or g[2] == run) then
  return 'lost'
end
redis.call('HDEL', gate, 'holder', 'heldUntil')
redis.call('HSET', gate, 'lastEnd', now, 'lastMs', ARGV[2], 'run', run)
local pause = tonumber(ARGV[3])
if pause > 0 then
  local known = tonumber(redis.call('HGET', gate, 'notBefore') or 0)
  redis.call('HSET', gate, 'notBefore', math.max(known, now + pause))
end
redis.call('PEXPIRE', gate, math.max(tonumber(ARGV[4]), pause + tonumber(ARGV[4])))
return 'ok'
