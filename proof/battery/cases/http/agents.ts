import { Random } from '../../../../test/support/random.ts'
import { bearer, publicPath } from '../../../../test/support/servers/server.ts'
import { MEBIBYTE, peakBytes, residentBytes, SPARE_MIB } from '../../../bench/usage.ts'
import { type AgentMessage, HIDDEN, type Keys, randomMessage } from '../../support/agent-messages.ts'
import { type Case, type Row, Tally } from '../../support/case.ts'
import { startHotReader } from '../../support/hot-reader.ts'
import { Place, type Server } from '../../support/place.ts'
import { RawConnection } from '../../support/socket.ts'

/** How long another client may wait at most, beside those that send slowly or too much. */
const LONGEST_MS = 500
/** What such clients may add to the memory of a server. */
const MOST_MIB = 64

/** The cache of the server; its memory is bounded by that. */
const CACHE_MIB = 16
/** Until a server that has started, or one that nobody asks any more, has given back what it can. */
const SETTLE_MS = 3_000

export default {
  name: 'agents',
  how: 'Messages to /mcp are built at random and then damaged: wrong types, batches, deep and long JSON, other methods, headers of other protocols, foreign origins, keys that are mixed up, disabled or broken. Some clients leave before they are answered, others send bodies of 10 MB, a byte at a time or not to their end. With --minutes it goes on for so long.',
  async run({ of, minutes }) {
    await using place = new Place()
    const keys = fill(place)
    const server = await place.serve({
      MCP_ORIGINS: 'https://agents.test',
      CACHE_MAX_BYTES: String(CACHE_MIB * MEBIBYTE),
    })
    const { pid } = server.child
    await Bun.sleep(SETTLE_MS)
    const idle = residentBytes(pid) / MEBIBYTE
    const attacks = [new Messages(server, keys, of(2_500, 60)), new Bodies(server, of(100, 20), of(15, 2))]
    const until = performance.now() + minutes * 60_000
    do for (const attack of attacks) await attack.run()
    while (performance.now() < until)
    const most = peakBytes(pid) / MEBIBYTE
    await Bun.sleep(SETTLE_MS)
    const left = residentBytes(pid) / MEBIBYTE
    const bounded = new Tally(
      `A server that agents ask takes at most what it takes when idle, CACHE_MAX_BYTES and ${SPARE_MIB} MiB`,
    )
    const figure = `${idle.toFixed(0)} MiB idle, ${most.toFixed(0)} at most, ${left.toFixed(0)} after it`
    bounded.count(most <= idle + CACHE_MIB + SPARE_MIB, () => figure)
    return [...attacks.flatMap((attack) => attack.rows()), bounded.row(figure)]
  },
} satisfies Case

const fill = (place: Place): Keys =>
  place.fill((seed) => {
    const fillTeam = (slug: 'acme' | 'other') => {
      const team = seed.team(slug)
      const { changelogId } = seed.product(team, 'app')
      for (let at = 0; at < 40; at++)
        seed.version(changelogId, `1.${at}.0`, {
          publishedAt: at * 86_400_000,
          changes: [{ type: 'fixed', title: `Fix ${at}` }],
        })
      seed.version(changelogId, '9.0.0', { status: 'draft', description: HIDDEN[slug] })
      return { team, key: seed.key(team).token }
    }
    const [acme, other] = [fillTeam('acme'), fillTeam('other')]
    const more = seed.product(acme.team, 'more')
    return {
      acme: acme.key,
      other: other.key,
      select: seed.key(acme.team, { kind: 'SELECT', products: [more.id] }).token,
      disabled: seed.key(acme.team, { status: 'disabled' }).token,
    }
  })

const ALLOWED = [200, 202, 204, 400, 401, 403, 404, 405, 406, 413, 415]

class Messages {
  private readonly answered = new Tally('Every message is answered, and none makes the server fail')
  private readonly kept = new Tally(
    'No answer has what its key may not read, and none that is refused has any content',
  )
  private readonly own = new Tally('Every answer is that to its own message')
  private readonly random = new Random(27)
  private readonly statuses = new Map<number, number>()
  private sent = 0
  private left = 0

  constructor(
    private readonly server: Server,
    private readonly keys: Keys,
    private readonly rounds: number,
  ) {}

  async run(): Promise<void> {
    for (let round = 0; round < this.rounds; round++)
      await Promise.all(Array.from({ length: 8 }, () => this.ask()))
  }

  rows(): Row[] {
    const figure = [...this.statuses].toSorted().map(([status, count]) => `${count} × ${status}`)
    return [
      this.answered.row([...figure, `${this.left} clients left`].join(', ')),
      this.kept.row(`${this.statuses.get(200) ?? 0} answers with content`),
      this.own.row(''),
    ]
  }

  private async ask(): Promise<void> {
    const { answered, random, keys, server } = this
    const message = randomMessage(random, keys, ++this.sent)
    const { body, headers, method } = message
    const leaving = random.below(100) < 4 ? AbortSignal.timeout(random.below(5)) : null
    const answer = await fetch(`http://127.0.0.1:${server.port}/mcp`, {
      method,
      headers,
      signal: leaving,
      ...(method === 'POST' && { body }),
    })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch((error: Error) => error)
    if (answer instanceof Error) {
      if (leaving?.aborted) this.left++
      else answered.count(false, () => `${answer.message}: ${body.slice(0, 200)}`)
      return
    }
    const { status, text } = answer
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    answered.count(ALLOWED.includes(status), () => `${status} to ${body.slice(0, 200)}: ${text}`)
    this.checkContent(message, text)
    if (status === 200 && message.isWhole) this.checkOwn(message, text)
  }

  private checkContent({ headers }: AgentMessage, text: string): void {
    const { kept, keys } = this
    const { authorization = '', origin = '' } = headers
    const isForeign = origin !== '' && origin !== 'https://agents.test'
    for (const team of ['acme', 'other'] as const) {
      const mayRead = authorization === bearer(keys[team]).authorization && !isForeign
      kept.count(mayRead || !text.includes(HIDDEN[team]), () => `${authorization} ${origin}: ${text}`)
    }
    const isRefused = isForeign || authorization === bearer(keys.disabled).authorization
    kept.count(!(isRefused && text.includes('Fix ')), () => `${authorization} ${origin} got ${text}`)
  }

  private checkOwn({ id, changelog, body }: AgentMessage, text: string): void {
    const answer = JSON.parse(text) as {
      id: unknown
      result?: { structuredContent?: { changelog?: unknown } }
    }
    const about = answer.result?.structuredContent?.changelog
    this.own.count(
      answer.id === id && (about === undefined || about === changelog),
      () => `${body.slice(0, 150)} got ${text.slice(0, 150)}`,
    )
  }
}

/** Bodies that are too long, never end, come a byte at a time or break off, while another client reads on. */
class Bodies {
  private readonly tally = new Tally(
    `Bodies of 10 MB, and such that come a byte at a time, hold up nobody and take at most ${MOST_MIB} MiB: every response within ${LONGEST_MS} ms`,
  )
  private slowest = 0
  private added = 0

  constructor(
    private readonly server: Server,
    private readonly clients: number,
    private readonly seconds: number,
  ) {}

  async run(): Promise<void> {
    const { tally, clients, seconds } = this
    const { child, port } = this.server
    const before = residentBytes(child.pid)
    const connections = await Promise.all(Array.from({ length: clients }, () => RawConnection.open(port)))
    const timers = connections.map(attack)
    const reader = await startHotReader(port, publicPath('acme', 'app'))
    for (let time = 0; time < seconds * 10; time++) {
      await Bun.sleep(100)
      this.added = Math.max(this.added, (residentBytes(child.pid) - before) / MEBIBYTE)
    }
    const { times } = await reader.stop()
    for (const timer of timers) clearInterval(timer)
    for (const connection of connections) connection.close()
    for (const time of times) tally.count(time <= LONGEST_MS, () => `a response after ${time.toFixed(0)} ms`)
    this.slowest = Math.max(this.slowest, ...times)
    tally.count(this.added <= MOST_MIB, () => `${this.added.toFixed(0)} MiB more`)
  }

  rows(): Row[] {
    const { clients, slowest, added } = this
    const figure = `${clients} clients; slowest response ${slowest.toFixed(1)} ms, ${added.toFixed(0)} MiB more`
    return [this.tally.row(figure)]
  }
}

const LONG = 'x'.repeat(10 * MEBIBYTE)

const head = (length: string) =>
  `POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n${length}\r\n\r\n`

function attack(connection: RawConnection, at: number): ReturnType<typeof setInterval> | undefined {
  const kind = at % 5
  if (kind === 0) connection.write(`${head(`Content-Length: ${LONG.length}`)}${LONG}`)
  else if (kind === 1) connection.write(`${head('Transfer-Encoding: chunked')}a00000\r\n${LONG}`)
  else connection.write(`${head('Content-Length: 50000')}{"jsonrpc":"2.0",`)
  if (kind === 2) connection.socket.end()
  if (kind < 3) return
  return setInterval(() => {
    if (connection.isOpen) connection.write(' ')
  }, 50)
}
