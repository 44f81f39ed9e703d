import { afterAll, describe, expect, test } from 'bun:test'
import { LANGUAGES } from '../../../../src/domain/records.ts'
import { pageLanguage } from '../../../../src/words/languages.ts'
import { openHandler } from '../../../support/servers/handler.ts'
import { fingerprint } from '../../../support/servers/server.ts'

const PAGE = '/changelog/acme/meridian'
const day = (month: number, day: number, year = 2026) => Date.UTC(year, month - 1, day)

describe('a changelog of entries', () => {
  const server = openHandler({ PUBLIC_URL: 'https://changes.test' })
  const acme = server.seed.team('acme', { name: 'Acme' })
  const { changelogId } = server.seed.product(acme, 'meridian', { name: 'Meridian' })
  const entry = (label: string, title: string, publishedAt: number, more = {}) =>
    server.seed.version(changelogId, label, { title, publishedAt, ...more })
  entry('March update', 'March update', day(3, 19), { description: 'Faster boards.' })
  entry('August 20, 2026', 'August 20, 2026', day(8, 20), { changes: [{ type: 'fixed', title: 'Accents' }] })
  entry('Autumn update', 'Prices in your own currency', day(9, 17))
  entry('inbox-on-your-phone', 'The inbox', day(10, 28))
  entry('the-timeline-goes-dark', 'The timeline goes dark', day(10, 28) + 1_000)
  entry('2026-11-12', 'Guests on **every** board', day(11, 12), {
    description: 'You can invite people.',
    changes: [{ type: 'breaking', title: 'Invitations end' }],
  })
  entry('hidden-one', 'Hidden', day(11, 13), { status: 'draft' })
  entry('a-year', 'A year', day(12, 31, 2024))
  const rocket = server.seed.product(acme, 'rocket', { name: 'Rocket' })
  server.seed.version(rocket.changelogId, '3.0.0', { title: 'Fast', publishedAt: day(11, 11) })
  server.seed.version(rocket.changelogId, '2025', { title: 'A year', publishedAt: day(12, 31, 2023) })
  afterAll(() => server[Symbol.dispose]())

  const text = async (path: string) => (await server.get(path)).text()
  const location = async (path: string) => (await server.get(path)).headers.get('location')

  test('says each date once and no label but a name, and offers nothing that needs a number', async () => {
    const html = await text(PAGE)
    expect(html).toContain(
      '7 updates · newest <time datetime="2026-11-12T00:00:00.000Z">12 November 2026</time>',
    )
    const rails = [...html.matchAll(/<div class="when">(.*?)<a class="anchor"/gs)].map(([, rail = '']) =>
      rail.replace(/<[^>]*>/g, '|').replace(/\|+/g, '|'),
    )
    expect(rails.slice(0, 6)).toEqual([
      '|12 November 2026|',
      '|28 October 2026|',
      '|28 October 2026|',
      '|17 September 2026| |Autumn update|',
      '|20 August 2026|',
      '|19 March 2026|',
    ])
    expect(html).toContain('<body class="dated">')
    expect(html).not.toMatch(/class="(?:label|kinds|stable)|from=|prereleases/)
    expect(html.replace(/<(style|script).*?<\/\1>|<[^>]*>/gs, '')).not.toMatch(/release/i)
    expect(await text(`${PAGE}/2026-11-12`)).not.toMatch(/class="(?:label|kinds)|from=|>2026-11-12</)
    // Programs get ranges still.
    expect(await text(`${PAGE}?from=2026-08-20&to=2026-11-12`)).toContain('Invitations end')
  })

  test('has entries with titles alone, for those who share them, and those before and after them in time', async () => {
    const html = await text(`${PAGE}/the-timeline-goes-dark`)
    expect(html).toContain('<title>The timeline goes dark · Meridian</title>')
    expect(html).toContain('<meta property="og:title" content="The timeline goes dark">')
    expect(html).toContain('<meta property="og:site_name" content="Meridian changelog">')
    const beside = [
      ...html.matchAll(/rel="(?:prev|next)" href="([^"]*)"><span>(.*?)<\/span><bdi>(.*?)<\/bdi>/g),
    ]
    expect(beside.map(([, ...all]) => all.map((each) => each.trim()))).toEqual([
      [`${PAGE}/inbox-on-your-phone`, '← Earlier · 28 October 2026', 'The inbox'],
      [`${PAGE}/2026-11-12`, 'Later · 12 November 2026 →', 'Guests on every board'],
    ])
    expect(await text(`${PAGE}/2026-08-20`)).toContain('<h1 dir="auto">20 August 2026</h1>')
  })

  test('leads from a day to its entry, or to the list from there if it has several, and from months and years', async () => {
    expect(await location(`${PAGE}/2026-09-17`)).toBe(`${PAGE}/Autumn%20update`)
    expect(await location(`${PAGE}/${encodeURIComponent('17. September 2026')}`)).toBe(
      `${PAGE}/Autumn%20update`,
    )
    expect(await location(`${PAGE}/2026-09-17.md`)).toBe(`${PAGE}/Autumn%20update.md`)
    const first = async (path: string) => {
      const html = await text((await location(path)) ?? '')
      return /<h2[^>]*>(.*?)<\/h2>/.exec(html)?.[1]?.replace(/<[^>]*>/g, '')
    }
    expect(await first(`${PAGE}/2026-10-28`)).toBe('The timeline goes dark')
    expect(await first(`${PAGE}/2026-10`)).toBe('The timeline goes dark')
    expect(await first(`${PAGE}/2026-08`)).toBe('20 August 2026')
    expect(await location(`${PAGE}/2026`)).toBe(PAGE)
    expect(await first(`${PAGE}/2024`)).toBe('A year')
    for (const none of ['2026-07', '2023', '2026-13', '2026-09-31', '2026-09-17T00:00'])
      expect((await server.get(`${PAGE}/${none}`)).status).toBe(404)
  })

  test('has the version whose label is a year, rather than that year', async () => {
    expect(await text('/changelog/acme/rocket/2025')).toContain('<h1 dir="auto">A year</h1>')
  })

  test('tells nothing of hidden entries by the addresses of days, months and years', async () => {
    const [hidden, missing] = await Promise.all(
      ['2026-11-13', '2026-11-14'].map(async (name) => {
        const response = await server.get(`${PAGE}/${name}`)
        return (await fingerprint(response)).replaceAll(name, '')
      }),
    )
    expect(hidden).toBe(missing as string)
  })

  test('has feeds with titles alone, and with the product in feeds of several', async () => {
    const titles = async (path: string) =>
      ((await (await server.get(path)).json()) as { items: { title: string }[] }).items.map(
        ({ title }) => title,
      )
    const own = await titles(`${PAGE}/feed.json`)
    expect(own.slice(0, 6)).toEqual([
      'Guests on every board',
      'The timeline goes dark',
      'The inbox',
      'Prices in your own currency',
      'Meridian, 20 August 2026',
      'March update',
    ])
    expect((await titles('/feed.json')).slice(0, 3)).toEqual([
      'Meridian: Guests on every board',
      'Rocket 3.0.0: Fast',
      'Meridian: The timeline goes dark',
    ])
  })

  test('is called by titles in Markdown, for agents and in lists too', async () => {
    const markdown = await text(`${PAGE}.md`)
    expect(markdown).toContain('7 updates.')
    expect(markdown).toContain(
      '## [Guests on every board](https://changes.test/changelog/acme/meridian/2026-11-12.md) - 2026-11-12\n\n1 breaking',
    )
    expect(markdown).toContain(
      '## [Prices in your own currency](https://changes.test/changelog/acme/meridian/Autumn%20update.md) - 2026-09-17\n\n**Autumn update**',
    )
    expect(await text(`${PAGE}/2026-11-12.md`)).toStartWith('# Meridian: Guests on every board\n')
    const llms = await text(`${PAGE}/llms.txt`)
    expect(llms).toContain('Newest update: Guests on every board of 2026-11-12.')
    expect(llms).not.toContain('from=')
    expect(await text('/llms.txt')).toContain('newest 2026-11-12')
    const start = await text('/')
    expect(start).not.toMatch(/>(?:2026-11-12|hidden-one|the-timeline-goes-dark)</)
    expect(start).toContain('<code>3.0.0</code>')
  })
})

test('a long changelog of entries has a row of its months and years, and lines where a month begins', async () => {
  using server = openHandler()
  const { changelogId } = server.seed.product(server.seed.team('acme'), 'app')
  const add = (at: number) =>
    server.seed.version(changelogId, `entry-${at}-of-many`, {
      title: `Entry ${at}`,
      publishedAt: day(1 + at, 5, 2025),
    })
  for (let at = 0; at < 23; at++) add(at)
  expect(await (await server.get('/changelog/acme/app')).text()).not.toContain('class="jump"')
  add(23)
  const row = async (path: string) => {
    const [nav = ''] = /<nav class="jump".*?<\/nav>/s.exec(await (await server.get(path)).text()) ?? []
    return nav
      .replace(/<a href="[^"]*" aria-current="true">(\w+)<\/a>/, '[$1]')
      .replace(/<[^>]*>|\s+/g, ' ')
      .replace(/ +/g, ' ')
      .trim()
  }
  const MONTHS = 'Dec Nov Oct Sept Aug Jul Jun May Apr Mar Feb Jan'
  expect(await row('/changelog/acme/app')).toBe(`Jump to 2026 ${MONTHS.replace('Dec', '[Dec]')} 2025 12`)
  const page = await (await server.get('/changelog/acme/app')).text()
  expect(page).toContain('<h2 class="era"><bdi>November 2026</bdi> <small>1 update</small></h2>')
  const older = (await server.get('/changelog/acme/app/2025-03')).headers.get('location') ?? ''
  expect(await row(older)).toBe(`Jump to 2026 12 2025 ${MONTHS.replace('Mar', '[Mar]')}`)
})

test.each(LANGUAGES)('entries are called updates in %s', (code) => {
  const [releases, updates] = [pageLanguage(code), pageLanguage(code, true)]
  expect(updates.words.locale).toBe(releases.words.locale)
  for (const count of [1, 2, 5, 12, 100])
    expect(updates.counted(updates.words.changelog.releases, count)).not.toBe(
      releases.counted(releases.words.changelog.releases, count),
    )
})
