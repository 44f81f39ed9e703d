import { describe, expect, test } from 'bun:test'
import type { Seeder } from '../../../support/seed.ts'
import { serverForAll } from '../../../support/servers/for-all.ts'
import { THE_BINARY } from '../../../support/servers/server.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1, 3, 4, 5, 678)
const PAGE = '/changelog/acme/app'

const STORY = `## Highlights

A story[^1] that no list of changes could tell as well as these words do, below a heading.

- [x] Back up
- **BREAKING:** one
- feat!: two
- Fix an XSS vulnerability

| | ms |
|---|---|
| new | 4 |

The end.

[^1]: A footnote.
`
const STORY_TITLE =
  'A story[^1] that no list of changes could tell as well as these words do, below a heading.'
const STORY_CHANGES = [
  STORY_TITLE,
  '[x] Back up',
  '**BREAKING:** one',
  'Reworded',
  'feat!: two',
  'Fix an XSS vulnerability',
  'The end.',
].map((title) => ({ type: 'added', title }))

/** Fills a database with public and hidden content, and gives the ids of some versions. */
function fill(seed: Seeder) {
  const acme = seed.team('acme', { name: 'Acme & Co' })
  const app = seed.product(acme, 'app', { name: 'App' })
  for (let day = 0; day < 45; day++)
    seed.version(app.changelogId, `1.${day}.0`, {
      publishedAt: START + day * DAY,
      title: `Day *${day}*`,
      description: day % 2 ? `About **${day}** & more` : null,
      changes: [
        { type: 'added', title: `Feature ${day}` },
        ...(day % 10 === 3 ? [{ type: 'security', typeLabel: '🔒 Security', title: 'Closed a hole' }] : []),
      ],
    })
  const draft = seed.version(app.changelogId, '2.0.0', { status: 'draft', publishedAt: START + 99 * DAY })
  const odd = seed.product(acme, 'odd', { name: 'Odd' })
  const slash = seed.version(odd.changelogId, 'cli/1.0 beta', { publishedAt: START, title: 'Slashed' })
  const taken = seed.version(odd.changelogId, 'feed.atom', { publishedAt: START + DAY, title: 'Taken name' })
  const dots = seed.version(odd.changelogId, '..', { publishedAt: START + 2 * DAY, title: 'Dots' })
  const told = seed.product(seed.team('told'), 'app')
  const story = { source: STORY, changes: STORY_CHANGES, closing: '[^1]: A footnote.' }
  seed.version(told.changelogId, '1.0.0', story)
  seed.version(told.changelogId, '1.1.0', { ...story, description: 'Reworded.' })
  seed.db.run(
    `update version set description = 'Edited.' where label = '1.1.0' and description = 'Reworded.'`,
  )
  seed.version(told.changelogId, '1.2.0', {
    source: '### Fixed\n\n- One\n',
    changes: [{ type: 'fixed', title: 'One' }],
  })
  seed.product(acme, 'empty', { name: 'Empty' })
  seed.product(acme, 'drafted', { status: 'draft' })
  seed.product(acme, 'locked', { changelog: 'locked' })
  const secret = seed.product(seed.team('secret', { visibility: 'private' }), 'app')
  seed.version(secret.changelogId, '1.0.0')
  seed.product(seed.team('unpublished'), 'app', { status: 'draft' })
  return { draft, slash, taken, dots }
}

/** The labels of the releases on a page, in order. */
const labels = (html: string) =>
  [...html.matchAll(/<a class="plain" href="[^"]*"><span class="label">([^<]*)<\/span>/g)].map(
    ([, label]) => label,
  )

const linkTo = (html: string, name: string) =>
  new RegExp(`<a class="${name}"[^>]* href="([^"]*)"`).exec(html)?.[1]?.replaceAll('&amp;', '&') ?? null

describe('pages', () => {
  const site = serverForAll(THE_BINARY, fill)
  const { text } = site

  test('a release that is a document is shown as its author wrote it, until its texts or changes are others', async () => {
    const html = await text('/changelog/told/app/1.0.0')
    const [, document = ''] = /<div class="intro document text"[^>]*>([\s\S]*)<\/main>/.exec(html) ?? []
    expect(
      document.replace(/ (?:id|href)="[^"]*"|<a class="point".*?<\/a>|<span.*?<\/span>|\n/g, ''),
    ).toMatch(
      /^<h2>Highlights<\/h2><p>A story<sup>.*<li><input [^>]*checked[^>]*>.*<li><strong>BREAKING:<\/strong> one<\/li><li><bdi class="badge breaking">Breaking<\/bdi> feat!: two<\/li><li><bdi class="badge security">Security<\/bdi> Fix an XSS vulnerability<\/li>.*<table>.*class="footnotes"/,
    )
    // Each of them can be linked, wherever it is.
    expect(document.match(/<(?:li|p|span) id="chg_/g)).toHaveLength(STORY_CHANGES.length)
    expect(document.match(/<a class="point" href="#chg_/g)).toHaveLength(STORY_CHANGES.length - 1)
    expect(html).not.toContain('class="changes"')
    for (const label of ['1.1.0', '1.2.0'])
      expect(await text(`/changelog/told/app/${label}`)).toContain('<ul class="changes">')
    // Everything else goes on using the changes.
    expect(await text('/changelog/told/app/1.0.0.md')).toContain('| new | 4 |')
    const record = await text('/api/v1/public/teams/told/products/app/changelog/versions/1.0.0')
    const list = await text('/changelog/told/app')
    for (const other of [list, record]) expect(other).not.toContain('| new | 4 |')
    expect(list).not.toContain('[^1]')
  })

  test('a changelog page has its versions with their changes, newest first, and nothing hidden', async () => {
    const response = await site.get(PAGE)
    const html = await response.text()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(html).toContain('<h1 dir="auto"><b>App</b> <span>changelog</span></h1>')
    expect(html).toContain('Acme &amp; Co')
    expect(html).toContain(
      '45 releases · newest <bdi>1.44.0</bdi>, <time datetime="2026-02-14T03:04:05.678Z">14 February 2026',
    )
    expect(html).toContain(`<h2 dir="auto"><a href="${PAGE}/1.44.0">Day <em>44</em></a></h2>`)
    expect(html).toContain('<p>About <strong>43</strong> &amp; more</p>')
    expect(html).toContain('<section class="part security">\n<h3 class="kind" dir="auto">🔒 Security</h3>')
    expect(labels(html)).toEqual(Array.from({ length: 20 }, (_, at) => `1.${44 - at}.0`))
    expect(html).not.toContain('2.0.0')
  })

  test('pages lead to older and newer releases, and every release is on one of them', async () => {
    const seen: string[][] = []
    const newer: (string | null)[] = []
    for (let next: string | null = PAGE; next; ) {
      const html = await text(next)
      seen.push(labels(html) as string[])
      newer.push(linkTo(html, 'newer'))
      next = linkTo(html, 'older')
    }
    expect(seen.map((page) => page.length)).toEqual([20, 20, 5])
    expect(seen.flat()).toEqual(Array.from({ length: 45 }, (_, at) => `1.${44 - at}.0`))
    expect(newer.slice(0, 2)).toEqual([null, PAGE])
    expect(labels(await text(newer[2] as string))).toEqual(seen[1] as string[])
  })

  test('a page of one release leads to those beside it', async () => {
    const html = await text(`${PAGE}/1.43.0`)
    expect(html).toContain('<h1 dir="auto">Day <em>43</em></h1>')
    expect(html).toContain('<h2 class="kind" dir="auto"><a href="#security">🔒 Security</a></h2>')
    expect([linkTo(html, 'newer'), linkTo(html, 'older')]).toEqual([`${PAGE}/1.44.0`, `${PAGE}/1.42.0`])
    const newest = await text(`${PAGE}/1.44.0`)
    expect(linkTo(newest, 'newer')).toBeNull()
    expect(newest).not.toContain('2.0.0')
  })

  test('an id leads to the page of the label; a label is exact, and a slash in it is %2F', async () => {
    const odd = '/changelog/acme/odd'
    expect(await site.leads(`${odd}/${site.filled.slash}`)).toBe(`${odd}/cli%2F1.0%20beta`)
    expect(await text(`${odd}/cli%2F1.0%20beta`)).toContain('Slashed')
    for (const path of ['cli/1.0%20beta', 'CLI%2F1.0%20beta', 'cli%2F1.0', 'cli%2f1.0%20beta%20'])
      expect(await site.status(`${odd}/${path}`)).toBe(404)
    expect(await site.leads(`${PAGE}/latest`)).toBe(`${PAGE}/1.44.0`)
    expect(await site.status('/changelog/acme/empty/latest')).toBe(404)
    // One that is a fixed name, or no name in a path, is reached by its id.
    const list = await text(odd)
    for (const [id, title] of [
      [site.filled.taken, 'Taken name'],
      [site.filled.dots, 'Dots'],
    ] as const) {
      expect(list).toContain(`href="${odd}/${id}"`)
      expect(await site.leads(`${odd}/${id}`)).toBe(200)
      expect(await text(`${odd}/${id}`)).toContain(title)
    }
  })

  test('whatever is hidden or missing is one and the same 404 page, which names what a public changelog has instead', async () => {
    const expected = await site.print('/changelog/nobody/app')
    expect(expected).toContain('Page not found')
    for (const path of [
      ...['nobody', 'secret', 'unpublished', 'secret/app', 'acme/nothing', 'acme/drafted', 'acme/locked'],
      ...['secret/app/1.0.0', 'secret/app/v1.0.0', 'secret/app?from=x&to=y', 'acme/drafted/latest'],
      ...['acme/app/1.0.0/more', 'ACME/app', '%73ecret/app', 'acme/app/', '%zz/app'],
    ])
      for (let time = 0; time < 2; time++)
        expect([path, await site.print(`/changelog/${path}`)]).toEqual([path, expected])
    const instead = async (name: string) =>
      (await site.print(`${PAGE}/${name}`)).replaceAll(`There is no version ${name}`, '')
    const missing = await instead('9.9.9')
    expect(missing).toMatch(/"status":404.*rel=\\"prev\\" href=\\"\/changelog\/acme\/app\/1\.44\.0/)
    for (const name of ['2.0.0', '2.0.1']) expect([name, await instead(name)]).toEqual([name, missing])
    expect(await instead(site.filled.draft)).toBe(await instead(`${site.filled.draft.slice(0, -1)}0`))
    expect(await text(`${PAGE}/%00%3Cb%3E`)).toContain('<h1 dir="auto">There is no version &lt;b&gt;</h1>')
  })

  test('a page, and what leads to one, may load nothing, run nothing and tell no other site where its reader was', async () => {
    const redirects = [`${PAGE}/latest`, `${PAGE}/1.3.0?page=9`, '/?after=zzz/zzz']
    for (const path of [PAGE, `${PAGE}/1.3.0`, '/', '/changelog/nobody', `${PAGE}?cursor=x`, ...redirects]) {
      const { status, headers } = await fetch(site.server.url + path, { redirect: 'manual' })
      expect([path, status === 302]).toEqual([path, redirects.includes(path)])
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; img-src 'self' https: data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      )
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('access-control-allow-origin')).toBeNull()
      expect(headers.get('ratelimit-policy')).not.toBeNull()
    }
  })

  test('search finds words in titles and descriptions, whatever their case, and shows what has them', async () => {
    const html = await text(`${PAGE}?q=HOLE+closed`)
    expect(labels(html)).toEqual(['1.43.0', '1.33.0', '1.23.0', '1.13.0', '1.3.0'])
    expect(html).not.toContain('Feature 43')
    expect(html).toContain('value="HOLE closed"')
    expect(html).toContain('5 changes in 5 releases mention “HOLE closed”')
    expect(html).toContain('<mark>Closed</mark> a <mark>hole</mark>')
    expect(html).toContain('<meta name="robots" content="noindex">')
    expect(labels(await text(`${PAGE}?q=about+17`))).toEqual(['1.17.0'])
    expect(labels(await text(`${PAGE}?q=1.7.0`))).toEqual(['1.7.0'])
    const none = await text(`${PAGE}?q=${encodeURIComponent('"><b>')}`)
    expect(none).toContain('No release mentions “&quot;&gt;&lt;b&gt;”')
    // No page may have control characters.
    expect(await text(`${PAGE}?q=%00zz%08z%00`)).toContain('No release mentions “zzz”')
  })

  test('a kind or a type leaves only its changes, also together with a search', async () => {
    const html = await text(`${PAGE}?kind=security`)
    expect(labels(html)).toEqual(['1.43.0', '1.33.0', '1.23.0', '1.13.0', '1.3.0'])
    expect(html).toContain('5 security changes in 5 releases')
    expect(html).toContain('1 of 2 changes · see the whole release →')
    expect(html).toMatch(/<a class="dot security" href="[^"]*" aria-current="true">Security/)
    expect(labels(await text(`${PAGE}?q=feature+3&kind=added`))).toHaveLength(14)
    expect(await text(`${PAGE}?kind=removed`)).toContain('No release has changes of this kind')
    expect(labels(await text(`${PAGE}?type=added&q=feature+43`))).toEqual(['1.43.0'])
    expect(await text(`${PAGE}?type=nothing`)).toContain('No release has changes of this kind')
  })

  test('a wrong parameter is refused with a page', async () => {
    for (const query of [
      ...['cursor=x', 'kind=x', 'kind=added&kind=fixed', `q=${'x'.repeat(101)}`, 'q=a&q=b', 'type=a&type=b'],
      `type=${'x'.repeat(201)}`,
    ]) {
      const response = await site.get(`${PAGE}?${query}`)
      const type = response.headers.get('content-type')
      expect([query, response.status, type]).toEqual([query, 400, 'text/html; charset=utf-8'])
      expect(await response.text()).toContain('<h1>This address is not valid</h1>')
    }
  })

  test('the list has every public changelog and nothing else, and a team page those of the team', async () => {
    const home = await text('/')
    const links = (html: string) =>
      [...(html.split('<aside')[1] ?? '').matchAll(/href="(\/changelog\/[^"/]+\/[^"/]+)"/g)].map(
        ([, path]) => path,
      )
    expect(links(home).filter((path) => path?.startsWith('/changelog/acme'))).toEqual([
      PAGE,
      '/changelog/acme/empty',
      '/changelog/acme/odd',
    ])
    for (const hidden of ['secret', 'drafted', 'locked', 'unpublished']) expect(home).not.toContain(hidden)
    const team = await text('/changelog/acme')
    expect(links(team)).toEqual([PAGE, '/changelog/acme/empty', '/changelog/acme/odd'])
    expect(team).toContain('<code>1.44.0</code>')
    expect(team).toContain('Nothing yet')
  })
})
