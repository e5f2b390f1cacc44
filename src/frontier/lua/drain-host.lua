#!lua
-- One bounded step of giving a blocked host up: what the last step returned (and the caller has
-- recorded since) becomes dead letters, the next items are returned.
-- KEYS: 1 totals, 2 pending, 3 running, 4 placed, 5 lingering, 6 host, 7 due, 8 queue, 9 dead letters
-- ARGV: 1 host key, 2 owner, 3 turn, 4 attempt, 5 most items, 6 reason, 7 lease length in ms,
--       8… the confirmed items, in order
-- Reply: {'ok', item, …} | {'fenced', owner, turn}
-- Complexity: O(items).
--- @include "lib/clock.lua"
--- @include "lib/item.lua"
--- @include "lib/queue.lua"
--- @include "lib/host.lua"
local K = {
  totals = KEYS[1], pending = KEYS[2], running = KEYS[3], placed = KEYS[4], lingering = KEYS[5],
  host = KEYS[6], due = KEYS[7], queue = KEYS[8], name = ARGV[1],
}
local now = now_ms()
local owner, turn = host_fence(K, ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]))
if owner then
  return { 'fenced', owner, turn }
end
-- Retries are given up too, whenever they were due.
local function next_level()
  queue_ripen(K.host, K.queue, K.due, 1e15)
  return queue_level(K.host, K.queue)
end

for n = 8, #ARGV do
  local level = next_level()
  -- Only what still heads the queue: a repeated call finds it gone and changes nothing.
  if level and redis.call('LINDEX', K.queue .. ':' .. level, 0) == ARGV[n] then
    local item = queue_pop(K.host, K.queue)
    redis.call('HINCRBY', K.totals, 'outstanding', -1)
    if item_kind(item) == 'p' then
      redis.call('HINCRBY', K.totals, 'failed', 1)
      redis.call('HINCRBY', K.host, 'failed', 1)
    else
      redis.call('HINCRBY', K.totals, 'sitemaps', 1)
    end
    redis.call('RPUSH', KEYS[9],
      cjson.encode({ host = K.name, item = item, reason = ARGV[6], atMs = now }))
  end
end

-- The heads are those of the lowest levels, in the order in which they would be popped.
local reply = { 'ok' }
local level = next_level()
if not level then
  host_leave(K, 'blocked', now)
  return reply
end
for _, item in ipairs(redis.call('LRANGE', K.queue .. ':' .. level, 0, tonumber(ARGV[5]) - 1)) do
  reply[#reply + 1] = item
end
host_run_until(K, 'blocked', now + tonumber(ARGV[7]))
return reply
