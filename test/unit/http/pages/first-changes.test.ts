import { afterAll, describe, expect, test } from 'bun:test'
import { openHandler } from '../../../support/servers/handler.ts'

describe('a release without a title', () => {
  const server = openHandler({})
  const { changelogId } = server.seed.product(server.seed.team('acme'), 'app', { name: 'App' })
  const many = Array.from({ length: 40 }, (_, at) => ({ type: 'added', title: `Thing ${at}` }))
  const marked = [
    { type: 'fixed', title: 'Fix CVE-2026-1234' },
    { type: 'removed', title: 'feat!: **No** more `x`' },
  ]
  const version = (label: string, at: number, fields: object) =>
    server.seed.version(changelogId, label, { title: label, publishedAt: at, ...fields })
  version('1.0.0', 1, { changes: many.slice(0, 3) })
  version('2.0.0', 2, { changes: [...many, ...marked] })
  version('3.0.0', 3, { title: '3.0.0: A title', changes: many.slice(0, 2) })
  version('4.0.0', 4, { changes: [{ type: 'contributors', title: '@mira' }] })
  version('0.9.0', 0, { dateKnown: false, changes: [{ type: 'fixed', title: 'Undated' }] })
  const early = server.seed.product(server.seed.team('early'), 'app', { name: 'Early' })
  server.seed.version(early.changelogId, '1.0.0', {
    title: '1.0.0',
    dateKnown: false,
    changes: many.slice(0, 1),
  })
  afterAll(() => server[Symbol.dispose]())
  const text = async (path: string) => (await server.get(path)).text()

  test.each(['/', '/changelog/acme'])(
    'says at %s what changed first, breaking and security before all else',
    async (path) => {
      const cards = (await text(path)).split('<p class="card">').slice(1)
      const said = cards.map((card) =>
        [...card.matchAll(/<p class="(said[^"]*)" dir="auto">(.*?)<\/p>/g)].map(
          ([, kind, words]) => `${kind}: ${words}`,
        ),
      )
      expect(said.slice(0, 4)).toEqual([
        [],
        ['said: Thing 0. Thing 1.'],
        ['said: No more x. Fix CVE-2026-1234.'],
        ['said: Thing 0. Thing 1.'],
      ])
      if (path === '/') expect(said.at(-1)).toEqual(['said: Thing 0'])
    },
  )

  test('says it as Markdown and in feeds too', async () => {
    const markdown = await text('/index.md')
    expect(markdown).toContain('[App 2.0.0](/changelog/acme/app/2.0.0.md): No more x · Fix CVE-2026-1234 (')
    expect(markdown).toContain('[App 3.0.0](/changelog/acme/app/3.0.0.md): A title (2 added)')
    const titles = async (path: string) =>
      (JSON.parse(await text(path)) as { items: { title: string }[] }).items.map(({ title }) => title)
    expect(await titles('/changelog/acme/app/feed.json')).toEqual([
      '4.0.0',
      '3.0.0: A title',
      '2.0.0: No more x',
      '1.0.0: Thing 0',
      '0.9.0: Undated',
    ])
    expect((await titles('/changelog/acme/feed.json')).slice(1)).toEqual([
      'App 3.0.0: A title',
      'App 2.0.0: No more x',
      'App 1.0.0: Thing 0',
    ])
  })

  test('has its marks and standing as categories of feeds', async () => {
    version('5.0.0-rc.1', 5, { changes: [{ type: 'breaking', title: 'Call `open()` first' }] })
    const json = JSON.parse(await text('/changelog/acme/app/feed.json')) as { items: { tags?: string[] }[] }
    expect(json.items.slice(0, 4).map(({ tags }) => tags)).toEqual([
      ['Breaking', 'Pre-release'],
      undefined,
      undefined,
      ['Breaking', 'Security'],
    ])
    expect(await text('/changelog/acme/app/feed.atom')).toContain('<category term="Breaking"/>')
    expect(await text('/changelog/acme/app/feed.rss')).toContain('<category>Pre-release</category>')
  })
})
