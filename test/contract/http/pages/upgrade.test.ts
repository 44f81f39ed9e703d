import { describe, expect, test } from 'bun:test'
import type { Seeder } from '../../../support/seed.ts'
import { serverForAll } from '../../../support/servers/for-all.ts'
import { THE_BINARY } from '../../../support/servers/server.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1, 3, 4, 5, 678)
const PAGE = '/changelog/acme/app'

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)

function fill(seed: Seeder) {
  const acme = seed.team('acme', { name: 'Acme & Co' })
  const { changelogId } = seed.product(acme, 'app', { name: 'App' })
  const versions: [string, [type: string, title: string][]][] = [
    ['1.0.0', [['added', 'Everything']]],
    [
      '1.1.0',
      [
        ['added', 'Search[^1]'],
        ['security', 'A hole of 1.1'],
      ],
    ],
    [
      '2.0.0',
      [
        ...numbers(8).map((at): [string, string] => ['added', `Feature ${at}`]),
        ['changed', '**Breaking:** the *client*[^note]'],
        ['removed', 'The old client'],
      ],
    ],
    ['nightly', [['added', 'Of the night']]],
    ['2.1.0-rc.1', [['added', 'Tried']]],
    // Published later, and below 2.0.0 by its number.
    ['1.1.1', [['security', 'A hole of 1.1.1']]],
    ['1.2.0', [['fixed', 'Not yet']]],
  ]
  for (const [day, [label, changes]] of versions.entries())
    seed.version(changelogId, label, {
      publishedAt: START + day * DAY,
      status: label === '1.2.0' ? 'draft' : 'published',
      changes: changes.map(([type, title]) => ({ type, title })),
    })
  const secret = seed.product(seed.team('secret', { visibility: 'private' }), 'app')
  for (const label of ['1.0.0', '2.0.0']) seed.version(secret.changelogId, label)
  const yanked = seed.product(acme, 'yanked')
  for (const [at, label] of ['1.0.0', '2.0.0', '2.1.0'].entries())
    seed.version(yanked.changelogId, label, {
      publishedAt: START + at * DAY,
      ...(at === 2 && { yanked: 'It deletes files.' }),
      changes: [{ type: 'fixed', title: 'One' }],
    })
  const mono = seed.product(acme, 'mono')
  for (const label of ['core@1.1.0', 'core@1.2.0', 'ui@1.2.0', 'core@2.0.0'])
    seed.version(mono.changelogId, label)
  seed.version(mono.changelogId, 'cli@1.2.0', { status: 'draft' })
  const long = seed.product(acme, 'long')
  for (const at of numbers(31))
    seed.version(long.changelogId, `1.${at}.0`, {
      publishedAt: START + at * DAY,
      // Not every page ends with all changes of a release.
      changes: numbers(at === 20 ? 40 : at && 9).map((each) => ({
        type: 'fixed',
        title: `Fix ${at}.${each}`,
      })),
    })
}

/** The kinds on a page in their order, and the versions and changes of each. */
const contents = (html: string) =>
  html
    .replace(/<a class="point".*?<\/a>/g, '')
    .split(/<section class="release by-kind |<details class="fold" id="/)
    .slice(1)
    .map((part) => [
      /^\w+/.exec(part)?.[0],
      [
        ...part.matchAll(
          /<li(?: dir="auto")?>(?:<input[^>]*><div dir="auto">|<a href="[^"]*">([^<]*)<\/a><div dir="auto">|(?=[^<]))(.*?)(?:<\/div>)?<\/li>/g,
        ),
      ].map(([, label, title]) => [label, title?.replace(/<[^>]*>/g, '')].filter(Boolean).join(' ')),
    ])

describe('upgrades', () => {
  const site = serverForAll(THE_BINARY, fill)

  test('from a major to another is from and to their newest versions that are public, and says so', async () => {
    for (const query of ['from=1&to=2', 'from=v1.x&to=2.x', 'from=1'])
      expect(await site.text(`${PAGE}.md?${query}`)).toStartWith('# App 1.1.1 → 2.0.0\n')
    expect(await site.text(`${PAGE}?from=1&to=2`)).toContain('<option selected>1.1.1</option>')
  })

  test('everything between two versions is shown by kind, breaking first, each change with its version', async () => {
    const html = await site.text(`${PAGE}?from=1.0.0&to=2.0.0`)
    expect(contents(html)).toEqual([
      ['breaking', ['The client']],
      ['changed', ['Removed The old client']],
      ['security', ['1.1.0 A hole of 1.1', '1.1.1 A hole of 1.1.1']],
      ['added', ['Search', ...numbers(8).map((at) => `Feature ${at}`)]],
    ])
    for (const part of [
      '<title>1.0.0 → 2.0.0: 1 breaking change · App</title>',
      '13 changes in 3 releases, from 1 January 2026 to 6 January 2026',
      '<li><span><b>1</b> major release</span></li>',
      '<li class="breaking"><a href="#breaking"><b>1</b> breaking change</a></li>',
      '<li class="security"><a href="#security"><b>2</b> security fixes</a></li>',
      '<p>Look here first:</p>',
      '<li><span><b>5</b> days</span></li>',
      'in 2 releases, the most in <bdi>2.0.0</bdi>',
      '<meta name="robots" content="noindex">',
    ])
      expect(html).toContain(part)
    // Each change leads to itself on the page of its release.
    expect(html.match(/ href="\/changelog\/acme\/app\/[^"]+#chg_/g)).toHaveLength(13)
    expect(html).not.toMatch(/marks no change|Not yet|1\.2\.0|Of the night|<script(?! type="application)/)
    // All of one kind is a link away.
    expect(contents(await site.text(`${PAGE}?kind=added&from=1.0.0&to=2.0.0`))).toEqual([
      ['added', ['1.1.0 Search', ...numbers(8).map((at) => `2.0.0 Feature ${at}`)]],
    ])
  })

  test('from a release that is yanked and the newest, there is nothing newer, and that is said once', async () => {
    const html = await site.text('/changelog/acme/yanked?from=2.1.0')
    expect(html).toContain('<h1 dir="auto">There is no newer release than 2.1.0.</h1>')
    expect(
      html.match(/It deletes files\.|There is no newer release than 2\.1\.0\.<\/(?:h1|p)>/g),
    ).toHaveLength(2)
    expect(await site.text('/changelog/acme/yanked?from=1.0.0&to=2.0.0')).not.toContain('all 1 changes')
  })

  test('two selects without script offer every public label, and the two that were chosen', async () => {
    const html = await site.text(`${PAGE}?from=1.1.0&to=2.0.0`)
    const labels = ['nightly', '2.0.0', '1.1.1', '1.1.0', '1.0.0', '2.1.0-rc.1']
    for (const [name, chosen] of [
      ['from', '1.1.0'],
      ['to', '2.0.0'],
    ]) {
      const [own = ''] = html.split(`<select id="${name}" name="${name}">`)[1]?.split('</select>') ?? []
      expect([...own.matchAll(/<option[^>]*>([^<]*)</g)].map(([, label]) => label as string)).toEqual(labels)
      expect(own.match(/<option selected>[^<]*/g) as string[]).toEqual([`<option selected>${chosen}`])
    }
    expect(html).toContain(`<form class="range" action="${PAGE}">`)
  })

  test('a kind with more changes than a page goes on where it ended', async () => {
    const titles: unknown[] = []
    let next: string | null = '/changelog/acme/long?kind=fixed&from=1.0.0&to=1.30.0'
    for (let pages = 0; next; pages++) {
      const html: string = await site.text(next)
      titles.push(...contents(html).flatMap(([, changes]) => changes))
      next = /rel="next" href="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? null
      expect(pages).toBeLessThan(2)
    }
    expect([titles.length, new Set(titles).size]).toEqual([301, 301])
  })

  test('an end need not be a version, is spelled as in the list, and a hidden one is like one that never was', async () => {
    const html = await site.text(`${PAGE}?from=v1.0.0&to=1.1.9`)
    expect(html).toContain('<title>1.0.0 → 1.1.9 ·')
    expect(html.match(/<option selected>[^<]*/g) as string[]).toEqual([
      '<option selected>1.0.0',
      '<option selected>1.1.9',
    ])
    const hidden = await site.text(`${PAGE}?from=1.2.0&to=2.0.0`)
    expect(hidden.replaceAll('1.2.0', '1.2.9')).toBe(await site.text(`${PAGE}?from=1.2.9&to=2.0.0`))
    expect(await site.text(`${PAGE}?from=1.1.1`)).toContain('<title>1.1.1 → 2.0.0')
    expect(await site.text(`${PAGE}?from=9.9.9`)).toContain('There is no newer release than 9.9.9.')
  })

  test('a label that is a broken link gets what is next to it, and the choice of others; of a hidden product no more than of a missing one', async () => {
    const response = await site.get(`${PAGE}?from=1.1.5&to=nightly`)
    const html = await response.text()
    expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store'])
    for (const part of [
      '<h1 dir="auto">There is no version 1.1.5</h1>',
      `<a rel="next" href="${PAGE}?from=2.0.0&amp;to=nightly"><span>Newer · 3 January 2026</span><bdi>2.0.0</bdi> → <bdi>nightly</bdi></a>`,
      '<option selected>2.0.0</option>',
      '<option selected>nightly</option>',
    ])
      expect(html).toContain(part)
    // 1.1.1 is listed above nightly, and daily is none either: no card leads to an error.
    expect(html).not.toContain('rel="prev"')
    expect(await site.text(`${PAGE}?from=1.1.5&to=daily`)).not.toContain('class="pages"')
    expect((await site.text(`${PAGE}?from=1.2.0&to=nightly`)).replaceAll('1.2.0', '1.1.5')).toBe(html)
    // Without an order there is nothing next to it.
    const unknown = await site.text(`${PAGE}?from=daily`)
    expect(unknown).toContain('<h2 class="step">Plan an upgrade</h2>')
    expect(unknown).not.toContain('class="pages"')
    const above = await site.text('/changelog/acme/yanked/2.0.5')
    expect(above).toContain('<span>Newer · 3 January 2026 · Yanked</span>')
    expect(await site.text('/changelog/acme/yanked/2.0.5.md')).toContain('/2.1.0.md) [YANKED] · ')
    // A number that several packages have is of either.
    const cards = (await site.text('/changelog/acme/mono/1.2.0')).match(/<a href="[^"]*"><span>.*<\/a>/g)
    expect(cards?.map((card) => card.replace(/<[^>]*>/g, ' '))).toEqual([
      expect.stringContaining('ui@1.2.0'),
      expect.stringContaining('core@1.2.0'),
    ])
    const selected = (await site.text(`${PAGE}?from=1.1.1&to=daily`)).match(/<option selected>[^<]*/g)
    expect(selected?.map(String)).toEqual(['<option selected>1.1.1', '<option selected>2.0.0'])
    const missing = await site.print('/changelog/nobody/app?from=1.0.0&to=2.0.0')
    for (const query of ['from=1.0.0&to=2.0.0', 'from=x&to=y'])
      expect(await site.print(`/changelog/secret/app?${query}`)).toBe(missing)
    for (const query of ['from=2.0.0&to=1.0.0', 'from=1.0.0&from=1.1.0', 'from=1.0.0&kind=x'])
      expect([query, await site.status(`${PAGE}?${query}`)]).toEqual([query, 400])
  })

  test('an address in another form leads to the one that links have, or has the same page', async () => {
    const own = `${PAGE}?from=1.0.0&to=2.0.0`
    for (const query of ['to=2.0.0&from=1.0.0', 'from=1.0.0&to=2.0.0&q=x', 'type=&from=1.0.0&to=2.0.0']) {
      expect([own, 200]).toContain((await site.leads(`${PAGE}?${query}`)) as string)
      expect(await site.text(`${PAGE}?${query}`)).toBe(await site.text(own))
    }
  })
})
