import { outputOf } from '../../../../test/support/servers/process.ts'
import { until } from '../../../../test/support/until.ts'
import { type Case, type Row, Tally } from '../../support/case.ts'
import { Place, PROGRAM } from '../../support/place.ts'

const ENV = { PUBLIC_URL: 'https://news.acme.test', HOOKS_PRIVATE: 'true', FOLLOW_PRIVATE: 'true' }
const GOOD = 60
const EVERY_MS = 900_000

export default {
  name: 'slow-hosts',
  how: 'Hooks and sources at hosts that never answer are due before those at a host that does. The good ones must be told and imported while all others still wait for an answer.',
  run: async ({ of }) => [await hooks(of(99, 80)), await sources(of(50, 5))],
} satisfies Case

/** A server with an address of its own for each host, of which all but the first hang. */
class Hosts implements Disposable {
  /** How many requests of each host wait for an answer. */
  readonly open = new Map<string, number>()
  /** The paths that the good host was asked for. */
  readonly answered = new Set<string>()
  private readonly server = Bun.serve({
    ...{ port: 0, hostname: '0.0.0.0', development: false, idleTimeout: 0 },
    fetch: (request) => {
      const { host, pathname } = new URL(request.url)
      if (`http://${host}` === this.url(0)) {
        this.answered.add(pathname)
        return new Response('## 1.0.0 - 2026-01-02\n\n- A change\n')
      }
      this.open.set(host, (this.open.get(host) ?? 0) + 1)
      return new Promise<Response>(() => {})
    },
  })

  url(at: number): string {
    return `http://127.1.${at >> 8}.${at & 255 || 255}:${this.server.port}`
  }

  [Symbol.dispose](): void {
    void this.server.stop(true)
  }
}

async function working(place: Place): Promise<number> {
  const { lines } = outputOf(place.start([PROGRAM, 'worker'], ENV))
  await until(() => lines.length > 0)
  return performance.now()
}

async function hooks(count: number): Promise<Row> {
  const tally = new Tally('Hooks that hang hold up no other one')
  await using place = new Place()
  using hosts = new Hosts()
  const app = place.fill((seed) => seed.product(seed.team('acme'), 'app').changelogId)
  for (let at = count; at >= 0; at--) {
    const { status, stderr } = await place.run(['hook', 'add', 'acme', `${hosts.url(at)}/hook`], { env: ENV })
    if (status !== 0) throw new Error(stderr)
  }
  await place.run(['worker', '--once'], { env: ENV })
  place.fill((seed) => seed.version(app, '1.0'))
  const start = await working(place)
  await until(() => hosts.answered.size > 0)
  const ms = performance.now() - start
  await until(() => hosts.open.size === count)
  tally.count(ms < 10_000, () => `the good one was told after ${ms} ms`)
  return tally.row(`${count} hang, each at a host of its own: another one told after ${seconds(ms)}`)
}

async function sources(count: number): Promise<Row> {
  const tally = new Tally('Hosts that hang hold up only their own sources')
  await using place = new Place()
  using hosts = new Hosts()
  place.fill((seed) => {
    const team = seed.team('acme')
    const follow = (name: string, url: string) =>
      seed.db.run(
        `INSERT INTO source (id, product_id, url, kind, tag_dates, every, prune, paused, created_at)
          VALUES (?, ?, ?, 'auto', 0, ?, 0, 0, 0)`,
        [`src_${name}`, seed.product(team, name).id, `${url}/${name}/CHANGELOG.md`, EVERY_MS],
      )
    for (let at = 1; at <= count; at++) for (const each of ['a', 'b']) follow(`${each}${at}`, hosts.url(at))
    for (let at = 0; at < GOOD; at++) follow(`good${at}`, hosts.url(0))
  })
  const start = await working(place)
  await until(() => hosts.answered.size === GOOD)
  const ms = performance.now() - start
  tally.count(hosts.open.size > 0 && ms < 30_000, () => `the good ones were read after ${ms} ms`)
  return tally.row(`${2 * count} sources at ${count} hosts hang: ${GOOD} others read after ${seconds(ms)}`)
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`
