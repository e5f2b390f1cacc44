#!lua
-- Offer URLs to the frontier: traps and quota first, then the seen test and the queue in one step,
-- so that a call whose reply was lost may be sent again: it finds all of them seen and loses none.
-- KEYS: 1 crawl, 2 totals, 3 seen, 4 pending, 5 running, 6 hosts, 7 domains, 8 host prefix,
--       9 queue prefix, 10 trapped, 11 alike prefix, 12 forgotten prefix (keys of single hosts are
--       made of the prefixes; same hash tag)
-- ARGV: 1 host key of the page that they were found on, 2 digest of its text ('' without one); per
--       URL 5 values: fingerprint, host key, registered domain, packed item, and what a rule says of
--       it: '', '~<rule>' it comes later, '!<rule>' it is held back
-- Reply: {'ok', added, seen, held back, not even listed} | {'no_crawl'} | {'seen_filter', error}
-- Complexity: O(n) for n URLs.
--- @include "lib/clock.lua"
--- @include "lib/item.lua"
--- @include "lib/held.lua"
--- @include "lib/forgotten.lua"
--- @include "lib/alike.lua"
--- @include "lib/trapped.lua"
local crawl, totals, seen = KEYS[1], KEYS[2], KEYS[3]
local settings = redis.call('HMGET', crawl, 'dedupe', 'maxHostsPerDomain', 'perHostLimit',
  'trapBudget')
if not settings[1] then
  return { 'no_crawl' }
end
local now = now_ms()
local max_hosts = tonumber(settings[2])
local per_host_limit = tonumber(settings[3] or 0)
local trap_budget = tonumber(settings[4] or 0)
local page_digest = ARGV[2]
local page_texts = { alike = KEYS[11] .. ARGV[1], forgotten = KEYS[12] .. ARGV[1] }
local page_weight, page_rule = alike_weight(page_texts, page_digest, trap_budget)

-- Quota: a registered domain may have so many hosts, and not more (wildcard DNS).
local is_known, fresh_count = {}, {}
local function has_room(name, domain)
  if is_known[name] == nil then
    is_known[name] = redis.call('ZSCORE', KEYS[6], name) and true
    if not is_known[name] then
      local count = (fresh_count[domain] or 0) + tonumber(redis.call('HGET', KEYS[7], domain) or 0)
      is_known[name] = count < max_hosts
      if is_known[name] then
        fresh_count[domain] = (fresh_count[domain] or 0) + 1
      end
    end
  end
  return is_known[name]
end

-- A rule may suspect so many URLs of a host.
local suspected = {}
local function is_used_up(name, flag)
  local id = name .. '\t' .. flag
  if not suspected[id] then
    local _, links = alike_read(KEYS[11] .. name, flag)
    suspected[id] = links or 0
  end
  return suspected[id] >= trap_budget
end

local admitted, prints, holds = {}, {}, {}
for i = 3, #ARGV, 5 do
  local name, domain, flag = ARGV[i + 1], ARGV[i + 2], ARGV[i + 4]
  if not item_level(ARGV[i + 3]) then
    return redis.error_reply('ERR not a packed item: ' .. ARGV[i + 3])
  end
  local is_suspected = trap_budget > 0 and string.sub(flag, 1, 1) == '~'
  local rule = nil
  if string.sub(flag, 1, 1) == '!' or (is_suspected and is_used_up(name, flag)) then
    rule = string.sub(flag, 2)
  elseif page_weight == 'hold' and not item_is_embed(ARGV[i + 3]) then
    rule = page_rule
  elseif not has_room(name, domain) then
    rule = 'maxHostsPerDomain'
  end
  if rule then
    holds[#holds + 1] = { at = i, rule = rule }
  else
    admitted[#admitted + 1] = i
    prints[#prints + 1] = ARGV[i]
  end
end

local is_new = {}
if #prints > 0 and settings[1] == 'bloom' then
  -- NOCREATE: a filter that is gone must not come back silently as a small one that knows nothing.
  is_new = redis.pcall('BF.INSERT', seen, 'NOCREATE', 'ITEMS', unpack(prints))
  if is_new.err then
    return { 'seen_filter', is_new.err }
  end
elseif #prints > 0 then
  for n, print in ipairs(prints) do
    is_new[n] = redis.call('SADD', seen, print)
  end
end

-- What the filter has taken in is queued whatever comes after it, else it would be lost.
local by_host, names, added, pages, trouble = {}, {}, 0, 0, nil
local queued_prints, flagged = {}, {}
for n, i in ipairs(admitted) do
  if type(is_new[n]) == 'table' then
    trouble = is_new[n].err or 'BF.INSERT failed'
    break
  elseif is_new[n] == 1 then
    local name, item, flag = ARGV[i + 1], ARGV[i + 3], ARGV[i + 4]
    if page_weight == 'later' then
      item = item_later(item, page_digest)
    elseif trap_budget > 0 and flag == '~sessionId' then
      -- New sessions of pages that say something new are a site's, not a trap's.
      item = item_later(item, flag)
    end
    if trap_budget > 0 and flag ~= '' then
      flagged[name] = flagged[name] or {}
      flagged[name][flag] = (flagged[name][flag] or 0) + 1
    end
    queued_prints[#queued_prints + 1] = ARGV[i]
    local host = by_host[name]
    if not host then
      host = { domain = ARGV[i + 2], count = 0, levels = {}, lo = 255, hi = 0 }
      by_host[name] = host
      names[#names + 1] = name
    end
    local level = tonumber(item_level(item))
    host.levels[level] = host.levels[level] or {}
    table.insert(host.levels[level], item)
    host.lo, host.hi = math.min(host.lo, level), math.max(host.hi, level)
    host.count = host.count + 1
    added = added + 1
    if item_kind(item) == 'p' then
      pages = pages + 1
    end
  end
end

for _, name in ipairs(names) do
  local host = by_host[name]
  local K = { host = KEYS[8] .. name, totals = totals }
  if redis.call('ZADD', KEYS[6], 'NX', 0, name) == 1 then
    redis.call('HSET', K.host, 'domain', host.domain)
    redis.call('HINCRBY', KEYS[7], host.domain, 1)
    redis.call('HINCRBY', totals, 'hosts', 1)
  end
  for level = host.lo, host.hi do
    if host.levels[level] then
      redis.call('RPUSH', KEYS[9] .. name .. ':' .. level, unpack(host.levels[level]))
    end
  end
  local f = redis.call('HMGET', K.host, 'lo', 'hi', 'state', 'held', 'fetched')
  redis.call('HSET', K.host, 'lo', math.min(host.lo, tonumber(f[1] or 255)),
    'hi', math.max(host.hi, tonumber(f[2] or 0)))
  redis.call('HINCRBY', K.host, 'queued', host.count)
  local state = f[3]
  if f[4] and (per_host_limit == 0 or tonumber(f[5] or 0) < per_host_limit) then
    held_free(K)
    state = 'idle'
  end
  local is_held = held_count(K, host.count)
  if not is_held and state ~= 'paused' and state ~= 'pending'
    and not redis.call('ZSCORE', KEYS[5], name) then
    redis.call('ZADD', KEYS[4], 'NX', now, name)
    redis.call('HSET', K.host, 'state', 'pending')
  end
end
redis.call('HINCRBY', totals, 'discovered', pages)
local K = { totals = totals, trapped = KEYS[10] }
trapped_take(K, queued_prints)
if page_weight == 'later' and added > 0 then
  alike_count_later(page_texts, page_digest, page_rule, added)
end
for name, flags in pairs(flagged) do
  for flag, count in pairs(flags) do
    alike_count_links(KEYS[11] .. name, flag, count)
  end
end
if trouble then
  return { 'seen_filter', trouble }
end

-- What is held back is not seen: a page that is not suspicious may offer it again.
local known_before, held_back, unlisted = 0, 0, 0
for _, hold in ipairs(holds) do
  local i = hold.at
  local test = settings[1] == 'bloom' and 'BF.EXISTS' or 'SISMEMBER'
  if redis.call(test, seen, ARGV[i]) == 1 then
    known_before = known_before + 1
  elseif trapped_put(K, ARGV[i], hold.rule, ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]) == 'unlisted' then
    unlisted = unlisted + 1
  else
    held_back = held_back + 1
  end
end
return { 'ok', added, #admitted - added + known_before, held_back, unlisted }
