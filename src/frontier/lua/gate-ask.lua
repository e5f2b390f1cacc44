#!lua
-- May this host be asked now? One request at a time, and the asker's own delay after the last one.
-- KEYS: 1 gate of the host
-- ARGV: 1 crawl id, 2 holder, 3 delay ms, 4 delay factor, 5 ceiling ms of the factor's delay,
--       6 hold ms, 7 run id under which this data set was born, 8 ms for which the gate is kept
-- Reply: {'granted'} | {'wait', ms, reason}
-- Complexity: O(1).
--- @include "lib/clock.lua"
--- @include "lib/run.lua"
local gate, crawl, holder = KEYS[1], ARGV[1], ARGV[2]
local hold_ms = tonumber(ARGV[6])
local now = now_ms()
local g = redis.call('HMGET', gate, 'lastEnd', 'lastMs', 'notBefore', 'holder', 'heldUntil', 'run',
  'last', 'want', 'wantUntil')
local last_end, not_before = tonumber(g[1] or 0), tonumber(g[3] or 0)
local held_until = tonumber(g[5] or 0)
if g[4] == holder and held_until > now then
  redis.call('HSET', gate, 'heldUntil', now + hold_ms)
  return { 'granted' }
end

-- Another process of Redis may have forgotten its last second: a request that ended, or one that
-- is still under way and whose holder has until then to come back.
local run, started_ms = run_id_and_start(now)
local reason = 'delay'
local was_forgotten = g[6] ~= run and not (not g[6] and run == ARGV[7])
if was_forgotten then
  last_end = math.max(last_end, started_ms)
  if started_ms + hold_ms > not_before then
    not_before = started_ms + hold_ms
    reason = 'restarted'
  end
end
-- A holder that vanished counts as a request that ended when its hold did.
if g[4] then
  if held_until > now then
    reason = 'held'
  end
  last_end = math.max(last_end, held_until)
end

local delay = tonumber(ARGV[3])
local factor_ms = math.min(tonumber(ARGV[4]) * tonumber(g[2] or 0), tonumber(ARGV[5]))
local opens_at = math.max(last_end + math.max(delay, math.floor(factor_ms)), not_before)
if last_end == 0 then
  opens_at = not_before
end

-- Two crawls take turns: whoever had the last request lets a crawl that waits go first, once.
local want, want_until = g[8], tonumber(g[9] or 0)
if opens_at <= now and want and want ~= crawl and g[7] == crawl and want_until > now then
  return { 'wait', math.min(50, want_until - now), 'yield' }
end
if opens_at > now then
  if not want or want_until <= now or want == crawl or want == g[7] then
    -- Time to come back in: a durable timer and an activity's start may take a second or two.
    redis.call('HSET', gate, 'want', crawl, 'wantUntil', opens_at + 2500)
    redis.call('PEXPIRE', gate, ARGV[8])
  end
  if reason == 'held' then
    return { 'wait', math.min(50, opens_at - now), 'held' }
  end
  if not_before > now and not_before >= opens_at and reason ~= 'restarted' then
    reason = 'notBefore'
  end
  return { 'wait', opens_at - now, reason }
end
redis.call('HSET', gate, 'holder', holder, 'heldUntil', now + hold_ms, 'run', run, 'last', crawl,
  'lastEnd', last_end)
if want == crawl then
  redis.call('HDEL', gate, 'want', 'wantUntil')
end
redis.call('PEXPIRE', gate, ARGV[8])
return { 'granted' }
