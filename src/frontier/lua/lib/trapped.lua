-- URLs that are held back because they look like a trap: fingerprint → rule, host key, registered
-- domain and packed item, tab-separated. They are neither queued nor seen: offered again by a page
-- that is not suspicious, they are queued like any other.

-- What is held back beyond it is only counted.
local TRAPPED_MOST = 100000

-- Returns 'held' for a URL that is new to the list, 'known', or 'unlisted' when the list is full.
local function trapped_put(K, print, rule, host, domain, item)
  if redis.call('HLEN', K.trapped) >= TRAPPED_MOST then
    return redis.call('HEXISTS', K.trapped, print) == 1 and 'known' or 'unlisted'
  end
  local value = rule .. '\t' .. host .. '\t' .. domain .. '\t' .. item
  if redis.call('HSETNX', K.trapped, print, value) == 0 then
    return 'known'
  end
  redis.call('HINCRBY', K.totals, 'rejected:trap', 1)
  return 'held'
end

-- URLs were queued: none of them is held back any longer.
local function trapped_take(K, prints)
  if #prints == 0 or redis.call('EXISTS', K.trapped) == 0 then
    return
  end
  local count = redis.call('HDEL', K.trapped, unpack(prints))
  if count > 0 then
    redis.call('HINCRBY', K.totals, 'rejected:trap', -count)
  end
end

local function trapped_read(value)
  return string.match(value, '^[^\t]*\t([^\t]*)\t([^\t]*)\t(.+)$')
end
