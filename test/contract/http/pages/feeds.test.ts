import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { parseMarkdown } from '../../../../src/formats/lines/read.ts'
import { describeNeeding } from '../../../support/needs.ts'
import { scratch } from '../../../support/scratch.ts'
import type { Seeder } from '../../../support/seed.ts'
import { serverForAll } from '../../../support/servers/for-all.ts'
import { nextIn } from '../../../support/servers/read-changelog.ts'
import { startServer, THE_BINARY } from '../../../support/servers/server.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1, 3, 4, 5, 678)
const PAGE = '/changelog/acme/app'
const FEEDS = ['feed.atom', 'feed.rss', 'feed.json']
const PUBLIC_URL = 'https://news.acme.test'

/** What a feed reader would stumble over. */
const HOSTILE = 'A ]]> <u>&amp; & "quoted" \u0001\u0008 🎉 ]]>'

function fill(seed: Seeder): string[] {
  const acme = seed.team('acme', { name: `Acme ${HOSTILE.replace(/\p{Cc}/gu, '')}` })
  const app = seed.product(acme, 'app', { name: 'App & more' })
  const versions: string[] = []
  for (let day = 0; day < 60; day++)
    versions.push(
      seed.version(app.changelogId, `1.${day}.0`, {
        publishedAt: START + day * DAY,
        title: day === 59 ? HOSTILE : `Day *${day}*`,
        description: day === 59 ? `${HOSTILE}\n\n<script>alert(1)</script>` : null,
        changes: day === 58 ? [] : [{ type: 'added', title: `Feature **${day}**` }],
      }),
    )
  seed.version(app.changelogId, '2.0.0', { status: 'draft', publishedAt: START + 99 * DAY, title: 'Draft' })
  seed.product(acme, 'empty')
  seed.product(acme, 'drafted', { status: 'draft' })
  const secret = seed.product(seed.team('secret', { visibility: 'private' }), 'app')
  seed.version(secret.changelogId, '1.0.0')
  return versions
}

/** The Python that has feedparser: Debian's, unless another is first in the path. */
const PYTHON = ['/usr/bin/python3', 'python3'].find(
  (program) => Bun.which(program) && Bun.spawnSync([program, '-c', 'import feedparser']).success,
)

interface JsonFeed {
  home_page_url: string
  feed_url: string
  items: { id: string; url: string; title: string; content_html: string; date_published: string }[]
}

const unescaped = (xml: string) =>
  xml.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** What a reader shows that takes a text for HTML. */
async function asHtml(source: string): Promise<{ text: string; elements: number }> {
  const texts: string[] = []
  let elements = 0
  await new HTMLRewriter()
    .on('*', { element: () => void elements++ })
    .onDocument({ text: (chunk) => void texts.push(chunk.text) })
    .transform(new Response(source))
    .text()
  return { text: unescaped(texts.join('')), elements }
}

const addresses = (xml: string) =>
  [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address as string)

describe('feeds', () => {
  const site = serverForAll(THE_BINARY, fill, { PUBLIC_URL })
  const { text } = site

  test('each format has its type, the same secure headers, a tag and a 304', async () => {
    // Not even one of an empty changelog has a date that nobody wrote.
    expect(await text('/changelog/acme/empty/feed.rss')).not.toContain('1970')
    for (const [name, type] of [
      ['feed.atom', 'application/atom+xml; charset=utf-8'],
      ['feed.rss', 'application/rss+xml; charset=utf-8'],
      ['feed.json', 'application/feed+json; charset=utf-8'],
      ['CHANGELOG.md', 'text/markdown; charset=utf-8'],
    ] as const) {
      const headers = Object.fromEntries((await site.get(`${PAGE}/${name}`)).headers)
      expect(headers).toMatchObject({
        'content-type': type,
        'cache-control': 'public, max-age=60',
        'access-control-allow-origin': '*',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'",
      })
      expect(await site.status(`${PAGE}/${name}`, { 'if-none-match': headers.etag as string })).toBe(304)
    }
  })

  test('a feed has the 50 newest releases with their notes, dates and addresses', async () => {
    const versions = site.filled
    const feed = JSON.parse(await text(`${PAGE}/feed.json`)) as JsonFeed
    expect(feed).toMatchObject({
      home_page_url: PUBLIC_URL + PAGE,
      feed_url: `${PUBLIC_URL}${PAGE}/feed.json`,
    })
    expect(feed.items.map(({ id }) => id)).toEqual(
      versions
        .toReversed()
        .slice(0, 50)
        .map((id) => `tag:changelogd.invalid,2026:${id}`),
    )
    expect(feed.items[2]).toEqual({
      id: `tag:changelogd.invalid,2026:${versions[57]}`,
      url: `${PUBLIC_URL}${PAGE}/1.57.0`,
      title: '1.57.0: Day 57',
      content_html: expect.stringContaining('Feature <strong>57</strong>'),
      date_published: '2026-02-27T03:04:05.678Z',
    })
    expect(feed.items[1]?.content_html).toBe('<p>No changes listed.</p>')
    expect(JSON.stringify(feed)).not.toContain('Draft')
  })

  test('a title in a feed is text: what an author wrote as a tag is none to a reader that takes it for HTML', async () => {
    const { seed } = site.server
    const hostile = '<video src=x onerror=alert(1)> &lt;b>'
    const { changelogId } = seed.product(seed.team('tags'), 'app', { name: '<i>App</i>' })
    const bare = ['&copy b', '&#169 c', '&Aacutex', '&frac12']
    for (const [at, title] of [hostile, 'R&D: a < b', ...bare].entries())
      seed.version(changelogId, `${at}.0`, { title, publishedAt: START - at })
    const feeds = await Promise.all(FEEDS.map((name) => text(`/changelog/tags/app/${name}`)))
    const [atom, rss, json] = feeds as [string, string, string]
    const titles = (xml: string) =>
      [...xml.matchAll(/<title>\s*(?:<!\[CDATA\[(.*?)\]\]>|(.*?))\s*<\/title>/g)].map(
        ([, cdata, escaped]) => cdata ?? unescaped(escaped as string),
      )
    const asText = [
      '<i>App</i> changelog',
      '0.0: <video src=x onerror=alert(1)> <b>',
      '1.0: R&D: a < b',
      ...bare.map((title, at) => `${at + 2}.0: ${title}`),
    ]
    expect(titles(atom)).toEqual(asText)
    const feed = JSON.parse(json)
    expect([feed.title, ...feed.items.map(({ title }: { title: string }) => title)]).toEqual(asText)
    const shown = await Promise.all(titles(rss).map(asHtml))
    expect(shown).toEqual(asText.map((text) => ({ text, elements: 0 })))
    // Readers take some entities as such without a semicolon.
    expect(titles(rss).slice(3)).toEqual(asText.slice(3).map((text) => text.replace('&', '&amp;')))
    expect(rss).toContain('What is new in &lt;i&gt;App')
  })

  test('the feed of what is hidden is the same 404 page as of what is missing, and its text the same text', async () => {
    const page = await site.print('/changelog/nobody/app')
    const text = await site.print('/changelog/nobody/app/CHANGELOG.md')
    expect(JSON.parse(text)).toMatchObject({ status: 404, body: expect.stringMatching(/^# Page not found/) })
    for (const product of ['nobody/app', 'secret/app', 'acme/drafted']) {
      for (const name of [...FEEDS, 'badge.svg'])
        expect(await site.print(`/changelog/${product}/${name}`)).toBe(page)
      expect(await site.print(`/changelog/${product}/CHANGELOG.md`)).toBe(text)
    }
  })

  test('CHANGELOG.md is Keep a Changelog text, a hundred releases at a time', async () => {
    const first = await site.get(`${PAGE}/CHANGELOG.md`)
    const parsed = parseMarkdown(await first.text())
    expect(parsed.warnings).toEqual([])
    expect(parsed.preamble).toBe('# App \\& more changelog')
    expect(parsed.versions.map(({ label }) => label)).toEqual(
      Array.from({ length: 60 }, (_, at) => `1.${59 - at}.0`),
    )
    expect(parsed.versions[2]).toMatchObject({
      title: 'Day *57*',
      date: Date.UTC(2026, 1, 27),
      status: 'published',
      changes: [{ type: 'added', title: 'Feature **57**' }],
    })
    expect(first.headers.get('link')).toBeNull()
    // The newest release and its description have some.
    expect(await text(`${PAGE}/CHANGELOG.md`)).not.toMatch(/[\p{Cc}--[\n\t]]/v)

    const { seed } = site.server
    const { changelogId } = seed.product(seed.team('long'), 'app')
    for (let at = 0; at < 130; at++) seed.version(changelogId, `${at}`, { publishedAt: START + at * DAY })
    const part = await site.get('/changelog/long/app/CHANGELOG.md')
    const next = nextIn(part.headers.get('link')) as string
    const labels = [await part.text(), await text(next)].map((each) =>
      parseMarkdown(each).versions.map(({ label }) => label),
    )
    expect(labels.map(({ length }) => length)).toEqual([100, 30])
    expect(labels.flat()).toEqual(Array.from({ length: 130 }, (_, at) => `${129 - at}`))
  })

  test('robots.txt leads to the sitemap, and the sitemap to everything public and nothing else', async () => {
    expect(await text('/robots.txt')).toContain(`\nSitemap: ${PUBLIC_URL}/sitemap.xml\n`)
    const files = addresses(await text('/sitemap.xml'))
    const parts = await Promise.all(files.map((file) => text(file.slice(PUBLIC_URL.length))))
    const all = parts.flatMap(addresses)
    expect(all.slice(0, 4)).toEqual(
      ['/', '/changelog/acme', PAGE, `${PAGE}/1.59.0`].map((path) => PUBLIC_URL + path),
    )
    expect(all).toContain(`${PUBLIC_URL}/changelog/acme/empty`)
    expect(all.filter((address) => /secret|drafted|2\.0\.0/.test(address))).toEqual([])
  })
})

test('without PUBLIC_URL a feed names the address the server listens on, never the Host of a request', async () => {
  await using server = await startServer(THE_BINARY)
  fill(server.seed)
  for (const name of FEEDS) {
    const feed = await (await server.get(`${PAGE}/${name}`, { host: 'evil.test' })).text()
    expect(feed).toContain(`${server.url}${PAGE}/1.57.0`)
    expect(feed).not.toContain('evil.test')
  }
})

describeNeeding('python3-feedparser', PYTHON !== undefined, 'a feed reader', () => {
  const site = serverForAll(THE_BINARY, fill, { PUBLIC_URL })

  test('has nothing to complain about Atom and RSS', async () => {
    using directory = scratch()
    const script =
      'import feedparser, html, json, sys\ntext = lambda d: html.unescape(d.value) if d.type == "text/html" else d.value\nread = lambda feed: {"bozo": bool(feed.bozo), "title": text(feed.feed.title_detail), "entries": [[e.id, text(e.title_detail), e.link, list(e.published_parsed)[:6]] for e in feed.entries]}\nprint(json.dumps([read(feedparser.parse(path)) for path in sys.argv[1:]]))'
    const files: string[] = []
    for (const name of ['feed.atom', 'feed.rss'])
      for (const product of ['app', 'empty']) {
        files.push(join(directory.path, `${product}-${name}`))
        await Bun.write(files.at(-1) as string, await site.text(`/changelog/acme/${product}/${name}`))
      }
    const { stdout } = Bun.spawnSync([PYTHON as string, '-c', script, ...files])
    for (const [at, read] of JSON.parse(stdout.toString()).entries()) {
      expect([files[at], read.bozo, read.entries.length]).toEqual([files[at], false, at % 2 ? 0 : 50])
      if (at % 2) continue
      expect(read.title).toBe('App & more changelog')
      expect(read.entries[0][1]).toBe('1.59.0: A ]]> <u>& & "quoted"  🎉 ]]>')
      expect(read.entries[2]).toEqual([
        `tag:changelogd.invalid,2026:${site.filled[57]}`,
        '1.57.0: Day 57',
        `${PUBLIC_URL}${PAGE}/1.57.0`,
        [2026, 2, 27, 3, 4, 5],
      ])
    }
  })
})
