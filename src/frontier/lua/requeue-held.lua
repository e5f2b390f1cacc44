#!lua
-- Queue URLs that were held back as traps, whatever the quota of hosts says.
-- KEYS: 1 crawl, 2 totals, 3 seen, 4 pending, 5 running, 6 hosts, 7 domains, 8 host prefix,
--       9 queue prefix, 10 trapped
-- ARGV: 1 most URLs, 2 request id
-- Reply: {'ok', URLs queued} | {'no_crawl'} | {'seen_filter', error}. Asked again under the request
--        id of the last call: the same reply, nothing changes.
-- Complexity: O(URLs).
--- @include "lib/clock.lua"
--- @include "lib/item.lua"
--- @include "lib/queue.lua"
--- @include "lib/held.lua"
--- @include "lib/host.lua"
--- @include "lib/trapped.lua"
local crawl, totals, trapped = KEYS[1], KEYS[2], KEYS[10]
local now = now_ms()
local record = redis.call('HMGET', crawl, 'v', 'heldRequeueId', 'heldRequeued', 'dedupe')
if not record[1] then
  return { 'no_crawl' }
elseif record[2] == ARGV[2] then
  return { 'ok', tonumber(record[3]) }
end
local picked = redis.call('HRANDFIELD', trapped, tonumber(ARGV[1]), 'WITHVALUES')
local prints = {}
for n = 1, #picked, 2 do
  prints[#prints + 1] = picked[n]
end

-- Seen from now on; one that the filter takes for seen is queued all the same: it was asked for.
if #prints > 0 and record[4] == 'bloom' then
  local inserted = redis.pcall('BF.INSERT', KEYS[3], 'NOCREATE', 'ITEMS', unpack(prints))
  if inserted.err then
    return { 'seen_filter', inserted.err }
  end
elseif #prints > 0 then
  redis.call('SADD', KEYS[3], unpack(prints))
end

local pages = 0
for n = 2, #picked, 2 do
  local name, domain, item = trapped_read(picked[n])
  local K = {
    totals = totals, pending = KEYS[4], running = KEYS[5],
    host = KEYS[8] .. name, queue = KEYS[9] .. name, name = name,
  }
  if redis.call('ZADD', KEYS[6], 'NX', 0, name) == 1 then
    redis.call('HSET', K.host, 'domain', domain)
    redis.call('HINCRBY', KEYS[7], domain, 1)
    redis.call('HINCRBY', totals, 'hosts', 1)
  end
  queue_push(K.host, K.queue, item, false)
  if item_kind(item) == 'p' then
    pages = pages + 1
  end
  if not held_count(K, 1) and not redis.call('ZSCORE', K.running, name) then
    host_make_pending(K, now)
  end
end
redis.call('HINCRBY', totals, 'discovered', pages)
trapped_take({ totals = totals, trapped = trapped }, prints)
redis.call('HSET', crawl, 'heldRequeueId', ARGV[2], 'heldRequeued', #prints)
return { 'ok', #prints }
