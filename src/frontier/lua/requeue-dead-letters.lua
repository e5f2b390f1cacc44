#!lua
-- Put dead letters back into their queues, with no attempts used; their hosts are given another
-- chance.
-- KEYS: 1 crawl, 2 totals, 3 pending, 4 running, 5 dead letters, 6 host prefix, 7 queue prefix
-- ARGV: 1 most letters, 2 request id
-- Reply: {'ok', letters requeued} | {'no_crawl'}. Asked again under the request id of the last
--        call: the same reply, nothing changes.
-- Complexity: O(letters).
--- @include "lib/clock.lua"
--- @include "lib/item.lua"
--- @include "lib/queue.lua"
--- @include "lib/held.lua"
--- @include "lib/host.lua"
local crawl = KEYS[1]
local now = now_ms()
local record = redis.call('HMGET', crawl, 'v', 'requeueId', 'requeued')
if not record[1] then
  return { 'no_crawl' }
elseif record[2] == ARGV[2] then
  return { 'ok', tonumber(record[3]) }
end
local letters = redis.call('LPOP', KEYS[5], tonumber(ARGV[1])) or {}
for _, text in ipairs(letters) do
  local letter = cjson.decode(text)
  local K = {
    totals = KEYS[2], pending = KEYS[3], running = KEYS[4],
    host = KEYS[6] .. letter.host, queue = KEYS[7] .. letter.host, name = letter.host,
  }
  redis.call('HDEL', K.host, 'blocked', 'fails', 'failSince')
  queue_push(K.host, K.queue, item_with_attempts(letter.item, 0), false)
  redis.call('HINCRBY', K.totals, letter.counter, -1)
  redis.call('HINCRBY', K.host, letter.counter, -1)
  if not held_count(K, 1) and not redis.call('ZSCORE', K.running, K.name) then
    host_make_pending(K, now)
  end
end
redis.call('HSET', crawl, 'requeueId', ARGV[2], 'requeued', #letters)
return { 'ok', #letters }
