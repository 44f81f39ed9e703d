import { describe, expect, test } from 'bun:test'
import type { VersionEnvelope } from '../../../../src/http/api/openapi/response-schemas.ts'
import { serverForAll } from '../../../support/servers/for-all.ts'
import { readChangelog, readPages } from '../../../support/servers/read-changelog.ts'
import { bearer, keyedPath, publicPath, THE_BINARY } from '../../../support/servers/server.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1)
const OPEN = publicPath('acme', 'app')
const KEYED = keyedPath('acme', 'app')

/** In the order of the list, which is by date and not by label. */
const VERSIONS: [label: string, types: string[]][] = [
  ['2.0.0', ['security', 'fixed', 'added']],
  ['latest', ['changed']],
  ['a/b +ü', ['fixed', 'bug-fixes']],
  ['1.9.0', []],
  ['1.10.0', ['security']],
  ['1.2.0', ['added', 'fixed', 'added']],
]

describe('selecting versions and changes', () => {
  const site = serverForAll(THE_BINARY, (seed) => {
    const team = seed.team('acme')
    const { changelogId } = seed.product(team, 'app')
    const add = (label: string, at: number, types: string[], status: 'draft' | 'published' = 'published') =>
      seed.version(changelogId, label, {
        publishedAt: START - at * DAY,
        changes: types.map((type) => ({ type, title: `${type} in ${label}` })),
        status,
      })
    const ids = VERSIONS.map(([label, types], at) => [label, add(label, at, types)] as const)
    const draft = add('3.0.0', -1, ['security'], 'draft')
    return { draft, ids: Object.fromEntries(ids), key: bearer(seed.key(team).token) }
  })
  const labels = async (path: string, headers?: Record<string, string>) =>
    (await readChangelog(site, path, headers)).labels

  test('after keeps the versions newer than the one with that label, in the order of the list', async () => {
    const all = VERSIONS.map(([label]) => label)
    const { key } = site.filled
    expect(await labels(`${OPEN}?after=1.10.0`)).toEqual(all.slice(0, 4))
    expect(await labels(`${OPEN}?after=${encodeURIComponent('a/b +ü')}`)).toEqual(all.slice(0, 2))
    expect(await labels(`${OPEN}?after=2.0.0`)).toEqual([])
    expect(await labels(`${KEYED}?after=2.0.0`, key)).toEqual(['3.0.0'])
    // Together with others, and over pages.
    expect((await readPages(site, `${OPEN}?after=1.2.0&limit=2`)).flat()).toEqual(all.slice(0, 5))
    expect(await labels(`${OPEN}?after=1.2.0&since=2025-12-31`)).toEqual(all.slice(0, 2))
  })

  test('type keeps the changes of these types and the versions that have any; changeCount counts all', async () => {
    const { versions } = await readChangelog(site, `${OPEN}?include=changes&type=security,fixed`)
    expect(
      versions.map(({ version, changeCount, changes }) => [
        version,
        changeCount,
        changes?.map(({ type }) => type),
      ]),
    ).toEqual([
      ['2.0.0', 3, ['security', 'fixed']],
      ['a/b +ü', 2, ['fixed']],
      ['1.10.0', 1, ['security']],
      ['1.2.0', 3, ['fixed']],
    ])
    const { key } = site.filled
    expect(await labels(`${KEYED}?include=changes&type=security`, key)).toEqual(['3.0.0', '2.0.0', '1.10.0'])
    expect(await labels(`${KEYED}?include=changes&type=bug`, key)).toEqual([])
    const pages = await readPages(site, `${OPEN}?include=changes&type=fixed&limit=1`)
    expect(pages.flat()).toEqual(['2.0.0', 'a/b +ü', '1.2.0'])
    expect(await labels(`${OPEN}?include=changes&type=fixed&after=1.2.0`)).toEqual(['2.0.0', 'a/b +ü'])
  })

  test('type looks through a bounded part of a long changelog at once, and Link goes on from there', async () => {
    const { seed } = site.server
    const { changelogId } = seed.product(seed.team('long'), 'app')
    seed.db.transaction(() => {
      for (let at = 0; at < 3_000; at++)
        seed.version(changelogId, `${at}`, {
          publishedAt: START + at,
          changes: at === 7 ? [{ type: 'security', title: 'x' }] : [],
        })
    })()
    const path = publicPath('long', 'app', '?include=changes&type=security&limit=1')
    expect(await readPages(site, path)).toEqual([[], ['7']])
  })

  test('a version is found by its label as by its id, with the same body and tag', async () => {
    const { ids, draft, key } = site.filled
    for (const label of ['1.2.0', 'a/b +ü']) {
      const name = encodeURIComponent(label)
      const [byId, byLabel, keyed] = [
        await site.get(`${OPEN}/versions/${ids[label]}`),
        await site.get(`${OPEN}/versions/${name}`),
        await site.get(`${KEYED}/versions/${name}`, key),
      ]
      expect(byLabel.headers.get('etag')).toBe(byId.headers.get('etag'))
      const body = (await byId.json()) as VersionEnvelope
      expect(body.data.version).toBe(label)
      expect([await byLabel.json(), await keyed.json()]).toEqual([body, body])
    }
    expect(await site.text(`${KEYED}/versions/3.0.0`, key)).toContain(`"${draft}"`)
  })

  test('latest is the newest published one, on both surfaces, and changes with the next publication', async () => {
    const { ids, key } = site.filled
    const found = async (path: string, headers = {}) =>
      (JSON.parse(await site.text(path, headers)) as VersionEnvelope).data.version
    expect(await found(`${OPEN}/versions/latest`)).toBe('2.0.0')
    expect(await found(`${KEYED}/versions/latest`, key)).toBe('2.0.0')
    // A version labelled so has its id.
    expect(await found(`${OPEN}/versions/${ids.latest}`)).toBe('latest')
    const { seed } = site.server
    const { changelogId } = seed.product(seed.team('moving'), 'app')
    const path = publicPath('moving', 'app', '/versions/latest')
    expect(await site.print(path)).toBe(await site.print(publicPath('no-such-team', 'app')))
    seed.version(changelogId, '1', { publishedAt: START })
    expect(await found(path)).toBe('1')
    seed.version(changelogId, '3', { publishedAt: START + 2, status: 'draft' })
    expect(await found(path)).toBe('1')
    seed.version(changelogId, '2', { publishedAt: START + 1 })
    expect(await found(path)).toBe('2')
  })
})
