import { publicPath } from '../../../support/server.ts'
import { type Case, type Row, Tally } from '../../support/case.ts'
import { startHotReader } from '../../support/hot-reader.ts'
import { Place } from '../../support/place.ts'
import { RawConnection, request } from '../../support/socket.ts'

const VERSIONS = 10_000
const CHANGES = 5
const hot = publicPath('acme', 'hot')
const large = publicPath('acme', 'large')
const FIRST_RELEASE = Date.UTC(2020, 0, 1)
const HOUR_MS = 3_600_000

const HOLD_MS = 25
const DELAY_MS = 50
const REQUESTS = 60

/** Requests for the large product, none of which is cached: `n` differs each time. */
const KINDS: Record<string, (n: number) => string> = {
  'all versions': (n) => request(`${large}?n=${n}`),
  'all versions, gzip': (n) => request(`${large}?n=${n}`, { 'Accept-Encoding': 'gzip' }),
  'all versions, zstd': (n) => request(`${large}?n=${n}`, { 'Accept-Encoding': 'zstd' }),
  'include=changes': (n) => request(`${large}?include=changes&n=${n}`),
  'include=changes, limit=100': (n) => request(`${large}?include=changes&limit=100&n=${n}`),
  'include=changes, since': (n) => request(`${large}?include=changes&since=${since(n)}`),
  since: (n) => request(`${large}?since=${since(n)}`),
  'a missing version': (n) => request(`${large}/versions/ver_${n}`),
}

const since = (n: number): string => new Date(FIRST_RELEASE + n * HOUR_MS).toISOString()

export default {
  name: 'bounded-work',
  how: `A product has ${VERSIONS} versions and ${VERSIONS * CHANGES} changes. While requests for it run that are not cached, another client reads a small changelog without pause, in a thread of its own; its slowest response tells how long the server was held up. Of several tries the best counts, since other programs on the machine only make it longer.`,
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
      for (let n = 0; n < VERSIONS; n++)
        seed.version(changelogId, `1.${n}.0`, { publishedAt: FIRST_RELEASE + n * HOUR_MS, changes })
    })
    const { port } = await place.serve()
    return [await holds(port, of(7, 2)), await delays(port, of(5, 1))]
  },
} satisfies Case

let serial = 0

/** The slowest response of the hot reader while requests are answered; the least of several tries. */
async function slowestBeside(port: number, tries: number, work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < tries; n++) {
    const reader = await startHotReader(port, hot)
    await work()
    const { slowest, failed } = await reader.stop()
    if (failed > 0) throw new Error(`${failed} reads beside it failed`)
    least = Math.min(least, slowest)
  }
  return least
}

async function holds(port: number, tries: number): Promise<Row> {
  const tally = new Tally(`No public request holds up others for more than ${HOLD_MS} ms`)
  const figures: string[] = []
  for (const [name, kind] of Object.entries(KINDS)) {
    const held = await slowestBeside(port, tries, async () => {
      using connection = await RawConnection.open(port)
      for (let n = 0; n < 3; n++) await connection.send(kind(++serial))
    })
    figures.push(`${name} ${held.toFixed(1)} ms`)
    tally.count(held <= HOLD_MS, () => `${name}: ${held.toFixed(1)} ms`)
  }
  return tally.row(figures.join(', '))
}

async function delays(port: number, tries: number): Promise<Row> {
  const tally = new Tally(
    `${REQUESTS} different requests of one client delay another by no more than ${DELAY_MS} ms`,
  )
  const figures: string[] = []
  for (const [name, kind] of Object.entries(KINDS)) {
    const delay = await slowestBeside(port, tries, async () => {
      const connections = await Promise.all(Array.from({ length: REQUESTS }, () => RawConnection.open(port)))
      await Promise.all(connections.map((connection) => connection.send(kind(++serial))))
      for (const connection of connections) connection.close()
    })
    figures.push(`${name} ${delay.toFixed(1)} ms`)
    tally.count(delay <= DELAY_MS, () => `${name}: ${delay.toFixed(1)} ms`)
  }
  return tally.row(figures.join(', '))
}
