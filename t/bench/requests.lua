-- Requests of the benchmark.  MODE: get (REQUEST_PATH), each (REQUEST_PATH
-- with %d, the ids of the file IDS in turn), post (REQUEST_PATH, TOKEN).
-- Answers are counted by wrk itself: looking at each in Lua would measure Lua.

local mode = os.getenv("MODE")
local path = os.getenv("REQUEST_PATH")
local tag = os.getenv("TAG") or "bench"
local ids = {}
local sent = 0

function init(args)
  wrk.headers["Cookie"] = os.getenv("COOKIE")
  wrk.headers["Host"] = os.getenv("HOST")
  wrk.headers["Accept"] = "text/html"

  if mode == "each" then
    for line in io.lines(os.getenv("IDS")) do
      table.insert(ids, line)
    end
  end

  if mode == "post" then
    wrk.headers["X-CSRF-Token"] = os.getenv("TOKEN")
    wrk.headers["Accept"] = "text/vnd.turbo-stream.html"
    wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
  end

  plain = wrk.format("GET", path)
end

function request()
  sent = sent + 1

  if mode == "each" then
    return wrk.format("GET", string.format(path, ids[(sent - 1) % #ids + 1]))
  end

  if mode == "post" then
    local body = "message%5Bbody%5D=%3Cp%3EThe+answer+to+number+" .. sent
      .. "+is+%3Cstrong%3Eyes%3C%2Fstrong%3E%3C%2Fp%3E"
      .. "&message%5Bclient_message_id%5D=" .. tag .. "x" .. sent
    return wrk.format("POST", path, nil, body)
  end

  return plain
end

function done(summary, latency, requests)
  print(string.format(
    "RESULT good=%d bad=%d bytes=%d duration=%d p50=%d p99=%d socket=%d",
    summary.requests - summary.errors.status, summary.errors.status,
    summary.bytes, summary.duration, latency:percentile(50),
    latency:percentile(99), summary.errors.connect + summary.errors.read
    + summary.errors.write + summary.errors.timeout))
end
