-- Where a host stands. `running`: hosts that have a run, by the time at which they are overdue;
-- `pending`: hosts with work and no run, by the time since when; `placed`: hosts that count as
-- active; `lingering`: hosts whose run may still be there though the frontier needs none.

local LINGER_MS = 60000

local function host_leave(K, state, now, lingers_for_ms)
  redis.call('ZREM', K.running, K.name)
  redis.call('ZREM', K.pending, K.name)
  redis.call('SREM', K.placed, K.name)
  redis.call('ZADD', K.lingering, now + (lingers_for_ms or LINGER_MS), K.name)
  redis.call('HSET', K.host, 'state', state)
  redis.call('HDEL', K.host, 'nextAt', 'reason')
end

local function host_run_until(K, state, expected_by)
  redis.call('ZREM', K.pending, K.name)
  redis.call('ZREM', K.lingering, K.name)
  redis.call('ZADD', K.running, expected_by, K.name)
  redis.call('HSET', K.host, 'state', state)
end

local function host_make_pending(K, now)
  redis.call('ZADD', K.pending, 'NX', now, K.name)
  redis.call('HSET', K.host, 'state', 'pending')
end

-- Put the leased URL back to the front of its level, as it was.
local function host_give_back(K)
  local lease = redis.call('HGET', K.host, 'lease')
  if not lease then
    return
  end
  redis.call('HDEL', K.host, 'lease')
  if item_kind(lease) == 'p' then
    redis.call('HINCRBY', K.totals, 'leased', -1)
  end
  queue_push(K.host, K.queue, lease, true)
end

-- Owners are '<13 digits of start ms>:<run id>' and compare as text: a later start wins.
-- Returns nil when the caller may act (and is now on record), else the owner and turn that may.
local function host_fence(K, owner, turn, attempt)
  local known = redis.call('HMGET', K.host, 'owner', 'turn', 'attempt')
  local known_turn = tonumber(known[2] or 0)
  local known_attempt = tonumber(known[3] or 0)
  if known[1] and known[1] > owner then
    return known[1], known_turn
  end
  if known[1] == owner then
    if turn < known_turn or (turn == known_turn and attempt < known_attempt) then
      return known[1], known_turn
    end
    if turn == known_turn and attempt == known_attempt then
      return nil
    end
  end
  redis.call('HSET', K.host, 'owner', owner, 'turn', turn, 'attempt', attempt, 'seq', 0)
  return nil
end
