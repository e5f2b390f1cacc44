#!lua
-- Move the crawl to another state, change its settings, or both, under a new version.
-- KEYS: 1 crawl
-- ARGV: 1 new state or '', 2 reason, 3 settings JSON or '', 4 JSON of the limits that scripts read,
--       5 version on which the settings are based (0: any)
-- Reply: {'ok', version} | {'no_crawl'} | {'refused', state} | {'changed', version}
-- Asked again for the state that it is in: 'ok', nothing changes.
-- Complexity: O(1).
--- @include "lib/clock.lua"
--- @include "lib/crawl.lua"
local crawl = KEYS[1]
local now = now_ms()
local record = redis.call('HMGET', crawl, 'v', 'state', 'reason', 'maxDurationMs', 'deadlineMs',
  'pausedMs')
if not record[1] then
  return { 'no_crawl' }
end
local version, state = tonumber(record[1]), record[2]
local ALLOWED = {
  running = { paused = true, stopping = true, finished = true, failed = true, cancelled = true },
  paused = { running = true, stopping = true, finished = true, failed = true, cancelled = true },
  stopping = { finished = true, failed = true, cancelled = true, running = true },
  finished = { running = true },
  failed = { running = true },
  cancelled = { running = true },
}
local target = ARGV[1]
local moves = target ~= '' and target ~= state
if moves and not (ALLOWED[state] and ALLOWED[state][target]) then
  return { 'refused', state }
end

local duration = tonumber(record[4] or 0)
local counts_anew = false
if ARGV[3] ~= '' then
  local base = tonumber(ARGV[5])
  if base ~= 0 and base ~= version then
    return { 'changed', version }
  end
  redis.call('HSET', crawl, 'settings', ARGV[3])
  local limits = cjson.decode(ARGV[4])
  for field, value in pairs(limits) do
    redis.call('HSET', crawl, field, value)
  end
  version = redis.call('HINCRBY', crawl, 'v', 1)
  counts_anew = tonumber(limits.maxDurationMs or 0) ~= duration
  duration = tonumber(limits.maxDurationMs or 0)
end

-- A time limit counts running time from the last start or resume, a new limit from now.
local paused_ms = tonumber(record[6])
if moves then
  local reason = ARGV[2]
  if reason == '' and state == 'stopping' and target == 'finished' then
    reason = record[3] or ''
  end
  version = crawl_set_state(crawl, target, reason, now)
  redis.call('HDEL', crawl, 'pausedMs')
  if target == 'paused' then
    redis.call('HSET', crawl, 'pausedMs', now)
  elseif target == 'running' and state == 'paused' then
    if record[5] and paused_ms then
      redis.call('HINCRBY', crawl, 'deadlineMs', now - paused_ms)
    end
  elseif target == 'running' then
    redis.call('HSET', crawl, 'startedMs', now)
    counts_anew = true
  end
end
if counts_anew then
  if duration > 0 then
    redis.call('HSET', crawl, 'deadlineMs', now + duration)
    if paused_ms and state == 'paused' and not moves then
      redis.call('HSET', crawl, 'pausedMs', now)
    end
  else
    redis.call('HDEL', crawl, 'deadlineMs')
  end
end
return { 'ok', version }
