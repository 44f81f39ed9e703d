/**
 * `looking PORT FILE`: `bare`, but it looks at each request as a server must that limits its clients and knows
 * `If-None-Match`: the address, the client, two headers; and it writes one header that differs each time. It
 * decides nothing by what it sees, so the distance from `bare` to here is what Bun asks for the looking.
 */
import { readFileSync } from 'node:fs'

const [port, file = ''] = process.argv.slice(2)
const answer = JSON.parse(readFileSync(file, 'utf8')) as {
  status: number
  headers: [string, string][]
  body: string
}
const { status } = answer
const body = status === 304 ? null : new Blob([answer.body])
const headers = new Headers(answer.headers)
let seen = 0

Bun.serve({
  hostname: '127.0.0.1',
  port: Number(port),
  reusePort: false,
  development: false,
  fetch: (request, server) => {
    const client = server.requestIP(request)?.address ?? ''
    const asked = request.headers.get('if-none-match') ?? request.headers.get('accept-encoding') ?? ''
    seen += request.url.length + request.method.length + client.length + asked.length
    headers.set('ratelimit', `"public";r=${seen};t=1`)
    return new Response(body, { status, headers })
  },
})
