import { Database } from 'bun:sqlite'
import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeCursor } from '../../../../src/http/reading/paging.ts'
import type { Cursor } from '../../../../src/store/store.ts'
import { publicPath } from '../../../../test/support/servers/server.ts'
import { MEBIBYTE, peakBytes, residentBytes, SPARE_MIB } from '../../../bench/usage.ts'
import { type Case, type Row, Tally } from '../../support/case.ts'
import { startHotReader } from '../../support/hot-reader.ts'
import { Place } from '../../support/place.ts'
import { RawConnection, type Response, request } from '../../support/socket.ts'

const FILE_BYTES = 5_000_000
const READERS = 20
const CACHE_MIB = 16
const HOLD_MS = 25
const MOST_CHARACTERS = 1_100_000
const SETTLE_MS = 3_000

const hot = publicPath('acme', 'hot')
const API = publicPath('acme', 'app')
const PAGE = '/changelog/acme/app'

/** What becomes many times as long in HTML, repeated to fill the text of a version. */
const TEXTS: readonly [string, string][] = [
  ['', '>'],
  ['', `${'>'.repeat(100)}x\n\n`],
  ['', `${'> - '.repeat(30)}x\n\n`],
  [`|${'a|'.repeat(100)}\n|${'-:|'.repeat(100)}\n`, '|x|\n'],
  [`[a]: http://x "${'&'.repeat(1_000)}"\n\n`, '[a]\n'],
  ['', 'a@b.cc '],
  ['', '![](https://a.b)\n'],
  ['', '*_~~`'],
  ['', '<b>x <i>y\n\n'],
  ['<table>\n', '<tr><td>\n'],
]
const VERSIONS = 80
/** Every third has it in a change, the others about the version. */
const versionText = (n: number): string => {
  const [opening, unit] = TEXTS[n % TEXTS.length] as [string, string]
  const body = `${opening}${unit.repeat(Math.ceil(FILE_BYTES / VERSIONS / unit.length))}`
  return n % 3 === 0
    ? `### Added\n\n- A change\n\n  ${body.replaceAll('\n', '\n  ')}\n`
    : `A paragraph about it.\n\n${body}\n`
}

const DAY_MS = 86_400_000
const FIRST_RELEASE = Date.UTC(2020, 0, 1)
const dayOf = (n: number): string => new Date(FIRST_RELEASE + n * DAY_MS).toISOString().slice(0, 10)
/** The positions of all versions: no other is a page. */
const cursors: string[] = []
const cursor = (n: number): string => cursors[n % VERSIONS] as string

/** Where readers go. Only feeds are the same for several of them. */
const ADDRESSES: Record<string, (n: number) => string> = {
  lists: (n) => `${PAGE}?cursor=${cursor(n)}`,
  searches: (n) => `${PAGE}?q=a&cursor=${cursor(n)}`,
  releases: (n) => `${PAGE}/${n % VERSIONS}.0.0`,
  feeds: (n) => `${PAGE}/${['feed.atom', 'feed.rss', 'feed.json'][n % 3]}`,
  'CHANGELOG.md': (n) => `${PAGE}/CHANGELOG.md?cursor=${cursor(n)}`,
  'the API': (n) => `${API}?include=changes&limit=${1 + (n % 20)}&cursor=${cursor(n)}`,
}

export default {
  name: 'hostile-texts',
  how: `A CHANGELOG.md of ${FILE_BYTES / 1_000_000} MB is imported, of which every text is markdown that becomes many times as long in HTML. ${READERS} readers ask at once for different pages, feeds and files of it, while another client reads a small changelog without pause, in a thread of its own: its slowest response tells how long the server was held up. Of several tries the best counts, since other programs on the machine only make it longer.`,
  async run({ of }) {
    await using place = new Place()
    place.fill((seed) => seed.version(seed.product(seed.team('acme'), 'hot').changelogId, '1'))
    const versions = Array.from({ length: VERSIONS }, (_, n) => VERSIONS - 1 - n)
    const file = versions.map((n) => `## [${n}.0.0] - ${dayOf(n)}\n\n${versionText(n)}`).join('\n')
    writeFileSync(place.at('CHANGELOG.md'), file)
    await place.must('import', 'acme/app', 'CHANGELOG.md', '--create')
    await place.must('publish', 'acme/app')
    using db = new Database(place.database, { readonly: true })
    const rows = db.query('SELECT published_at AS publishedAt, id FROM version WHERE label LIKE ?')
    cursors.push(...(rows.all('%.0.0') as Cursor[]).map(writeCursor))
    return [await memory(place, of(15, 3)), await holds(place, of(5, 1))]
  },
} satisfies Case

let serial = 0

/** Asks for `count` addresses at once, each over a connection of its own. */
async function ask(
  port: number,
  count: number,
  address: (n: number) => string,
): Promise<(Response | null)[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      using connection = await RawConnection.open(port)
      return await connection.send(request(address(++serial))).catch(() => null)
    }),
  )
}

async function memory(place: Place, rounds: number): Promise<Row> {
  const tally = new Tally(
    `${READERS} readers of ${FILE_BYTES / 1_000_000} MB of hostile markdown get pages and feeds of about a million characters, from a server that takes at most what it takes when idle, CACHE_MAX_BYTES, ${SPARE_MIB} MiB and the responses that it sends at once`,
  )
  const server = await place.serve({ CACHE_MAX_BYTES: String(CACHE_MIB * MEBIBYTE) })
  await sleep(SETTLE_MS)
  const idle = residentBytes(server.child.pid) / MEBIBYTE
  let longest = 0
  let sentAtOnce = 0
  for (let round = 0; round < rounds; round++)
    for (const [name, address] of Object.entries(ADDRESSES)) {
      const responses = await ask(server.port, READERS, address)
      const sent = responses.reduce((sum, response) => sum + (response?.body.length ?? 0), 0)
      sentAtOnce = Math.max(sentAtOnce, sent / MEBIBYTE)
      for (const response of responses) {
        if (!response) {
          tally.count(false, () => `${name}: no response`)
          continue
        }
        const { status, headers, body } = response
        const isRendered = /html|xml|feed/.test(headers.get('content-type') ?? '')
        if (isRendered) longest = Math.max(longest, unescaped(body).length)
        const isBounded = status === 200 && (!isRendered || unescaped(body).length <= MOST_CHARACTERS)
        tally.count(isBounded, () => `${name}: status ${status}, ${body.length} bytes`)
      }
    }
  const most = peakBytes(server.child.pid) / MEBIBYTE
  await server.stop('SIGKILL')
  const figure = `${idle.toFixed(0)} MiB idle, ${most.toFixed(0)} MiB at most with ${CACHE_MIB} MiB of cache and ${sentAtOnce.toFixed(0)} sent at once; the longest page has ${longest} characters`
  tally.count(most <= idle + CACHE_MIB + SPARE_MIB + sentAtOnce, () => figure)
  return tally.row(figure)
}

/** What a feed has escaped once more than a page. */
const unescaped = (body: string): string =>
  body.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

async function holds(place: Place, tries: number): Promise<Row> {
  const tally = new Tally(
    `${READERS} readers of hostile markdown hold up others for no more than ${HOLD_MS} ms`,
  )
  const figures: string[] = []
  for (const [name, address] of Object.entries(ADDRESSES)) {
    let least = Number.POSITIVE_INFINITY
    for (let n = 0; n < tries && least > HOLD_MS; n++) {
      // One of its own, so that nothing is cached but what is loaded and compiled.
      const server = await place.serve({ CACHE_MAX_BYTES: String(MEBIBYTE), TRUSTED_PROXIES: '127.0.0.1' })
      for (const _ of TEXTS) await ask(server.port, 1, address)
      const reader = await startHotReader(server.port, hot)
      await ask(server.port, READERS, address)
      least = Math.min(least, Math.max(...(await reader.stop()).times))
      await server.stop('SIGKILL')
    }
    figures.push(`${name} ${least.toFixed(1)} ms`)
    tally.count(least <= HOLD_MS, () => `${name}: ${least.toFixed(1)} ms`)
  }
  return tally.row(figures.join(', '))
}
