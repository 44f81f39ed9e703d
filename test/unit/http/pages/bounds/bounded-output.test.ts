import { afterAll, describe, expect, test } from 'bun:test'
import { openHandler } from '../../../../support/servers/handler.ts'

const PAGE = '/changelog/acme/app'
/** About a million characters, and what is around the releases. */
const MOST = 1_100_000

const times = (part: string, length: number): string => part.repeat(Math.ceil(length / part.length))

/** Texts that become many times as long in HTML, and one that is only long. */
const TEXTS: Record<string, string> = {
  quotes: times(`${'>'.repeat(100)}x\n\n`, 200_000),
  'a definition used often': `[a]: http://x "${'&'.repeat(1_000)}"\n\n${times('[a]\n', 200_000)}`,
  footnotes: `${times('x[^a] ', 200_000)}\n\n[^a]: x\n`,
  'notes of one label': times('[^a]: x\n', 200_000),
  words: times('Some words of a text that is long.\n', 200_000),
}
const COPIES = 2
/** Half of them have the text about the release, the others about each change. */
const isAboutRelease = (at: number): boolean => at % 2 === 0

describe('releases that would become very long', () => {
  const labels = Object.keys(TEXTS).flatMap((_, kind) =>
    Array.from({ length: COPIES }, (_, copy) => `${kind}.${copy}`),
  )

  const server = openHandler({ PUBLIC_URL: 'https://acme.test' })
  const { seed } = server
  seed.db.run('BEGIN')
  const { changelogId } = seed.product(seed.team('acme'), 'app')
  for (const [at, label] of labels.entries()) {
    const description = Object.values(TEXTS)[Number(label.split('.')[0])] as string
    const about = isAboutRelease(at) ? { description } : {}
    const changes = Array.from({ length: 12 }, (_, n) => ({
      type: 'added',
      title: `Change ${n} of ${label}`,
      ...(!isAboutRelease(at) && { description }),
    }))
    seed.version(changelogId, label, { publishedAt: 1_000 - at, changes, ...about })
  }
  seed.db.run('COMMIT')
  afterAll(() => server[Symbol.dispose]())

  const get = async (path: string) => {
    const response = await server.get(path)
    expect({ path, status: response.status }).toEqual({ path, status: 200 })
    return { text: await response.text(), link: response.headers.get('link') }
  }
  const depthOf = (html: string) => {
    let [depth, most] = [0, 0]
    for (const [tag] of html.matchAll(/<\/?(?:blockquote|ul|ol)\b/g)) {
      depth += tag.startsWith('</') ? -1 : 1
      most = Math.max(most, depth)
    }
    return most
  }

  test('come on pages of about a million characters, one after another, each with a link to the rest of it', async () => {
    const seen: string[] = []
    let next: string | null = PAGE
    while (next) {
      const { text } = await get(next)
      expect(text.length).toBeLessThan(MOST)
      expect(depthOf(text)).toBeLessThan(40)
      for (const [article, label] of text.matchAll(
        /<article[\s\S]*?>(\d+\.\d)<\/span>[\s\S]*?<\/article>/g,
      )) {
        seen.push(label as string)
        expect(article.length).toBeLessThan(200_000)
        expect(article).toMatch(new RegExp(`<p class="more"><a class="\\w+" href="${PAGE}/${label}">`))
      }
      next = /class="older"[^>]* href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? null
    }
    expect(seen).toEqual(labels)
  })

  test('have a page of about a million characters, which leads to all of it as Markdown', async () => {
    for (const label of labels) {
      const { text } = await get(`${PAGE}/${label}`)
      expect(text.length).toBeLessThan(MOST)
      const href = /<p class="more">[^<]*<a href="([^"]*)">/.exec(text)?.[1] as string
      const { text: markdown } = await get(href)
      expect(markdown.slice(0, 200)).toContain(`\n## [${label}]`)
      const source = Object.values(TEXTS)[Number(label.split('.')[0])] as string
      const squeezed = (text: string) => text.replace(/\s+/g, '')
      expect(squeezed(markdown)).toContain(squeezed(source))
    }
  })

  test('come as Markdown on pages of about a million characters too, each with a link to the rest of it', async () => {
    const seen: string[] = []
    let next: string | null = `${PAGE}.md`
    while (next) {
      const { text } = await get(next)
      expect(text.length).toBeLessThan(MOST)
      for (const part of text.split(/^(?=## \[\d)/m).slice(1)) {
        const label = /^## \[(\d+\.\d)\]/.exec(part)?.[1] as string
        seen.push(label)
        expect(part.length).toBeLessThan(200_000)
        expect(part).toContain(`[the whole release](https://acme.test${PAGE}/${label}.md)`)
      }
      next = /^\[Older releases\]\(https:\/\/acme\.test(.*)\)$/m.exec(text)?.[1] ?? null
    }
    expect(seen).toEqual(labels)
    for (const label of labels) {
      const { text } = await get(`${PAGE}/${label}.md`)
      expect(text.length).toBeLessThan(MOST)
      expect(text).toContain('This release is too long to show all of it here: [all of it](')
    }
  })

  test('make feeds of about a million characters of notes', async () => {
    for (const name of ['feed.atom', 'feed.rss', 'feed.json']) {
      const { text } = await get(`${PAGE}/${name}`)
      const notes = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
      expect(notes.length).toBeLessThan(MOST)
      expect(text).toContain(`${PAGE}/0.0`)
    }
  })

  test('come in parts of CHANGELOG.md of about a million characters or one release, whole', async () => {
    const seen: string[] = []
    let next: string | null = `${PAGE}/CHANGELOG.md`
    while (next) {
      const { text, link } = await get(next)
      const found = [...text.matchAll(/^## \[(\d+\.\d)\]/gm)].map(([, label]) => label as string)
      seen.push(...found)
      // The last one may begin before the bound.
      const last = text.slice(text.lastIndexOf('\n## ['))
      expect(text.length - last.length).toBeLessThan(MOST)
      next = link && (/<([^>]*)>/.exec(link)?.[1] ?? null)
    }
    expect(seen).toEqual(labels)
  })
})
