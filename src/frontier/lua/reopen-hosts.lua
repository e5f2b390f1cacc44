#!lua
-- Make hosts that have work pending again: after a larger limit, or in a resumed crawl. Counting
-- anew (recount) also mends the totals, a page of hosts at a time.
-- KEYS: 1 crawl, 2 totals, 3 pending, 4 running, 5 placed, 6 hosts, 7 host prefix, 8 queue prefix,
--       9 due prefix
-- ARGV: 1 host key after which to go on ('' from the start), 2 most hosts, 3 '1': running hosts are
--       overdue at once, 4 '1': count anew what is queued and mend the totals
-- Reply: {'ok', next host key or '', hosts made pending} | {'no_crawl'}
-- Complexity: O(hosts × levels in use).
--- @include "lib/clock.lua"
--- @include "lib/item.lua"
--- @include "lib/held.lua"
--- @include "lib/host.lua"
--- @include "lib/recount.lua"
local crawl, totals, most = KEYS[1], KEYS[2], tonumber(ARGV[2])
local after, recounts = ARGV[1], ARGV[4] == '1'
local now = now_ms()
local record = redis.call('HMGET', crawl, 'v', 'perHostLimit')
if not record[1] then
  return { 'no_crawl' }
end
local per_host_limit = tonumber(record[2] or 0)
if recounts then
  local repeated = recount_begin(crawl, totals, after)
  if repeated then
    return { 'ok', repeated, 0 }
  end
end

local from = after == '' and '-' or '(' .. after
local names = redis.call('ZRANGEBYLEX', KEYS[6], from, '+', 'LIMIT', 0, most)
local opened = 0
local sums = { outstanding = 0, held = 0, leased = 0 }
for _, name in ipairs(names) do
  local K = {
    totals = totals, pending = KEYS[3], running = KEYS[4], placed = KEYS[5],
    host = KEYS[7] .. name, queue = KEYS[8] .. name, due = KEYS[9] .. name, name = name,
  }
  local is_running = redis.call('ZSCORE', K.running, name)
  local h = redis.call('HMGET', K.host, 'queued', 'lease', 'fetched', 'held')
  local has_room = per_host_limit == 0 or tonumber(h[3] or 0) < per_host_limit
  local queued = tonumber(h[1] or 0)
  if recounts then
    queued = recount_host(K, sums, h[4] and not has_room)
    if not is_running then
      redis.call('SREM', K.placed, name)
    end
  elseif h[4] and has_room then
    held_free(K)
  end
  if is_running then
    if ARGV[3] == '1' then
      redis.call('ZADD', K.running, now, name)
    end
  elseif (queued > 0 or h[2]) and (not h[4] or has_room) then
    host_make_pending(K, now)
    opened = opened + 1
  elseif queued == 0 then
    local state = redis.call('HGET', K.host, 'state')
    redis.call('ZREM', K.pending, name)
    if state == 'paused' or state == 'pending' or (state == 'exhausted' and has_room) then
      redis.call('HSET', K.host, 'state', 'idle')
    end
  end
end
local next_after = #names < most and '' or names[#names]
if recounts then
  recount_end(crawl, totals, after, next_after, sums)
end
return { 'ok', next_after, opened }
