-- Pages of a host that say the same. One hash a host: digest of the text → '<pages>:<links>': pages
-- with that text, less those that led to something new; and URLs queued from them since they are
-- suspicious. Fields '~<rule>' count the URLs queued though a rule suspects them ('0:<links>');
-- '~alikeHost' counts the same for all texts of the host together: pages that said nothing new, less
-- those that did; and URLs queued from the former.
-- `K` holds the keys of one host: `alike`, this hash, and `forgotten` (lib/forgotten.lua).

-- A full table knows the texts that many pages have; the others are in the bitmap. With its counters
-- it stays within 1,024 fields: from 1,025 on Redis takes 8 KiB more for it.
local ALIKE_MOST = 1000
-- Of so many the one with the fewest pages goes when the table is full.
local ALIKE_SAMPLE = 8
-- From so many pages on, what they link to comes after everything else.
local ALIKE_LATER = 3
-- URLs from pages that say the same that a page of the budget stands for.
local LINKS_PER_PAGE = 3
-- A site whose every link has a random parameter is endless though each of its pages is real: each
-- text would get a budget of its own. So all of them together get what one has, in URLs.
local ALIKE_HOST = '~alikeHost'
-- Past so many pages that said nothing new (or past the budget), what such pages link to comes later.
local ALIKE_HOST_LATER = 100

local function alike_parse(value)
  if not value then
    return nil
  end
  local pages, links = string.match(value, '^(%d+):(%d+)$')
  return tonumber(pages or 0), tonumber(links or 0)
end

-- Returns pages and links, or nil where the table does not know the field.
local function alike_read(key, field)
  return alike_parse(redis.call('HGET', key, field))
end

local function alike_pack(pages, links)
  return math.max(0, pages) .. ':' .. math.max(0, links)
end

local function alike_is_full(K)
  return redis.call('HLEN', K.alike) >= ALIKE_MOST
end

-- A full table gives one of the texts that were met least to the bitmap, never a rule.
local function alike_make_room(K)
  local sample = redis.call('HRANDFIELD', K.alike, ALIKE_SAMPLE, 'WITHVALUES')
  local least, field = nil, nil
  for n = 1, #sample, 2 do
    local pages = tonumber(string.match(sample[n + 1], '^%d+') or 0)
    if string.sub(sample[n], 1, 1) ~= '~' and (not least or pages < least) then
      least, field = pages, sample[n]
    end
  end
  if field then
    redis.call('HDEL', K.alike, field)
    forgotten_add(K.alike, K.forgotten, field)
  end
end

-- A page was fetched. `mark`: what made its URL suspicious: the text of the pages that led to it, or
-- a rule. A page with a text of its own gives a page and two links back to it: its own and that of
-- the next page of the list which it was on.
local function alike_count(K, digest, mark)
  local values = redis.call('HMGET', K.alike, digest, ALIKE_HOST)
  local pages, links = alike_parse(values[1])
  local stale, led = alike_parse(values[2])
  stale, led = stale or 0, led or 0
  if pages then
    redis.call('HSET', K.alike, digest, alike_pack(pages + 1, links),
      ALIKE_HOST, alike_pack(stale + 1, led))
    return
  end
  local is_full = alike_is_full(K)
  local is_forgotten = is_full and forgotten_has(K.forgotten, digest)
  if is_full then
    alike_make_room(K)
  end
  if is_forgotten then
    redis.call('HSET', K.alike, digest, alike_pack(2, 0), ALIKE_HOST, alike_pack(stale + 1, led))
    return
  end
  redis.call('HSET', K.alike, digest, alike_pack(1, 0))
  if stale > 0 or led > 0 then
    redis.call('HSET', K.alike, ALIKE_HOST, alike_pack(stale - 1, led - 2))
  end
  if mark then
    local before, marked = alike_read(K.alike, mark)
    if before then
      redis.call('HSET', K.alike, mark, alike_pack(before - 1, marked - 2))
    end
  end
end

-- What the links of a page with this text are: nil, 'later' or 'hold'; and the rule that says so.
local function alike_weight(K, digest, budget)
  if budget == 0 or digest == '' then
    return nil
  end
  local values = redis.call('HMGET', K.alike, digest, ALIKE_HOST)
  local pages, links = alike_parse(values[1])
  local most = budget * LINKS_PER_PAGE
  if pages and (pages >= budget or links >= most) then
    return 'hold', 'alikePages'
  end
  local stale, led = alike_parse(values[2])
  local is_stale = (stale or 0) > math.min(ALIKE_HOST_LATER, budget)
  if is_stale and (pages or (alike_is_full(K) and forgotten_has(K.forgotten, digest))) then
    return (stale > most or led > most) and 'hold' or 'later', 'alikeHost'
  elseif pages and pages >= ALIKE_LATER then
    return 'later', 'alikePages'
  end
  return nil
end

-- So many URLs were queued though a rule suspects them.
local function alike_count_links(key, field, count)
  local pages, links = alike_read(key, field)
  redis.call('HSET', key, field, alike_pack(pages or 0, (links or 0) + count))
end

-- So many URLs were queued that come later by `rule`, found on a page with this text.
local function alike_count_later(K, digest, rule, count)
  -- A text that is forgotten does not come back by its links.
  if redis.call('HEXISTS', K.alike, digest) == 1 then
    alike_count_links(K.alike, digest, count)
  end
  if rule == 'alikeHost' then
    alike_count_links(K.alike, ALIKE_HOST, count)
  end
end
