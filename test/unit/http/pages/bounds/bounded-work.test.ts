import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openHandler } from '../../../../support/servers/handler.ts'
import { countTurns, createLongTurn } from '../../../../support/turns.ts'

const VERSIONS = 2_500
const PAGE = '/changelog/big/app'

describe('the work of one request', () => {
  const turns = countTurns()
  let server: ReturnType<typeof openHandler>
  /** Each read of versions: how many at most, and in which turn of the event loop. */
  let reads: { limit: number | null; turn: number }[]
  let stretches: { limit: number; turn: number }[]
  let directories: number[]

  beforeAll(() => {
    server = openHandler(
      { PUBLIC_URL: 'https://acme.test' },
      (store) => ({
        ...store,
        readChangelog: (audience, team, product, page) => {
          reads.push({ limit: page.limit, turn: turns.now })
          return store.readChangelog(audience, team, product, page)
        },
        readStretch: (audience, team, product, after, limit) => {
          stretches.push({ limit, turn: turns.now })
          return store.readStretch(audience, team, product, after, limit)
        },
        readDirectory: (range, limit) => {
          directories.push(limit)
          return store.readDirectory(range, limit)
        },
      }),
      null,
      createLongTurn(),
    )
    const { seed } = server
    seed.db.run('BEGIN')
    const { changelogId } = seed.product(seed.team('big'), 'app')
    for (let at = 0; at < VERSIONS; at++)
      seed.version(changelogId, `1.${at}`, {
        publishedAt: at,
        changes: [
          { type: 'fixed', title: `Change ${at}` },
          ...(at === 0 ? [{ type: 'security', title: 'Needle' }] : []),
        ],
      })
    seed.db.run('COMMIT')
  })
  afterAll(() => {
    turns[Symbol.dispose]()
    server[Symbol.dispose]()
  })

  const get = async (path: string) => {
    reads = []
    stretches = []
    directories = []
    const response = await server.get(path)
    return { status: response.status, html: await response.text() }
  }

  const expectTurns = (most: number) => {
    expect(new Set(reads.map((read) => read.turn)).size).toBe(reads.length)
    for (const { limit } of reads) expect(limit).toBeLessThanOrEqual(most)
  }

  test('a page reads only itself, however many releases there are', async () => {
    const { html } = await get(PAGE)
    expect(html).toContain('More than 1,000 releases')
    expect(reads.map(({ limit }) => limit)).toEqual([20])
  })

  test.each(['q=needle', 'type=security'])(
    'a search for %s reads 10 releases in a turn and 1,000 in all, and its next page goes on where it ended',
    async (query) => {
      let next: string | null = `${PAGE}?${query}`
      let pages = 0
      let html = ''
      while (next) {
        html = (await get(next)).html
        expectTurns(10)
        expect(reads.length).toBeLessThanOrEqual(100)
        next = /class="older"[^>]* href="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? null
        if (next) expect(html).toContain('Search older releases')
        pages++
      }
      expect(pages).toBe(3)
      expect(html).toContain('Needle')
    },
  )

  test('a feed reads 50 releases, 10 in a turn', async () => {
    for (const name of ['feed.atom', 'feed.rss', 'feed.json']) {
      expect((await get(`${PAGE}/${name}`)).status).toBe(200)
      expectTurns(10)
      expect(reads.reduce((sum, { limit }) => sum + (limit ?? 0), 0)).toBe(50)
    }
  })

  test('CHANGELOG.md reads 100 releases, 5 in a turn', async () => {
    expect((await get(`${PAGE}/CHANGELOG.md`)).status).toBe(200)
    expectTurns(5)
    expect(reads).toHaveLength(20)
  })

  test('a file of a sitemap reads 1,000 addresses in a turn, and 100 products', async () => {
    expect((await get('/sitemap-pages.xml')).status).toBe(200)
    expectTurns(1_000)
    expect(reads).toHaveLength(Math.ceil(VERSIONS / 1_000))
    expect(directories).toEqual([100])
  })

  test('the index of a sitemap reads no version: it counts them, 1,000 in a turn', async () => {
    expect((await get('/sitemap.xml')).status).toBe(200)
    expect(reads).toEqual([])
    expect(new Set(stretches.map(({ turn }) => turn)).size).toBe(stretches.length)
    expect(stretches.map(({ limit }) => limit)).toEqual([1_000, 1_000, 1_000])
    expect(directories).toEqual([100])
  })
})
