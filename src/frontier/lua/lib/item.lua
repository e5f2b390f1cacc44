-- A queued URL is one packed string, tab-separated (no URL holds a tab):
--   kind, depth, attempts, hops, level, via, url
local function item_kind(item)
  return string.sub(item, 1, 1)
end

-- nil for a string that is no item.
local function item_level(item)
  return string.match(item, '^[ps]\t%d+\t%d+\t[^\t]*\t(%d+)\t[^\t]*\t[^\t]+$')
end

local function item_url(item)
  return string.match(item, '([^\t]*)$')
end

local function item_with_attempt_more(item)
  local head, attempts, tail = string.match(item, '^([^\t]*\t[^\t]*\t)(%d+)(\t.*)$')
  return head .. (attempts + 1) .. tail
end

local function item_with_attempts(item, attempts)
  local head, _, tail = string.match(item, '^([^\t]*\t[^\t]*\t)(%d+)(\t.*)$')
  return head .. attempts .. tail
end
