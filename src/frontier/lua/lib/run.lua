-- Which process of Redis this is, and the latest time at which it can have started.
local function run_id_and_start(now)
  local info = redis.call('INFO', 'server')
  local run = string.match(info, 'run_id:(%x+)')
  local uptime_s = tonumber(string.match(info, 'uptime_in_seconds:(%d+)'))
  return run, now - uptime_s * 1000
end
