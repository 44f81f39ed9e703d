/**
 * `bare PORT FILE`: a fetch handler that returns the answer in the file, the same to everything, and checks
 * nothing. Nothing that answers through a fetch handler of Bun can be faster.
 */
import { readFileSync } from 'node:fs'

const [port, file = ''] = process.argv.slice(2)
const answer = JSON.parse(readFileSync(file, 'utf8')) as {
  status: number
  headers: [string, string][]
  body: string
}
const bytes = answer.status === 304 ? null : new TextEncoder().encode(answer.body)
const init = { status: answer.status, headers: Object.fromEntries(answer.headers) }

Bun.serve({
  hostname: '127.0.0.1',
  port: Number(port),
  reusePort: false,
  development: false,
  fetch: () => new Response(bytes, init),
})
