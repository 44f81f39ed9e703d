-- What wrk is told besides the address: how to report, and, for random reads, what to ask.
--
-- Without PRODUCTS_PER_TEAM every request is the same one, made once by wrk, so that Lua costs nothing.
-- With it, each request reads a product drawn uniformly from TEAMS x PRODUCTS_PER_TEAM by a seeded generator.
-- With FIRST_CLIENT also, each request comes from a client address of its own, counted up from that number.
-- With BODY the request is a POST of it.

local teams = tonumber(os.getenv("TEAMS"))
local products = tonumber(os.getenv("PRODUCTS_PER_TEAM"))
local client = tonumber(os.getenv("FIRST_CLIENT"))
local body = os.getenv("BODY")

if body then
  wrk.method = "POST"
  wrk.body = body
end

if products then
  math.randomseed(tonumber(os.getenv("SEED")))

  request = function()
    local head = "GET /api/v1/public/teams/team-" .. math.random(0, teams - 1) ..
      "/products/product-" .. math.random(0, products - 1) ..
      "/changelog HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    if client then
      head = head .. "X-Forwarded-For: 10." .. math.floor(client / 65536) % 256 .. "." ..
        math.floor(client / 256) % 256 .. "." .. client % 256 .. "\r\n"
      client = client + 1
    end
    return head .. "\r\n"
  end
end

function done(summary)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%.6f,"bytes":%.0f,"socketErrors":%d,"statusErrors":%d}\n',
    summary.requests, summary.duration / 1e6, summary.bytes,
    errors.connect + errors.read + errors.write + errors.timeout, errors.status))
end
