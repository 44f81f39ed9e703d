import { Database } from 'bun:sqlite'
import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeCursor } from '../../../../src/http/reading/addresses.ts'
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

/** How often each mark is in the text of a version, and the processor time that a command may take for each megabyte. */
const MARKS = 100_000
const SECONDS = 10

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
/** Marks that a step over a text may look for again at each of them. */
const MARKED: Record<string, readonly [opening: string, unit: string, end?: string]> = {
  footnotes: ['', 'x[^a] ', '\n\n[^a]: y\n'],
  'footnotes without blanks': ['[^a]: y\n\n', 'x[^a]'],
  notes: ['', '[^a]: x\n'],
  references: ['[b]: http://x\n\n', '[a][b] '],
  definitions: ['', '[a]: u\n'],
  headings: ['', '#### A\n\n'],
  tasks: ['', '- [x] x\n'],
  tables: ['|a|\n|-|\n', '|b|\n'],
  emphasis: ['', '*a_ '],
}
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
/** The positions of versions with another below them: no other is a page. */
const cursors: string[] = []
const cursor = (n: number): string => cursors[n % cursors.length] as string

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
    const rows = db.query(
      'SELECT published_at AS publishedAt, id FROM version WHERE label LIKE ? ORDER BY published_at DESC',
    )
    cursors.push(...(rows.all('%.0.0') as Cursor[]).slice(0, -1).map(writeCursor))
    return [
      await memory(place, of(15, 3)),
      await holds(`hostile markdown`, place, ADDRESSES, of(5, 1)),
      ...(await marked(of(MARKS, MARKS / 10), of(5, 1))),
    ]
  },
} satisfies Case

/** Versions of very many marks, taken in as a file, as an export and as a followed source. */
async function marked(count: number, tries: number): Promise<Row[]> {
  const tally = new Tally(
    `A changelog of nothing but marks is imported, exported, imported with the rest and followed in ${SECONDS} s of processor time for each megabyte`,
  )
  await using first = new Place()
  await using place = new Place()
  const texts = Object.values(MARKED).map(([opening, unit, end = '']) => opening + unit.repeat(count) + end)
  const file = texts.map((text, n) => `## [1.${n}.0] - ${dayOf(VERSIONS - n)}\n\n${text}\n`).join('\n')
  writeFileSync(first.at('CHANGELOG.md'), file)
  writeFileSync(place.at('CHANGELOG.md'), file)
  const figures: string[] = []
  const run = async (at: Place, ...args: string[]) => {
    const { status, stdout, stderr, cpuSeconds } = await at.run(args)
    const [name] = args as [string]
    figures.push(`${name} ${cpuSeconds.toFixed(1)} s`)
    const most = (SECONDS * file.length) / 1_000_000
    tally.count(status === 0 && cpuSeconds < most, () => `${name}: ${cpuSeconds.toFixed(1)} s ${stderr}`)
    return stdout
  }
  first.fill((seed) => seed.team('acme'))
  await run(first, 'import', 'acme/app', 'CHANGELOG.md', '--create')
  await first.must('publish', 'acme/app')
  writeFileSync(place.at('all.jsonl'), await run(first, 'export', '--all'))
  await run(place, 'import', '--all', 'all.jsonl')
  await run(place, 'follow', 'acme/followed', 'CHANGELOG.md', '--create', '--publish')
  await run(place, 'sync', 'acme/followed')
  place.fill((seed) => {
    const { id } = seed.db.query('SELECT id FROM team').get() as { id: string }
    seed.version(seed.product(id, 'hot').changelogId, '1')
  })
  const what = `${count} footnotes, references, definitions, headings, tasks, rows or marks of emphasis`
  return [tally.row(figures.join(', ')), await holds(what, place, MARKED_ADDRESSES, tries)]
}

/** Both products in turn. */
const MARKED_ADDRESSES: Record<string, (n: number) => string> = {
  lists: (n) => markedPage(n, n % 4 < 2 ? '' : '?prereleases=no'),
  searches: (n) => markedPage(n, `?q=${'xab'[n % 3]}`),
  releases: (n) => markedPage(n, `/${markedLabel(n)}`),
  feeds: (n) => markedPage(n, `/${['feed.atom', 'feed.rss', 'feed.json'][n % 3]}`),
  'lists as Markdown': (n) => markedPage(n, '.md'),
  'releases as Markdown': (n) => markedPage(n, `/${markedLabel(n)}.md`),
  'CHANGELOG.md': (n) => markedPage(n, '/CHANGELOG.md'),
  agents: (n) => toolCall(n, TOOLS[n % TOOLS.length] as [string, object]),
}
const markedLabel = (n: number): string => `1.${(n >> 1) % Object.keys(MARKED).length}.0`
const markedProduct = (n: number): string => `acme/${n % 2 === 0 ? 'app' : 'followed'}`
const markedPage = (n: number, rest: string): string => `/changelog/${markedProduct(n)}${rest}`

const TOOLS: readonly [name: string, given: object][] = [
  ['get_changelog', {}],
  ['get_version', { version: '1.0.0' }],
  ['get_version', { version: '1.5.0' }],
  ['compare_versions', { from: '1.8.0' }],
  ['search', { query: 'x' }],
]

function toolCall(n: number, [name, given]: [string, object]): string {
  const params = { name, arguments: { ...given, changelog: markedProduct(n) } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: n, method: 'tools/call', params })
  const type = 'Content-Type: application/json\r\nAccept: application/json, text/event-stream'
  return `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

let serial = 0

/** Asks for `count` addresses, or sends requests as they are, at once, each over a connection of its own. */
async function ask(
  port: number,
  count: number,
  address: (n: number) => string,
): Promise<(Response | null)[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      using connection = await RawConnection.open(port)
      const asked = address(++serial)
      return await connection.send(asked.startsWith('/') ? request(asked) : asked).catch(() => null)
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

async function holds(
  what: string,
  place: Place,
  addresses: Record<string, (n: number) => string>,
  tries: number,
): Promise<Row> {
  const tally = new Tally(`${READERS} readers of ${what} hold up others for no more than ${HOLD_MS} ms`)
  const figures: string[] = []
  for (const [name, address] of Object.entries(addresses)) {
    let least = Number.POSITIVE_INFINITY
    for (let n = 0; n < tries && least > HOLD_MS; n++) {
      // One of its own, so that nothing is cached but what is loaded and compiled.
      const server = await place.serve({ CACHE_MAX_BYTES: String(MEBIBYTE), TRUSTED_PROXIES: '127.0.0.1' })
      for (const _ of TEXTS) await ask(server.port, 1, address)
      const reader = await startHotReader(server.port, hot)
      const responses = await ask(server.port, READERS, address)
      least = Math.min(least, Math.max(...(await reader.stop()).times))
      const others = responses.filter((response) => response?.status !== 200)
      tally.count(others.length === 0, () => `${name}: status ${others[0]?.status}`)
      await server.stop('SIGKILL')
    }
    figures.push(`${name} ${least.toFixed(1)} ms`)
    tally.count(least <= HOLD_MS, () => `${name}: ${least.toFixed(1)} ms`)
  }
  return tally.row(figures.join(', '))
}
