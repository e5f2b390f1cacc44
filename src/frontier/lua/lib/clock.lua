-- The only clock of the frontier: this server's, in whole milliseconds since the epoch.
local function now_ms()
  local t = redis.call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000)
end
