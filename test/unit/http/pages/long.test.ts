import { afterAll, describe, expect, test } from 'bun:test'
import { openHandler } from '../../../support/servers/handler.ts'

const PAGE = '/changelog/acme/app'

/** 3 majors of 30 releases, each with two updates in a row at 20 and 21, and one at 10. */
describe('a long changelog', () => {
  const server = openHandler({})
  const { changelogId } = server.seed.product(server.seed.team('acme'), 'app')
  for (let at = 0; at < 90; at++) {
    const [label, minor] = [`${1 + Math.floor(at / 30)}.${at % 30}.0`, at % 30]
    const isUpdate = minor === 10 || minor === 20 || minor === 21
    const change = isUpdate
      ? {
          type: 'changed',
          title: 'Updated dependencies [a1b2c3d]',
          description: `- @acme/core@9.${minor}.0`,
        }
      : { type: 'fixed', title: `Change ${label}` }
    const publishedAt = Date.UTC(2024, 0, 1 + at * 10)
    server.seed.version(changelogId, label, { title: label, publishedAt, changes: [change] })
  }
  // One that only updates dependencies for longer than a page, in front of ten releases of a day.
  const busy = server.seed.team('busy')
  server.seed.version(server.seed.product(busy, 'calm').changelogId, '1.0.0', { publishedAt: 0 })
  const bot = server.seed.product(busy, 'bot', { name: 'Bot' })
  for (let at = 0; at < 55; at++) {
    const [label, done] = at < 10 ? [`1.${at}.0`, 'Work'] : [`2.${at}.0`, 'Update dependencies']
    const changes = [{ type: 'changed', title: done }]
    const publishedAt = Date.UTC(2020, 0, 1) + at
    server.seed.version(bot.changelogId, label, { title: label, publishedAt, changes })
  }
  afterAll(() => server[Symbol.dispose]())

  const html = async (path: string) => (await server.get(path)).text()
  const headings = (page: string) => [...page.matchAll(/<h2[^>]*>(.*?)<\/h2>/g)].map(([, text]) => text)

  test('has links to the pages that begin with each major, and a line where a major begins', async () => {
    const [row = ''] = /<nav class="jump".*?<\/nav>/s.exec(await html(PAGE)) ?? []
    const links = [...row.matchAll(/<a href="([^"]*)"( aria-current="true")?>(.*?)<\/a>/g)]
    expect(links.map(([, , current, text]) => [text, current !== undefined])).toEqual([
      ['3.x <small>2025–26</small>', true],
      ['2.x <small>2024–25</small>', false],
      ['1.x <small>2024</small>', false],
    ])
    const page = await html(links[1]?.[1] as string)
    expect(headings(page).slice(0, 2)).toEqual([
      '<bdi>2.x</bdi> <small>30 releases, October 2024 – August 2025</small>',
      '2.29.0',
    ])
    expect(page).toContain('aria-current="true">2.x')
    for (const query of ['kind=fixed', 'q=change', 'prereleases=no', 'q=change&kind=fixed&prereleases=no']) {
      const [, second = ''] = (await html(`${PAGE}?${query}`)).match(/<a href="([^"]*)">2\.x/) ?? []
      expect(await html(second.replaceAll('&amp;', '&'))).toMatch(
        /aria-current="true">2\.x.*class="label">2\.29\.0/s,
      )
    }
  })

  test('says where the way to older releases leads', async () => {
    expect(await html(PAGE)).toContain('<span>Older releases →</span><bdi>3.9.0</bdi> and older</a>')
  })

  test('shows releases that only update dependencies in one line, several in a row too', async () => {
    const first = await html(PAGE)
    expect(headings(first)).toContain('3.20.0 – 3.21.0')
    expect(first).toContain('Only dependency updates · 2 releases · ')
    expect(first.match(/@acme\/core 9\.\d+\.0/g)).toEqual([
      '@acme/core 9.21.0',
      '@acme/core 9.20.0',
      '@acme/core 9.10.0',
    ])
    expect(first).toContain('Only dependency updates · @acme/core 9.10.0 · ')
    // On the start page such a line counts as one of 20, and the next page goes on behind it.
    const home = await html('/')
    expect([home.match(/<time /g), home.match(/class="card"/g)].map((all) => all?.length)).toEqual([20, 18])
    expect(home.replace(/<a [^>]*>/g, '')).toContain(
      '<code>3.20.0</code></a> – <code>3.21.0</code></a> · Only dependency updates',
    )
    const [, older = ''] = /rel="next" href="([^"]*)"/.exec(home) ?? []
    expect(/<code>([^<]*)/.exec(await html(older))?.[1]).toBe('3.8.0')
    const mere = await html('/changelog/busy/bot')
    expect(headings(mere)).toEqual(expect.arrayContaining(['2.10.0 – 2.54.0', '1.9.0', '1.0.0']))
    expect(await html('/index.md')).toMatch(/\[3\.20\.0\]\S+ – \[3\.21\.0\]\S+: only dependency updates\n/)
  })

  test('leaves room for other products: of a row of releases of one, the start page shows the first and a line', async () => {
    const page = (await html('/changelog/busy')).replace(/<a [^>]*>/g, '')
    expect(
      page.match(/class="(?:card|from)">.*?<\/code>/g)?.map((card) => card.replace(/.*<code>/, '')),
    ).toEqual(['1.9.0</code>', '1.8.0</code>', '1.0.0</code>'])
    expect(page).toContain('<bdi>Bot</bdi></a> <code>1.0.0</code></a> – <code>1.7.0</code></a> · 8 releases')
    expect(await html('/changelog/busy.md')).toMatch(/Bot \[1\.0\.0\]\S+ – \[1\.7\.0\]\S+: 8 releases\n/)
    const single = await html('/changelog/busy/calm/llms.txt')
    expect(single).toContain('/calm/1.0.0.md')
    expect(single).not.toContain('from=')
  })
})
