import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fingerprint, SUBJECTS, startServer, type TestServer } from '../../support/servers/server.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1, 3, 4, 5, 678)
const PAGE = '/changelog/acme/app'

function fill({ seed }: TestServer) {
  const acme = seed.team('acme', { name: 'Acme & Co' })
  const { changelogId } = seed.product(acme, 'app', { name: 'App' })
  const version = (
    label: string,
    day: number,
    changes: [type: string, title: string][],
    status = 'published',
  ) =>
    seed.version(changelogId, label, {
      publishedAt: START + day * DAY,
      status: status as 'published',
      changes: changes.map(([type, title]) => ({ type, title })),
    })
  version('1.0.0', 0, [['added', 'Everything']])
  version('1.1.0', 1, [
    ['added', 'Search'],
    ['security', 'A hole of 1.1'],
  ])
  version('2.0.0', 2, [
    ...Array.from({ length: 8 }, (_, at) => ['added', `Feature ${at}`] as [string, string]),
    ['changed', '**Breaking:** the *client*'],
    ['removed', 'The old client'],
  ])
  version('nightly', 3, [['added', 'Of the night']])
  version('2.1.0-rc.1', 4, [['added', 'Tried']])
  // Published later, and below 2.0.0 by its number.
  version('1.1.1', 5, [['security', 'A hole of 1.1.1']])
  version('1.2.0', 6, [['fixed', 'Not yet']], 'draft')
  const secret = seed.product(seed.team('secret', { visibility: 'private' }), 'app')
  seed.version(secret.changelogId, '1.0.0')
  seed.version(secret.changelogId, '2.0.0')
  const long = seed.product(acme, 'long')
  seed.version(long.changelogId, '1.0.0', { publishedAt: START })
  for (let at = 1; at <= 30; at++)
    seed.version(long.changelogId, `1.${at}.0`, {
      publishedAt: START + at * DAY,
      // Not every page ends with all changes of a release.
      changes: Array.from({ length: at === 20 ? 40 : 9 }, (_, each) => ({
        type: 'fixed',
        title: `Fix ${at}.${each}`,
      })),
    })
}

/** The kinds on a page in their order, and the changes of each with the versions that brought them. */
const contents = (html: string) =>
  html
    .split('<section class="release by-kind ')
    .slice(1)
    .map((part) => [
      /^\w+/.exec(part)?.[0],
      [...part.matchAll(/<li><a href="[^"]*">([^<]*)<\/a><div dir="auto">(.*?)<\/div><\/li>/g)].map(
        ([, label, title]) => `${label} ${title?.replace(/<[^>]*>/g, '')}`,
      ),
    ])

describe.each([...SUBJECTS])('upgrades of $name', (subject) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer(subject)
    fill(server)
  })
  afterAll(async () => {
    await server.stop()
  })

  const text = async (path: string): Promise<string> => (await server.get(path)).text()

  test('everything between two versions is shown by kind, breaking first, each change with its version', async () => {
    const html = await text(`${PAGE}?from=1.0.0&to=2.0.0`)
    expect(contents(html)).toEqual([
      ['breaking', [expect.stringMatching(/^2\.0\.0 .*the client$/)]],
      ['security', ['1.1.1 A hole of 1.1.1', '1.1.0 A hole of 1.1']],
      ['added', [0, 1, 2, 3, 4].map((at) => `2.0.0 Feature ${at}`)],
      ['removed', ['2.0.0 The old client']],
    ])
    expect(html).toContain('<h1 dir="auto">From 1.0.0 to 2.0.0</h1>')
    expect(html).toContain('13 changes in 3 releases, until 6 January 2026')
    expect(html).toContain('<meta name="robots" content="noindex">')
    expect(html).toContain('Show all 9 →')
    expect(html).not.toMatch(/Not yet|1\.2\.0|Of the night|<script(?! type="application)/)
  })

  test('all of one kind is a link away, with its number', async () => {
    const html = await text(`${PAGE}?kind=added&from=1.0.0&to=2.0.0`)
    expect(contents(html)).toEqual([
      ['added', [...[0, 1, 2, 3, 4, 5, 6, 7].map((at) => `2.0.0 Feature ${at}`), '1.1.0 Search']],
    ])
  })

  test('without an end it is the highest release that is no pre-release', async () => {
    const html = await text(`${PAGE}?from=1.1.1`)
    expect(html).toContain('From 1.1.1 to 2.0.0')
    expect(contents(html).map(([kind]) => kind)).toEqual(['breaking', 'added', 'removed'])
    expect(await text(`${PAGE}?from=2.0.0`)).toContain('There is no newer release than 2.0.0.')
  })

  test('with another label it is what stands between the two in the list', async () => {
    expect(contents(await text(`${PAGE}?from=nightly&to=1.1.1`))).toEqual([
      ['security', ['1.1.1 A hole of 1.1.1']],
      ['added', ['2.1.0-rc.1 Tried']],
    ])
  })

  test('two selects without script offer every public label, and the two that were chosen', async () => {
    const html = await text(`${PAGE}?from=1.1.0&to=2.0.0`)
    const labels = ['1.1.1', '2.1.0-rc.1', 'nightly', '2.0.0', '1.1.0', '1.0.0']
    for (const [name, chosen] of [
      ['from', '1.1.0'],
      ['to', '2.0.0'],
    ]) {
      const [, select = ''] = html.split(`<select id="${name}" name="${name}">`)
      const [own = ''] = select.split('</select>')
      expect([...own.matchAll(/<option[^>]*>([^<]*)</g)].map(([, label]) => label as string)).toEqual(labels)
      expect(own.match(/<option selected>[^<]*/g) as string[]).toEqual([`<option selected>${chosen}`])
    }
    expect(html).toContain(`<form class="range" action="${PAGE}">`)
  })

  test('a kind with more changes than a page goes on where it ended', async () => {
    const titles: unknown[] = []
    let next: string | null = '/changelog/acme/long?kind=fixed&from=1.0.0&to=1.30.0'
    for (let pages = 0; next; pages++) {
      const html: string = await text(next)
      titles.push(...contents(html).flatMap(([, changes]) => changes))
      next = /rel="next" href="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? null
      expect(pages).toBeLessThan(2)
    }
    expect(titles).toHaveLength(301)
    expect(new Set(titles).size).toBe(301)
  })

  test('a hidden label or product is the same 404 as a missing one, and the wrong order a 400', async () => {
    const of = async (path: string) => fingerprint(await server.get(`/changelog/${path}`))
    const missing = await of('acme/app?from=0.9.9&to=2.0.0')
    expect(missing).toContain('"status":404')
    for (const path of [
      'acme/app?from=1.2.0&to=2.0.0',
      'acme/app?from=1.0.0&to=1.2.0',
      'acme/app?from=1.0.0&to=9',
      'acme/app?from=1.2.0',
      'secret/app?from=1.0.0&to=2.0.0',
      'nobody/app?from=1.0.0&to=2.0.0',
    ])
      expect(await of(path)).toBe(missing)
    expect((await server.get(`${PAGE}?from=1.0.0&to=2.0.0`)).status).toBe(200)
    for (const query of [
      'from=2.0.0&to=1.0.0',
      'from=2.0.0&to=2.0.0',
      'from=1.0.0&from=1.1.0',
      'from=1.0.0&kind=x',
    ])
      expect({ query, status: (await server.get(`${PAGE}?${query}`)).status }).toEqual({ query, status: 400 })
  })

  test('an address in another form leads to the one that links have', async () => {
    for (const query of ['to=2.0.0&from=1.0.0', 'from=1.0.0&to=2.0.0&q=x', 'type=&from=1.0.0&to=2.0.0']) {
      const response = await fetch(`${server.url}${PAGE}?${query}`, { redirect: 'manual' })
      const location = response.headers.get('location')
      if (response.status === 302) expect(location).toBe(`${PAGE}?from=1.0.0&to=2.0.0`)
      else expect(await response.text()).toBe(await text(`${PAGE}?from=1.0.0&to=2.0.0`))
    }
  })
})
