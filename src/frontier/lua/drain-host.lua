#!lua
-- One bounded step of giving a blocked host up: what the last step returned (and the caller has
-- recorded since) becomes dead letters, the next items are returned.
-- KEYS: 1 crawl, 2 totals, 3 pending, 4 running, 5 placed, 6 lingering, 7 host, 8 due, 9 queue,
--       10 dead letters
-- ARGV: 1 host key, 2 owner, 3 turn, 4 attempt, 5 most items, 6 lease length in ms, 7 reason ('': the one
--       that the host was blocked for), 8… URLs of the confirmed items, in order
-- Reply: {'ok', item, …} | {'fenced', owner, turn} | {'no_crawl'}
-- Complexity: O(items).
--- @include "lib/clock.lua"
--- @include "lib/item.lua"
--- @include "lib/queue.lua"
--- @include "lib/held.lua"
--- @include "lib/host.lua"
local K = {
  totals = KEYS[2], pending = KEYS[3], running = KEYS[4], placed = KEYS[5], lingering = KEYS[6],
  host = KEYS[7], due = KEYS[8], queue = KEYS[9], name = ARGV[1],
}
local now = now_ms()
local known = host_read(K)
if redis.call('HEXISTS', KEYS[1], 'v') == 0 or not known then
  return { 'no_crawl' }
end
if host_fence(K, known, ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])) then
  return { 'fenced', known.owner, known.turn }
end
local blocked = redis.call('HGET', K.host, 'blocked')
if not blocked then
  -- Given another chance meanwhile: what is left is fetched.
  if known.state == 'blocked' and redis.call('ZSCORE', K.running, K.name) then
    host_park(K, 'pending', now)
  end
  return { 'ok' }
end
local reason = ARGV[7] ~= '' and ARGV[7] or blocked
host_give_back(K)
held_free(K)
-- Retries are given up too, whenever they were due.
local function next_level()
  queue_ripen(K.host, K.queue, K.due, 1e15)
  return queue_level(K.host, K.queue)
end

for n = 8, #ARGV do
  local level = next_level()
  local head = level and redis.call('LINDEX', K.queue .. ':' .. level, 0)
  -- Only what still heads the queue: a repeated call finds it gone and changes nothing.
  if head and item_url(head) == ARGV[n] then
    local item = queue_pop(K.host, K.queue)
    local counter = item_kind(item) == 'p' and 'failed' or 'sitemaps'
    redis.call('HINCRBY', K.totals, 'outstanding', -1)
    redis.call('HINCRBY', K.totals, counter, 1)
    redis.call('HINCRBY', K.host, counter, 1)
    redis.call('RPUSH', KEYS[10], cjson.encode({
      host = K.name, item = item, reason = reason, atMs = now, counter = counter,
    }))
  end
end

-- The heads are those of the lowest level, in the order in which they would be popped.
local reply = { 'ok' }
local level = next_level()
if not level then
  host_leave(K, 'blocked', now)
  return reply
end
for _, item in ipairs(redis.call('LRANGE', K.queue .. ':' .. level, 0, tonumber(ARGV[5]) - 1)) do
  reply[#reply + 1] = item
end
host_run_until(K, 'blocked', now + tonumber(ARGV[6]))
return reply
