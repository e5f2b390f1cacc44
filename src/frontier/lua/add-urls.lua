#!lua
-- Offer URLs to the frontier: quota first, then the seen test and the queue in one step, so that
-- a call whose reply was lost may be sent again: it finds all of them seen and loses none.
-- KEYS: 1 crawl, 2 totals, 3 seen, 4 pending, 5 running, 6 hosts, 7 domains, 8 host prefix,
--       9 queue prefix (keys of single hosts are made of the prefixes; same hash tag)
-- ARGV: per URL 4 values: fingerprint, host key, registered domain, packed item
-- Reply: {'ok', added, seen, refused} | {'no_crawl'}
-- Complexity: O(n) for n URLs.
--- @include "lib/clock.lua"
--- @include "lib/item.lua"
--- @include "lib/queue.lua"
local crawl, totals, seen = KEYS[1], KEYS[2], KEYS[3]
local settings = redis.call('HMGET', crawl, 'dedupe', 'maxHostsPerDomain')
if not settings[1] then
  return { 'no_crawl' }
end
local now = now_ms()
local max_hosts = tonumber(settings[2])

-- Quota: a registered domain may have so many hosts, and not more (wildcard DNS).
local admitted, prints, refused = {}, {}, 0
local fresh_hosts, fresh_count = {}, {}
for i = 1, #ARGV, 4 do
  local name, domain = ARGV[i + 1], ARGV[i + 2]
  local is_known = fresh_hosts[name] or redis.call('ZSCORE', KEYS[6], name)
  if not is_known then
    local count = (fresh_count[domain] or 0) + tonumber(redis.call('HGET', KEYS[7], domain) or 0)
    if count < max_hosts then
      fresh_hosts[name] = domain
      fresh_count[domain] = (fresh_count[domain] or 0) + 1
      is_known = true
    end
  end
  if is_known then
    admitted[#admitted + 1] = i
    prints[#prints + 1] = ARGV[i]
  else
    refused = refused + 1
  end
end
if #admitted == 0 then
  return { 'ok', 0, 0, refused }
end

local is_new = {}
if settings[1] == 'bloom' then
  is_new = redis.call('BF.INSERT', seen, 'NOCREATE', 'ITEMS', unpack(prints))
else
  for n, print in ipairs(prints) do
    is_new[n] = redis.call('SADD', seen, print)
  end
end

local added, pages = 0, 0
for n, i in ipairs(admitted) do
  if is_new[n] == 1 then
    local name, item = ARGV[i + 1], ARGV[i + 3]
    local host = KEYS[8] .. name
    if fresh_hosts[name] then
      redis.call('HSET', host, 'domain', fresh_hosts[name])
      redis.call('ZADD', KEYS[6], 0, name)
      redis.call('HINCRBY', KEYS[7], fresh_hosts[name], 1)
      redis.call('HINCRBY', totals, 'hosts', 1)
      fresh_hosts[name] = nil
    end
    queue_push(host, KEYS[9] .. name, item, false)
    added = added + 1
    if item_kind(item) == 'p' then
      pages = pages + 1
    end
    local state = redis.call('HGET', host, 'state')
    if state == 'exhausted' then
      redis.call('HINCRBY', totals, 'held', 1)
    else
      redis.call('HINCRBY', totals, 'outstanding', 1)
      if state ~= 'paused' and state ~= 'pending' and not redis.call('ZSCORE', KEYS[5], name) then
        redis.call('ZADD', KEYS[4], 'NX', now, name)
        redis.call('HSET', host, 'state', 'pending')
      end
    end
  end
end
redis.call('HINCRBY', totals, 'discovered', pages)
return { 'ok', added, #admitted - added, refused }
