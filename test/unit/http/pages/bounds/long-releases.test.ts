import { afterAll, describe, expect, test } from 'bun:test'
import { parseMarkdown } from '../../../../../src/formats/lines/read.ts'
import { withReads } from '../../../../../src/store/queries/reads.ts'
import type { VersionContent } from '../../../../../src/store/store.ts'
import { openHandler } from '../../../../support/servers/handler.ts'

const PAGE = '/changelog/acme/app'
const CHANGES = 603

/** The last change is the only one of its type; the types of all others alternate. */
const typeOf = (at: number): string => (at === CHANGES - 1 ? 'security' : at % 2 === 0 ? 'added' : 'fixed')

describe('a release with more changes than are read at once', () => {
  /** How many changes each read gave. */
  let reads: number[] = []

  const note = (versions: readonly object[]) => {
    const contents = versions.filter((version) => 'changes' in version) as VersionContent[]
    const changes = contents.reduce((sum, version) => sum + version.changes.length, 0)
    reads.push(changes)
  }
  const server = openHandler({}, (store) =>
    withReads(store, (own) => ({
      readChangelog: async (...request) => {
        const read = await own.readChangelog(...request)
        note(read.value?.versions ?? [])
        return read
      },
      readVersion: async (...request) => {
        const read = await own.readVersion(...request)
        note(read.value ? [read.value.version] : [])
        return read
      },
    })),
  )
  const { seed } = server
  seed.db.run('BEGIN')
  const { changelogId } = seed.product(seed.team('acme'), 'app')
  seed.version(changelogId, '3.0', { publishedAt: 3, changes: [{ type: 'added', title: 'Small' }] })
  seed.version(changelogId, '2.0', {
    publishedAt: 2,
    title: 'Huge',
    description: 'What it is about',
    closing: 'And this follows all of it.',
    changes: Array.from({ length: CHANGES }, (_, at) => ({ type: typeOf(at), title: `Change ${at}.` })),
  })
  seed.version(changelogId, '1.0', { publishedAt: 1, changes: [{ type: 'fixed', title: 'Old' }] })
  seed.db.run('COMMIT')
  afterAll(() => server[Symbol.dispose]())

  const get = async (path: string) => {
    reads = []
    const response = await server.get(path)
    expect({ path, status: response.status }).toEqual({ path, status: 200 })
    const text = await response.text()
    for (const changes of reads) expect(changes).toBeLessThanOrEqual(250)
    return text
  }
  const shown = (html: string) =>
    [
      ...html.matchAll(
        /dir=\\?"auto\\?">(?:<a class="point"[^>]*><\/a>)?(?:<mark>)?Change(?:<\/mark> <mark>| )(\d+)/g,
      ),
    ]
      .map(([, at]) => Number(at))
      .sort((a, b) => a - b)
  const numbers = (first: number, end: number) => Array.from({ length: end - first }, (_, at) => first + at)

  test('is on the page of the changelog with its first changes, among all other releases', async () => {
    const html = await get(PAGE)
    expect([...html.matchAll(/class="label">([^<]*)</g)].map(([, label]) => label)).toEqual([
      '3.0',
      '2.0',
      '1.0',
    ])
    expect(shown(html)).toEqual(numbers(0, 12))
    const [, own = ''] = html.split(`href="${PAGE}/2.0"`)
    // The only change about security is the last.
    expect(own.split('<h2')[0]).toContain('class="badge security"')
    expect(html).toContain(`<a class="button" href="${PAGE}/2.0">Show all 603 changes →</a>`)
  })

  test('has pages of its own, which lead to each other and together have all of its changes', async () => {
    const pages = ['', '?page=2', '?page=3']
    const seen: number[] = []
    for (const [at, query] of pages.entries()) {
      const html = await get(`${PAGE}/2.0${query}`)
      seen.push(...shown(html))
      expect(html.includes('What it is about')).toBe(at === 0)
      const links = [...html.matchAll(/href="([^"]*)"><span>[^<]*Changes[^<]*<\/span>([^<]*)</g)]
      const beside = [at - 1, at + 1].filter((page) => page in pages)
      expect(links.map(([, href]) => href)).toEqual(beside.map((page) => `${PAGE}/2.0${pages[page]}`))
    }
    expect(seen).toEqual(numbers(0, CHANGES))
    expect(await get(`${PAGE}/2.0`)).toContain('251–500 of 603')
    expect(await get(`${PAGE}/3.0`)).not.toContain('Changes of this release')
  })

  test('has no page after its last, and none with another name', async () => {
    const beyond = await server.get(`${PAGE}/2.0?page=4`)
    expect([beyond.status, beyond.headers.get('location')]).toEqual([302, `${PAGE}/2.0`])
    for (const page of ['0', '-1', '1.5', 'x', '', '9999999'])
      expect((await server.get(`${PAGE}/2.0?page=${page}`)).status).toBe(400)
    // What is missing is so on every page.
    for (const page of [1, 2]) expect((await server.get(`${PAGE}/4.0?page=${page}`)).status).toBe(404)
    expect((await server.get(`${PAGE}/2.0?page=3`)).status).toBe(200)
  })

  test('is searched to its end', async () => {
    expect(shown(await get(`${PAGE}?q=change+602`))).toEqual([602])
    expect(shown(await get(`${PAGE}?type=security`))).toEqual([602])
    const many = await get(`${PAGE}?type=added`)
    expect(shown(many)).toEqual(numbers(0, 250).map((at) => 2 * at))
    expect(many).toContain('250 of 603 changes · see the whole release →')
    expect(many).toContain('Small')
    expect(await get(`${PAGE}?q=nowhere`)).toContain('No release mentions')
  })

  test('is in every feed with its first changes and a link to the others', async () => {
    for (const name of ['feed.atom', 'feed.rss', 'feed.json']) {
      const feed = await get(`${PAGE}/${name}`)
      expect(shown(feed)).toEqual(numbers(0, 250))
      expect(feed).toContain('Show all 603 changes →')
      expect(feed).toContain('Old')
    }
  })

  test('is whole in CHANGELOG.md', async () => {
    const { versions } = parseMarkdown(await get(`${PAGE}/CHANGELOG.md`))
    expect(versions.map(({ label, changes }) => [label, changes.length])).toEqual([
      ['3.0', 1],
      ['2.0', CHANGES],
      ['1.0', 1],
    ])
    expect(versions[1]?.closing).toBe('And this follows all of it.')
    expect(versions[1]?.changes.map(({ type, title }) => ({ type, title }))).toEqual(
      numbers(0, CHANGES).map((at) => ({ type: typeOf(at), title: `Change ${at}.` })),
    )
  })
})
