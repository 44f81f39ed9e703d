import { afterAll, describe, expect, test } from 'bun:test'
import { openHandler } from '../../../../support/servers/handler.ts'
import { message } from '../../../../support/servers/mcp.ts'

const VERSIONS = 4
const CHANGES = 14
/** How many changes of a version a list has. */
const LISTED = 12

const server = openHandler({ CACHE_MAX_BYTES: '0' })
afterAll(() => server[Symbol.dispose]())
const team = server.seed.team('acme')
const product = (slug: string, description: string, changes: number, versions = VERSIONS) => {
  const { changelogId } = server.seed.product(team, slug)
  for (let at = 0; at < versions; at++) {
    const entry = (n: number) => ({ type: 'added', title: `Change ${at}-${n}`, description })
    const own =
      changes === 0 ? { description } : { changes: Array.from({ length: changes }, (_, n) => entry(n)) }
    server.seed.version(changelogId, `${at}.0.0`, { publishedAt: at, ...own })
  }
}
// Nothing of this is shown, so that no limit of a page ends it.
product('lines', '<!-- a -->\n'.repeat(700), CHANGES)
product('notes', `[^a]: y\n\n${'x[^a] '.repeat(1_000)}`, 0, 20)
product('words', `[!a]: y\n\n${'x[!a] '.repeat(1_000)}`, 0, 20)

/** How many turns of the event loop a response takes. */
async function turnsOf(respond: () => Promise<Response>): Promise<number> {
  let [turns, isOver] = [1, false]
  const tick = () => {
    turns++
    if (!isOver) setImmediate(tick)
  }
  setImmediate(tick)
  const response = await respond()
  expect(response.status).toBe(200)
  await response.text()
  isOver = true
  return turns
}

const page = (path: string) => () => server.get(`/changelog/acme/${path}`)
const agent = (method: string, params: object) => () => {
  const { headers, body } = message(method, params)
  return server.send('POST', '/mcp', headers as Record<string, string>, null, body ?? null)
}
const tool = (name: string, given: object) =>
  agent('tools/call', { name, arguments: { changelog: 'acme/lines', maxLength: 100_000, ...given } })
const resource = (slug: string) => agent('resources/read', { uri: `changelog://acme/${slug}` })

describe('others are let in before each long text', () => {
  test.each([
    ['a release', page('lines/1.0.0'), CHANGES],
    ['a release as Markdown', page('lines/1.0.0.md'), CHANGES],
    ['a list', page('lines'), VERSIONS * LISTED],
    ['a list as Markdown', page('lines.md'), VERSIONS * LISTED],
    ['an upgrade as Markdown', page('lines.md?from=0.0.0&to=3.0.0&kind=added'), 3 * CHANGES],
    ['a feed', page('lines/feed.atom'), VERSIONS * CHANGES],
    ['CHANGELOG.md', page('lines/CHANGELOG.md'), VERSIONS * CHANGES],
    ['a resource of agents', resource('lines'), VERSIONS * LISTED],
    ['get_version', tool('get_version', { version: '1.0.0' }), CHANGES],
    ['get_changelog', tool('get_changelog', {}), VERSIONS * LISTED],
    ['search', tool('search', { query: 'change' }), VERSIONS * CHANGES],
    ['compare_versions', tool('compare_versions', { from: '0.0.0' }), 3 * CHANGES],
  ])('of %s', async (_, respond, texts) => {
    expect(await turnsOf(respond)).toBeGreaterThanOrEqual(texts)
  })

  test.each([
    ['a list', 'notes', 'words'],
    ['a list as Markdown', 'notes.md', 'words.md'],
    ['CHANGELOG.md', 'notes/CHANGELOG.md', 'words/CHANGELOG.md'],
  ])('in which footnotes are looked for, on %s', async (_, noted, plain) => {
    expect(await turnsOf(page(noted))).toBeGreaterThan(await turnsOf(page(plain)))
  })

  test('in which footnotes are looked for, for agents', async () => {
    expect(await turnsOf(resource('notes'))).toBeGreaterThan(await turnsOf(resource('words')))
  })
})
