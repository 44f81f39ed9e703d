import { afterAll, describe, expect, test } from 'bun:test'
import { KINDS } from '../../../../src/domain/versions/kinds.ts'
import { openHandler } from '../../../support/servers/handler.ts'

const PAGE = '/changelog/acme/app'
const API = '/api/v1/public/teams/acme/products/app/changelog?include=changes'
const TYPES = [
  ...['added', 'changed', 'deprecated', 'removed', 'fixed', 'security', 'internal'],
  ...['contributors', 'dependencies', 'breaking-changes'],
]

describe('of one kind', () => {
  const server = openHandler()
  const { seed } = server
  const { changelogId } = seed.product(seed.team('acme'), 'app')
  seed.version(changelogId, '1.0.0', { publishedAt: 0, changes: [] })
  for (const [at, type] of TYPES.entries())
    seed.version(changelogId, `1.${at + 1}.0`, {
      publishedAt: at + 1,
      changes: [
        { type, title: `Change ${at}-1` },
        { type: 'changed', title: `feat!: Change ${at}-2` },
      ],
    })
  const fix = { type: 'fixed', title: 'Fix an XSS vulnerability (Change 97-1)' }
  seed.version(changelogId, '1.97.0', { publishedAt: 97, changes: [fix] })
  seed.version(changelogId, '1.98.0', { publishedAt: 98, description: '## Breaking\n\nChange 98-0' })
  const people = { type: 'contributors', title: 'Change 99-1' }
  seed.version(changelogId, '1.99.0', { publishedAt: 99, changes: [people] })
  afterAll(() => server[Symbol.dispose]())

  const changesAt = async (path: string) => {
    const response = await server.get(path)
    expect({ path, status: response.status }).toEqual({ path, status: 200 })
    return [...new Set((await response.text()).replace(/<[^>]*>/g, '').match(/Change \d+-\d+/g))].sort()
  }

  test.each([...KINDS])('%s, pages and feeds have the changes that the API has', async (kind) => {
    const expected = await changesAt(`${API}&kind=${kind}`)
    expect(expected).not.toEqual([])
    for (const path of [
      `${PAGE}?kind=${kind}`,
      `${PAGE}?q=change&kind=${kind}`,
      `${PAGE}?kind=${kind}&from=1.0.0&to=1.99.0`,
      ...['', '/changelog/acme', PAGE].map((of) => `${of}/feed.json?kind=${kind}`),
    ])
      expect({ path, changes: await changesAt(path) }).toEqual({ path, changes: expected })
  })

  test('a pill has the count that its page has, people and packages included', async () => {
    const html = await (await server.get(`${PAGE}?kind=other`)).text()
    expect(html).toContain('4 changes in 4 releases under Other')
    expect(html).toMatch(/class="dot other"[^>]*>Other <b>4<\/b>/)
  })
})
