-- What is queued at a host that reached its page limit is held: it counts as `held`, not as
-- `outstanding`, so that the crawl can end without it. The host's field `held` says how much of the
-- crawl's `held` is its; the field exists exactly while the host is exhausted.

local function held_take(K)
  local f = redis.call('HMGET', K.host, 'queued', 'held')
  local queued = tonumber(f[1] or 0)
  local more = queued - tonumber(f[2] or 0)
  if more ~= 0 then
    redis.call('HINCRBY', K.totals, 'outstanding', -more)
    redis.call('HINCRBY', K.totals, 'held', more)
  end
  redis.call('HSET', K.host, 'held', queued)
end

local function held_free(K)
  local held = redis.call('HGET', K.host, 'held')
  if not held then
    return
  end
  redis.call('HINCRBY', K.totals, 'held', 0 - held)
  redis.call('HINCRBY', K.totals, 'outstanding', held)
  redis.call('HDEL', K.host, 'held')
end

-- Count items that were queued just now. Returns whether the host is exhausted.
local function held_count(K, count)
  if redis.call('HEXISTS', K.host, 'held') == 1 then
    redis.call('HINCRBY', K.host, 'held', count)
    redis.call('HINCRBY', K.totals, 'held', count)
    return true
  end
  redis.call('HINCRBY', K.totals, 'outstanding', count)
  return false
end
