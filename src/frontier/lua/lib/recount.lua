-- Counting anew in pages. The sums are kept as differences to the totals at the start, so that URLs
-- added meanwhile are never counted short. The crawl's fields recountFrom and recountTo name the
-- last page counted: a repeated one is not counted twice.

local RECOUNTED = { 'outstanding', 'held', 'leased' }

-- Returns nil when the page is to be counted, else where to go on.
local function recount_begin(crawl, totals, after)
  if after == '' then
    for _, field in ipairs(RECOUNTED) do
      redis.call('HSET', crawl, 'recount:' .. field,
        0 - tonumber(redis.call('HGET', totals, field) or 0))
    end
    redis.call('HDEL', crawl, 'recountFrom', 'recountTo')
    return nil
  end
  local page = redis.call('HMGET', crawl, 'recountFrom', 'recountTo')
  if page[2] == after then
    return nil
  end
  return page[1] == after and page[2] or ''
end

-- Count one host; what it queues is held or outstanding.
local function recount_host(K, sums, is_held)
  local queued = redis.call('ZCARD', K.due)
  local h = redis.call('HMGET', K.host, 'lo', 'hi', 'lease')
  if h[1] then
    for level = tonumber(h[1]), tonumber(h[2]) do
      queued = queued + redis.call('LLEN', K.queue .. ':' .. level)
    end
  end
  redis.call('HSET', K.host, 'queued', queued)
  if is_held then
    redis.call('HSET', K.host, 'held', queued)
    sums.held = sums.held + queued
  else
    redis.call('HDEL', K.host, 'held')
    sums.outstanding = sums.outstanding + queued
  end
  if h[3] then
    sums.outstanding = sums.outstanding + 1
    sums.leased = sums.leased + (item_kind(h[3]) == 'p' and 1 or 0)
  end
  return queued
end

local function recount_end(crawl, totals, after, next_after, sums)
  for _, field in ipairs(RECOUNTED) do
    local difference = redis.call('HINCRBY', crawl, 'recount:' .. field, sums[field])
    if next_after == '' then
      redis.call('HINCRBY', totals, field, difference)
      redis.call('HDEL', crawl, 'recount:' .. field)
    end
  end
  if next_after == '' then
    redis.call('HDEL', crawl, 'recountFrom', 'recountTo')
  else
    redis.call('HSET', crawl, 'recountFrom', after, 'recountTo', next_after)
  end
end
