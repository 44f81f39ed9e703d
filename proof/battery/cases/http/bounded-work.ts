import { publicPath } from '../../../../test/support/servers/server.ts'
import { type Case, type Row, Tally } from '../../support/case.ts'
import { startHotReader } from '../../support/hot-reader.ts'
import { Place } from '../../support/place.ts'
import { RawConnection, request } from '../../support/socket.ts'

const VERSIONS = 10_000
const CHANGES = 5
/** How many changes the one version of another product has. */
const MANY_CHANGES = 40_000
const hot = publicPath('acme', 'hot')
const large = publicPath('acme', 'large')
const heavy = publicPath('acme', 'heavy')
const heavyPage = '/changelog/acme/heavy'
const FIRST_RELEASE = Date.UTC(2020, 0, 1)
const HOUR_MS = 3_600_000

const HOLD_MS = 25
const DELAY_MS = 50
const REQUESTS = 60

/** Requests for the large products. Each is another one where the address allows that; the server caches none. */
const KINDS: Record<string, (n: number) => string> = {
  'all versions': (n) => request(`${large}?since=${old(n)}`),
  'all versions, gzip': (n) => request(`${large}?since=${old(n)}`, { 'Accept-Encoding': 'gzip' }),
  'all versions, zstd': (n) => request(`${large}?since=${old(n)}`, { 'Accept-Encoding': 'zstd' }),
  'include=changes': (n) => request(`${large}?include=changes&since=${old(n)}`),
  'include=changes, limit=100': (n) => request(`${large}?include=changes&limit=100&since=${old(n)}`),
  'include=changes, since': (n) => request(`${large}?include=changes&since=${since(n)}`),
  'include=changes, type': (n) => request(`${large}?include=changes&type=security&since=${old(n)}`),
  since: (n) => request(`${large}?since=${since(n)}`),
  after: (n) => request(`${large}?after=1.${n}.0`),
  'an existing version': (n) => request(`${large}/versions/1.${n % VERSIONS}.0`),
  [`a version with ${MANY_CHANGES} changes`]: () => request(`${heavy}/versions/latest`),
  [`${MANY_CHANGES} changes, include=changes`]: (n) => request(`${heavy}?include=changes&since=${old(n)}`),
  [`${MANY_CHANGES} changes, type`]: (n) => request(`${heavy}?include=changes&type=fixed&since=${old(n)}`),
  'a missing version': (n) => request(`${large}/versions/ver_${n}`),
}

/** Requests for pages and files of the same: one alone. */
const PAGES: typeof KINDS = {
  [`${MANY_CHANGES} changes, page`]: () => request(heavyPage),
  [`${MANY_CHANGES} changes, page of the release`]: () => request(`${heavyPage}/1`),
  [`${MANY_CHANGES} changes, search`]: (n) => request(`${heavyPage}?q=nowhere${n}`),
  [`${MANY_CHANGES} changes, feed`]: () => request(`${heavyPage}/feed.atom`),
  [`${MANY_CHANGES} changes, CHANGELOG.md`]: () => request(`${heavyPage}/CHANGELOG.md`),
}

/** Before the first release. */
const old = (n: number): string => new Date(n).toISOString()
const since = (n: number): string => new Date(FIRST_RELEASE + n * HOUR_MS).toISOString()

export default {
  name: 'bounded-work',
  how: `A product has ${VERSIONS} versions and ${VERSIONS * CHANGES} changes, another one version with ${MANY_CHANGES}. While requests for them run that are not cached, another client reads a small changelog without pause, in a thread of its own; its slowest response tells how long the server was held up. Of several tries the best counts, since other programs on the machine only make it longer.`,
  async run({ of }) {
    await using place = new Place()
    place.fill((seed) => {
      const team = seed.team('acme')
      seed.version(seed.product(team, 'hot').changelogId, '1')
      const { changelogId } = seed.product(team, 'large')
      const changes = Array.from({ length: CHANGES }, (_, n) => ({
        type: 'fixed',
        title: `Something works again ${n}`,
      }))
      seed.version(seed.product(team, 'heavy').changelogId, '1', {
        changes: Array.from({ length: MANY_CHANGES }, (_, n) => ({
          type: 'fixed',
          title: `Works again ${n}`,
        })),
      })
      for (let n = 0; n < VERSIONS; n++)
        seed.version(changelogId, `1.${n}.0`, { publishedAt: FIRST_RELEASE + n * HOUR_MS, changes })
    })
    return [await holds(place, of(5, 2)), await delays(place, of(4, 1))]
  },
} satisfies Case

let serial = 0

/** A delay that no other program on the machine explains: no further try is needed. */
const HOPELESS_MS = 1_000
const TIMEOUT_MS = 10_000

/** The slowest response of the hot reader while requests are answered; the least of several tries. */
async function slowestBeside(place: Place, tries: number, texts: () => string[]): Promise<number> {
  // One of its own: another may still be busy with requests whose clients have gone.
  const server = await place.serve({ CACHE_MAX_BYTES: '0', TRUSTED_PROXIES: '127.0.0.1' })
  const { port } = server
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < tries; n++) {
    const reader = await startHotReader(port, hot)
    const requests = texts()
    const connections = await Promise.all(requests.map(() => RawConnection.open(port)))
    const responses = connections.map((connection, index) =>
      connection.send(requests[index] as string, { timeout: TIMEOUT_MS }).catch(() => null),
    )
    await Promise.all(responses)
    for (const connection of connections) connection.close()
    const slowest = Math.max(...(await reader.stop()).times)
    least = Math.min(least, slowest)
    if (slowest > HOPELESS_MS) break
  }
  await server.stop('SIGKILL')
  return least
}

async function holds(place: Place, tries: number): Promise<Row> {
  const tally = new Tally(`No public request holds up others for more than ${HOLD_MS} ms`)
  const figures: string[] = []
  for (const [name, kind] of Object.entries({ ...KINDS, ...PAGES })) {
    const held = await slowestBeside(place, tries, () => [kind(++serial)])
    figures.push(`${name} ${shown(held)}`)
    tally.count(held <= HOLD_MS, () => `${name}: ${shown(held)}`)
  }
  return tally.row(figures.join(', '))
}

async function delays(place: Place, tries: number): Promise<Row> {
  const tally = new Tally(
    `${REQUESTS} different requests of one client delay another by no more than ${DELAY_MS} ms`,
  )
  const figures: string[] = []
  for (const [name, kind] of Object.entries(KINDS)) {
    // What has one address is one request.
    if (kind(1) === kind(2)) continue
    const texts = () => Array.from({ length: REQUESTS }, () => kind(++serial))
    const delay = await slowestBeside(place, tries, texts)
    figures.push(`${name} ${shown(delay)}`)
    tally.count(delay <= DELAY_MS, () => `${name}: ${shown(delay)}`)
  }
  return tally.row(figures.join(', '))
}

const shown = (ms: number): string => (Number.isFinite(ms) ? `${ms.toFixed(1)} ms` : 'no response')
