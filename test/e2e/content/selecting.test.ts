import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { VersionEnvelope } from '../../../src/http/openapi/response-schemas.ts'
import { readChangelog } from '../../support/servers/read-changelog.ts'
import {
  bearer,
  fingerprint,
  keyedPath,
  publicPath,
  SUBJECTS,
  startServer,
  type TestServer,
} from '../../support/servers/server.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1)

describe.each([...SUBJECTS])('selecting versions and changes from $name', (subject) => {
  let server: TestServer
  let key: Record<string, string>
  let ids: Record<string, string>
  let missing: string

  beforeAll(async () => {
    server = await startServer(subject)
    const { seed } = server
    const team = seed.team('acme')
    const { changelogId } = seed.product(team, 'app')
    const publish = (label: string, day: number, types: string[], status?: 'draft') =>
      seed.version(changelogId, label, {
        publishedAt: START + day * DAY,
        changes: types.map((type) => ({ type, title: `${type} in ${label}` })),
        ...(status && { status }),
      })
    ids = {
      // The order of the list is by date, not by label.
      '1.2.0': publish('1.2.0', 0, ['added', 'fixed', 'added']),
      '1.10.0': publish('1.10.0', 1, ['security']),
      '1.9.0': publish('1.9.0', 2, []),
      'a/b +ü': publish('a/b +ü', 3, ['fixed', 'bug-fixes']),
      latest: publish('latest', 4, ['changed']),
      '2.0.0': publish('2.0.0', 5, ['security', 'fixed', 'added']),
      '3.0.0': publish('3.0.0', 6, ['security'], 'draft'),
    }
    const other = seed.product(team, 'other')
    ids.other = seed.version(other.changelogId, 'other')
    seed.product(team, 'drafts', { name: 'Drafts' })
    const hidden = seed.product(team, 'hidden', { status: 'draft' })
    seed.version(hidden.changelogId, '1.2.0')
    key = bearer(seed.key(team).token)
    missing = await fingerprint(await server.get(publicPath('no-such-team', 'app')))
  })
  afterAll(async () => {
    await server.stop()
  })

  const read = (path: string, headers?: Record<string, string>) => readChangelog(server, path, headers)
  const labels = async (path: string, headers: Record<string, string> = {}) =>
    (await read(path, headers)).versions.map(({ version }) => version)
  const next = (link: string | null) => /<(.+)>; rel="next"/.exec(link ?? '')?.[1]

  describe('after', () => {
    test('keeps the versions newer than the one with that label, in the order of the list', async () => {
      expect(await labels(publicPath('acme', 'app', '?after=1.10.0'))).toEqual([
        '2.0.0',
        'latest',
        'a/b +ü',
        '1.9.0',
      ])
      expect(await labels(publicPath('acme', 'app', '?after=2.0.0'))).toEqual([])
      expect(await labels(keyedPath('acme', 'app', '?after=2.0.0'), key)).toEqual(['3.0.0'])
      expect(await labels(keyedPath('acme', 'app', '?after=3.0.0'), key)).toEqual([])
      expect(await labels(publicPath('acme', 'app', `?after=${encodeURIComponent('a/b +ü')}`))).toEqual([
        '2.0.0',
        'latest',
      ])
    })

    test('can be combined with the other parameters, and Link keeps it', async () => {
      const seen: string[] = []
      let path: string | undefined = publicPath('acme', 'app', '?after=1.2.0&limit=2')
      while (path) {
        const page = await read(path)
        seen.push(...page.versions.map(({ version }) => version))
        path = next(page.link)
      }
      expect(seen).toEqual(['2.0.0', 'latest', 'a/b +ü', '1.9.0', '1.10.0'])
      const [newer, older] = ['2026-01-05', '2025-01-01']
      expect(await labels(publicPath('acme', 'app', `?after=1.2.0&since=${newer}`))).toEqual([
        '2.0.0',
        'latest',
      ])
      expect(await labels(publicPath('acme', 'app', `?after=latest&since=${older}`))).toEqual(['2.0.0'])
      const full = await read(publicPath('acme', 'app', '?after=latest&include=changes'))
      expect(full.versions[0]?.changes).toHaveLength(3)
    })

    test('with a label that is unknown or hidden is the same 404 as anything else that is missing', async () => {
      for (const path of [
        publicPath('acme', 'app', '?after=3.0.0'),
        publicPath('acme', 'app', '?after=9.9.9'),
        publicPath('acme', 'app', '?after=other'),
        publicPath('acme', 'app', `?after=${ids['1.2.0']}`),
        publicPath('acme', 'app', '?after='),
        publicPath('acme', 'app', '?after=%00'),
        publicPath('acme', 'app', '?after=3.0.0&limit=1&include=changes&type=fixed'),
        publicPath('acme', 'hidden', '?after=1.2.0'),
      ])
        for (let time = 0; time < 2; time++)
          expect({ path, fingerprint: await fingerprint(await server.get(path)) }).toEqual({
            path,
            fingerprint: missing,
          })
      expect((await server.get(keyedPath('acme', 'app', '?after=9.9.9'), key)).status).toBe(404)
      // The changelog itself is still found.
      expect((await server.get(publicPath('acme', 'app'))).status).toBe(200)
      expect((await server.get(keyedPath('acme', 'app'), key)).status).toBe(200)
    })

    test('twice is a 400', async () => {
      expect((await server.get(publicPath('acme', 'app', '?after=1.2.0&after=1.2.0'))).status).toBe(400)
    })
  })

  describe('type', () => {
    test('keeps the changes of these types and the versions that have any; changeCount counts all', async () => {
      const { versions } = await read(publicPath('acme', 'app', '?include=changes&type=security,fixed'))
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
      const types = async (type: string) =>
        await labels(keyedPath('acme', 'app', `?include=changes&type=${type}`), key)
      expect(await types('security')).toEqual(['3.0.0', '2.0.0', '1.10.0'])
      expect(await types('fixes')).toEqual([])
      expect(await types('bug')).toEqual([])
      expect(await types('bug-fixes')).toEqual(['a/b +ü'])
    })

    test('is paged like the whole list, and Link keeps it', async () => {
      const seen: string[] = []
      let path: string | undefined = publicPath('acme', 'app', '?include=changes&type=fixed&limit=1')
      while (path) {
        const page = await read(path)
        seen.push(...page.versions.map(({ version }) => version))
        path = next(page.link)
      }
      expect(seen).toEqual(['2.0.0', 'a/b +ü', '1.2.0'])
      const { versions } = await read(publicPath('acme', 'app', '?include=changes&type=fixed&after=1.2.0'))
      expect(versions.map(({ version }) => version)).toEqual(['2.0.0', 'a/b +ü'])
    })

    test.each([
      'type=fixed',
      'include=changes&type=',
      'include=changes&type=Fixed',
      'include=changes&type=fixed,,added',
      'include=changes&type=%25',
      'include=changes&type=fixed&type=added',
      `include=changes&type=${Array.from({ length: 21 }, (_, at) => `t${at}`).join()}`,
    ])('?%s is a 400', async (query) => {
      for (const [path, headers] of [
        [publicPath('acme', 'app', `?${query}`), {}],
        [keyedPath('acme', 'app', `?${query}`), key],
      ] as const)
        expect((await server.get(path, headers)).status).toBe(400)
    })

    test('looks through a bounded part of a long changelog at once, and Link goes on from there', async () => {
      const { seed } = server
      const { changelogId } = seed.product(seed.team('long'), 'app')
      for (let at = 0; at < 3_000; at++)
        seed.version(changelogId, `${at}`, {
          publishedAt: START + at,
          changes: at === 7 ? [{ type: 'security', title: 'x' }] : [],
        })
      const first = await read(publicPath('long', 'app', '?include=changes&type=security&limit=1'))
      expect(first.versions).toEqual([])
      const second = await read(next(first.link) ?? '')
      expect(second.versions.map(({ version }) => version)).toEqual(['7'])
    })
  })

  describe('a version', () => {
    const version = async (path: string, headers: Record<string, string> = {}) => {
      const response = await server.get(path, headers)
      expect({ path, status: response.status }).toEqual({ path, status: 200 })
      const body = (await response.json()) as VersionEnvelope
      expect([...Value.Errors(VersionEnvelope, body)]).toEqual([])
      return { body, etag: response.headers.get('etag') }
    }

    test('is found by its label as by its id, with the same body and tag', async () => {
      for (const label of ['1.2.0', '1.9.0', 'a/b +ü', '2.0.0']) {
        const name = encodeURIComponent(label)
        const byId = await version(publicPath('acme', 'app', `/versions/${ids[label]}`))
        expect(await version(publicPath('acme', 'app', `/versions/${name}`))).toEqual(byId)
        expect(byId.body.data.version).toBe(label)
        expect(await version(keyedPath('acme', 'app', `/versions/${name}`), key)).toEqual(byId)
      }
      expect((await version(keyedPath('acme', 'app', '/versions/3.0.0'), key)).body.data.id).toBe(
        ids['3.0.0'] as string,
      )
    })

    test('latest is the newest published one, on both surfaces; a version labelled so has its id', async () => {
      for (const [path, headers] of [
        [publicPath('acme', 'app', '/versions/latest'), {}],
        [keyedPath('acme', 'app', '/versions/latest'), key],
      ] as const)
        expect((await version(path, headers)).body.data).toMatchObject({ version: '2.0.0', changeCount: 3 })
      const { body } = await version(publicPath('acme', 'app', `/versions/${ids.latest}`))
      expect(body.data.version).toBe('latest')
    })

    test('latest changes with the next publication', async () => {
      const { seed } = server
      const { changelogId } = seed.product(seed.team('moving'), 'app')
      const path = publicPath('moving', 'app', '/versions/latest')
      expect(await fingerprint(await server.get(path))).toBe(missing)
      seed.version(changelogId, '1', { publishedAt: START })
      expect((await version(path)).body.data.version).toBe('1')
      seed.version(changelogId, '3', { publishedAt: START + 2, status: 'draft' })
      expect((await version(path)).body.data.version).toBe('1')
      seed.version(changelogId, '2', { publishedAt: START + 1 })
      const { body, etag } = await version(path)
      expect(body.data.version).toBe('2')
      expect((await server.get(path, { 'if-none-match': etag ?? '' })).status).toBe(304)
    })

    test('that is hidden is the same 404 by its label, and so is latest where nothing is published', async () => {
      for (const path of [
        publicPath('acme', 'app', '/versions/3.0.0'),
        publicPath('acme', 'app', '/versions/9.9.9'),
        publicPath('acme', 'app', '/versions/other'),
        publicPath('acme', 'app', '/versions/%00'),
        publicPath('acme', 'drafts', '/versions/latest'),
        publicPath('acme', 'hidden', '/versions/latest'),
        publicPath('acme', 'hidden', '/versions/1.2.0'),
        publicPath('acme', 'nothing', '/versions/latest'),
      ])
        for (let time = 0; time < 2; time++)
          expect({ path, fingerprint: await fingerprint(await server.get(path)) }).toEqual({
            path,
            fingerprint: missing,
          })
      expect((await server.get(keyedPath('acme', 'drafts', '/versions/latest'), key)).status).toBe(404)
      expect((await server.get(keyedPath('acme', 'app', '/versions/latest'))).status).toBe(401)
    })
  })
})
