-- What became of the leased URL, as far as counters and queues go.

-- Numbers that come from outside, whole and never missing: a script that fails half-way is not
-- undone, so nothing below may fail.
local function whole(value)
  local number = tonumber(value)
  if not number or number ~= number or number < 0 then
    return 0
  end
  return math.floor(math.min(number, 2 ^ 53))
end

local function outcome_record(K, done, lease, now)
  local is_page = item_kind(lease) == 'p'
  redis.call('HDEL', K.host, 'lease')
  if is_page then
    redis.call('HINCRBY', K.totals, 'leased', -1)
  end
  if done.outcome == 'released' then
    queue_push(K.host, K.queue, lease, true)
    return
  end
  for reason, count in pairs(done.rejected or {}) do
    redis.call('HINCRBY', K.totals, 'rejected:' .. reason, whole(count))
  end
  if done.outcome == 'retrying' then
    redis.call('ZADD', K.due, now + whole(done.dueInMs), item_with_attempt_more(lease))
    redis.call('HINCRBY', K.host, 'queued', 1)
    redis.call('HINCRBY', K.totals, 'retries', 1)
    return
  end
  redis.call('HINCRBY', K.totals, 'outstanding', -1)
  local counter = is_page and done.outcome or 'sitemaps'
  redis.call('HINCRBY', K.totals, counter, 1)
  redis.call('HINCRBY', K.host, counter, 1)
  if done.outcome == 'skipped' and is_page then
    redis.call('HINCRBY', K.totals, 'skip:' .. (done.reason or 'unknown'), 1)
  end
  local bytes = whole(done.bytes)
  if bytes > 0 then
    redis.call('HINCRBY', K.totals, 'bytes', bytes)
    redis.call('HINCRBY', K.host, 'bytes', bytes)
  end
  if done.deadLetter then
    redis.call('RPUSH', K.dead, cjson.encode({
      host = K.name, item = lease, reason = done.reason or 'unknown', atMs = now, counter = counter,
    }))
  end
end
