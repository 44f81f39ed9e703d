import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Random } from '../../../../test/support/random.ts'
import type { Seeder } from '../../../../test/support/seed.ts'
import { bearer, keyedPath, publicPath } from '../../../../test/support/servers/server.ts'
import { type Case, type Row, Tally } from '../../support/case.ts'
import { Place, type Server } from '../../support/place.ts'
import { RawConnection, request } from '../../support/socket.ts'

const VERSIONS = 5_000
const SOCKETS = 1_500
const KEYED = 1_200
const VISITORS = 20
/** At the most, during long reads. */
const LOG_BYTES = 64 * 1024 * 1024
const PAUSE_MS = 50
const list = publicPath('acme', 'large')
const page = '/changelog/acme/large'
const PATHS = [list, page, `${page}?q=nothing`, `${page}/CHANGELOG.md`, `${page}/feed.atom?kind=breaking`]

/** Clients behind a proxy, each with an address of its own. */
const SETTINGS = { TRUSTED_PROXIES: '127.0.0.1' }
const from = (client: number) => ({
  'X-Forwarded-For': `10.${client >> 16}.${(client >> 8) & 255}.${client & 255}`,
})

export default {
  name: 'crowds',
  how: `A changelog has ${VERSIONS} versions, and nothing is cached. ${SOCKETS} clients ask for it at once; of two clients one leaves; one API key has ${KEYED} different reads in flight while ${VISITORS} visitors read another team; and long reads run beside a writer that commits every ${PAUSE_MS} ms to another product.`,
  async run({ of, minutes }) {
    await using place = new Place()
    const token = place.fill(fill)
    const server = await place.serve(SETTINGS)
    const rows = [
      await herds(place, server, of(6, 1)),
      await leaving(place, server, of(60, 8)),
      await greedyKey(server, token, of(5, 1)),
    ]
    await server.stop()
    return [...rows, ...(await besideWriter(place, Math.max(minutes * 60_000, of(60_000, 5_000))))]
  },
} satisfies Case

function fill(seed: Seeder): string {
  const acme = seed.team('acme')
  const { changelogId } = seed.product(acme, 'large')
  const changes = [
    { type: 'changed', title: '**Breaking:** the old way is gone' },
    { type: 'fixed', title: 'Something works again' },
  ]
  for (let n = 0; n < VERSIONS; n++) seed.version(changelogId, `1.${n}.0`, { publishedAt: n, changes })
  const other = seed.team('other')
  seed.version(seed.product(other, 'app').changelogId, '1.0.0')
  return seed.key(acme).token
}

/** Drops what the server has cached. */
const touch = (place: Place): void =>
  place.fill(({ db }) => void db.run("UPDATE team SET created_at = created_at + 1 WHERE slug = 'other'"))

const ask = async (port: number, text: string): Promise<number> => {
  using connection = await RawConnection.open(port)
  return (await connection.send(text).catch(() => ({ status: 0 }))).status
}

async function herds(place: Place, { port }: Server, rounds: number): Promise<Row> {
  const tally = new Tally(`${SOCKETS} clients that ask for one response at once all get it`)
  for (let round = 0; round < rounds; round++)
    for (const path of PATHS) {
      touch(place)
      const connections = await Promise.all(Array.from({ length: SOCKETS }, () => RawConnection.open(port)))
      // The addresses of one proxy and of many clients.
      const headers = (n: number) => (round % 2 === 0 ? {} : from(n))
      const statuses = await Promise.all(
        connections.map((each, n) =>
          each.send(request(path, headers(n))).then(
            ({ status }) => status,
            () => 0,
          ),
        ),
      )
      for (const connection of connections) connection.close()
      for (const status of statuses) tally.count(status === 200, () => `${path}: ${status}`)
    }
  return tally.row(`${tally.tried} requests`)
}

async function leaving(place: Place, { port }: Server, rounds: number): Promise<Row> {
  const tally = new Tally('A client that leaves takes no response from another')
  const random = new Random()
  for (let round = 0; round < rounds; round++)
    for (const path of PATHS) {
      touch(place)
      const [first, second] = await Promise.all([RawConnection.open(port), RawConnection.open(port)])
      first.write(request(path, from(1)))
      await Bun.sleep(random.below(10))
      const response = second.send(request(path, from(2))).catch(() => ({ status: 0, body: '' }))
      await Bun.sleep(random.below(15))
      first.close()
      const { status, body } = await response
      tally.count(status === 200 && body.length > 1_000, () => `${path}: ${status}, ${body.length} bytes`)
      second.close()
    }
  return tally.row(`${tally.tried} responses`)
}

async function greedyKey({ port }: Server, token: string, rounds: number): Promise<Row> {
  const tally = new Tally('One key with many reads in flight takes no place from visitors of another team')
  let refused = 0
  for (let round = 0; round < rounds; round++) {
    const path = (n: number) =>
      `${keyedPath('acme', 'large')}?include=changes&since=${new Date(round * KEYED + n).toISOString()}`
    const keyed = Array.from({ length: KEYED }, (_, n) => ask(port, request(path(n), bearer(token))))
    const visits = Array.from({ length: VISITORS }, (_, n) =>
      ask(port, request(`/changelog/other/app?q=nothing${round}-${n}`, from(n))),
    )
    for (const status of await Promise.all(visits))
      tally.count(status === 200, () => `a visitor got ${status}`)
    refused += (await Promise.all(keyed)).filter((status) => status === 503).length
    const after = await ask(port, request(path(0), bearer(token)))
    tally.count(after === 200, () => `the key got ${after} afterwards`)
  }
  return tally.row(
    `${VISITORS * rounds} visits beside ${KEYED * rounds} reads, of which ${refused} were refused`,
  )
}

/** Long reads one after another, on two connections, so that there is always one. */
async function besideWriter(place: Place, ms: number): Promise<Row[]> {
  const reads = new Tally('Long reads succeed beside a writer of other content')
  const log = new Tally(`Long reads let the log grow to at most ${LOG_BYTES / 2 ** 20} MB`)
  const writer = place.start([
    process.execPath,
    join(import.meta.dir, '../../support/writer-process.ts'),
    place.database,
    `${PAUSE_MS}`,
  ])
  const server = await place.serve({ ...SETTINGS, THREADS: '2' })
  const until = performance.now() + ms
  let serial = 0
  let largest = 0
  const read = async (client: number) => {
    while (performance.now() < until) {
      const query = `limit=50&include=changes&kind=security&since=${new Date(++serial).toISOString()}`
      const status = await ask(server.port, request(`${list}?${query}`, from(client)))
      reads.count(status === 200, () => `${status}`)
    }
  }
  const watch = async () => {
    while (performance.now() < until) {
      largest = Math.max(largest, statSync(`${place.database}-wal`).size)
      await Bun.sleep(100)
    }
  }
  await Promise.all([...Array.from({ length: 6 }, (_, client) => read(client)), watch()])
  log.count(largest <= LOG_BYTES, () => `${largest} bytes`)
  writer.kill('SIGKILL')
  await server.stop()
  const figure = `${(largest / 2 ** 20).toFixed(1)} MB in ${Math.round(ms / 1_000)} s`
  return [reads.row(`${reads.tried} reads`), log.row(figure)]
}
