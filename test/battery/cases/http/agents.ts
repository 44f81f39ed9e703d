import { MEBIBYTE, residentBytes } from '../../../../bench/usage.ts'
import { bearer, publicPath } from '../../../support/servers/server.ts'
import { type Case, type Effort, type Row, Tally } from '../../support/case.ts'
import { startHotReader } from '../../support/hot-reader.ts'
import { Place, type Server } from '../../support/place.ts'
import { Random } from '../../support/random.ts'
import { RawConnection } from '../../support/socket.ts'

/** How long another client may wait at most, beside those that send slowly or too much. */
const LONGEST_MS = 500
/** What such clients may add to the memory of a server. */
const MOST_MIB = 64

/** Words that only one of the two teams has, and only for its key. */
const HIDDEN = { acme: 'acmehiddenword', other: 'otherhiddenword' }

export default {
  name: 'agents',
  how: 'Messages to /mcp are built at random and then damaged: wrong types, batches, deep and long JSON, other methods, headers of other protocols, foreign origins, keys that are mixed up, disabled or broken. Other clients send bodies of 10 MB or a byte at a time.',
  async run(effort) {
    await using place = new Place()
    const keys = place.fill((seed) => {
      const fill = (slug: 'acme' | 'other') => {
        const team = seed.team(slug)
        const { changelogId } = seed.product(team, 'app')
        for (let at = 0; at < 40; at++)
          seed.version(changelogId, `1.${at}.0`, {
            publishedAt: at * 86_400_000,
            changes: [{ type: 'fixed', title: `Fix ${at}` }],
          })
        seed.version(changelogId, '9.0.0', { status: 'draft', description: HIDDEN[slug] })
        return seed.key(team).token
      }
      return { acme: fill('acme'), other: fill('other') }
    })
    const server = await place.serve({ MCP_ORIGINS: 'https://agents.test' })
    return [...(await messages(server, keys, effort)), await bodies(server, effort)]
  },
} satisfies Case

const ALLOWED = [200, 202, 204, 400, 401, 403, 404, 405, 406, 413, 415]

async function messages({ port }: Server, keys: typeof HIDDEN, { of }: Effort): Promise<Row[]> {
  const answered = new Tally('Every message is answered, and none makes the server fail')
  const kept = new Tally('No answer has what its key may not read, and none that is refused has any content')
  const random = new Random(27)
  const statuses = new Map<number, number>()
  const ask = async () => {
    const { body, headers, method } = randomMessage(random, keys)
    const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method,
      headers,
      ...(method === 'POST' && { body }),
    }).catch((error: Error) => error)
    if (response instanceof Error)
      return answered.count(false, () => `${response.message}: ${body.slice(0, 200)}`)
    const text = await response.text()
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    answered.count(
      ALLOWED.includes(response.status),
      () => `${response.status} to ${body.slice(0, 200)}: ${text}`,
    )
    const { authorization = '', origin = '' } = headers
    const isForeign = origin !== '' && origin !== 'https://agents.test'
    for (const team of ['acme', 'other'] as const) {
      const mayRead = authorization === bearer(keys[team]).authorization && !isForeign
      kept.count(mayRead || !text.includes(HIDDEN[team]), () => `${authorization} ${origin}: ${text}`)
    }
    kept.count(!(isForeign && text.includes('Fix ')), () => `${origin} got ${text}`)
  }
  const rounds = of(2_500, 60)
  for (let round = 0; round < rounds; round++) await Promise.all(Array.from({ length: 8 }, ask))
  const figure = [...statuses].toSorted().map(([status, count]) => `${count} × ${status}`)
  return [answered.row(figure.join(', ')), kept.row(`${statuses.get(200) ?? 0} answers with content`)]
}

const NAMES = ['list_changelogs', 'get_changelog', 'get_version', 'compare_versions', 'search', 'nothing', '']
const METHODS = [
  'tools/call',
  'tools/call',
  'tools/call',
  'tools/list',
  'resources/list',
  'resources/read',
  'initialize',
]
const OTHERS = [
  'ping',
  'server/discover',
  'subscriptions/listen',
  'prompts/list',
  'logging/setLevel',
  'x',
  '__proto__',
  '',
]
const ODD: unknown[] = [
  null,
  true,
  -1,
  1e308,
  '',
  'x'.repeat(5_000),
  [],
  {},
  { __proto__: 1 },
  [[[[]]]],
  '💥',
  '\u0000',
  '../..',
]
const VERSIONS = ['1.0.0', '1.20.0', '9.0.0', 'latest', 'ver_0', '%00', "' or 1=1 --"]
const PROTOCOLS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '1', '']

/** A message that may be right, and a request with it that may be wrong. */
function randomMessage(random: Random, keys: typeof HIDDEN) {
  const maybe = (share: number): boolean => random.below(100) < share
  const pick = <T>(values: readonly T[]): T => random.pick(values)
  const any = (usual: readonly unknown[]): unknown => (maybe(6) ? pick(ODD) : pick(usual))
  const given = Object.fromEntries(
    Object.entries({
      changelog: any(['acme/app', 'other/app', 'acme/app', 'nobody/app', 'acme']),
      version: any(VERSIONS),
      from: any(VERSIONS),
      to: any(VERSIONS),
      query: any(['fix', HIDDEN.acme, HIDDEN.other]),
      kind: any(['fixed', 'breaking', 'x']),
      cursor: any(['x', 'acme/app', 'MTc2IHZlcl8x']),
      limit: any([1, 100, 0, '5']),
      maxLength: any([1_000, 100_000, 10]),
    }).filter(() => maybe(55)),
  )
  const name = any(NAMES)
  const method = maybe(80) ? pick(METHODS) : pick(OTHERS)
  const protocol = pick(PROTOCOLS)
  const meta = {
    'io.modelcontextprotocol/protocolVersion': protocol,
    'io.modelcontextprotocol/clientInfo': any([{ name: 'x', version: '1' }]),
    'io.modelcontextprotocol/clientCapabilities': any([{}]),
  }
  const params = {
    ...(method === 'tools/call' && { name, arguments: given }),
    ...(method === 'resources/read' && {
      uri: any(['changelog://acme/app', 'changelog://other/app', 'file:///etc/passwd']),
    }),
    ...(method === 'initialize' && {
      protocolVersion: protocol,
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    }),
    ...(maybe(40) && { _meta: any([meta]) }),
  }
  const message = {
    jsonrpc: any(['2.0']),
    id: any([1, 'a']),
    method: maybe(3) ? pick(ODD) : method,
    params: any([params]),
  }
  const headers: Record<string, string> = {
    'content-type': maybe(95)
      ? 'application/json'
      : pick(['text/plain', 'application/x-www-form-urlencoded', '']),
    accept: maybe(95) ? 'application/json, text/event-stream' : pick(['*/*', 'text/html', '']),
    ...(maybe(60) && { 'mcp-protocol-version': protocol }),
    ...(maybe(40) && { 'mcp-method': method, 'mcp-name': String(name).replace(/[^ -~]/g, '?') }),
    ...(maybe(15) && { origin: pick(['https://agents.test', 'https://evil.test', 'null']) }),
    ...(maybe(30) && { authorization: authorizationOf(random, keys) }),
    ...(maybe(5) && { 'mcp-session-id': 'x' }),
  }
  return {
    method: maybe(96) ? 'POST' : pick(['GET', 'DELETE', 'OPTIONS', 'PUT']),
    headers,
    body: damaged(random, JSON.stringify(maybe(4) ? [message, message] : message)),
  }
}

const authorizationOf = (random: Random, keys: typeof HIDDEN): string =>
  random.pick([
    bearer(keys.acme).authorization,
    bearer(keys.other).authorization,
    `Bearer ${keys.acme}x`,
    `Bearer ${keys.acme} ${keys.other}`,
    `Bearer ${keys.acme}, Bearer ${keys.other}`,
    `Basic ${btoa(`x:${keys.acme}`)}`,
    'Bearer',
    '',
  ])

/** Most stay as they are. */
function damaged(random: Random, text: string): string {
  const at = random.below(text.length)
  switch (random.below(40)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return text.slice(0, at) + random.text(3, '{}[]",:0\\u\u0000') + text.slice(at)
    case 2:
      return `${'['.repeat(30_000)}${']'.repeat(30_000)}`
    case 3:
      return text.replace('"arguments":{', `"arguments":{"x":${'{"x":'.repeat(9_000)}1${'}'.repeat(9_000)},`)
    case 4:
      return text + ' '.repeat(70_000)
    case 5:
      return `\uFEFF${text}`
    case 6:
      return text.replaceAll('"id"', '"id":1,"id"')
    default:
      return text
  }
}

/** Bodies that are too long, never end or come a byte at a time, while another client reads on. */
async function bodies({ child, port }: Server, { of }: Effort): Promise<Row> {
  const tally = new Tally(
    `Bodies of 10 MB, and such that come a byte at a time, hold up nobody and take at most ${MOST_MIB} MiB: every response within ${LONGEST_MS} ms`,
  )
  const count = of(100, 20)
  const before = residentBytes(child.pid)
  let most = before
  const head = (length: string) =>
    `POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n${length}\r\n\r\n`
  const connections = await Promise.all(Array.from({ length: count }, () => RawConnection.open(port)))
  const long = 'x'.repeat(10 * MEBIBYTE)
  const timers = connections.map((connection, at) => {
    if (at % 4 === 0) connection.write(`${head(`Content-Length: ${long.length}`)}${long}`)
    else if (at % 4 === 1) connection.write(`${head('Transfer-Encoding: chunked')}a00000\r\n${long}`)
    else connection.write(head(`Content-Length: ${50_000}`))
    return setInterval(() => {
      if (at % 4 > 1 && connection.isOpen) connection.write(' ')
    }, 50)
  })
  const reader = await startHotReader(port, publicPath('acme', 'app'))
  for (let time = 0; time < of(150, 20); time++) {
    await Bun.sleep(100)
    most = Math.max(most, residentBytes(child.pid))
  }
  const { times } = await reader.stop()
  for (const timer of timers) clearInterval(timer)
  for (const connection of connections) connection.close()
  for (const time of times) tally.count(time <= LONGEST_MS, () => `a response after ${time.toFixed(0)} ms`)
  const added = (most - before) / MEBIBYTE
  tally.count(added <= MOST_MIB, () => `${added.toFixed(0)} MiB more`)
  return tally.row(
    `${count} clients; slowest response ${Math.max(...times).toFixed(1)} ms, ${added.toFixed(0)} MiB more`,
  )
}
