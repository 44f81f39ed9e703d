import { describe, expect, test } from 'bun:test'
import type { Seeder } from '../../../support/seed.ts'
import { serverForAll } from '../../../support/servers/for-all.ts'
import { publicPath, THE_BINARY } from '../../../support/servers/server.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1, 3, 4, 5, 678)
const PAGE = '/changelog/acme/app'
const HTML = 'text/html; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'
const PREFERRED = { accept: 'text/markdown, text/html;q=0.9' }

function fill(seed: Seeder): string {
  const acme = seed.team('acme', { name: 'Acme & Co.' })
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
  seed.version(seed.product(seed.team('secret', { visibility: 'private' }), 'app').changelogId, '1.0.0')
  const long = seed.product(acme, 'long')
  for (let at = 0; at < 30; at++) seed.version(long.changelogId, `1.${at}`, { publishedAt: START - at * DAY })
  return id
}

describe('pages as Markdown', () => {
  const site = serverForAll(THE_BINARY, fill)
  const { text } = site

  test('a version has its date, kinds, changes and neighbors', async () => {
    expect(await text(`${PAGE}/1.0.0.md`)).toBe(`# App 1.0.0: The _first_

2026-01-01 · 1 breaking, 1 added, 1 changed · [App changelog](/changelog/acme/app.md) by Acme & Co.

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

- **Breaking:** The client

Next release: [2.0.0](/changelog/acme/app/2.0.0.md)
`)
  })

  test('a changelog has its releases as far as its page shows them, and links to the rest', async () => {
    const changelog = await text(`${PAGE}.md`)
    expect(changelog).toStartWith(
      '# App changelog\n\nWhat is new in App by Acme & Co.: 4 releases.\n\n## [notes.md](/changelog/acme/app/notes.md.md) - 2026-01-04\n',
    )
    expect(changelog).toContain('12 of 20 changes: [the whole release](/changelog/acme/app/2.0.0.md)')
    const long = await text('/changelog/acme/long.md')
    expect(long.match(/^## /gm)).toHaveLength(20)
    const older = /\[Older releases\]\((.*)\)/.exec(long)?.[1] as string
    expect((await text(older)).match(/^## \[[\d.]+\]/gm)?.[0]).toBe('## [1.20]')
  })

  test('an upgrade is by kind, breaking changes first, and can be of one kind', async () => {
    const upgrade = await text(`${PAGE}.md?to=2.0.0`)
    expect(upgrade).toStartWith('# App up to 2.0.0\n\n2 major releases · 1 breaking change · ')
    expect(upgrade).toMatch(
      /\n\n22 changes in 2 releases\.\n\n## Breaking\n\n### \[1\.0\.0\]\(.*?\n\n- \[ \] The client\n/s,
    )
    expect((await text(`${PAGE}.md?kind=fixed&to=2.0.0`)).match(/^- /gm)).toHaveLength(20)
    expect(await text(`${PAGE}.md?kind=breaking`)).toContain('**Breaking:** The client')
  })

  test('a team and all teams have their newest releases and their products', async () => {
    for (const path of ['/changelog/acme.md', '/index.md']) {
      const timeline = await text(path)
      expect(timeline).toContain(
        '- 2026-01-04 · [App: notes.md](/changelog/acme/app/notes.md.md): Of a file (1 added)',
      )
      expect(timeline).toContain('- [App](/changelog/acme/app.md) by Acme & Co., newest 2026-01-04')
    }
  })

  test('a client that prefers Markdown gets the same at the address of the page, all others get the page, and each has its own tag', async () => {
    for (const [path, own] of [
      ['/', '/index.md'],
      [`${PAGE}?q=fix&utm_source=x`, `${PAGE}.md?q=fix`],
      [`${PAGE}/1.0.0`, `${PAGE}/1.0.0.md`],
    ] as const) {
      const [page, preferred] = [await site.get(path), await site.get(path, PREFERRED)]
      expect(
        [page, preferred].map(({ headers }) => [headers.get('content-type'), headers.get('vary')]),
      ).toEqual([
        [HTML, 'Accept-Encoding, Accept'],
        [MARKDOWN, 'Accept-Encoding, Accept'],
      ])
      expect(await site.print(path, PREFERRED)).toBe(await site.print(own))
      const expected = await site.print(path)
      for (const accept of ['*/*', 'text/html,application/xml;q=0.9,*/*;q=0.8', 'text/markdown;q=0.5, */*'])
        expect(await site.print(path, { accept })).toBe(expected)
      const html = { 'if-none-match': page.headers.get('etag') as string }
      const markdown = { ...PREFERRED, 'if-none-match': preferred.headers.get('etag') as string }
      expect([await site.status(path, html), await site.status(path, markdown)]).toEqual([304, 304])
      expect(await site.status(path, { ...PREFERRED, ...html })).toBe(200)
      // And the page names the other address.
      const link = /rel="alternate" type="text\/markdown" title="Markdown" href="([^"]*)"/.exec(
        await page.text(),
      )
      const named = await site.get(link?.[1]?.replaceAll('&amp;', '&') as string)
      expect([path, named.headers.get('content-type')]).toEqual([path, MARKDOWN])
    }
    for (const path of [`${PAGE}/feed.atom`, `${PAGE}/CHANGELOG.md`, publicPath('acme', 'app')])
      expect(await site.print(path, PREFERRED)).toBe(await site.print(path))
  })

  test('a label that ends with .md takes precedence', async () => {
    for (const [path, headers, type, own] of [
      [`${PAGE}/notes.md`, {}, HTML, 'Of a file'],
      [`${PAGE}/notes.md.md`, {}, MARKDOWN, 'Of a file'],
      [`${PAGE}/notes`, PREFERRED, MARKDOWN, 'Of notes'],
    ] as const) {
      const response = await site.get(path, headers)
      expect([path, response.headers.get('content-type')]).toEqual([path, type])
      expect(await response.text()).toContain(own)
    }
  })

  test('an address cannot ask for Markdown in words of the server, in its path or in its query', async () => {
    const missing = await site.get('/changelog/nobody')
    for (const path of [
      ...['/changelog/as=markdown', '/changelog/acme/as=markdown', '/changelog/acme/x&as=markdown'],
      ...[`${PAGE}/as=markdown`, `${PAGE}/x&as=markdown`, `${PAGE}/9.9.9?as=markdown`],
    ]) {
      const [page, preferred] = [await site.get(path), await site.get(path, PREFERRED)]
      const types = [page, preferred].map(({ status, headers }) => [status, headers.get('content-type')])
      expect([path, types]).toEqual([
        path,
        [
          [404, missing.headers.get('content-type')],
          [404, MARKDOWN],
        ],
      ])
    }
    expect(missing.headers.get('content-type')).toBe(HTML)
    expect((await site.get(`${PAGE}?as=markdown`)).headers.get('content-type')).toBe(HTML)
  })

  test('what leads to another page leads to it in the same form', async () => {
    const id = site.filled
    for (const [path, headers, to] of [
      [`${PAGE}/${id}.md`, {}, `${PAGE}/1.0.0.md`],
      [`${PAGE}/${id}`, PREFERRED, `${PAGE}/1.0.0`],
      [`${PAGE}/latest.md`, {}, `${PAGE}/notes.md.md`],
      [`${PAGE}.md?kind=fixed&q=`, {}, `${PAGE}.md?kind=fixed`],
      ['/index.md?after=zz/zz', {}, '/index.md'],
    ] as const)
      expect([path, await site.leads(path, headers)]).toEqual([path, to])
  })

  test('hidden and missing pages are the same, and nothing hidden is in any', async () => {
    const missing = await site.print('/changelog/nobody.md')
    expect(JSON.parse(missing).status).toBe(404)
    expect(missing).toContain(MARKDOWN)
    for (const path of ['', '/app', '/app/1.0.0'].map((rest) => `/changelog/secret${rest}.md`))
      expect([path, await site.print(path)]).toEqual([path, missing])
    // Of what is public, it tells what there is instead.
    const instead = await site.print(`${PAGE}/9.9.9.md`)
    expect(instead).toMatch(/"status":404.*# There is no version 9\.9\.9\\n\\n\[2\.0\.0\]\(/)
    expect(await site.print(`${PAGE}/3.0.0.md`)).toBe(instead.replace('9.9.9', '3.0.0'))
    expect(await text(`${PAGE}.md?from=3.0.0&to=notes.md`)).toContain('[2.0.0 → notes.md](')
    for (const path of ['/index.md', '/changelog/acme.md', `${PAGE}.md`, '/llms.txt', `${PAGE}/llms.txt`])
      expect(await text(path)).not.toMatch(/secret|3\.0\.0|hidden/i)
  })

  test('llms.txt of the site, a team and a changelog says what there is and how to ask for it', async () => {
    expect((await site.get('/llms.txt')).headers.get('content-type')).toBe('text/plain; charset=utf-8')
    for (const file of [await text('/llms.txt'), await text('/changelog/acme/llms.txt')]) {
      expect(file).toMatch(/^# .+\n\n> .+[^.]\.\n\n/)
      expect(file).toContain('- [App changelog](/changelog/acme/app/llms.txt): newest 2026-01-04')
    }
    const own = await text(`${PAGE}/llms.txt`)
    expect(own).toStartWith('# App changelog\n\n> What is new in App by Acme & Co. Newest release: ')
    expect(own).toContain('- [1.0.0](/changelog/acme/app/1.0.0.md): 2026-01-01, The _first_')
    const links = [...own.matchAll(/^- \[[^\]]*\]\((\S*)\)/gm)].map(([, href]) => href as string)
    for (const query of ['?from=', 'kind=breaking'])
      expect(links.some((href) => href.includes(query))).toBe(true)
    for (const href of links) expect([200, 302]).toContain(await site.status(href))
    const hidden = await site.print('/changelog/secret/app/llms.txt')
    expect(await site.print('/changelog/nobody/app/llms.txt')).toBe(hidden)
  })
})
