#!lua
-- Make the record of a new crawl and its seen filter.
-- KEYS: 1 crawl, 2 totals, 3 seen
-- ARGV: 1 request id, 2 settings JSON, 3 seeds JSON, 4 dedupe ('bloom' or 'exact'),
--       5 Bloom error rate, 6 Bloom capacity, 7 JSON of the limits that scripts read,
--       8 '1' where further seeds follow
-- Reply: 'ok' | 'exists'. Asked again under the same request id: 'ok', nothing changes.
-- Complexity: O(1), and the filter's memory.
--- @include "lib/clock.lua"
local owner = redis.call('HGET', KEYS[1], 'requestId')
if owner then
  return owner == ARGV[1] and 'ok' or 'exists'
end
local now = now_ms()
redis.call('DEL', KEYS[3])
if ARGV[4] == 'bloom' then
  redis.call('BF.RESERVE', KEYS[3], ARGV[5], ARGV[6])
end
redis.call('HSET', KEYS[1], 'requestId', ARGV[1], 'v', 1, 'state', 'running', 'reason', '',
  'settings', ARGV[2], 'seeds', ARGV[3], 'dedupe', ARGV[4], 'createdMs', now, 'startedMs', now)
if ARGV[8] == '1' then
  redis.call('HSET', KEYS[1], 'moreSeeds', 1)
end
local limits = cjson.decode(ARGV[7])
for field, value in pairs(limits) do
  redis.call('HSET', KEYS[1], field, value)
end
local duration = tonumber(limits.maxDurationMs)
if duration and duration > 0 then
  redis.call('HSET', KEYS[1], 'deadlineMs', now + duration)
end
redis.call('HSET', KEYS[2], 'outstanding', 0)
return 'ok'
