#!lua
-- Put dead letters back into their queues, with no attempts used; their hosts are given another
-- chance.
-- KEYS: 1 totals, 2 pending, 3 running, 4 placed, 5 lingering, 6 dead letters, 7 host prefix,
--       8 queue prefix
-- ARGV: 1 most letters
-- Reply: letters requeued
-- Complexity: O(letters).
--- @include "lib/clock.lua"
--- @include "lib/item.lua"
--- @include "lib/queue.lua"
--- @include "lib/host.lua"
local now = now_ms()
local letters = redis.call('LPOP', KEYS[6], tonumber(ARGV[1])) or {}
for _, text in ipairs(letters) do
  local letter = cjson.decode(text)
  local K = {
    totals = KEYS[1], pending = KEYS[2], running = KEYS[3], placed = KEYS[4], lingering = KEYS[5],
    host = KEYS[7] .. letter.host, queue = KEYS[8] .. letter.host, name = letter.host,
  }
  redis.call('HDEL', K.host, 'blocked', 'fails', 'failSince')
  queue_push(K.host, K.queue, item_with_attempts(letter.item, 0), false)
  redis.call('HINCRBY', K.totals, 'outstanding', 1)
  if item_kind(letter.item) == 'p' then
    redis.call('HINCRBY', K.totals, 'failed', -1)
    redis.call('HINCRBY', K.host, 'failed', -1)
  else
    redis.call('HINCRBY', K.totals, 'sitemaps', -1)
  end
  local state = redis.call('HGET', K.host, 'state')
  if state ~= 'paused' and not redis.call('ZSCORE', K.running, K.name) then
    host_make_pending(K, now)
  end
end
return #letters
