-- The crawl's versioned record: every change of state or settings raises the version.

local function crawl_set_state(crawl, state, reason, now)
  redis.call('HSET', crawl, 'state', state, 'reason', reason)
  if state == 'finished' or state == 'failed' or state == 'cancelled' then
    redis.call('HSET', crawl, 'finishedMs', now)
  else
    redis.call('HDEL', crawl, 'finishedMs')
  end
  return redis.call('HINCRBY', crawl, 'v', 1)
end
