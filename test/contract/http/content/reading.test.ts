import { describe, expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { VersionEnvelope } from '../../../../src/http/api/openapi/response-schemas.ts'
import { serverForAll } from '../../../support/servers/for-all.ts'
import { readChangelog, readPages } from '../../../support/servers/read-changelog.ts'
import { bearer, keyedPath, publicPath, THE_BINARY } from '../../../support/servers/server.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1, 3, 4, 5, 678)
const OPEN = publicPath('acme', 'app')
const KEYED = keyedPath('acme', 'app')

describe('reading', () => {
  const site = serverForAll(THE_BINARY, (seed) => {
    const team = seed.team('acme', { name: 'Acme' })
    const app = seed.product(team, 'app', { name: 'App' })
    const days = Array.from({ length: 25 }, (_, day) =>
      seed.version(app.changelogId, `1.${day}.0`, {
        publishedAt: START + day * DAY,
        title: `Day ${day}`,
        description: day % 2 ? `About **${day}**` : null,
        changes: Array.from({ length: day % 4 }, (_, at) => ({
          type: at ? 'fixed' : 'added',
          title: `Change ${at}`,
        })),
      }),
    )
    const draft = seed.version(app.changelogId, '2.0.0', {
      status: 'draft',
      publishedAt: START + 99 * DAY,
      changes: [{ type: 'security', title: 'Secret', description: 'of it' }],
    })
    seed.product(team, 'empty')
    return { newest: days[24] as string, draft, key: bearer(seed.key(team).token) }
  })
  const read = (path: string, headers?: Record<string, string>) => readChangelog(site, path, headers)
  const versionAt = async (path: string, headers = {}) => {
    const body = JSON.parse(await site.text(path, headers)) as VersionEnvelope
    expect([...Value.Errors(VersionEnvelope, body)]).toEqual([])
    return body
  }

  test('the public envelope has exactly the documented fields, and only published versions', async () => {
    const { data, versions } = await read(OPEN)
    expect(data).toMatchObject({
      object: 'changelog',
      team: { slug: 'acme', name: 'Acme' },
      product: { slug: 'app', name: 'App' },
      changelog: { name: 'App changelog', status: 'published' },
    })
    expect(versions).toHaveLength(25)
    expect(versions[0]).toEqual({
      id: site.filled.newest,
      object: 'changelog.version',
      version: '1.24.0',
      title: 'Day 24',
      status: 'published',
      publishedAt: '2026-01-25T03:04:05.678Z',
      changeCount: 0,
    })
    expect(versions.map(({ changeCount }) => changeCount).slice(0, 4)).toEqual([0, 3, 2, 1])
    expect((await site.get(OPEN)).headers.get('content-type')).toBe('application/json')
    expect((await read(publicPath('acme', 'empty'))).versions).toEqual([])
  })

  test('a keyed read has the same envelope, drafts included', async () => {
    const { versions } = await read(KEYED, site.filled.key)
    expect(versions).toHaveLength(26)
    expect(versions[0]).toMatchObject({ id: site.filled.draft, status: 'draft', changeCount: 1 })
  })

  test('a version is its summary, flat, with team, product, changelog and its changes', async () => {
    const { draft, key } = site.filled
    expect(await versionAt(`${KEYED}/versions/${draft}`, key)).toEqual({
      data: {
        object: 'changelog.version',
        team: { slug: 'acme', name: 'Acme' },
        product: { slug: 'app', name: 'App' },
        changelog: { id: expect.stringMatching(/^clog_/), name: 'App changelog', status: 'published' },
        id: draft,
        version: '2.0.0',
        title: 'Release 2.0.0',
        status: 'draft',
        publishedAt: '2026-04-10T03:04:05.678Z',
        changeCount: 1,
        dateKnown: true,
        description: null,
        closing: null,
        prerelease: false,
        yanked: null,
        changes: [
          {
            id: expect.stringMatching(/^chg_/),
            object: 'changelog.change',
            type: 'security',
            typeLabel: 'Security',
            kind: 'security',
            breaking: false,
            mayBreak: false,
            security: true,
            title: 'Secret',
            description: 'of it',
          },
        ],
      },
    })
  })

  test('following Link from page to page reads every version once, in order, and then ends', async () => {
    for (const [path, headers] of [
      [OPEN, {}],
      [KEYED, site.filled.key],
    ] as const) {
      const expected = (await read(path, headers)).labels
      for (const limit of [7, 25, 26]) {
        const pages = await readPages(site, `${path}?limit=${limit}`, headers)
        expect(pages.flat()).toEqual(expected)
        expect(pages).toHaveLength(Math.ceil(expected.length / limit))
        expect(Math.max(...pages.map(({ length }) => length))).toBeLessThanOrEqual(limit)
      }
      // With the changes, a page is 20 unless another limit is given.
      const pages = await readPages(site, `${path}?include=changes`, headers)
      expect(pages).toEqual([expected.slice(0, 20), expected.slice(20)])
    }
  })

  test('versions with one publishedAt are ordered by newest id, and one published between two pages moves no other', async () => {
    const { seed } = site.server
    const { changelogId } = seed.product(seed.team('ties'), 'app')
    for (const label of ['a', 'b', 'c', 'd']) seed.version(changelogId, label, { publishedAt: START })
    const first = await read(publicPath('ties', 'app', '?limit=2'))
    seed.version(changelogId, 'late', { publishedAt: START + 99 })
    expect([first.labels, ...(await readPages(site, first.next ?? ''))]).toEqual([
      ['d', 'c'],
      ['b', 'a'],
    ])
  })

  test('since keeps the versions published at or after it, to the millisecond, in any notation, and Link keeps it', async () => {
    for (const [since, count] of [
      ['2026-01-25T03:04:05.678Z', 1],
      ['2026-01-25T03:04:05.679Z', 0],
      ['2026-01-25', 1],
      ['2026-01-25T05:04:05.678+02:00', 1],
    ] as const)
      expect([since, (await read(`${OPEN}?since=${since}`)).labels.length]).toEqual([since, count])
    const pages = await readPages(site, `${OPEN}?since=2026-01-20&limit=4&include=changes`)
    expect(pages.map(({ length }) => length)).toEqual([4, 2])
  })

  test('include=changes adds the description, the closing text and the changes of every version, whether its date is known, and nothing else', async () => {
    const plain = (await read(OPEN)).versions
    const full = (await read(`${OPEN}?include=changes`)).versions
    expect(full).toHaveLength(20)
    for (const [at, version] of full.entries()) {
      const { dateKnown, description, closing, prerelease, yanked, changes, ...summary } = version
      expect(summary).toEqual(plain[at] as never)
      const { data } = await versionAt(`${OPEN}/versions/${version.id}`)
      expect(data).toMatchObject({ dateKnown, description, closing, prerelease, yanked, changes } as never)
      expect(changes).toHaveLength(summary.changeCount)
    }
    expect(plain.some((version) => 'changes' in version || 'description' in version)).toBe(false)
  })

  test('a wrong parameter is refused with 400, which names it, wherever it is sent', async () => {
    for (const query of [
      ...['limit=0', 'cursor=zzz', 'since=yesterday', 'include=all', 'prereleases=x', 'after=1&after=1'],
    ])
      for (const [path, headers] of [
        [OPEN, {}],
        [publicPath('nobody', 'nothing'), {}],
        [KEYED, site.filled.key],
      ] as const) {
        const response = await site.get(`${path}?${query}`, headers)
        expect([path, query, response.status]).toEqual([path, query, 400])
        const { error } = (await response.json()) as { error: { code: string; message: string } }
        expect(error.code).toBe('bad_request')
        expect(error.message).toStartWith(query.split('&').at(-1)?.split('=')[0] as string)
      }
  })
})
