import { describe, expect, test } from 'bun:test'
import type { Seeder } from '../../../support/seed.ts'
import { serverForAll } from '../../../support/servers/for-all.ts'
import { THE_BINARY } from '../../../support/servers/server.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1, 3, 4, 5, 678)
const PUBLIC_URL = 'https://news.acme.test'
const FEEDS = ['feed.atom', 'feed.rss', 'feed.json']

/** 70 public releases of three products of two teams, in turns, hidden ones between them, and above them 1,200 without a date. */
function fill(seed: Seeder) {
  const acme = seed.team('acme', { name: 'Acme & Co' })
  const app = seed.product(acme, 'app', { name: 'App' })
  const cli = seed.product(acme, 'cli', { name: 'CLI' })
  const lumen = seed.team('lumen', { name: 'Lumen' })
  const lens = seed.product(lumen, 'lens', { name: 'Lens' })
  const icons = seed.product(lumen, 'icons', { name: 'Icons' })
  const hidden = [
    seed.product(seed.team('secret', { visibility: 'private' }), 'app'),
    seed.product(acme, 'drafted', { status: 'draft' }),
    seed.product(acme, 'locked', { changelog: 'locked' }),
  ]
  seed.product(seed.team('unpublished'), 'app', { status: 'draft' })
  seed.db.transaction(() => {
    for (let day = 0; day < 70; day++) {
      const publishedAt = START + day * DAY
      seed.version(([app, cli, lens][day % 3] ?? app).changelogId, `1.${day}`, {
        publishedAt,
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
          publishedAt,
          title: 'Hidden',
          changes: [{ type: 'security', title: 'Hidden hole' }],
        })
      seed.version(app.changelogId, `8.${day}`, { publishedAt, title: 'Hidden draft', status: 'draft' })
    }
  })()
  seed.db.transaction(() => {
    for (let at = 1; at <= 1_200; at++)
      seed.version(icons.changelogId, `3.${at}`, {
        publishedAt: START + 90 * DAY + at,
        dateKnown: false,
        title: `3.${at}`,
        description: '![a](b)\n\nNew *shapes*.\n\nMore.',
      })
  })()
  const later = { status: 'scheduled', publishedAt: Date.now() + 365 * DAY } as const
  seed.version(app.changelogId, '7.0', { ...later, title: 'Hidden until then' })
}

interface JsonFeed {
  home_page_url: string
  feed_url: string
  items: { id: string; url: string; title: string; content_html: string }[]
}

/** The addresses of the dated releases on a page, in order. */
const releases = (html: string) =>
  [...html.matchAll(/<\/time><div><p class="card"><a class="title" href="([^"]*)"/g)].map(
    ([, path]) => path as string,
  )

const linkTo = (html: string, rel: string): string | null =>
  new RegExp(`rel="${rel}" href="([^"]*)"`).exec(html)?.[1]?.replaceAll('&amp;', '&') ?? null

const addressOf = (day: number) => `/changelog/${['acme/app', 'acme/cli', 'lumen/lens'][day % 3]}/1.${day}`

/** Newest first. */
const DAYS = Array.from({ length: 70 }, (_, at) => 69 - at)
const OF: [path: string, isOwn: (day: number) => boolean][] = [
  ['', () => true],
  ['/changelog/acme', (day) => day % 3 < 2],
  ['/changelog/acme/cli', (day) => day % 3 === 1],
]
const TIMELINES = OF.slice(0, 2)

describe('timelines', () => {
  const site = serverForAll(THE_BINARY, fill, { PUBLIC_URL })
  const { text } = site
  const feed = async (path: string) => JSON.parse(await text(path)) as JsonFeed

  test('every public release is there by date in pages of 20, of the site and of a team, and nothing hidden', async () => {
    for (const [path, isOwn] of TIMELINES) {
      const pages: string[] = []
      for (let next: string | null = path || '/'; next; next = linkTo(pages.at(-1) ?? '', 'next'))
        pages.push(await text(next))
      expect(pages.flatMap(releases)).toEqual(DAYS.filter(isOwn).map(addressOf))
      expect(pages.slice(0, -1).map((html) => releases(html).length)).toEqual(pages.slice(1).map(() => 20))
      for (const html of pages)
        expect(html.split('<body>')[1]?.replace(/aria-hidden|class="hidden"/g, '')).not.toMatch(
          /hidden|secret|drafted|locked|unpublished/i,
        )
      for (let at = pages.length - 1; at > 0; at--)
        expect(await text(linkTo(pages[at] ?? '', 'prev') as string)).toBe(pages[at - 1] as string)
      const [first = ''] = pages
      expect(first).toContain('<h2>March 2026</h2>')
      expect(first).toContain('newest 11 March 2026')
      for (const name of FEEDS)
        expect(first).toMatch(new RegExp(`<link rel="alternate" [^>]*href="${path}/${name}">`))
    }
  })

  test('of releases without a date, the newest of each product is below the dated ones of the first page, or alone', async () => {
    const html = await text('/')
    expect(html.match(/\/lumen\/icons\/[^"]*/g)).toEqual(['/lumen/icons/3.1200'])
    // It has no changes: then its first words say what it is about.
    expect(html).toContain('<p class="said" dir="auto">New shapes.</p>')
    expect(html.indexOf('Without a date')).toBeGreaterThan(html.indexOf('rel="next"'))
    expect(await text('/index.md')).toMatch(/\n## Without a date\n\n- \[Icons 3\.1200\]/)
    for (const path of [linkTo(html, 'next') as string, '/changelog/acme'])
      expect(await text(path)).not.toContain('Without a date')
  })

  test('a position that no link has leads to that of the release above it', async () => {
    const page = '/changelog/acme'
    const cursor = /cursor=([^&]*)/.exec(linkTo(await text(page), 'next') ?? '')?.[1] ?? ''
    const [at, id] = Buffer.from(cursor, 'base64url').toString().split(' ')
    for (const [given, location] of [
      [`${at} ${id}0`, expect.stringMatching(/^\/changelog\/acme\?cursor=/)],
      [`${START + 1_000 * DAY} ver_1`, page],
      [`${START - DAY} ver_1`, expect.stringMatching(/^\/changelog\/acme/)],
    ] as const)
      expect(await site.leads(`${page}?cursor=${Buffer.from(given).toString('base64url')}`)).toEqual(location)
  })

  test('a feed over products has the 50 newest releases with the names of their products', async () => {
    for (const [path, isOwn] of TIMELINES) {
      const found = await feed(`${path}/feed.json`)
      const expected = DAYS.filter(isOwn).slice(0, 50)
      expect(found).toMatchObject({
        home_page_url: PUBLIC_URL + (path || '/'),
        feed_url: `${PUBLIC_URL}${path}/feed.json`,
      })
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

  test('with a kind, every feed has only the releases with such changes', async () => {
    for (const [path, isOwn] of OF) {
      const { feed_url, items } = await feed(`${path}/feed.json?kind=breaking`)
      const expected = DAYS.filter((day) => isOwn(day) && day % 20 === 5)
      expect(feed_url).toBe(`${PUBLIC_URL}${path}/feed.json?kind=breaking`)
      expect(items.map(({ url }) => url)).toEqual(expected.map((day) => PUBLIC_URL + addressOf(day)))
    }
  })

  test('page and feeds of a hidden team are the same 404 as those of a missing one, and the same 400 with a wrong kind', async () => {
    for (const query of ['kind=fix', 'kind=added&kind=fixed'])
      for (const path of ['', '/changelog/acme', '/changelog/nobody', '/changelog/secret'])
        expect([path, query, await site.status(`${path}/feed.atom?${query}`)]).toEqual([path, query, 400])
    for (const name of ['', '/feed.json', '/feed.atom?kind=security', '?cursor=MSB2ZXJfMQ']) {
      const missing = await site.print(`/changelog/nobody${name}`)
      expect(missing).toContain('"status":404')
      for (const hidden of ['secret', 'unpublished', 'UPPER'])
        expect(await site.print(`/changelog/${hidden}${name}`)).toBe(missing)
    }
  })
})
