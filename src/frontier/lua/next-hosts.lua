#!lua
-- Nominate hosts that somebody should run: those with work and no run (pending), up to the free
-- places, and those that are overdue. The sweep for lost runs is this very step.
-- KEYS: 1 crawl, 2 totals, 3 pending, 4 running, 5 placed, 6 lingering, 7 nomination, 8 host prefix,
--       9 trapped
-- ARGV: 1 parent owner, 2 request id, 3 most hosts to name, 4 ms until a nominated host is overdue
-- Reply: {'fenced'} | {'no_crawl'} | {'ok', version, state, reason, done, recount, pending, running,
--        placed, {host, why, …}, {totals as field, value, …}, held back as traps}
-- Asked again under the same request id, it names the same hosts.
-- Complexity: O(hosts named × log hosts).
--- @include "lib/clock.lua"
--- @include "lib/crawl.lua"
local crawl, totals = KEYS[1], KEYS[2]
local now = now_ms()
local record = redis.call('HMGET', crawl, 'v', 'state', 'parent', 'concurrency', 'deadlineMs')
if not record[1] then
  return { 'no_crawl' }
end
if record[3] and record[3] > ARGV[1] then
  return { 'fenced' }
end
local state, most, overdue_in = record[2], tonumber(ARGV[3]), tonumber(ARGV[4])
redis.call('HSET', crawl, 'parent', ARGV[1], 'parentSeenMs', now)
redis.call('ZREMRANGEBYSCORE', KEYS[6], '-inf', now)
local deadline = tonumber(record[5] or 0)
if state == 'running' and deadline > 0 and now >= deadline then
  crawl_set_state(crawl, 'stopping', 'maxDuration', now)
  state = 'stopping'
end

local named = {}
local last = redis.call('HMGET', KEYS[7], 'requestId', 'hosts')
if last[1] == ARGV[2] then
  named = cjson.decode(last[2])
elseif state == 'running' or state == 'paused' or state == 'stopping' or state == 'cancelled' then
  local overdue = redis.call('ZRANGEBYSCORE', KEYS[4], '-inf', now, 'LIMIT', 0, most)
  for _, name in ipairs(overdue) do
    redis.call('ZADD', KEYS[4], now + overdue_in, name)
    named[#named + 1] = name
    named[#named + 1] = 'overdue'
  end
  if state == 'running' then
    local free = tonumber(record[4]) - redis.call('SCARD', KEYS[5])
    local count = math.min(free, most - #overdue)
    if count > 0 then
      local popped = redis.call('ZPOPMIN', KEYS[3], count)
      for n = 1, #popped, 2 do
        local name = popped[n]
        redis.call('ZADD', KEYS[4], now + overdue_in, name)
        redis.call('SADD', KEYS[5], name)
        redis.call('HSET', KEYS[8] .. name, 'state', 'nominated')
        named[#named + 1] = name
        named[#named + 1] = 'pending'
      end
    end
  end
  if #named > 0 then
    redis.call('HSET', KEYS[7], 'requestId', ARGV[2], 'hosts', cjson.encode(named))
  end
end

local pending, running = redis.call('ZCARD', KEYS[3]), redis.call('ZCARD', KEYS[4])
local counts = redis.call('HMGET', totals, 'outstanding', 'leased')
local outstanding = tonumber(counts[1] or 0)
local is_done, needs_recount = 0, 0
if state == 'running' then
  -- Pending hosts have work, whatever a damaged total says.
  if outstanding <= 0 and pending == 0 then
    is_done = 1
  elseif pending == 0 and running == 0 then
    needs_recount = 1
  end
elseif state == 'stopping' then
  is_done = running == 0 and 1 or 0
elseif state ~= 'paused' and state ~= 'preparing' then
  is_done = 1
end
local head = redis.call('HMGET', crawl, 'v', 'reason')
return { 'ok', tonumber(head[1]), state, head[2] or '', is_done, needs_recount, pending, running,
  redis.call('SCARD', KEYS[5]), named, redis.call('HGETALL', totals), redis.call('HLEN', KEYS[9]) }
