#!lua
-- Record what became of the leased URL and lease the next one, or say why there is none.
-- KEYS: 1 crawl, 2 totals, 3 pending, 4 running, 5 placed, 6 lingering, 7 host, 8 due, 9 queue,
--       10 dead letters
-- ARGV: 1 host key, 2 owner, 3 turn, 4 attempt, 5 lease length in ms, 6 step as JSON
--       (contracts/frontier.ts: TurnStep), 7 ms after which a silent parent parks its hosts,
--       8 ms of a wait from which a host gives up its place
-- Reply: {status, version, …}, see the parser in scripts.ts
-- Complexity: O(levels in use + retries that ripen, at most 100).
--- @include "lib/clock.lua"
--- @include "lib/item.lua"
--- @include "lib/queue.lua"
--- @include "lib/host.lua"
--- @include "lib/crawl.lua"
local crawl = KEYS[1]
local K = {
  totals = KEYS[2], pending = KEYS[3], running = KEYS[4], placed = KEYS[5], lingering = KEYS[6],
  host = KEYS[7], due = KEYS[8], queue = KEYS[9], name = ARGV[1],
}
local lease_ms = tonumber(ARGV[5])
local step = cjson.decode(ARGV[6])
local now = now_ms()
local record = redis.call('HMGET', crawl, 'v', 'state', 'maxPages', 'perHostLimit', 'concurrency',
  'deadlineMs', 'parentSeenMs')
if not record[1] then
  return { 'stopped', 0, 'cancelled' }
end
local version, state = tonumber(record[1]), record[2]
local max_pages = tonumber(record[3] or 0)
local per_host_limit = tonumber(record[4] or 0)

-- A store that was set back may have forgotten the host: nothing to do until it is met again.
if redis.call('EXISTS', K.host) == 0 then
  return { 'idle', version }
end
local owner, turn = host_fence(K, ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]))
if owner then
  return { 'fenced', version, owner, turn }
end

local function stop_for(reason)
  version = crawl_set_state(crawl, 'stopping', reason, now)
  state = 'stopping'
end

local function record_outcome(done, lease)
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
    redis.call('HINCRBY', K.totals, 'rejected:' .. reason, count)
  end
  if done.outcome == 'retrying' then
    redis.call('ZADD', K.due, now + done.dueInMs, item_with_attempt_more(lease))
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
  if done.bytes then
    redis.call('HINCRBY', K.totals, 'bytes', done.bytes)
    redis.call('HINCRBY', K.host, 'bytes', done.bytes)
  end
  if done.deadLetter then
    redis.call('RPUSH', KEYS[10],
      cjson.encode({ host = K.name, item = lease, reason = done.reason, atMs = now }))
  end
end

local function record_host_outcome()
  if step.hostOutcome == 'ok' then
    redis.call('HDEL', K.host, 'fails', 'failSince')
  elseif step.hostOutcome == 'failure' then
    redis.call('HINCRBY', K.host, 'fails', 1)
    redis.call('HSETNX', K.host, 'failSince', now)
  end
end

-- Every step that records something has a number of its own within its attempt.
local done = step.completion
if step.seq then
  local lease = redis.call('HGET', K.host, 'lease')
  local seq = tonumber(redis.call('HGET', K.host, 'seq') or 0)
  if step.seq > seq then
    redis.call('HSET', K.host, 'seq', step.seq)
    -- A lease on another URL: the store was set back. The URL is queued still, or will be again.
    if done and lease and item_url(lease) == done.url then
      record_outcome(done, lease)
    end
    record_host_outcome()
  end
end

local fetched = tonumber(redis.call('HGET', K.totals, 'fetched') or 0)
if state == 'running' then
  local deadline = tonumber(record[6] or 0)
  if max_pages > 0 and fetched >= max_pages then
    stop_for('pageLimit')
  elseif deadline > 0 and now >= deadline then
    stop_for('maxDuration')
  end
end

if step.block then
  redis.call('HSET', K.host, 'blocked', step.block)
end
if step.lease == false then
  return { 'done', version }
end

if state == 'paused' then
  host_give_back(K)
  host_leave(K, 'paused', now, 1e13 - now)
  return { 'paused', version, 'paused' }
end
if state ~= 'running' then
  host_give_back(K)
  host_leave(K, 'idle', now)
  return { 'stopped', version, state }
end
if record[7] and now - tonumber(record[7]) > tonumber(ARGV[7]) then
  host_give_back(K)
  host_leave(K, 'paused', now, 1e13 - now)
  return { 'paused', version, 'parentSilent' }
end

local blocked = redis.call('HGET', K.host, 'blocked')
if blocked then
  host_give_back(K)
  host_run_until(K, 'blocked', now + lease_ms)
  redis.call('SREM', K.placed, K.name)
  return { 'blocked', version, blocked }
end

local wait_ms = step.wait and step.wait.waitMs or 0
if wait_ms >= tonumber(ARGV[8]) then
  host_give_back(K)
  host_run_until(K, 'waiting', now + wait_ms + lease_ms)
  redis.call('SREM', K.placed, K.name)
  redis.call('HSET', K.host, 'nextAt', now + wait_ms, 'reason', step.wait.reason)
  return { 'wait', version, wait_ms, step.wait.reason }
end

if redis.call('SISMEMBER', K.placed, K.name) == 0 then
  if redis.call('SCARD', K.placed) >= tonumber(record[5]) then
    host_give_back(K)
    host_leave(K, 'pending', now)
    if tonumber(redis.call('HGET', K.host, 'queued') or 0) > 0 then
      host_make_pending(K, now)
      return { 'noPlace', version }
    end
    redis.call('HSET', K.host, 'state', 'idle')
    return { 'idle', version }
  end
  redis.call('SADD', K.placed, K.name)
end

-- Nothing to lease now, but later: the host keeps its run.
local function wait_for(ms, reason)
  if ms >= tonumber(ARGV[8]) then
    redis.call('SREM', K.placed, K.name)
  end
  host_run_until(K, 'waiting', now + ms + lease_ms)
  redis.call('HSET', K.host, 'nextAt', now + ms, 'reason', reason)
  return { 'wait', version, ms, reason }
end

local item = redis.call('HGET', K.host, 'lease')
if not item then
  local mine = tonumber(redis.call('HGET', K.host, 'fetched') or 0)
  if per_host_limit > 0 and mine >= per_host_limit then
    local queued = tonumber(redis.call('HGET', K.host, 'queued') or 0)
    redis.call('HINCRBY', K.totals, 'outstanding', -queued)
    redis.call('HINCRBY', K.totals, 'held', queued)
    host_leave(K, 'exhausted', now)
    return { 'exhausted', version }
  end
  local leased = tonumber(redis.call('HGET', K.totals, 'leased') or 0)
  if max_pages > 0 and fetched + leased >= max_pages then
    return wait_for(1000, 'page limit: the last pages are being fetched')
  end
  queue_ripen(K.host, K.queue, K.due, now)
  item = queue_pop(K.host, K.queue)
  if not item then
    local first = redis.call('ZRANGE', K.due, 0, 0, 'WITHSCORES')
    if first[2] then
      return wait_for(math.max(1, tonumber(first[2]) - now), 'retry')
    end
    host_leave(K, 'idle', now)
    return { 'idle', version }
  end
  redis.call('HSET', K.host, 'lease', item)
  if item_kind(item) == 'p' then
    redis.call('HINCRBY', K.totals, 'leased', 1)
  end
end
if wait_ms > 0 then
  host_run_until(K, 'waiting', now + wait_ms + lease_ms)
  redis.call('HSET', K.host, 'nextAt', now + wait_ms, 'reason', step.wait.reason)
else
  host_run_until(K, 'active', now + lease_ms)
  redis.call('HDEL', K.host, 'nextAt', 'reason')
end
local host = redis.call('HMGET', K.host, 'queued', 'fails', 'failSince')
local failing_for = host[3] and now - tonumber(host[3]) or 0
return { 'lease', version, item, tonumber(host[1] or 0), tonumber(host[2] or 0), failing_for }
