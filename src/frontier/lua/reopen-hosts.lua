#!lua
-- Make hosts that have work pending again: after a pause, a larger limit, or a resumed crawl.
-- KEYS: 1 crawl, 2 totals, 3 pending, 4 running, 5 placed, 6 lingering, 7 hosts, 8 host prefix,
--       9 queue prefix, 10 due prefix
-- ARGV: 1 host key after which to go on ('' from the start), 2 most hosts, 3 '1': running hosts are
--       overdue at once, 4 '1': count anew what is queued and mend the totals
-- Reply: {next host key or '', hosts made pending}
-- Complexity: O(hosts × levels in use).
--- @include "lib/clock.lua"
--- @include "lib/item.lua"
--- @include "lib/queue.lua"
--- @include "lib/host.lua"
local totals, most = KEYS[2], tonumber(ARGV[2])
local now = now_ms()
local from = ARGV[1] == '' and '-' or '(' .. ARGV[1]
local names = redis.call('ZRANGEBYLEX', KEYS[7], from, '+', 'LIMIT', 0, most)
local per_host_limit = tonumber(redis.call('HGET', KEYS[1], 'perHostLimit') or 0)
local recounts = ARGV[4] == '1'
if recounts and ARGV[1] == '' then
  redis.call('HSET', KEYS[1], 'recountQueued', 0, 'recountHeld', 0, 'recountLeased', 0)
end

local function count_queued(host, queue, due)
  local total = redis.call('ZCARD', due)
  local bounds = redis.call('HMGET', host, 'lo', 'hi')
  if bounds[1] then
    for level = tonumber(bounds[1]), tonumber(bounds[2]) do
      total = total + redis.call('LLEN', queue .. ':' .. level)
    end
  end
  redis.call('HSET', host, 'queued', total)
  return total
end

local opened = 0
for _, name in ipairs(names) do
  local host = KEYS[8] .. name
  local K = {
    totals = totals, pending = KEYS[3], running = KEYS[4], placed = KEYS[5], lingering = KEYS[6],
    host = host, queue = KEYS[9] .. name, name = name,
  }
  local record = redis.call('HMGET', host, 'state', 'queued', 'lease', 'fetched')
  local state, queued = record[1], tonumber(record[2] or 0)
  local is_running = redis.call('ZSCORE', KEYS[4], name)
  if recounts then
    queued = count_queued(host, K.queue, KEYS[10] .. name)
  end
  if is_running then
    if ARGV[3] == '1' then
      redis.call('ZADD', KEYS[4], now, name)
    end
  elseif queued > 0 or record[3] then
    local has_room = per_host_limit == 0 or tonumber(record[4] or 0) < per_host_limit
    if state == 'exhausted' and has_room then
      if not recounts then
        redis.call('HINCRBY', totals, 'held', -queued)
        redis.call('HINCRBY', totals, 'outstanding', queued)
      end
      state = 'idle'
    end
    if state ~= 'exhausted' then
      host_make_pending(K, now)
      opened = opened + 1
    end
  elseif state == 'paused' or state == 'pending' then
    redis.call('ZREM', KEYS[3], name)
    redis.call('HSET', host, 'state', 'idle')
  end
  if recounts then
    local is_held = redis.call('HGET', host, 'state') == 'exhausted'
    redis.call('HINCRBY', KEYS[1], is_held and 'recountHeld' or 'recountQueued', queued)
    if record[3] then
      redis.call('HINCRBY', KEYS[1], 'recountQueued', 1)
      if item_kind(record[3]) == 'p' then
        redis.call('HINCRBY', KEYS[1], 'recountLeased', 1)
      end
    end
  end
end
if #names < most then
  if recounts then
    local sums = redis.call('HMGET', KEYS[1], 'recountQueued', 'recountHeld', 'recountLeased')
    redis.call('HSET', totals, 'outstanding', sums[1], 'held', sums[2], 'leased', sums[3])
    redis.call('HDEL', KEYS[1], 'recountQueued', 'recountHeld', 'recountLeased')
  end
  return { '', opened }
end
return { names[#names], opened }
