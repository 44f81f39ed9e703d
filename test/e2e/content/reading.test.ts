import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { ChangelogEnvelope, VersionEnvelope } from '../../../src/http/openapi/response-schemas.ts'
import {
  bearer,
  keyedPath,
  publicPath,
  SUBJECTS,
  startServer,
  type TestServer,
} from '../../support/servers/server.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1, 3, 4, 5, 678)

describe.each([...SUBJECTS])('reading from $name', (subject) => {
  let server: TestServer
  let token: string
  let newest: string
  let draft: string
  let otherVersion: string

  beforeAll(async () => {
    server = await startServer(subject)
    const { seed } = server
    const team = seed.team('acme', { name: 'Acme' })
    const app = seed.product(team, 'app', { name: 'App' })
    for (let day = 0; day < 25; day++)
      newest = seed.version(app.changelogId, `1.${day}.0`, {
        publishedAt: START + day * DAY,
        title: `Day ${day}`,
        description: day % 2 ? `About **${day}**` : null,
        changes: Array.from({ length: day % 4 }, (_, at) => ({
          type: at ? 'fixed' : 'added',
          title: `Change ${at}`,
        })),
      })
    draft = seed.version(app.changelogId, '2.0.0', {
      status: 'draft',
      publishedAt: START + 99 * DAY,
      changes: [{ type: 'security', title: 'Secret', description: 'of it' }],
    })
    const other = seed.product(team, 'other')
    otherVersion = seed.version(other.changelogId, '1.0.0')
    seed.product(team, 'empty')
    token = seed.key(team).token
  })
  afterAll(async () => {
    await server.stop()
  })

  const labels = async (path: string, headers = {}) => {
    const response = await server.get(path, headers)
    expect(response.status).toBe(200)
    const body = (await response.json()) as ChangelogEnvelope
    return {
      labels: body.data.versions.map((version) => version.version),
      link: response.headers.get('link'),
    }
  }

  test('the public envelope has exactly the documented fields, and only published versions', async () => {
    const response = await server.get(publicPath('acme', 'app'))
    const body = (await response.json()) as ChangelogEnvelope
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect([...Value.Errors(ChangelogEnvelope, body)]).toEqual([])
    expect(Object.keys(body)).toEqual(['data'])
    expect(body.data).toMatchObject({
      object: 'changelog',
      team: { slug: 'acme', name: 'Acme' },
      product: { slug: 'app', name: 'App' },
      changelog: { name: 'App changelog', status: 'published' },
    })
    expect(body.data.versions).toHaveLength(25)
    expect(body.data.versions[0]).toEqual({
      id: newest,
      object: 'changelog.version',
      version: '1.24.0',
      title: 'Day 24',
      status: 'published',
      publishedAt: '2026-01-25T03:04:05.678Z',
      changeCount: 0,
    })
    expect(body.data.versions.map((version) => version.changeCount).slice(0, 4)).toEqual([0, 3, 2, 1])
  })

  test('a keyed read has the same envelope, drafts included', async () => {
    const response = await server.get(keyedPath('acme', 'app'), bearer(token))
    const body = (await response.json()) as ChangelogEnvelope
    expect([...Value.Errors(ChangelogEnvelope, body)]).toEqual([])
    expect(body.data.versions).toHaveLength(26)
    expect(body.data.versions[0]).toMatchObject({ id: draft, status: 'draft', changeCount: 1 })
  })

  test('a version is its summary, flat, with team, product, changelog and its changes', async () => {
    const response = await server.get(keyedPath('acme', 'app', `/versions/${draft}`), bearer(token))
    const body = (await response.json()) as VersionEnvelope
    expect([...Value.Errors(VersionEnvelope, body)]).toEqual([])
    expect(body).toEqual({
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
        changes: [
          {
            id: expect.stringMatching(/^chg_/),
            object: 'changelog.change',
            type: 'security',
            typeLabel: 'Security',
            kind: 'security',
            breaking: false,
            title: 'Secret',
            description: 'of it',
          },
        ],
      },
    })
  })

  test('a product without versions has an empty list', async () => {
    expect((await labels(publicPath('acme', 'empty'))).labels).toEqual([])
  })

  test('a version id of another product is not found, on both surfaces', async () => {
    expect((await server.get(publicPath('acme', 'app', `/versions/${otherVersion}`))).status).toBe(404)
    expect(
      (await server.get(keyedPath('acme', 'app', `/versions/${otherVersion}`), bearer(token))).status,
    ).toBe(404)
    expect((await server.get(publicPath('acme', 'other', `/versions/${otherVersion}`))).status).toBe(200)
  })

  test('versions with one publishedAt are ordered by newest id', async () => {
    const { seed } = server
    const team = seed.team('ties')
    const { changelogId } = seed.product(team, 'app')
    for (const label of ['a', 'b', 'c']) seed.version(changelogId, label, { publishedAt: START })
    expect((await labels(publicPath('ties', 'app'))).labels).toEqual(['c', 'b', 'a'])
    expect((await labels(publicPath('ties', 'app', '?limit=2'))).labels).toEqual(['c', 'b'])
  })

  test('following Link from page to page reads every version once, in order, and then ends', async () => {
    for (const [path, headers] of [
      [publicPath('acme', 'app'), {}],
      [keyedPath('acme', 'app'), bearer(token)],
    ] as const) {
      const expected = (await labels(path, headers)).labels
      for (const limit of [1, 7, 25, 26, 100]) {
        const seen: string[] = []
        let next: string | undefined = `${path}?limit=${limit}`
        let pages = 0
        while (next) {
          const page: { labels: string[]; link: string | null } = await labels(next, headers)
          expect(page.labels.length).toBeLessThanOrEqual(limit)
          seen.push(...page.labels)
          next = page.link ? /^<([^>]+)>; rel="next"$/.exec(page.link)?.[1] : undefined
          expect(++pages).toBeLessThan(40)
        }
        expect(seen).toEqual(expected)
        expect(pages).toBe(Math.ceil(expected.length / limit))
      }
    }
  })

  test('a version published between two pages moves no other version to another page', async () => {
    const { seed } = server
    const { changelogId } = seed.product(seed.team('moving'), 'app')
    for (let at = 0; at < 4; at++) seed.version(changelogId, `${at}`, { publishedAt: START + at })
    const first = await labels(publicPath('moving', 'app', '?limit=2'))
    seed.version(changelogId, 'late', { publishedAt: START + 99 })
    const second = await labels(/<([^>]+)>/.exec(first.link ?? '')?.[1] as string)
    expect([...first.labels, ...second.labels]).toEqual(['3', '2', '1', '0'])
  })

  test('since keeps the versions published at or after it, to the millisecond, in any notation', async () => {
    const count = async (since: string) =>
      (await labels(publicPath('acme', 'app', `?since=${since}`))).labels.length
    expect(await count('2026-01-25T03:04:05.678Z')).toBe(1)
    expect(await count('2026-01-25T03:04:05.679Z')).toBe(0)
    expect(await count('2026-01-25')).toBe(1)
    expect(await count('2026-01-25T05:04:05.678%2B02:00')).toBe(1)
    expect(await count('2026-01-25T05:04:05.678+02:00')).toBe(1)
    expect(await count('2020-01-01')).toBe(25)
  })

  test('since and limit can be combined, and Link keeps them', async () => {
    const first = await labels(publicPath('acme', 'app', '?since=2026-01-20&limit=4&include=changes'))
    expect(first.labels).toHaveLength(4)
    const next = /<([^>]+)>/.exec(first.link ?? '')?.[1] as string
    expect(next).toContain('since=2026-01-20')
    expect(next).toContain('include=changes')
    expect((await labels(next)).labels).toHaveLength(2)
  })

  test('include=changes adds the description, the closing text and the changes of every version, whether its date is known, and nothing else', async () => {
    const plain = (await (await server.get(publicPath('acme', 'app'))).json()) as ChangelogEnvelope
    const full = (await (
      await server.get(publicPath('acme', 'app', '?include=changes'))
    ).json()) as ChangelogEnvelope
    expect([...Value.Errors(ChangelogEnvelope, full)]).toEqual([])
    for (const [at, version] of full.data.versions.entries()) {
      const { dateKnown, description, closing, changes, ...summary } = version
      expect(summary).toEqual(plain.data.versions[at] as never)
      const detail = (await (
        await server.get(publicPath('acme', 'app', `/versions/${version.id}`))
      ).json()) as VersionEnvelope
      expect({ dateKnown, description, closing, changes }).toEqual({
        dateKnown: detail.data.dateKnown,
        description: detail.data.description,
        closing: detail.data.closing,
        changes: detail.data.changes,
      })
      expect(changes).toHaveLength(summary.changeCount)
    }
    expect(plain.data.versions.some((version) => 'changes' in version || 'description' in version)).toBe(
      false,
    )
  })

  test('include=changes without limit is a page of 20, and Link names the rest', async () => {
    for (const [path, headers, count] of [
      [publicPath('acme', 'app'), {}, 25],
      [keyedPath('acme', 'app'), bearer(token), 26],
    ] as const) {
      const expected = (await labels(path, headers)).labels
      expect(expected).toHaveLength(count)
      const first = await labels(`${path}?include=changes`, headers)
      expect(first.labels).toEqual(expected.slice(0, 20))
      const next = /^<([^>]+)>; rel="next"$/.exec(first.link ?? '')?.[1] as string
      expect(next).toContain('include=changes')
      expect(await labels(next, headers)).toEqual({ labels: expected.slice(20), link: null })
    }
  })

  test.each(['limit=0', 'limit=', 'cursor=zzz', 'since=yesterday', 'include=all', 'limit=2&limit=2'])(
    '?%s is refused with 400, naming the parameter',
    async (query) => {
      for (const [path, headers] of [
        [publicPath('acme', 'app'), {}],
        [publicPath('nobody', 'nothing'), {}],
        [keyedPath('acme', 'app'), bearer(token)],
      ] as const) {
        const response = await server.get(`${path}?${query}`, headers)
        expect(response.status).toBe(400)
        const { error } = (await response.json()) as { error: { code: string; message: string } }
        expect(error.code).toBe('bad_request')
        expect(error.message).toStartWith(query.split('=')[0] as string)
      }
    },
  )

  test('unknown parameters are ignored', async () => {
    const plain = await (await server.get(publicPath('acme', 'app'))).text()
    for (const query of ['utm_source=x', '__proto__=1', 'constructor=1', 'x', '=', '&&&', 'LIMIT=5'])
      expect(await (await server.get(publicPath('acme', 'app', `?${query}`))).text()).toBe(plain)
  })
})
