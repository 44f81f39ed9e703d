import { afterAll, describe, expect, test } from 'bun:test'
import { noting, openHandler } from '../../../../support/servers/handler.ts'

const VERSIONS = 2_500
const PAGE = '/changelog/big/app'

describe('the work of one request', () => {
  /** How many versions, stretches of versions and products each read could give. */
  let reads: (number | null)[]
  let stretches: number[]
  let directories: number[]

  const changelogs = noting(['readChangelog'], (_, __, ___, { limit }) => reads.push(limit))
  const parts = noting(['readStretch'], (...given) => stretches.push(given[4]))
  const lists = noting(['readDirectory'], (_, limit) => directories.push(limit))
  const settings = { PUBLIC_URL: 'https://acme.test' }
  const server = openHandler(settings, (store) => lists(parts(changelogs(store))))
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
  afterAll(() => server[Symbol.dispose]())

  const get = async (path: string) => {
    reads = []
    stretches = []
    directories = []
    const response = await server.get(path)
    return { status: response.status, html: await response.text() }
  }

  const expectReads = (count: number, limit: number) =>
    expect(reads).toEqual(Array.from({ length: count }, () => limit))

  test('a page reads only itself, and how at most 1,000 releases are called, however many there are', async () => {
    const { html } = await get(PAGE)
    expect(html).toContain('At least 1,000 releases')
    // The first tells whether it is a changelog of entries.
    expect(reads).toEqual([20, 20, 250, 250, 250, 250])
  })

  test.each(['q=needle', 'type=security'])(
    'a search for %s reads 10 releases at a time and 2,000 in all, and its next page goes on where it ended',
    async (query) => {
      let next: string | null = `${PAGE}?${query}`
      let pages = 0
      let html = ''
      while (next) {
        html = (await get(next)).html
        expect(reads.shift()).toBe(20)
        // The links to eras are made of the labels of at most 1,000.
        expect(reads.splice(-4)).toEqual([250, 250, 250, 250])
        expectReads(Math.min(reads.length, 200), 10)
        next = /class="older"[^>]* href="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? null
        if (next) expect(html).toContain('Search older releases')
        pages++
      }
      expect(pages).toBe(2)
      expect(html).toContain('Needle')
    },
  )

  test('a feed reads 50 releases, 10 at a time', async () => {
    for (const name of ['feed.atom', 'feed.rss', 'feed.json']) {
      expect((await get(`${PAGE}/${name}`)).status).toBe(200)
      // The first has the names of the changelog.
      expect(reads.shift()).toBe(1)
      expectReads(5, 10)
    }
  })

  test('CHANGELOG.md reads 100 releases, 5 at a time', async () => {
    expect((await get(`${PAGE}/CHANGELOG.md`)).status).toBe(200)
    expectReads(20, 5)
  })

  test('a file of a sitemap reads one product and 1,000 of its versions', async () => {
    expect((await get('/sitemap-pages.xml')).status).toBe(200)
    expectReads(1, 1_000)
    expect(directories).toEqual([1])
  })

  test('the index of a sitemap reads no version: it counts them, 1,000 at a time', async () => {
    expect((await get('/sitemap.xml')).status).toBe(200)
    expect(reads).toEqual([])
    expect(stretches).toEqual([1_000, 1_000, 1_000])
    expect(directories).toEqual([100])
  })
})
