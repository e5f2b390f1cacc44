#!lua
-- May this host be asked now? One request at a time, and the asker's own delay after the last one.
-- KEYS: 1 gate of the host
-- ARGV: 1 crawl id, 2 holder, 3 delay ms, 4 delay factor, 5 ceiling ms of the factor's delay,
--       6 hold ms, 7 run id under which this data set was born, 8 ms for which the gate is kept
-- Reply: {'granted'} | {'wait', ms, reason}
-- Complexity: O(crawls that want this host).
--- @include "lib/clock.lua"
--- @include "lib/run.lua"
local gate, crawl, holder = KEYS[1], ARGV[1], ARGV[2]
local hold_ms = tonumber(ARGV[6])
local now = now_ms()
local g = redis.call('HMGET', gate, 'lastEnd', 'lastMs', 'notBefore', 'holder', 'heldUntil', 'run',
  'wants')
local last_end, not_before = tonumber(g[1] or 0), tonumber(g[3] or 0)
local held_until = tonumber(g[5] or 0)
local kept_ms = tonumber(ARGV[8]) + math.max(0, not_before - now)
if g[4] == holder and held_until > now then
  redis.call('HSET', gate, 'heldUntil', now + hold_ms)
  redis.call('PEXPIRE', gate, kept_ms)
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
local gap = math.max(delay, math.ceil(factor_ms))
-- The clock tells whole milliseconds, cut off: only one more makes sure that all of them are over.
if gap > 0 then
  gap = gap + 1
end
local opens_at = math.max(last_end + gap, not_before)
if last_end == 0 then
  opens_at = not_before
end

-- Crawls take turns: who was told to wait stands in line, and nobody overtakes it. An entry is
-- {crawl, until when its place is kept, when it comes back}; who does not come back loses it.
local COME_BACK_MS = 2500
local line, ahead = {}, nil
local mine = nil
for _, want in ipairs(g[7] and cjson.decode(g[7]) or {}) do
  if want[2] > now then
    line[#line + 1] = want
    if want[1] == crawl then
      mine = want
    elseif not mine then
      ahead = ahead or want
    end
  end
end

local function tell_to_wait(ms, why)
  ms = math.max(1, ms)
  if not mine then
    mine = { crawl, 0, 0 }
    line[#line + 1] = mine
  end
  -- Time to come back in: a durable timer and an activity's start may take a second or two.
  mine[2], mine[3] = now + ms + COME_BACK_MS, now + ms
  redis.call('HSET', gate, 'wants', cjson.encode(line))
  redis.call('PEXPIRE', gate, kept_ms)
  return { 'wait', ms, why }
end

if opens_at > now then
  if reason == 'held' then
    return tell_to_wait(math.min(50, opens_at - now), 'held')
  elseif not_before > now and not_before >= opens_at and reason ~= 'restarted' then
    reason = 'notBefore'
  end
  return tell_to_wait(opens_at - now, reason)
elseif ahead then
  return tell_to_wait(ahead[3] > now and ahead[3] - now or 20, 'yield')
end

redis.call('HSET', gate, 'holder', holder, 'heldUntil', now + hold_ms, 'run', run, 'lastEnd', last_end)
if g[7] then
  local rest = {}
  for _, want in ipairs(line) do
    if want ~= mine then
      rest[#rest + 1] = want
    end
  end
  if #rest > 0 then
    redis.call('HSET', gate, 'wants', cjson.encode(rest))
  else
    redis.call('HDEL', gate, 'wants')
  end
end
redis.call('PEXPIRE', gate, kept_ms)
return { 'granted' }
