import { describe, expect, test } from 'bun:test'
import { Sandbox } from '../../support/sandbox.ts'
import { ENGINES } from '../../support/servers/server.ts'

const RELEASES = JSON.stringify([
  {
    tag_name: 'v1.1.0',
    name: 'v1.1.0',
    draft: false,
    published_at: '2026-01-02T03:04:05Z',
    html_url: 'https://github.com/acme/app/releases/tag/v1.1.0',
    body: "## What's Changed\n* feat: search by @a in #1\n\n## New Contributors\n* @a made their first contribution in #1\n\n**Full Changelog**: https://github.com/acme/app/compare/v1.0.0...v1.1.0",
  },
])
const CLOSING =
  '## New Contributors\n* @a made their first contribution in #1\n\n**Full Changelog**: https://github.com/acme/app/compare/v1.0.0...v1.1.0'

describe.each(ENGINES)('on %s', (engine) => {
  test('what follows the changes survives show, preview, exports, deletion and edits', async () => {
    await using box = await Sandbox.on(engine)
    await Bun.write(box.at('releases.json'), RELEASES)
    await box.json('import', 'acme/app', 'releases.json', '--create')
    const closing = async () =>
      (await box.json<{ closing: string | null }>('version', 'show', 'acme/app', 'v1.1.0')).closing
    expect(await closing()).toBe(CLOSING)
    for (const line of ['version show acme/app v1.1.0', 'preview acme/app v1.1.0'])
      expect((await box.words(line)).stdout).toMatch(/search[^#]*#1\s[\s#]*New Contributors.*compare/s)

    const { stdout: markdown } = await box.words('export acme/app')
    await Bun.write(box.at('CHANGELOG.md'), markdown)
    expect(await box.json('import', 'acme/app', 'CHANGELOG.md')).toMatchObject({ unchanged: 1, updated: 0 })
    await box.words('export --all --output all.jsonl')
    await box.words('product delete acme/app --yes')
    await box.words('undo --last')
    expect(await closing()).toBe(CLOSING)
    await box.words('team delete acme --yes')
    await box.json('import', '--all', 'all.jsonl')
    expect(await closing()).toBe(CLOSING)
    expect(await box.json('product', 'show', 'acme/app')).toMatchObject({
      repository: 'https://github.com/acme/app',
    })

    // A hand's words stay, and are named.
    await box.run(['edit', 'acme/app', 'v1.1.0'], { EDITOR: 'sed -i s/first/second/' })
    expect(await closing()).toContain('second contribution')
    const again = await box.json<{ corrections: { what: string }[] }>('import', 'acme/app', 'releases.json')
    expect(again.corrections).toMatchObject([{ what: 'closing' }])
    expect(await closing()).toContain('second contribution')
  })

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
      await using box = await Sandbox.on(engine)
      const release = (label: string, at: string) =>
        asOfHost({
          tag_name: label,
          name: `${label} for @alice`,
          published_at: at,
          html_url: `${repository}/releases/tag/${label}`,
          body: '## Fixes\n* A fix by @bob in #12, see 5114f85a\n\n**Full Changelog**: about #13',
        })
      await box.json('team', 'create', 'acme', '--name', 'Acme', '--visibility', 'public')
      await box.json('product', 'create', 'acme/app', '--name', 'App', '--status', 'published')
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

  test('a product has a repository and a language, which none removes', async () => {
    await using box = await Sandbox.on(engine)
    await box.json('team', 'create', 'acme', '--name', 'Acme')
    const set = (verb: string, ...more: string[]) => box.json('product', verb, 'acme/app', ...more)
    const both = { repository: 'https://gitlab.com/acme/group/app', language: 'de' }
    expect(
      await set('create', '--name', 'App', '--repository', `${both.repository}.git/`, '--language', 'de'),
    ).toMatchObject(both)
    expect(await set('update', '--name', 'The App')).toMatchObject(both)
    expect((await box.words('product show acme/app')).stdout).toContain(both.repository)
    expect(await set('update', '--repository', 'none', '--language', 'none')).toMatchObject({
      repository: null,
      language: null,
    })
    await Bun.write(
      box.at('file.yaml'),
      `teams: { acme: { products: { app: { repository: "${both.repository}", language: de } } } }`,
    )
    await box.json('apply', 'file.yaml')
    expect(await set('show')).toMatchObject(both)
    expect(await box.json('apply', 'file.yaml')).toMatchObject({ steps: [] })
    await Bun.write(
      box.at('file.yaml'),
      'teams: { acme: { products: { app: { repository: none, language: none } } } }',
    )
    expect(await box.json('apply', 'file.yaml')).toMatchObject({
      steps: [
        { changes: { repository: { from: both.repository, to: null }, language: { from: 'de', to: null } } },
      ],
    })
    for (const wrong of [
      'http://github.com/acme/app',
      'https://github.com/acme',
      'https://a:b@x.y/a/b',
      'acme/app',
    ])
      expect((await box.run(['product', 'update', 'acme/app', '--repository', wrong])).status).toBe(2)
  })
})
