#!lua
-- Record what became of the leased URL and lease the next one, or say why there is none.
-- KEYS: 1 crawl, 2 totals, 3 pending, 4 running, 5 placed, 6 lingering, 7 host, 8 due, 9 queue,
--       10 dead letters, 11 alike, 12 forgotten
-- ARGV: 1 host key, 2 owner, 3 turn, 4 attempt, 5 lease length in ms, 6 step as JSON
--       (contracts/frontier.ts: TurnStep), 7 ms after which a silent parent parks its hosts,
--       8 ms of a wait from which a host gives up its place
-- Reply: {status, version, …}, see the parser in scripts.ts
-- Complexity: O(levels in use + retries that ripen, at most 100).
--- @include "lib/clock.lua"
--- @include "lib/item.lua"
--- @include "lib/queue.lua"
--- @include "lib/held.lua"
--- @include "lib/host.lua"
--- @include "lib/outcome.lua"
--- @include "lib/forgotten.lua"
--- @include "lib/alike.lua"
--- @include "lib/crawl.lua"
local crawl = KEYS[1]
local K = {
  totals = KEYS[2], pending = KEYS[3], running = KEYS[4], placed = KEYS[5], lingering = KEYS[6],
  host = KEYS[7], due = KEYS[8], queue = KEYS[9], dead = KEYS[10], alike = KEYS[11],
  forgotten = KEYS[12], name = ARGV[1],
}
local lease_ms, place_wait_ms = tonumber(ARGV[5]), tonumber(ARGV[8])
local step = cjson.decode(ARGV[6])
local now = now_ms()
local record = redis.call('HMGET', crawl, 'v', 'state', 'maxPages', 'perHostLimit', 'concurrency',
  'deadlineMs', 'parentSeenMs', 'trapBudget')
if not record[1] then
  return { 'stopped', 0, 'cancelled' }
end
local version, state = tonumber(record[1]), record[2]
local max_pages = tonumber(record[3] or 0)
local per_host_limit = tonumber(record[4] or 0)

-- A store that was set back may have forgotten the host: nothing to do until it is met again.
local known = host_read(K)
if not known then
  return { 'idle', version }
end
if host_fence(K, known, ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])) then
  return { 'fenced', version, known.owner, known.turn }
end

-- Every step that records something has a number of its own within its attempt.
local done = step.completion
if step.seq and step.seq > known.seq then
  redis.call('HSET', K.host, 'seq', step.seq)
  -- A lease on another URL: the store was set back. The URL is queued still, or will be again.
  if done and known.lease and item_url(known.lease) == done.url then
    outcome_record(K, done, known.lease, now)
    if done.textDigest and done.outcome == 'fetched' and tonumber(record[8] or 0) > 0 then
      alike_count(K, done.textDigest, item_mark(known.lease))
    end
    known.lease = nil
  end
  if step.hostOutcome == 'ok' and known.fails then
    redis.call('HDEL', K.host, 'fails', 'failSince')
  elseif step.hostOutcome == 'failure' then
    redis.call('HINCRBY', K.host, 'fails', 1)
    redis.call('HSETNX', K.host, 'failSince', now)
  end
end

local fetched, leased = 0, 0
if max_pages > 0 then
  local counts = redis.call('HMGET', K.totals, 'fetched', 'leased')
  fetched, leased = tonumber(counts[1] or 0), tonumber(counts[2] or 0)
end
if state == 'running' then
  local deadline = tonumber(record[6] or 0)
  local over = nil
  if max_pages > 0 and fetched >= max_pages then
    over = 'pageLimit'
  elseif deadline > 0 and now >= deadline then
    over = 'maxDuration'
  end
  if over then
    version = crawl_set_state(crawl, 'stopping', over, now)
    state = 'stopping'
  end
end

if step.block then
  redis.call('HSET', K.host, 'blocked', step.block)
end
if step.lease == false then
  return { 'done', version }
end

-- The crawl does not run, or nobody leads it: the host parks with its work, and is nominated when
-- that has changed. A workflow that waits for a wake lingers until then.
local for_ever = 1e13 - now
if state == 'paused' then
  host_park(K, 'paused', now, for_ever)
  return { 'paused', version, 'paused' }
elseif state ~= 'running' then
  host_park(K, 'pending', now)
  return { 'stopped', version, state }
elseif record[7] and now - tonumber(record[7]) > tonumber(ARGV[7]) then
  host_park(K, 'pending', now, for_ever)
  return { 'paused', version, 'parentSilent' }
end

local h = redis.call('HMGET', K.host, 'blocked', 'fetched', 'held', 'queued', 'fails', 'failSince')
local queued = tonumber(h[4] or 0)
local is_full = not known.lease and per_host_limit > 0 and tonumber(h[2] or 0) >= per_host_limit
if h[3] and (h[1] or not is_full) then
  held_free(K)
end
if h[1] then
  host_give_back(K)
  host_run_until(K, 'blocked', now + lease_ms)
  redis.call('SREM', K.placed, K.name)
  redis.call('HDEL', K.host, 'nextAt', 'reason')
  return { 'blocked', version, h[1] }
end

if is_full then
  held_take(K)
  host_leave(K, 'exhausted', now)
  return { 'exhausted', version }
end

local function wait_for(ms, reason)
  if ms >= place_wait_ms then
    redis.call('SREM', K.placed, K.name)
  end
  host_run_until(K, 'waiting', now + ms + lease_ms, known.state)
  redis.call('HSET', K.host, 'nextAt', now + ms, 'reason', reason)
  return { 'wait', version, ms, reason }
end

-- A long wait gives up the place, and the lease with it: a larger limit or a pause may come first.
local wait_ms = step.wait and whole(step.wait.waitMs) or 0
if wait_ms >= place_wait_ms then
  host_give_back(K)
  known.lease = nil
  if tonumber(redis.call('HGET', K.host, 'queued') or 0) > 0 then
    return wait_for(wait_ms, step.wait.reason)
  end
end

-- An active host has a place.
if known.state ~= 'active' and redis.call('SISMEMBER', K.placed, K.name) == 0 then
  if redis.call('SCARD', K.placed) >= tonumber(record[5]) then
    return { host_park(K, 'pending', now) and 'noPlace' or 'idle', version }
  end
  redis.call('SADD', K.placed, K.name)
end

local item = known.lease
if not item then
  if max_pages > 0 and fetched + leased >= max_pages then
    return wait_for(1000, 'page limit: the last pages are being fetched')
  end
  queue_ripen(K.host, K.queue, K.due, now)
  item, queued = queue_pop(K.host, K.queue)
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
  host_run_until(K, 'waiting', now + wait_ms + lease_ms, known.state)
  redis.call('HSET', K.host, 'nextAt', now + wait_ms, 'reason', step.wait.reason)
else
  host_run_until(K, 'active', now + lease_ms, known.state)
  if known.state == 'waiting' then
    redis.call('HDEL', K.host, 'nextAt', 'reason')
  end
end
local failing_for = h[6] and now - tonumber(h[6]) or 0
return { 'lease', version, item, queued, tonumber(h[5] or 0), failing_for,
  redis.call('SCARD', K.placed) }
