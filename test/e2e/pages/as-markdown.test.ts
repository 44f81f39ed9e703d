import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  fingerprint,
  publicPath,
  SUBJECTS,
  startServer,
  type TestServer,
} from '../../support/servers/server.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1, 3, 4, 5, 678)
const PAGE = '/changelog/acme/app'
const MARKDOWN = 'text/markdown; charset=utf-8'
const PREFERRED = { accept: 'text/markdown, text/html;q=0.9' }

function fill({ seed }: TestServer): { id: string } {
  const acme = seed.team('acme', { name: 'Acme & Co' })
  const { changelogId } = seed.product(acme, 'app', { name: 'App' })
  const version = (label: string, day: number, given: Parameters<typeof seed.version>[2] = {}) =>
    seed.version(changelogId, label, { publishedAt: START + day * DAY, title: label, ...given })
  const id = version('1.0.0', 0, {
    title: 'The _first_',
    description: 'Hello <!-- hidden -->\n\n# Big\n\n```\n# code',
    changes: [
      { type: 'added', title: 'Everything', description: 'All\n\n- of it' },
      { type: 'changed', title: '**Breaking:** the client' },
    ],
  })
  version('2.0.0', 1, {
    changes: Array.from({ length: 20 }, (_, at) => ({ type: 'fixed', title: `Fix ${at}` })),
  })
  version('notes', 2, { changes: [{ type: 'added', title: 'Of notes' }] })
  version('notes.md', 3, { changes: [{ type: 'added', title: 'Of a file' }] })
  version('3.0.0', 4, { status: 'draft', changes: [{ type: 'added', title: 'Secret plans' }] })
  const secret = seed.product(seed.team('secret', { visibility: 'private' }), 'app')
  seed.version(secret.changelogId, '1.0.0')
  const long = seed.product(acme, 'long')
  for (let at = 0; at < 30; at++) seed.version(long.changelogId, `1.${at}`, { publishedAt: START - at * DAY })
  return { id }
}

describe.each([...SUBJECTS])('pages of $name as Markdown', (subject) => {
  let server: TestServer
  let id: string
  beforeAll(async () => {
    server = await startServer(subject)
    id = fill(server).id
  })
  afterAll(async () => {
    await server.stop()
  })

  const text = async (path: string, headers = {}): Promise<string> => (await server.get(path, headers)).text()
  const leads = async (path: string, headers = {}) => {
    const response = await fetch(server.url + path, { headers, redirect: 'manual' })
    return { to: response.headers.get('location'), vary: response.headers.get('vary') }
  }

  test('a version has its date, kinds, changes and neighbors', async () => {
    expect(await text(`${PAGE}/1.0.0.md`)).toBe(`# App 1.0.0: The _first_

2026-01-01 · 1 breaking, 1 added, 1 changed · [App changelog](/changelog/acme/app.md) by Acme & Co

Hello

## Big

\`\`\`
# code
\`\`\`

## Added

- Everything

  All

  - of it

## Changed

- **Breaking:** the client

Next release: [2.0.0](/changelog/acme/app/2.0.0.md)
`)
  })

  test('a changelog has its releases as far as its page shows them, and links to the rest', async () => {
    const changelog = await text(`${PAGE}.md`)
    expect(changelog).toStartWith(`# App changelog

What is new in App by Acme & Co: 4 releases.

## [notes.md](/changelog/acme/app/notes.md.md) - 2026-01-04
`)
    expect(changelog).toContain('12 of 20 changes: [the whole release](/changelog/acme/app/2.0.0.md)')
    const long = await text('/changelog/acme/long.md')
    expect(long.match(/^## /gm)).toHaveLength(20)
    const older = /\[Older releases\]\((.*)\)/.exec(long)?.[1] as string
    expect((await text(older)).match(/^## \[[\d.]+\]/gm)?.[0]).toBe('## [1.20]')
  })

  test('an upgrade is by kind, breaking changes first, and can be of one kind', async () => {
    const upgrade = await text(`${PAGE}.md?to=2.0.0`)
    expect(upgrade).toStartWith(`# App up to 2.0.0

22 changes in 2 releases.

## Breaking

- [1.0.0](/changelog/acme/app/1.0.0.md): the client
`)
    expect(upgrade).toContain('5 of 20 changes: [all fixed](/changelog/acme/app.md?kind=fixed&to=2.0.0)')
    const fixed = await text(`${PAGE}.md?kind=fixed&to=2.0.0`)
    expect(fixed.match(/^- /gm)).toHaveLength(20)
    expect(await text(`${PAGE}.md?kind=breaking`)).toContain('**Breaking:** the client')
  })

  test('a team and all teams have their newest releases and their products', async () => {
    for (const path of ['/changelog/acme.md', '/index.md']) {
      const timeline = await text(path)
      expect(timeline).toContain('- 2026-01-04 · [App notes.md](/changelog/acme/app/notes.md.md): (1 added)')
      expect(timeline).toContain('- [App](/changelog/acme/app.md) by Acme & Co, newest notes.md')
    }
  })

  test('a client that prefers Markdown gets the same at the address of the page', async () => {
    for (const [page, markdown] of [
      ['/', '/index.md'],
      ['/changelog/acme', '/changelog/acme.md'],
      [PAGE, `${PAGE}.md`],
      [`${PAGE}?to=2.0.0`, `${PAGE}.md?to=2.0.0`],
      [`${PAGE}?q=fix&utm_source=x`, `${PAGE}.md?q=fix`],
      [`${PAGE}/1.0.0`, `${PAGE}/1.0.0.md`],
    ] as const) {
      const preferred = await server.get(page, PREFERRED)
      expect(preferred.headers.get('content-type')).toBe(MARKDOWN)
      expect(preferred.headers.get('vary')).toBe('Accept-Encoding, Accept')
      expect(await fingerprint(preferred)).toBe(await fingerprint(await server.get(markdown)))
    }
  })

  test('browsers, feed readers and all others get the page as before, and both have their own tag', async () => {
    for (const path of ['/', '/changelog/acme', PAGE, `${PAGE}?to=2.0.0`, `${PAGE}/1.0.0`]) {
      const page = await server.get(path)
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(page.headers.get('vary')).toBe('Accept-Encoding, Accept')
      const expected = await fingerprint(page)
      const preferred = await server.get(path, PREFERRED)
      for (const accept of ['*/*', 'text/html,application/xml;q=0.9,*/*;q=0.8', 'text/markdown;q=0.5, */*'])
        expect(await fingerprint(await server.get(path, { accept }))).toBe(expected)
      const tags = [page, preferred].map(({ headers }) => headers.get('etag') as string)
      expect(new Set(tags).size).toBe(2)
      const [html, markdown] = tags as [string, string]
      expect((await server.get(path, { ...PREFERRED, 'if-none-match': markdown })).status).toBe(304)
      expect((await server.get(path, { ...PREFERRED, 'if-none-match': html })).status).toBe(200)
      expect((await server.get(path, { 'if-none-match': html })).status).toBe(304)
    }
    for (const path of [
      `${PAGE}/feed.atom`,
      '/robots.txt',
      `${PAGE}/CHANGELOG.md`,
      publicPath('acme', 'app'),
    ])
      expect(await fingerprint(await server.get(path, PREFERRED))).toBe(
        await fingerprint(await server.get(path)),
      )
  })

  test('every page names its address as Markdown', async () => {
    for (const path of ['/', '/changelog/acme', PAGE, `${PAGE}?q=fix`, `${PAGE}?to=2.0.0`, `${PAGE}/1.0.0`]) {
      const html = await text(path)
      const href = /rel="alternate" type="text\/markdown" title="Markdown" href="([^"]*)"/.exec(html)
      const response = await server.get(href?.[1]?.replaceAll('&amp;', '&') as string)
      expect({ path, type: response.headers.get('content-type') }).toEqual({ path, type: MARKDOWN })
    }
  })

  test('a label that ends with .md takes precedence', async () => {
    const page = await server.get(`${PAGE}/notes.md`)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await page.text()).toContain('Of a file')
    for (const [path, headers, own] of [
      [`${PAGE}/notes.md`, PREFERRED, 'Of a file'],
      [`${PAGE}/notes.md.md`, {}, 'Of a file'],
      [`${PAGE}/notes`, PREFERRED, 'Of notes'],
    ] as const) {
      const response = await server.get(path, headers)
      expect(response.headers.get('content-type')).toBe(MARKDOWN)
      expect(await response.text()).toContain(own)
    }
  })

  test('what leads to another page leads to it in the same form', async () => {
    const vary = 'Accept-Encoding, Accept'
    for (const [path, headers, to] of [
      [`${PAGE}/${id}.md`, {}, `${PAGE}/1.0.0.md`],
      [`${PAGE}/${id}`, PREFERRED, `${PAGE}/1.0.0`],
      [`${PAGE}/latest.md`, {}, `${PAGE}/notes.md.md`],
      [`${PAGE}/latest`, {}, `${PAGE}/notes.md`],
      [`${PAGE}.md?kind=fixed&q=`, {}, `${PAGE}.md?kind=fixed`],
      ['/index.md?after=zz/zz', {}, '/index.md'],
    ] as const)
      expect(await leads(path, headers)).toEqual({ to, vary })
  })

  test('hidden and missing pages are the same, and nothing hidden is in any', async () => {
    const [missing = '', ...others] = await Promise.all(
      [
        `${PAGE}/9.9.9.md`,
        `${PAGE}/3.0.0.md`,
        `${PAGE}/3.0.0.md.md`,
        '/changelog/secret/app.md',
        '/changelog/secret/app/1.0.0.md',
        '/changelog/secret.md',
        '/changelog/nobody.md',
        `${PAGE}.md?from=1.0.0&to=3.0.0`,
      ].map(async (path) => fingerprint(await server.get(path))),
    )
    expect(JSON.parse(missing).status).toBe(404)
    expect(missing).toContain(MARKDOWN)
    for (const other of others) expect(other).toBe(missing)
    for (const path of ['/index.md', '/changelog/acme.md', `${PAGE}.md`, '/llms.txt', `${PAGE}/llms.txt`])
      expect(await text(path)).not.toMatch(/secret|3\.0\.0|hidden/i)
  })

  test('llms.txt of the site, a team and a changelog says what there is and how to ask for it', async () => {
    const site = await server.get('/llms.txt')
    expect(site.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    for (const file of [await site.text(), await text('/changelog/acme/llms.txt')]) {
      expect(file).toMatch(/^# .+\n\n> .+\n\n/)
      expect(file).toContain('- [App changelog](/changelog/acme/app/llms.txt): newest release notes.md')
    }
    const own = await text(`${PAGE}/llms.txt`)
    expect(own).toStartWith('# App changelog\n\n> What is new in App by Acme & Co.')
    expect(own).toContain('- [1.0.0](/changelog/acme/app/1.0.0.md): 2026-01-01, The _first_')
    const links = [...own.matchAll(/^- \[[^\]]*\]\((\S*)\)/gm)].map(([, href]) => href as string)
    expect(links.some((href) => href.includes('?from='))).toBe(true)
    expect(links.some((href) => href.includes('kind=breaking'))).toBe(true)
    for (const href of links) expect([200, 302]).toContain((await server.get(href)).status)
    const hidden = await fingerprint(await server.get('/changelog/secret/app/llms.txt'))
    expect(await fingerprint(await server.get('/changelog/nobody/app/llms.txt'))).toBe(hidden)
  })
})
