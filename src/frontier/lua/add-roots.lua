#!lua
-- Add URLs that the crawl's scope is measured from; new ones raise the version in the same step.
-- KEYS: 1 crawl, 2 roots
-- ARGV: 1… URLs
-- Reply: {'ok', added} | {'no_crawl'}
-- Complexity: O(URLs).
local crawl, roots = KEYS[1], KEYS[2]
if redis.call('HEXISTS', crawl, 'v') == 0 then
  return { 'no_crawl' }
end
local added = 0
for n = 1, #ARGV do
  added = added + redis.call('SADD', roots, ARGV[n])
end
if added > 0 then
  redis.call('HINCRBY', crawl, 'v', 1)
end
return { 'ok', added }
