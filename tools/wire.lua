-- The requests that wrk sends for `tools/bench wire`, and its report.
--
-- Arguments, one of:
--   questions FILE                       each line of a file in turn: method, path and optionally a body
--   pings BATCH PEOPLE STEP [WAIT]       batches of pings that can all be stored, of PEOPLE people from their step STEP on;
--                                        a connection waits WAIT milliseconds before each request
--
-- A person moves 600 m and 130 s per step.

local headers = { ["Content-Type"] = "application/json" }
local epoch = 1767398400 -- 2026-01-03T00:00:00Z
local requests, position
local batch, people, step, person, wait = 1, 1, 0, 0, 0

local function ping()
   local text = string.format(
      '{"person":"p%d","device":"bench","t":%d,"lat":%.6f,"lon":%.1f,"accuracy_m":12}', person, epoch + step * 130,
      40 + person % 100 * 0.1 + step % 1000 * 0.0054, math.floor(person / 100) % 3000 * 0.1 - 150)
   person = person + 1
   if person == people then person, step = 0, step + 1 end
   return text
end

local function pings()
   local texts = {}
   for i = 1, batch do texts[i] = ping() end
   return wrk.format("POST", "/v1/pings", headers, "[" .. table.concat(texts, ",") .. "]")
end

local function question()
   position = position % #requests + 1
   return requests[position]
end

function init(args)
   if args[1] == "pings" then
      batch, people, step, wait = tonumber(args[2]), tonumber(args[3]), tonumber(args[4]), tonumber(args[5] or "0")
      request = pings
      if wait > 0 then delay = function() return wait end end
      return
   end
   requests, position, request = {}, 0, question
   for line in io.lines(args[2]) do
      local method, path, body = line:match("^(%S+) (%S+) ?(.*)$")
      requests[#requests + 1] = wrk.format(method, path, body ~= "" and headers or nil, body ~= "" and body or nil)
   end
end

-- Prints one line: requests, seconds, bytes, failures, p50, p99 and p99.9 in milliseconds, and error responses.
function done(summary, latency)
   local errors = summary.errors
   local failures = errors.connect + errors.read + errors.write + errors.timeout
   print(string.format(
      "wire %d %.6f %d %d %.3f %.3f %.3f %d", summary.requests, summary.duration / 1e6, summary.bytes, failures,
      latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, latency:percentile(99.9) / 1e3, errors.status))
end
