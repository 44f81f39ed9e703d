import { afterAll, expect, test } from 'bun:test'
import { Random } from '../../../support/random.ts'
import { openHandler } from '../../../support/servers/handler.ts'

const server = openHandler({ RATE_LIMIT_BURST: '100000', RATE_LIMIT_PER_MINUTE: '100000' })
afterAll(() => server[Symbol.dispose]())
const team = server.seed.team('acme')

const get = async (path: string): Promise<[status: number, text: string]> => {
  const response = await server.get(path)
  return [response.status, await response.text()]
}

/** Adds versions, the oldest first; `-` in front of one means that it is yanked. Returns the path of the page. */
function product(slug: string, history: readonly string[]): string {
  const { changelogId } = server.seed.product(team, slug)
  for (const [at, name] of history.entries()) {
    const yanked = name.startsWith('-') ? { yanked: '' } : {}
    const changes = [{ type: 'fixed', title: `Mend ${at}` }]
    server.seed.version(changelogId, name.replace(/^-/, ''), {
      publishedAt: at * 86_400_000,
      changes,
      ...yanked,
    })
  }
  return `/changelog/acme/${slug}`
}

const unescaped = (text: string) => text.replaceAll('&amp;', '&')

/** Every upgrade that a page links to, or that its forms begin with or let choose below a version. */
function offered(path: string, html: string): string[] {
  const links = [...html.matchAll(/href="([^"]*[?&]from=[^"]*)"/g)].map(([, href = '']) => unescaped(href))
  const menus = [...html.matchAll(/<form class="range".*?<\/form>/gs)].flatMap(([form]) => {
    const to = /name="to" value="([^"]*)"/.exec(form)?.[1]
    if (to === undefined) return []
    return [...form.matchAll(/<option[^>]*>([^<]*)/g)].map(
      ([, from = '']) => `${path}?${new URLSearchParams({ from: unescaped(from), to: unescaped(to) })}`,
    )
  })
  return [...links, ...menus].filter((href) => href.startsWith(path) && !href.endsWith('.md'))
}

const HISTORIES = {
  'two release lines': '5.0.0 4.21.0 5.0.1 4.21.2',
  'another scheme': '2023.4 2024.1 1.0.0 1.1.0',
  'names after numbers': '1.0.0 1.1.0 Spring Autumn',
  'numbers after names': 'Spring Autumn 1.0.0 1.1.0',
  packages: 'core@2.0.0 ui@1.0.0 core@1.9.0 ui@1.1.0 cli@0.1.0',
  'another prefix': 'release-1.8 release-1.9 v2.0 v2.1 release-1.9.1',
  'pre-releases and what is yanked': '1.0.0 2.0.0-rc.1 -1.1.0 2.0.0 1.0.1 -2.0.1',
  'only pre-releases': '1.0.0-beta.2 1.0.0-beta.1 1.0.0-alpha.1',
  'one number twice': '1.0 v1.0 1.0.0 1.1',
  words: 'ios-18-support sprint-12 2.0 top-5-tips 2.1',
}
const LABELS =
  `1.0.0 1.0.1 1.1.0 2.0.0 2.0.1 1.2.0-rc.1 2.0.0-beta.2 -1.2.0 -3.0.0 Autumn nightly 2024.1 2024-03-05
  core@1.0.0 core@2.0.0 ui@1.5.0 v3.0.0 16 17 release-0.9`.split(/\s+/)

const random = new Random(66)
const generated = Array.from({ length: 8 }, (_, at): [string, string] => {
  const pool = new Set<string>()
  while (pool.size < 7) pool.add(random.pick(LABELS))
  return [`generated ${at}`, [...pool].join(' ')]
})

test.each([...Object.entries(HISTORIES), ...generated])(
  'no page offers an upgrade that is refused or empty: %s',
  async (name, history) => {
    const path = product(name.replaceAll(' ', '-'), history.split(' '))
    const pages = [path, `${path}?from=nothing`, `${path}/latest`]
    pages.push(...history.split(' ').map((label) => `${path}/${encodeURIComponent(label.replace(/^-/, ''))}`))
    const wrong: string[] = []
    const upgrades = new Set<string>()
    for (const page of pages) for (const href of offered(path, (await get(page))[1])) upgrades.add(href)
    for (const [, href = ''] of (await get(`${path}/llms.txt`))[1].matchAll(
      /\((?:https?:\/\/[^/]*)?([^()]*from=[^()]*)\)/g,
    ))
      upgrades.add(href.replace('.md?', '?'))
    for (const href of upgrades) {
      const [status, html] = await get(href)
      // Nothing breaks here.
      const isEmpty = !href.includes('kind=') && /<h1[^>]*>[^<]*no newer|class="empty"/i.test(html)
      if (status !== 200 || isEmpty) wrong.push(`${status} ${href}`)
    }
    expect(wrong).toEqual([])
  },
)

test('a changelog with two release lines offers the newest of the higher one, and each release the one before it in its line', async () => {
  const path = product('lines', ['5.0.0', '4.21.0', '5.0.1', '4.21.2'])
  expect(offered(path, (await get(path))[1])).toEqual([`${path}?from=5.0.0`])
  expect(offered(path, (await get(`${path}/4.21.2`))[1])).toEqual([`${path}?from=4.21.0&to=4.21.2`])
  expect((await get(`${path}?from=5.0.0`))[1]).toContain('<bdi>5.0.1</bdi></h1>')
  expect((await get(`${path}?from=5.0.1`))[1]).toContain('There is no newer release than 5.0.1')
  expect((await get(`${path}?from=4.21.x&to=5.0.x`))[1]).toContain('<bdi>4.21.2</bdi>')
})

test('a label that is a day is ordered as that day, looked up under it in any form, and addressed by it', async () => {
  const days = ['30 septembre 2026', '14.10.2026', '28. Oktober 2026', 'November 12, 2026']
  const path = product('days', days)
  const [, html] = await get(path)
  expect(html).toContain(`href="${path}/2026-11-12"`)
  expect(offered(path, html)).toEqual([])
  for (const [at, iso] of ['2026-09-30', '2026-10-14', '2026-10-28', '2026-11-12'].entries()) {
    const [status, page] = await get(`${path}/${iso}`)
    expect([status, page.includes(days[at] as string), page.includes(`Mend ${at}`)]).toEqual([
      200,
      true,
      true,
    ])
  }
  for (const other of ['12 novembre 2026', '12.11.2026', 'November 12, 2026', '2026年11月12日'])
    expect((await server.get(`${path}/${encodeURIComponent(other)}`)).headers.get('location')).toBe(
      `${path}/2026-11-12`,
    )
  const upgrade = (await get(`${path}?from=2026-09-30&to=28+octobre+2026`))[1]
  expect([...upgrade.matchAll(/Mend (\d)/g)].map(([, at]) => at)).toEqual(['1', '2'])
})
