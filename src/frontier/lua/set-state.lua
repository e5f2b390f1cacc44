#!lua
-- Move the crawl to another state, change its settings, or both, under a new version.
-- KEYS: 1 crawl, 2 totals
-- ARGV: 1 new state or '', 2 reason, 3 settings JSON or '', 4 JSON of the limits that scripts read,
--       5 version on which the settings are based (0: any)
-- Reply: {'ok', version} | {'no_crawl'} | {'refused', state} | {'changed', version}
-- Asked again for the state that it is in: 'ok', nothing changes.
-- Complexity: O(1).
--- @include "lib/clock.lua"
--- @include "lib/crawl.lua"
local crawl = KEYS[1]
local now = now_ms()
local record = redis.call('HMGET', crawl, 'v', 'state', 'reason')
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
end
local target = ARGV[1]
if target ~= '' and target ~= state then
  if not (ALLOWED[state] and ALLOWED[state][target]) then
    return { 'refused', state }
  end
  version = crawl_set_state(crawl, target, ARGV[2], now)
  if target == 'running' and state ~= 'paused' then
    redis.call('HSET', crawl, 'startedMs', now)
  end
end
-- A time limit counts from the last start or resume; a new one from now.
local duration = tonumber(redis.call('HGET', crawl, 'maxDurationMs') or 0)
if target == 'running' or ARGV[3] ~= '' then
  if duration > 0 then
    redis.call('HSET', crawl, 'deadlineMs', now + duration)
  else
    redis.call('HDEL', crawl, 'deadlineMs')
  end
end
return { 'ok', version }
