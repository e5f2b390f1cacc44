#!lua
-- Hold the gate on while a request runs. A holder that a restarted Redis has forgotten gets it
-- back, unless somebody else has it by now.
-- KEYS: 1 gate of the host
-- ARGV: 1 holder, 2 hold ms, 3 ms for which the gate is kept
-- Reply: 'ok' | 'lost'
-- Complexity: O(1).
--- @include "lib/clock.lua"
--- @include "lib/run.lua"
local gate, holder = KEYS[1], ARGV[1]
local now = now_ms()
local g = redis.call('HMGET', gate, 'holder', 'heldUntil', 'run', 'notBefore')
local run = run_id_and_start(now)
if g[1] ~= holder then
  local is_free = not g[1] or tonumber(g[2] or 0) <= now
  if g[3] == run or not is_free then
    return 'lost'
  end
end
redis.call('HSET', gate, 'holder', holder, 'heldUntil', now + tonumber(ARGV[2]), 'run', run)
redis.call('PEXPIRE', gate, tonumber(ARGV[3]) + math.max(0, tonumber(g[4] or 0) - now))
return 'ok'
