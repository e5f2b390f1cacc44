-- A host's queue: one list per priority level (`<queue>:<level>`), first in first out within it.
-- The host's hash bounds the levels in use (lo..hi) and counts what is queued, retries included.

local function queue_widen(host, level)
  local bounds = redis.call('HMGET', host, 'lo', 'hi')
  level = tonumber(level)
  if not bounds[1] or level < tonumber(bounds[1]) then
    redis.call('HSET', host, 'lo', level)
  end
  if not bounds[2] or level > tonumber(bounds[2]) then
    redis.call('HSET', host, 'hi', level)
  end
end

local function queue_push(host, queue, item, at_front)
  local level = item_level(item)
  redis.call(at_front and 'LPUSH' or 'RPUSH', queue .. ':' .. level, item)
  queue_widen(host, level)
  redis.call('HINCRBY', host, 'queued', 1)
end

-- Retries whose time has come go to the end of their level; bounded per call.
local function queue_ripen(host, queue, due, now)
  local ripe = redis.call('ZRANGEBYSCORE', due, '-inf', now, 'LIMIT', 0, 100)
  for _, item in ipairs(ripe) do
    redis.call('ZREM', due, item)
    local level = item_level(item)
    redis.call('RPUSH', queue .. ':' .. level, item)
    queue_widen(host, level)
  end
end

-- The lowest level that has something, or nil; forgets levels that ran empty.
local function queue_level(host, queue)
  local bounds = redis.call('HMGET', host, 'lo', 'hi')
  if not bounds[1] then
    return nil
  end
  local low = tonumber(bounds[1])
  for level = low, tonumber(bounds[2]) do
    if redis.call('EXISTS', queue .. ':' .. level) == 1 then
      if level > low then
        redis.call('HSET', host, 'lo', level)
      end
      return level
    end
  end
  redis.call('HDEL', host, 'lo', 'hi')
  return nil
end

-- Take the next item. Returns it and how many are left, or nil.
local function queue_pop(host, queue)
  local bounds = redis.call('HMGET', host, 'lo', 'hi')
  if not bounds[1] then
    return nil, 0
  end
  local low = tonumber(bounds[1])
  for level = low, tonumber(bounds[2]) do
    local item = redis.call('LPOP', queue .. ':' .. level)
    if item then
      if level > low then
        redis.call('HSET', host, 'lo', level)
      end
      return item, redis.call('HINCRBY', host, 'queued', -1)
    end
  end
  redis.call('HDEL', host, 'lo', 'hi')
  return nil, 0
end
