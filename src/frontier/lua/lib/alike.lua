-- Pages of a host that say the same. One hash a host: digest of the text → '<pages>:<links>': pages
-- with that text, less those that led to something new; and URLs queued from them since they are
-- suspicious. Fields '~<rule>' count the URLs queued though a rule suspects them ('0:<links>').

-- A site whose pages all have endless addresses (a link to itself with a random parameter) has as many
-- texts as real pages: of those past the table none ever reaches the budget, and the crawl never ends.
local ALIKE_MOST = 1024
-- Of so many the one with the fewest pages goes when the table is full.
local ALIKE_SAMPLE = 8
-- From so many pages on, what they link to comes after everything else.
local ALIKE_LATER = 3
-- URLs from pages that say the same that a page of the budget stands for.
local LINKS_PER_PAGE = 3

-- Returns pages and links, or nil where the table does not know the field.
local function alike_read(key, field)
  local value = redis.call('HGET', key, field)
  if not value then
    return nil
  end
  local pages, links = string.match(value, '^(%d+):(%d+)$')
  return tonumber(pages or 0), tonumber(links or 0)
end

local function alike_write(key, field, pages, links)
  redis.call('HSET', key, field, math.max(0, pages) .. ':' .. math.max(0, links))
end

-- A full table forgets one of the texts that were met least, never a rule.
local function alike_make_room(key)
  if redis.call('HLEN', key) < ALIKE_MOST then
    return
  end
  local sample = redis.call('HRANDFIELD', key, ALIKE_SAMPLE, 'WITHVALUES')
  local least, field = nil, nil
  for n = 1, #sample, 2 do
    local pages = tonumber(string.match(sample[n + 1], '^%d+') or 0)
    if string.sub(sample[n], 1, 1) ~= '~' and (not least or pages < least) then
      least, field = pages, sample[n]
    end
  end
  if field then
    redis.call('HDEL', key, field)
  end
end

-- A page was fetched. `mark`: what made its URL suspicious: the text of the pages that led to it, or
-- a rule. A page with a text of its own gives a page and two links back to it: its own and that of
-- the next page of the list which it was on.
local function alike_count(key, digest, mark)
  local pages, links = alike_read(key, digest)
  if pages then
    alike_write(key, digest, pages + 1, links)
    return
  end
  alike_make_room(key)
  alike_write(key, digest, 1, 0)
  if mark then
    local before, led = alike_read(key, mark)
    if before then
      alike_write(key, mark, before - 1, led - 2)
    end
  end
end

-- What the links of a page with this text are: nil, 'later' or 'hold'.
local function alike_weight(key, digest, budget)
  if budget == 0 or digest == '' then
    return nil
  end
  local pages, links = alike_read(key, digest)
  if not pages then
    return nil
  elseif pages >= budget or links >= budget * LINKS_PER_PAGE then
    return 'hold'
  end
  return pages >= ALIKE_LATER and 'later' or nil
end

-- So many URLs were queued from suspicious pages, or though a rule suspects them.
local function alike_count_links(key, field, count)
  local pages, links = alike_read(key, field)
  alike_write(key, field, pages or 0, (links or 0) + count)
end
