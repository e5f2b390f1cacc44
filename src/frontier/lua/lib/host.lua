-- Where a host stands. `running`: hosts that have a run, by the time at which they are overdue;
-- `pending`: hosts with work and no run, by the time since when; `placed`: hosts that count as
-- active; `lingering`: hosts whose run may still be there though the frontier needs none.
-- A host with work is in `running`, in `pending`, or exhausted: so none is forgotten.

local LINGER_MS = 60000

-- The run is over, or rests: the host holds no place and nobody waits for it.
local function host_leave(K, state, now, lingers_for_ms)
  redis.call('ZREM', K.running, K.name)
  redis.call('ZREM', K.pending, K.name)
  redis.call('SREM', K.placed, K.name)
  redis.call('ZADD', K.lingering, now + (lingers_for_ms or LINGER_MS), K.name)
  redis.call('HSET', K.host, 'state', state)
  redis.call('HDEL', K.host, 'nextAt', 'reason')
end

-- `was`: the state until now, where known; an active or waiting host is in `running` already.
local function host_run_until(K, state, expected_by, was)
  if was ~= 'active' and was ~= 'waiting' then
    redis.call('ZREM', K.pending, K.name)
    redis.call('ZREM', K.lingering, K.name)
  end
  redis.call('ZADD', K.running, expected_by, K.name)
  if was ~= state then
    redis.call('HSET', K.host, 'state', state)
  end
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

-- End or rest the run with all work kept: what is queued makes the host pending (under the name
-- `state` for people), so that it is nominated as soon as the crawl runs. Returns whether it has work.
local function host_park(K, state, now, lingers_for_ms)
  host_give_back(K)
  local f = redis.call('HMGET', K.host, 'queued', 'held')
  local has_work = tonumber(f[1] or 0) > 0
  local since = redis.call('ZSCORE', K.pending, K.name) or now
  if f[2] then
    state, has_work = 'exhausted', false
  elseif not has_work then
    state = 'idle'
  end
  host_leave(K, state, now, lingers_for_ms)
  if has_work then
    redis.call('ZADD', K.pending, since, K.name)
  end
  return has_work
end

-- The host's record as a run finds it, or nil for a host that is not known.
local function host_read(K)
  local f = redis.call('HMGET', K.host, 'domain', 'owner', 'turn', 'attempt', 'seq', 'lease', 'state',
    'fails')
  if not f[1] then
    return nil
  end
  return {
    owner = f[2], turn = tonumber(f[3] or 0), attempt = tonumber(f[4] or 0),
    seq = tonumber(f[5] or 0), lease = f[6], state = f[7], fails = f[8],
  }
end

-- Owners are '<13 digits of start ms>:<run id>' and compare as text: a later start wins.
-- Returns whether the caller is fenced; if not, it is on record now, and so it is in `known`.
local function host_fence(K, known, owner, turn, attempt)
  if known.owner and known.owner > owner then
    return true
  end
  if known.owner == owner then
    if turn < known.turn or (turn == known.turn and attempt < known.attempt) then
      return true
    end
    if turn == known.turn and attempt == known.attempt then
      return false
    end
  end
  redis.call('HSET', K.host, 'owner', owner, 'turn', turn, 'attempt', attempt, 'seq', 0)
  known.seq = 0
  return false
end
