import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { type Sandbox, sandboxForEach } from '../../../support/sandbox.ts'

/** Everything below a product and a team that people and feed readers keep the address of. */
const OF_PRODUCT = [
  ...['', '/1.0.0', '/latest', '/feed.atom', '/feed.rss', '/feed.json', '/CHANGELOG.md', '/badge.svg'],
  ...[
    '/llms.txt',
    '/1.0.0.md',
    '.md',
    '?prereleases=no',
    '?from=0.1.0&to=1.0.0',
    '/feed.atom?prereleases=no',
    '/pictures/0123456789abcdef0123456789abcdef-1280x720.webp',
  ],
]
const OF_TEAM = ['', '/feed.atom', '/feed.rss', '/feed.json', '/llms.txt', '.md']

async function prepare(box: Sandbox): Promise<void> {
  await box.json('team', 'create', 'acme', '--name', 'Acme', '--visibility', 'public', '--plan', 'paid')
  await box.json('product', 'create', 'acme/app', '--name', 'App', '--status', 'published')
  await box.json('version', 'create', 'acme/app', '0.1.0', '--status', 'published', '--date', '2026-01-02')
  await box.json('version', 'create', 'acme/app', '1.0.0', '--status', 'published', '--date', '2026-01-03')
}

describe('the address that a team or product had', () => {
  const box = sandboxForEach(prepare)

  const must = async (line: string) => expect([line, (await box.words(line)).status]).toEqual([line, 0])
  const renameTeam = (from: string, to: string) => must(`team update ${from} --slug ${to} --yes`)
  const renameProduct = (from: string, to: string) => must(`product update ${from} --slug ${to} --yes`)
  const leads = async (path: string) => {
    const { status, headers } = await box.response(path)
    return status === 308 ? headers.get('location') : status
  }
  const all = (paths: readonly string[], answer: (path: string) => unknown) =>
    Promise.all(paths.map(async (path) => [path, await answer(path)]))
  /** Everything about an answer that a reader can compare. */
  const whole = async (path: string) => {
    const response = await box.response(path)
    const headers = [...response.headers].filter(([name]) => !/^(date|ratelimit|x-request-id)$/.test(name))
    return { status: response.status, headers, body: await response.text() }
  }

  test('leads pages and feeds to the new one, straight to the end of a chain, and is a 404 in the API', async () => {
    await renameProduct('acme/app', 'tool')
    await renameTeam('acme', 'initech')
    await renameProduct('initech/tool', 'kit')
    await renameTeam('initech', 'globex')
    for (const old of ['acme/app', 'acme/tool', 'initech/tool', 'initech/kit'])
      expect(await all(OF_PRODUCT, (rest) => leads(`/changelog/${old}${rest}`))).toEqual(
        OF_PRODUCT.map((rest) => [rest, `/changelog/globex/kit${rest}`]),
      )
    for (const old of ['acme', 'initech'])
      expect(await all(OF_TEAM, (rest) => leads(`/changelog/${old}${rest}`))).toEqual(
        OF_TEAM.map((rest) => [rest, `/changelog/globex${rest}`]),
      )
    const { headers } = await box.response('/changelog/acme/app')
    expect(headers.get('cache-control')).toBe('public, max-age=60')
    expect(await leads('/changelog/globex/app')).toBe(404)
    expect(await leads('/api/v1/public/teams/acme/products/app/changelog')).toBe(404)
    expect(await leads('/api/v1/public/teams/globex/products/kit/changelog')).toBe(200)
  })

  test('is as missing as any other while what had it is hidden, whatever was asked for first', async () => {
    await renameProduct('acme/app', 'tool')
    await renameTeam('acme', 'globex')
    const hidden = ['/changelog/acme/app', '/changelog/acme/app/1.0.0', '/changelog/acme/app/feed.atom']
    for (const [hide, show] of [
      ['product update globex/tool --status draft', 'product update globex/tool --status published'],
      ['changelog update globex/tool --status locked', 'changelog update globex/tool --status published'],
      ['team update globex --visibility private', 'team update globex --visibility public'],
    ] as const) {
      await must(hide)
      for (const path of hidden)
        expect(await whole(path)).toEqual(await whole(path.replace('acme/app', 'acme/never')))
      for (const path of ['/changelog/acme', '/changelog/acme/feed.atom'])
        expect(await whole(path)).toEqual(await whole(path.replace('acme', 'never')))
      await must(show)
      await box.response('/api/v1/public/teams/acme/products/app/changelog')
      expect(await leads('/changelog/acme/app')).toBe('/changelog/globex/tool')
      expect(await leads('/changelog/acme')).toBe('/changelog/globex')
    }
  })

  test('belongs to what takes it, from then on and even while that is hidden', async () => {
    await renameProduct('acme/app', 'tool')
    await must('product create acme/app --name New')
    expect(await leads('/changelog/acme/app')).toBe(404)
    await must('product update acme/app --status published')
    await must('changelog update acme/app --status published')
    expect(await leads('/changelog/acme/app')).toBe(200)
    await must('product delete acme/app --yes')
    expect(await leads('/changelog/acme/app')).toBe(404)
    await renameTeam('acme', 'globex')
    expect(await leads('/changelog/acme/tool')).toBe('/changelog/globex/tool')
    await must('team create acme --name Other --visibility private')
    expect([await leads('/changelog/acme'), await leads('/changelog/acme/tool')]).toEqual([404, 404])
  })

  test('comes back to the team or product that had it', async () => {
    await renameProduct('acme/app', 'tool')
    await renameTeam('acme', 'globex')
    await renameTeam('globex', 'acme')
    expect(await leads('/changelog/acme/tool')).toBe(200)
    expect(await leads('/changelog/acme/app')).toBe('/changelog/acme/tool')
    expect(await leads('/changelog/globex')).toBe('/changelog/acme')
    await renameProduct('acme/tool', 'app')
    expect(await leads('/changelog/acme/app')).toBe(200)
    expect(await leads('/changelog/globex/tool')).toBe('/changelog/acme/app')
  })

  test('is in exports, backups and what undo restores', async () => {
    await renameProduct('acme/app', 'tool')
    await renameTeam('acme', 'globex')
    const lead = ['/changelog/globex/tool', '/changelog/globex']
    const leadsNow = async () => [await leads('/changelog/acme/app'), await leads('/changelog/acme')]
    expect(await leadsNow()).toEqual(lead)
    const { stdout } = await box.words('export --all')
    await must(`backup ${box.at('copy.db')}`)
    const deleted = await box.words('team delete globex --yes')
    expect(await leadsNow()).toEqual([404, 404])
    const [, file = ''] = /changelogd undo (\S+)/.exec(deleted.stdout + deleted.stderr) ?? []
    await must(`undo ${file}`)
    expect(await leadsNow()).toEqual(lead)
    await must('team delete globex --yes')
    writeFileSync(box.at('all.jsonl'), stdout)
    await must(`import --all ${box.at('all.jsonl')}`)
    expect(await leadsNow()).toEqual(lead)
    expect((await box.words('export --all')).stdout).toBe(stdout)
    await must('team delete globex --yes')
    await must(`restore ${box.at('copy.db')} --yes`)
    expect(await leadsNow()).toEqual(lead)
    // Another team has taken both meanwhile, and nobody may see it.
    await must('team create acme --name Other')
    await must(`import --all ${box.at('all.jsonl')}`)
    expect(await leadsNow()).toEqual([404, 404])
  })

  test('is not taken from a product by the export of another', async () => {
    await renameProduct('acme/app', 'tool')
    await must(`export --all --output ${box.at('all.jsonl')}`)
    await must('product create acme/app --name New')
    await must(`import --all ${box.at('all.jsonl')}`)
    expect(await leads('/changelog/acme/app')).toBe(404)
  })
})
