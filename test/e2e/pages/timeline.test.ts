import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fingerprint, SUBJECTS, startServer, type TestServer } from '../../support/servers/server.ts'
import { until } from '../../support/until.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1, 3, 4, 5, 678)
const NEXT_YEAR = Date.now() + 365 * DAY
const PUBLIC_URL = 'https://news.acme.test'
const FEEDS = ['feed.atom', 'feed.rss', 'feed.json']

/** 70 public releases of three products of two teams, in turns, and hidden ones between them. */
function fill({ seed }: TestServer) {
  const acme = seed.team('acme', { name: 'Acme & Co' })
  const app = seed.product(acme, 'app', { name: 'App' })
  const cli = seed.product(acme, 'cli', { name: 'CLI' })
  const lens = seed.product(seed.team('lumen', { name: 'Lumen' }), 'lens', { name: 'Lens' })
  const hidden = [
    seed.product(seed.team('secret', { visibility: 'private' }), 'app'),
    seed.product(acme, 'drafted', { status: 'draft' }),
    seed.product(acme, 'locked', { changelog: 'locked' }),
  ]
  seed.product(seed.team('unpublished'), 'app', { status: 'draft' })
  for (let day = 0; day < 70; day++) {
    const { changelogId } = [app, cli, lens][day % 3] as typeof app
    seed.version(changelogId, `1.${day}`, {
      publishedAt: START + day * DAY,
      title: day % 2 ? `Day *${day}*` : `1.${day}`,
      description: 'About it.',
      changes: [
        { type: 'added', title: `Feature ${day}` },
        ...(day % 20 === 4 ? [{ type: 'security', title: `Hole ${day}` }] : []),
        ...(day % 20 === 5 ? [{ type: 'changed', title: `**Breaking:** moved ${day}` }] : []),
      ],
    })
    for (const { changelogId } of hidden)
      seed.version(changelogId, `9.${day}`, {
        publishedAt: START + day * DAY,
        title: 'Hidden',
        changes: [{ type: 'security', title: 'Hidden hole' }],
      })
    seed.version(app.changelogId, `8.${day}`, {
      publishedAt: START + day * DAY,
      title: 'Hidden draft',
      status: 'draft',
    })
  }
  seed.version(app.changelogId, '7.0', {
    status: 'scheduled',
    publishedAt: NEXT_YEAR,
    title: 'Hidden until then',
  })
}

interface JsonFeed {
  title: string
  home_page_url: string
  feed_url: string
  items: { id: string; url: string; title: string; content_html: string }[]
}

/** The addresses of the releases on a page, in order. */
const releases = (html: string) =>
  [...html.matchAll(/<a class="title" href="([^"]*)"/g)].map(([, path]) => path as string)

const linkTo = (html: string, rel: string): string | null =>
  new RegExp(`rel="${rel}" href="([^"]*)"`).exec(html)?.[1]?.replaceAll('&amp;', '&') ?? null

const addressOf = (day: number) => `/changelog/${['acme/app', 'acme/cli', 'lumen/lens'][day % 3]}/1.${day}`

/** Newest first. */
const DAYS = Array.from({ length: 70 }, (_, at) => 69 - at)

describe.each([...SUBJECTS])('timelines of $name', (subject) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer(subject, { PUBLIC_URL })
    fill(server)
  })
  afterAll(async () => {
    await server.stop()
  })

  const text = async (path: string): Promise<string> => (await server.get(path)).text()
  const feed = async (path: string) => JSON.parse(await text(path)) as JsonFeed

  test.each([
    ['/', (): boolean => true],
    ['/changelog/acme', (day: number) => day % 3 < 2],
  ] as const)(
    '%s has every public release by date in pages of 20, and nothing hidden',
    async (path, isOwn) => {
      const expected = DAYS.filter(isOwn).map(addressOf)
      const pages: string[] = []
      for (let next: string | null = path; next; next = linkTo(pages.at(-1) ?? '', 'next')) {
        const html = await text(next)
        pages.push(html)
      }
      expect(pages.flatMap(releases)).toEqual(expected)
      expect(pages.slice(0, -1).map((html) => releases(html).length)).toEqual(pages.slice(1).map(() => 20))
      for (const html of pages)
        expect(html.split('<body>')[1]).not.toMatch(/hidden|secret|drafted|locked|unpublished/i)
      for (let at = pages.length - 1; at > 0; at--)
        expect(await text(linkTo(pages[at] ?? '', 'prev') as string)).toBe(pages[at - 1] as string)
      const [first = ''] = pages
      expect(first).toContain('<h2>March 2026</h2>')
      expect(first).toContain('newest release 11 March 2026')
      for (const name of FEEDS)
        expect(first).toMatch(
          new RegExp(`<link rel="alternate" [^>]*href="${path === '/' ? '' : path}/${name}">`),
        )
    },
  )

  test('a position that no link has leads to that of the release above it', async () => {
    const cursor = new URL(`http://x${linkTo(await text('/changelog/acme'), 'next')}`).searchParams.get(
      'cursor',
    ) as string
    const [at, id] = Buffer.from(cursor, 'base64url').toString().split(' ') as [string, string]
    const other = (text: string) => Buffer.from(text).toString('base64url')
    for (const [given, location] of [
      [other(`${at} ${id}0`), expect.stringMatching(/^\/changelog\/acme\?cursor=/)],
      [other(`${START + 1_000 * DAY} ver_1`), '/changelog/acme'],
      [other(`${START - DAY} ver_1`), expect.stringMatching(/^\/changelog\/acme/)],
    ] as const) {
      const response = await fetch(`${server.url}/changelog/acme?cursor=${given}`, { redirect: 'manual' })
      expect({ status: response.status, location: response.headers.get('location') }).toEqual({
        status: 302,
        location,
      })
    }
  })

  test('a feed over products has the 50 newest releases with the names of their products', async () => {
    for (const [path, isOwn, home] of [
      ['', () => true, `${PUBLIC_URL}/`],
      ['/changelog/acme', (day: number) => day % 3 < 2, `${PUBLIC_URL}/changelog/acme`],
    ] as const) {
      const found = await feed(`${path}/feed.json`)
      const expected = DAYS.filter(isOwn).slice(0, 50)
      expect(found).toMatchObject({ home_page_url: home, feed_url: `${PUBLIC_URL}${path}/feed.json` })
      expect(found.items.map(({ url }) => url)).toEqual(expected.map((day) => PUBLIC_URL + addressOf(day)))
      expect(found.items[0]).toMatchObject({
        title: 'App 1.69: Day 69',
        content_html: expect.stringContaining('Feature 69'),
      })
      expect(JSON.stringify(found)).not.toMatch(/hidden/i)
      for (const name of FEEDS.slice(0, 2)) {
        const xml = await text(`${path}/${name}`)
        expect([...(xml.match(/tag:changelogd\.invalid,2026:ver_\w+/g) ?? [])]).toEqual(
          found.items.map(({ id }) => id),
        )
        expect(xml).toContain(`${PUBLIC_URL}${path}/${name}`)
      }
    }
  })

  test('with a kind, every feed has only the releases with such changes, and of those only these', async () => {
    for (const [path, isOwn] of [
      ['', () => true],
      ['/changelog/acme', (day: number) => day % 3 < 2],
      ['/changelog/acme/cli', (day: number) => day % 3 === 1],
    ] as const)
      for (const [kind, rest, words] of [
        ['security', 4, 'Hole'],
        ['breaking', 5, 'moved'],
      ] as const) {
        const found = await feed(`${path}/feed.json?kind=${kind}`)
        const expected = DAYS.filter((day) => isOwn(day) && day % 20 === rest)
        expect(found.feed_url).toBe(`${PUBLIC_URL}${path}/feed.json?kind=${kind}`)
        expect(found.items.map(({ url }) => url)).toEqual(expected.map((day) => PUBLIC_URL + addressOf(day)))
        for (const { content_html } of found.items) {
          expect(content_html).toContain(words)
          expect(content_html).not.toMatch(/Feature|About it/)
        }
        expect(await text(`${path}/feed.atom?kind=${kind}`)).toContain(`feed.atom?kind=${kind}`)
      }
  })

  test('a kind that is none, or given twice, is refused whether or not there is such a team', async () => {
    for (const query of ['kind=fix', 'kind=', 'kind=Security', 'kind=added&kind=fixed'])
      for (const path of [
        '',
        '/changelog/acme',
        '/changelog/nobody',
        '/changelog/secret',
        '/changelog/acme/app',
      ])
        expect({ path, query, status: (await server.get(`${path}/feed.atom?${query}`)).status }).toEqual({
          path,
          query,
          status: 400,
        })
  })

  test('page and feeds of a hidden team are the same 404 as those of a missing one', async () => {
    for (const name of [
      '',
      ...FEEDS.map((name) => `/${name}`),
      '/feed.atom?kind=security',
      '?cursor=MSB2ZXJfMQ',
    ]) {
      const of = async (team: string) => fingerprint(await server.get(`/changelog/${team}${name}`))
      const missing = await of('nobody')
      expect(missing).toContain('"status":404')
      for (const hidden of ['secret', 'unpublished', 'UPPER']) expect(await of(hidden)).toBe(missing)
    }
  })

  test('what is published appears at once, and what is hidden again is gone', async () => {
    const { seed } = server
    const { id, changelogId } = seed.product(seed.team('moving'), 'app', { name: 'Moving' })
    seed.version(changelogId, '1.0', { publishedAt: START + 500 * DAY })
    const has = (expected: boolean) => async () => {
      const found = await Promise.all(
        ['/', '/feed.json', '/changelog/moving/feed.atom'].map(async (path) =>
          (await text(path)).includes('/changelog/moving/app/1.0'),
        ),
      )
      return found.every((each) => each === expected)
    }
    const expectAll = async (expected: boolean) => {
      // On PostgreSQL within a second.
      if (subject.engine === 'PostgreSQL') await until(has(expected))
      expect(await has(expected)()).toBe(true)
    }
    await expectAll(true)
    seed.db.run('UPDATE product SET status = ? WHERE id = ?', ['draft', id])
    await expectAll(false)
  })
})
