-- Texts that a host's full table forgot: a bitmap, three bits a text. A text is never missed; one that
-- was never there is found by chance (one of 1,000 after 19,000 texts, one of 33 after the last).

local FORGOTTEN_BITS = 2 ^ 19
-- No more are taken in: a fuller bitmap would know whatever it is asked.
local FORGOTTEN_MOST = 65536
-- Field of the host's table that counts them.
local FORGOTTEN_FIELD = '~forgotten'

-- Of a digest of the digest: what comes from outside need not be hexadecimal.
local function forgotten_places(digest)
  local hex = redis.sha1hex(digest)
  local places = {}
  for n = 1, 3 do
    places[n] = tonumber(string.sub(hex, n * 5 - 4, n * 5), 16) % FORGOTTEN_BITS
  end
  return places
end

local function forgotten_has(key, digest)
  for _, place in ipairs(forgotten_places(digest)) do
    if redis.call('GETBIT', key, place) == 0 then
      return false
    end
  end
  return true
end

local function forgotten_add(table_key, key, digest)
  if tonumber(redis.call('HGET', table_key, FORGOTTEN_FIELD) or 0) >= FORGOTTEN_MOST then
    return
  end
  local at = forgotten_places(digest)
  local old = redis.call('BITFIELD', key, 'SET', 'u1', at[1], 1, 'SET', 'u1', at[2], 1,
    'SET', 'u1', at[3], 1)
  if old[1] + old[2] + old[3] < 3 then
    redis.call('HINCRBY', table_key, FORGOTTEN_FIELD, 1)
  end
end
