import { afterAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { HtmlValidate } from 'html-validate'
import { openHandler } from '../../../support/servers/handler.ts'

const DIRECTORY = join(import.meta.dir, '../../../fixtures/releases')

interface GitHubRelease {
  tag_name: string
  name: string
  published_at: string
  body: string
}

/** Releases of well-known kinds, as GitHub's API gives them. */
const kinds = readdirSync(DIRECTORY).map((file) => ({
  kind: basename(file, '.json'),
  releases: JSON.parse(readFileSync(join(DIRECTORY, file), 'utf8')) as GitHubRelease[],
}))

/** What a page shows outside of code. */
const shownOn = (html: string): string =>
  html
    .replace(/<(pre|code|head)\b[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')

test('comments alone leave no room, and what a heading or a summary says is not said again', async () => {
  using server = openHandler()
  const { changelogId } = server.seed.product(server.seed.team('acme'), 'app')
  const table = '| a | b |\n|---|---|\n| 1 | 2 |'
  server.seed.version(changelogId, '1.0.0', {
    title: '1.0.0',
    description: '<!-- Release notes generated using configuration in .github/release.yml -->',
    changes: [
      { type: 'a-faster-start', title: 'A faster start', description: table },
      {
        type: 'maintenance',
        title: '4 `x` changes',
        description: '<details><summary>4 <code>x</code> changes</summary>\n\n- one\n</details>',
      },
      { type: 'maintenance', title: 'Maintenance' },
    ],
  })
  const page = await (await server.get('/changelog/acme/app')).text()
  expect(page).not.toContain('class="intro')
  expect(page.match(/A faster start/g)).toHaveLength(1)
  expect(page.match(/4 <code>x<\/code> changes/g)).toHaveLength(1)
  expect(page.match(/Maintenance/g)).toHaveLength(2)
})

test('on pages and in feeds, numbers and names are links to the repository of the product', async () => {
  using server = openHandler()
  const { id, changelogId } = server.seed.product(server.seed.team('acme'), 'app')
  const changes = [
    { type: 'breaking', title: 'One by @alice in #12' },
    { type: 'fixed', title: 'Two', description: 'See #12.' },
  ]
  const fields = { description: 'Of #12.', closing: 'After #12.', changes }
  server.seed.version(changelogId, '1.0.0')
  server.seed.version(changelogId, '2.0.0', { publishedAt: Date.UTC(2026, 5), ...fields })
  const links = async (path: string) =>
    (await (await server.get(path)).text()).replaceAll('\\"', '"').match(/"https:\/\/github.com\/[^"]*"/g)
  const path = '/changelog/acme/app'
  const addresses = [path, `${path}/2.0.0`, `${path}/feed.json`, '/changelog/acme/feed.json']
  for (const each of [...addresses, `${path}?from=1.0.0`]) expect(await links(each)).toBeNull()
  server.seed.db.run('UPDATE product SET repository = ? WHERE id = ?', ['https://github.com/acme/app', id])
  const issue = '"https://github.com/acme/app/issues/12"'
  const person = '"https://github.com/alice"'
  for (const each of addresses)
    expect({ each, links: await links(each) }).toEqual({ each, links: [issue, person, issue, issue, issue] })
  expect(await links(`${path}?from=1.0.0`)).toEqual([person, issue, issue])
})

describe('on the page of releases', () => {
  const server = openHandler({ PUBLIC_URL: 'https://acme.test' })
  const { seed } = server
  const team = seed.team('acme')
  for (const { kind, releases } of kinds) {
    const { changelogId } = seed.product(team, kind)
    for (const { tag_name: label, name: title, published_at, body } of releases) {
      const description = body.replaceAll('\r\n', '\n')
      seed.version(changelogId, label, { title, publishedAt: Date.parse(published_at), description })
    }
  }
  afterAll(() => server[Symbol.dispose]())

  const page = async (kind: string) => (await server.get(`/changelog/acme/${kind}`)).text()

  test.each(kinds.map(({ kind }) => kind))(
    '%s: markup, comments and names of emoji are not shown as text',
    async (kind) => {
      const shown = shownOn(await page(kind))
      expect(
        shown.match(/<\/?(?:kbd|br|details|summary|img|picture|sub|sup|table|td|b|p|a)\b[^>]*>/g),
      ).toBeNull()
      expect(shown).not.toMatch(/<!--|-->|\[!\w+\]|:(?:sparkles|bug|tada|heart|\+1):/)
    },
  )

  // How boxes and breaks are written is a matter of style, and only authors know what their cells head.
  const rules = { 'void-style': 'off', 'attribute-boolean-style': 'off', 'wcag/h63': 'off' } as const
  const validator = new HtmlValidate({ extends: ['html-validate:recommended'], rules })
  test.each(kinds.map(({ kind }) => kind))('%s: is valid HTML', async (kind) => {
    const { results } = await validator.validateString(await page(kind))
    expect(
      results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`)),
    ).toEqual([])
  })
})
