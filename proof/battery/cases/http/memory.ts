import { setTimeout as sleep } from 'node:timers/promises'
import { writeCursor } from '../../../../src/http/reading/addresses.ts'
import { keyedPath, publicPath } from '../../../../test/support/servers/server.ts'
import { MEBIBYTE, peakBytes, residentBytes, SPARE_MIB } from '../../../bench/usage.ts'
import { type Case, Tally } from '../../support/case.ts'
import { Place } from '../../support/place.ts'
import { RawConnection, request } from '../../support/socket.ts'

const VERSIONS = 5_000
const CONNECTIONS = 8
const CACHES_MIB = [16, 64]
/** The part of the promise for an idle server: docs/reference/limits.md. */
const IDLE_MIB = 48
/** Until a server that has started, or one that nobody asks any more, has given back what it can. */
const SETTLE_MS = 3_000
const FIRST_RELEASE = Date.UTC(2020, 0, 1)
const HOUR_MS = 3_600_000

const PUBLIC = publicPath('acme', 'large')
const KEYED = keyedPath('acme', 'large')
const PAGE = '/changelog/acme/large'

/** The positions of all versions: no other is a page. */
const cursors: string[] = []
/** No two of the positions and moments that are asked for are the same for a long time. */
const numberOf = (n: number): number => (n * 37) % VERSIONS
const cursor = (n: number): string => cursors[numberOf(n)] as string
const since = (n: number): string =>
  new Date(FIRST_RELEASE + numberOf(n) * HOUR_MS + Math.floor(n / VERSIONS)).toISOString()

const ENCODINGS = ['identity', 'gzip', 'br', 'zstd']

const api = (path: string, n: number): string =>
  n % 3 === 0
    ? `${path}?since=${since(n)}`
    : `${path}?include=changes&limit=${n % 3 === 1 ? 100 : 1 + (n % 100)}&cursor=${cursor(n)}`

const FILES = ['feed.atom', 'feed.rss', 'feed.json']

/** The addresses that readers ask for, of which few are the same. */
const KINDS: Record<string, (n: number) => string> = {
  'with a key': (n) => api(KEYED, n),
  public: (n) => api(PUBLIC, n),
  pages: (n) => `${PAGE}?cursor=${cursor(n)}${n % 3 === 0 ? '&q=again' : ''}`,
  feeds: (n) =>
    n % 4 === 3
      ? `${PAGE}/CHANGELOG.md?cursor=${cursor(n)}`
      : `/changelog/acme/p${n % PRODUCTS}/${FILES[n % 3]}`,
}
/** Each has feeds of its own. */
const PRODUCTS = 200

export default {
  name: 'memory',
  how: `A product has ${VERSIONS} versions, ${PRODUCTS} others have 50 each. Readers ask for different addresses over ${CONNECTIONS} connections, as fast as they are answered and in every encoding; the system says how much memory the server took at most.`,
  async run({ of }) {
    const tally = new Tally(
      `A server takes at most ${IDLE_MIB} MiB, CACHE_MAX_BYTES and ${SPARE_MIB} MiB, whatever is asked for`,
    )
    await using place = new Place()
    const token = fill(place)
    const figures: string[] = []
    for (const cacheMib of CACHES_MIB)
      for (const [kind, address] of Object.entries(KINDS)) {
        const server = await place.serve({ CACHE_MAX_BYTES: String(cacheMib * MEBIBYTE) })
        const headers = { Authorization: `Bearer ${token}` }
        await sleep(SETTLE_MS)
        const idle = residentBytes(server.child.pid) / MEBIBYTE
        await ask(server.port, of(20, 3), (n) =>
          request(address(n), { ...headers, 'Accept-Encoding': ENCODINGS[n % ENCODINGS.length] as string }),
        )
        const most = peakBytes(server.child.pid) / MEBIBYTE
        await sleep(SETTLE_MS)
        const left = residentBytes(server.child.pid) / MEBIBYTE
        await server.stop('SIGKILL')
        const figure = `${kind}, ${cacheMib} MiB of cache: ${shown(idle)} idle, ${shown(most)} at most, ${shown(left)} after it`
        figures.push(figure)
        tally.count(most <= IDLE_MIB + cacheMib + SPARE_MIB, () => figure)
      }
    return [tally.row(`in MiB: ${figures.join('; ')}`)]
  },
} satisfies Case

const shown = (mebibytes: number): string => mebibytes.toFixed(0)

function fill(place: Place): string {
  return place.fill((seed) => {
    const team = seed.team('acme')
    const add = (product: string, versions: number) => {
      const { changelogId } = seed.product(team, product)
      return Array.from({ length: versions }, (_, n) => {
        const publishedAt = FIRST_RELEASE + n * HOUR_MS
        const id = seed.version(changelogId, `1.${n}.0`, {
          publishedAt,
          description: 'What is new in this release, in some words. '.repeat(4),
          changes: Array.from({ length: 7 }, (_, at) => ({
            type: ['added', 'fixed', 'changed'][at % 3] as string,
            title: `Part ${at} **works** again in ${n}`,
            ...(at % 2 === 0 && {
              description: `See [the issue](https://example.com/${n}/${at}), in \`core\`.`,
            }),
          })),
        })
        return writeCursor({ publishedAt, id })
      })
    }
    cursors.push(...add('large', VERSIONS))
    for (let n = 0; n < PRODUCTS; n++) add(`p${n}`, 50)
    return seed.key(team).token
  })
}

/** Asks for one thing after another on every connection, for so many seconds. */
async function ask(port: number, seconds: number, text: (n: number) => string): Promise<void> {
  const until = performance.now() + seconds * 1_000
  let n = 0
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < until) {
        using connection = await RawConnection.open(port)
        // On a busy machine one may wait so long that the server gives up.
        const next = () => connection.send(text(++n)).catch(() => null)
        for (let response = await next(); response && performance.now() < until; response = await next())
          if (response.status !== 200) throw new Error(`a response had the status ${response.status}`)
      }
    }),
  )
}
