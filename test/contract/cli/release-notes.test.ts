import { expect, test } from 'bun:test'
import { withProduct } from '../../support/sandbox.ts'

test.each([
  ['GitHub', 'https://github.com/acme/app', (page: object) => page],
  [
    'GitLab',
    'https://gitlab.com/acme/group/app',
    ({ body, published_at, html_url, ...release }: Record<string, unknown>) => ({
      ...release,
      description: body,
      released_at: published_at,
      _links: { self: String(html_url).replace('/releases/tag/', '/-/releases/') },
    }),
  ],
])(
  'what imported releases of %s refer to is a short link on every page and in every feed',
  async (_, repository, asOfHost) => {
    await using box = await withProduct()
    const release = (label: string, at: string) =>
      asOfHost({
        tag_name: label,
        name: `${label} for @alice`,
        published_at: at,
        html_url: `${repository}/releases/tag/${label}`,
        body: '## Fixes\n* A fix by @bob in #12, see 5114f85a\n\n**Full Changelog**: about #13',
      })
    await Bun.write(
      box.at('releases.json'),
      JSON.stringify([release('1.1.0', '2026-01-02T03:04:05Z'), release('1.0.0', '2026-01-01T03:04:05Z')]),
    )
    await box.json('import', 'acme/app', 'releases.json')
    const issues = repository.includes('gitlab') ? '/-/issues/' : '/issues/'
    const own = [`${repository}${issues}12`, `${new URL(repository).origin}/bob`]
    for (const [path, links] of [
      ['', [...own, `${repository}${issues}13`]],
      ['/1.1.0', [...own, `${repository}${issues}13`]],
      ['?q=fix', own],
      ['?kind=fixed', own],
      ['?from=1.0.0&to=1.1.0', own],
      ['/feed.atom', own],
      ['/feed.rss?kind=fixed', own],
      ['/../feed.json', own],
    ] as const) {
      const text = await (await box.response(`/changelog/acme/app${path}`)).text()
      for (const link of links)
        expect({ path, text: text.replace(/\\"|&quot;/g, '"').replaceAll('&lt;', '<') }).toEqual({
          path,
          text: expect.stringContaining(`<a class="ref" href="${link}"`),
        })
    }
    const data = await box.seenByApi('/public/teams/acme/products/app/changelog')
    expect(Object.keys(data.data?.product ?? {})).toEqual(['slug', 'name'])
  },
)
