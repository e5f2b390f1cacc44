-- A queued URL is one packed string, tab-separated (no URL holds a tab):
--   kind, depth, attempts, hops, level, via, [mark,] url
-- mark: digest of the text of the discovering page, where that page is suspicious, or '~sessionId'
-- (lib/alike.lua)

-- Levels that a suspicious URL comes later; 255 is the last one.
local LATER_LEVELS = 128

local function item_kind(item)
  return string.sub(item, 1, 1)
end

-- nil for a string that is no item.
local function item_level(item)
  return string.match(item, '^[ps]\t%d+\t%d+\t[^\t]*\t(%d+)\t[^\t]*\t[^\t]+$')
    or string.match(item, '^[ps]\t%d+\t%d+\t[^\t]*\t(%d+)\t[^\t]*\t[^\t]+\t[^\t]+$')
end

-- What a page embeds, and leads nowhere: the last hop is E.
local function item_is_embed(item)
  return string.match(item, '^[ps]\t%d+\t%d+\t[^\t]*E\t') ~= nil
end

-- What is behind the last tab. A pattern without '^' is tried at every place of the string: with a
-- long `via` that would take time by its square, and all of Redis waits meanwhile.
local function item_url(item)
  return string.match(item, '^.*\t([^\t]*)$') or item
end

-- nil for an item that no suspicious page led to.
local function item_mark(item)
  return string.match(item, '^[ps]\t%d+\t%d+\t[^\t]*\t%d+\t[^\t]*\t([^\t]+)\t[^\t]+$')
end

-- The item behind everything that is not suspicious, with the mark of the page that led to it.
local function item_later(item, mark)
  local head, level, via, url =
    string.match(item, '^([^\t]*\t[^\t]*\t[^\t]*\t[^\t]*\t)(%d+)(\t[^\t]*\t)([^\t]+)$')
  level = tonumber(level)
  if level < LATER_LEVELS then
    level = level + LATER_LEVELS
  end
  return head .. level .. via .. mark .. '\t' .. url
end

local function item_with_attempt_more(item)
  local head, attempts, tail = string.match(item, '^([^\t]*\t[^\t]*\t)(%d+)(\t.*)$')
  return head .. (attempts + 1) .. tail
end

local function item_with_attempts(item, attempts)
  local head, _, tail = string.match(item, '^([^\t]*\t[^\t]*\t)(%d+)(\t.*)$')
  return head .. attempts .. tail
end
