import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Source } from '../../../src/domain/records.ts'
import { type Checked, check } from '../../../src/sources/check.ts'
import type { CheckContext } from '../../../src/sources/check-context.ts'
import { describeNeeding } from '../../support/needs.ts'
import { scratch } from '../../support/scratch.ts'
import { type Far, far } from '../../support/servers/far.ts'
import { PlayedHost } from '../../support/servers/played-host.ts'
import { DAY, givenOf, labels, NOW, sourceOf } from '../../support/source.ts'

const KINDS = ['github', 'gitlab', 'forgejo'] as const
const CHANGELOG = '# Changelog\n\n## 1.1.0 - 2026-02-03\n\n- More\n\n## 1.0.0 - 2026-01-02\n\n- First\n'
const many = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ tag: `v${count - at}.0`, body: `- Number ${count - at}` }))

describeNeeding('openssl', Bun.which('openssl') !== null, 'a repository at a host', () => {
  let net: Far
  let place: ReturnType<typeof scratch>
  beforeAll(async () => {
    net = await far()
  })
  afterAll(() => net[Symbol.asyncDispose]())
  beforeEach(() => {
    place = scratch()
  })
  afterEach(() => place[Symbol.dispose]())

  describe.each(KINDS)('of %s', (kind) => {
    let host: PlayedHost
    let origin: string
    beforeEach(() => {
      host = new PlayedHost(kind)
      origin = net.https(`${kind}.test`, host.handler)
    })
    const source = (fields: Partial<Source> = {}) =>
      sourceOf(`${origin}/acme/app`, { hostKind: kind, ...fields })
    const ask = (what: Source, memory: Checked['memory'] = {}, given: Partial<CheckContext> = {}) =>
      check(what, memory, givenOf({ network: net.network, ...given }))

    test('gives its releases as import reads them', async () => {
      host.releases = [
        { tag: 'v1.1.0', name: 'The second', body: '### Added\n\n- Search\n', date: '2026-02-03T04:05:06Z' },
        { tag: 'v1.0.0', body: '- First' },
      ]
      const checked = await ask(source())
      expect(checked).toMatchObject({
        state: 'fetched',
        isWhole: true,
        input: {
          format: kind === 'gitlab' ? 'gitlab' : 'github',
          parsed: {
            versions: [
              {
                ...{ label: 'v1.1.0', title: 'The second', status: 'published' },
                date: Date.parse('2026-02-03T04:05:06Z'),
                changes: [{ type: 'added', title: 'Search' }],
              },
              { label: 'v1.0.0', title: 'v1.0.0' },
            ],
          },
        },
      })
    })

    test('is asked with one conditional request as long as nothing changes', async () => {
      host.releases = many(2)
      const first = await ask(source())
      host.taken()
      const second = await ask(source(), first.memory)
      expect(second.state).toBe('unchanged')
      expect(host.taken()).toEqual([expect.stringMatching(/^304 /)])
      host.releases = many(3)
      expect(labels(await ask(source(), second.memory))).toEqual(['v3.0', 'v2.0', 'v1.0'])
    })

    test('is unchanged if only the number of downloads has changed', async () => {
      host.releases = many(2)
      const { memory } = await ask(source())
      host.taken()
      host.downloads++
      expect((await ask(source(), memory)).state).toBe('unchanged')
      expect(host.taken()).toEqual([expect.stringMatching(kind === 'gitlab' ? /^304 / : /^200 /)])
    })

    test('is read to its last page at first and once a day, otherwise only as far as there is news', async () => {
      const pageSize = kind === 'forgejo' ? 50 : 100
      host.releases = many(3 * pageSize)
      const first = await ask(source())
      expect(labels(first)).toHaveLength(3 * pageSize)
      expect(host.taken()).toHaveLength(3)

      host.releases = many(3 * pageSize + 1)
      const second = await ask(source(), first.memory)
      expect(second).toMatchObject({ state: 'fetched', isWhole: false })
      expect(labels(second)).toHaveLength(pageSize)
      expect(host.taken()).toHaveLength(1)

      host.releases = many(4 * pageSize + 2)
      expect(labels(await ask(source(), second.memory))).toHaveLength(2 * pageSize)
      expect(host.taken()).toHaveLength(2)

      const old = host.releases.at(-1)
      if (old) old.body = '- Edited after years'
      const sameDay = await ask(source(), second.memory, { now: NOW + DAY - 1 })
      expect(sameDay).toMatchObject({ isWhole: false })
      host.taken()
      const nextDay = await ask(source(), sameDay.memory, { now: NOW + DAY })
      expect(nextDay).toMatchObject({ state: 'fetched', isWhole: true })
      expect(labels(nextDay)).toHaveLength(4 * pageSize + 2)
      expect(host.taken()).toHaveLength(5)
      expect((await ask(source(), nextDay.memory, { now: NOW + 2 * DAY })).state).toBe('unchanged')
      expect(host.taken()).toHaveLength(5)
    })

    test('gives a file at a ref, and asks for it conditionally', async () => {
      host.files.set('release/2:docs/A & B #1.md', CHANGELOG)
      const file = source({ kind: 'file', file: 'docs/A & B #1.md', ref: 'release/2' })
      const first = await ask(file)
      expect(labels(first)).toEqual(['1.1.0', '1.0.0'])
      host.taken()
      expect((await ask(file, first.memory)).state).toBe('unchanged')
      expect(host.taken()).toEqual([expect.stringMatching(/^304 /)])
      host.files.set('release/2:docs/A & B #1.md', `${CHANGELOG}\n## 0.9.0\n\n- Older\n`)
      expect(labels(await ask(file, first.memory))).toEqual(['1.1.0', '1.0.0', '0.9.0'])
    })

    test('gives CHANGELOG.md of its default branch if it has no releases, and its releases once it has', async () => {
      host.files.set('main:CHANGELOG.md', CHANGELOG)
      const first = await ask(source())
      expect(labels(first)).toEqual(['1.1.0', '1.0.0'])
      host.taken()
      host.releases = many(1)
      expect((await ask(source(), first.memory, { now: NOW + DAY - 1 })).state).toBe('unchanged')
      expect(host.taken()).toEqual([expect.stringMatching(/^304 .*CHANGELOG/)])
      expect(labels(await ask(source(), first.memory, { now: NOW + DAY }))).toEqual(['v1.0'])
    })

    test('is found out by what it answers, without the token', async () => {
      host.releases = many(1)
      writeFileSync(join(place.path, 'token'), 's3cret\n')
      const tokenFile = join(place.path, 'token')
      const first = await ask(source({ hostKind: null, tokenFile }))
      expect(labels(first)).toEqual(['v1.0'])
      const probes = host.requests.filter(({ target }) => !target.includes('/releases'))
      expect(probes.length).toBeGreaterThan(0)
      expect(JSON.stringify(probes.map(({ headers }) => [...headers]))).not.toContain('s3cret')
      host.taken()
      expect((await ask(source({ hostKind: null }), first.memory)).state).toBe('unchanged')
      expect(host.taken()).toHaveLength(1)
    })

    test('gets a token from its file, which is nowhere else', async () => {
      host.releases = many(1)
      host.token = 's3cret'
      writeFileSync(join(place.path, 'token'), 's3cret\n')
      const withToken = source({ tokenFile: join(place.path, 'token') })
      const checked = await ask(withToken)
      expect(labels(checked)).toEqual(['v1.0'])
      writeFileSync(join(place.path, 'token'), 'wr0ng\n')
      const refused = await ask(withToken, checked.memory)
      expect(labels(refused)).toBe(
        `failed: ${new URL(origin).host} rejected the token. It is wrong or has expired.`,
      )
      expect(JSON.stringify([checked, refused, host.requests.map(({ target }) => target)])).not.toMatch(
        /s3cret|wr0ng/,
      )
      expect(labels(await ask(source()))).toMatch(
        /^failed: .* has no repository acme\/app, or your token cannot read it.$/,
      )
    })

    test('is read where it has moved to for good, with its new address, which is asked for once', async () => {
      host.releases = many(1)
      const { memory } = await ask(source())
      host.moved = 301
      // Its new address is not told: that is no reason to fail.
      host.fault = ({ url }) => (/\/1$/.test(url) ? Response.redirect(url) : null)
      expect(await ask(source(), memory)).toMatchObject({ state: 'unchanged', memory: { moved: null } })
      host.fault = null
      const moved = await ask(source(), memory)
      expect(moved).toMatchObject({ state: 'unchanged', memory: { moved: `${origin}/new/app` } })
      host.taken()
      expect((await ask(source(), moved.memory)).memory).toEqual(moved.memory)
      expect(host.taken()).toHaveLength(2)
      host.moved = 302
      expect((await ask(source(), moved.memory)).memory).toMatchObject({ moved: null })
    })

    test('leads no token to another host, whatever the links of its pages say', async () => {
      const pageSize = kind === 'forgejo' ? 50 : 100
      let visited = 0
      const elsewhere = net.https('elsewhere.test', () => {
        visited++
        return Response.json([])
      })
      host.token = 's3cret'
      writeFileSync(join(place.path, 'token'), 's3cret')
      host.releases = many(2 * pageSize)
      const handler = net.https(`${kind}.test`, async (request) => {
        const response = await host.handler(request)
        const link = response.headers.get('link')
        if (link) response.headers.set('link', link.replaceAll(/<https:\/\/[^/]+/g, `<${elsewhere}`))
        return response
      })
      const withToken = sourceOf(`${handler}/acme/app`, {
        ...{ hostKind: kind, tokenFile: join(place.path, 'token') },
      })
      expect(labels(await ask(withToken))).toHaveLength(2 * pageSize)
      expect(visited).toBe(0)
    })

    // What follows is decided by code that all hosts share.
    if (kind !== 'github') return

    test('gives everything again if it is asked to, and is found out anew for that', async () => {
      host.releases = many(2)
      const { memory } = await ask(source({ hostKind: null }))
      host.taken()
      expect(labels(await ask(source({ hostKind: null }), memory, { full: true }))).toEqual(['v2.0', 'v1.0'])
      expect(host.taken().filter((target) => !target.includes('/releases')).length).toBeGreaterThan(0)
    })

    test('gives an edited release', async () => {
      host.releases = many(2)
      const { memory } = await ask(source())
      host.releases = [{ tag: 'v2.0', body: '- Number two, edited' }, ...many(1)]
      expect(await ask(source(), memory)).toMatchObject({
        input: { parsed: { versions: [{ changes: [{ title: 'Number two, edited' }] }, {}] } },
      })
    })

    test('is read as a whole if its newest releases have lost most of their text', async () => {
      host.releases = many(101)
      const { memory } = await ask(source())
      host.releases = host.releases.map(({ tag }) => ({ tag, body: '' }))
      expect(await ask(source(), memory)).toMatchObject({ isWhole: true, text: { now: 0 } })
    })

    test('is not taken as whole if it has more pages than are read, and says so', async () => {
      let asked = 0
      const text = { body: '- One', description: '- One' }
      const endless = net.https(`${kind}.test`, ({ url }) => {
        asked++
        const page = Number(new URL(url).searchParams.get('page') ?? 1)
        const headers = { link: `<https://x/?page=${page + 1}>; rel="next"` }
        return Response.json([{ tag_name: `v${1_000 - page}.0`, ...text }], { headers })
      })
      const what = sourceOf(`${endless}/acme/app`, { hostKind: kind, kind: 'releases' })
      const first = await ask(what)
      expect(first).toMatchObject({
        isWhole: false,
        input: {
          parsed: { warnings: [{ message: 'only the newest 200 pages were read; older releases are kept' }] },
        },
      })
      expect(labels(first)).toHaveLength(200)
      expect(asked).toBe(200)
      expect((await ask(what, first.memory)).state).toBe('unchanged')
      expect(asked).toBe(201)
    })

    test('fails if its pages take too long in all', async () => {
      const slow = net.https(`${kind}.test`, ({ url }) =>
        url.includes('page=2')
          ? new Promise<Response>(() => {})
          : Response.json([{ tag_name: 'v1' }], { headers: { link: '<https://x/?page=2>; rel="next"' } }),
      )
      const what = sourceOf(`${slow}/acme/app`, { hostKind: kind, kind: 'releases' })
      expect(labels(await ask(what, {}, { mostMs: 500 }))).toBe(
        'failed: Reading the source took longer than 0.5 seconds.',
      )
    })

    test('gives CHANGELOG.md if its releases are switched off', async () => {
      host.files.set('main:CHANGELOG.md', CHANGELOG)
      host.fault = ({ url }) => (url.includes('/releases') ? new Response('{}', { status: 404 }) : null)
      expect(labels(await ask(source()))).toEqual(['1.1.0', '1.0.0'])
    })

    test('fails if its releases are gone, and does not turn to its file', async () => {
      host.releases = many(1)
      host.files.set('main:CHANGELOG.md', CHANGELOG)
      const { memory } = await ask(source())
      host.releases = []
      const checked = await ask(source(), memory)
      expect(checked).toMatchObject({ state: 'failed', reason: 'acme/app has no releases any more.', memory })
    })

    test('fails without releases and file', async () => {
      expect(labels(await ask(source()))).toBe(
        'failed: acme/app has neither releases nor a file CHANGELOG.md.',
      )
      expect(labels(await ask(source({ kind: 'releases' })))).toBe('failed: acme/app has no releases.')
      expect(labels(await ask(source({ kind: 'file' })))).toStartWith('failed: ')
    })

    test('gives no pre-releases if only stable releases are followed', async () => {
      host.releases = [
        { tag: 'v1.1.0', body: '- Later', prerelease: true },
        { tag: 'v1.1.0-rc.1', body: '- Soon' },
        { tag: '1.1.0.RC1', body: '- Soon' },
        { tag: 'v1.0.1rc2', body: '- Soon' },
        { tag: 'v1.0.0-2', body: '- Packed again' },
        { tag: 'v1.0.0', body: '- First' },
      ]
      const isTold = kind === 'github' || kind === 'forgejo'
      const all = [...(isTold ? [] : ['v1.1.0']), 'v1.0.0-2', 'v1.0.0']
      expect(labels(await ask(source({ stable: true })))).toEqual(all)
    })

    test('may hold several products, told apart by the beginning of their tags', async () => {
      host.releases = [
        { tag: 'app@1.1.0', body: '- App' },
        { tag: 'lib@2.0.0', body: '- Lib' },
        { tag: 'app@1.0.0', name: 'First app', body: '- App' },
      ]
      const app = await ask(source({ tagPrefix: 'app@' }))
      expect(app).toMatchObject({
        input: {
          parsed: {
            versions: [
              { label: '1.1.0', title: '1.1.0' },
              { label: '1.0.0', title: 'First app' },
            ],
          },
        },
      })
      expect(labels(await ask(source({ tagPrefix: 'cli@' })))).toBe(
        'failed: No release of acme/app starts with cli@.',
      )
    })

    test.each<[string, () => Response]>([
      ['a web page to sign in', () => new Response('<!doctype html>\n<html>Sign in</html>')],
      ['JSON that is no list', () => Response.json({ message: 'hello' })],
      ['a list of something else', () => Response.json([{ id: 1 }])],
      ['half of the JSON', () => new Response('[{"tag_name": "v1.0", "na')],
      ['nothing', () => new Response('')],
      ['bytes that are no text', () => new Response(new Uint8Array([0xff, 0xfe, 0x00]))],
      ['status 500', () => new Response('oops', { status: 500 })],
      ['status 403', () => Response.json({ message: 'Resource not accessible' }, { status: 403 })],
      ['status 404', () => Response.json({ message: 'Not Found' }, { status: 404 })],
      ['status 204', () => new Response(null, { status: 204 })],
    ])('fails with a sentence and changes nothing for %s', async (_, fault) => {
      host.releases = many(1)
      const { memory } = await ask(source())
      host.fault = fault
      const checked = await ask(source(), memory)
      expect(checked.state).toBe('failed')
      expect(labels(checked)).toMatch(/^failed: [^\n<>{}]{10,200}\.$/)
      expect(checked.memory).toEqual(memory)
    })

    test('is left alone for as long as it says', async () => {
      host.releases = many(1)
      const { memory } = await ask(source())
      for (const [headers, until] of [
        [{ 'retry-after': '120' }, NOW + 120_000],
        [{ 'retry-after': 'Mon, 16 Nov 2026 12:30:00 GMT' }, NOW + 1_800_000],
        [{ 'retry-after': '9999999' }, NOW + DAY],
        [{}, NOW + 60_000],
      ] as [Record<string, string>, number][]) {
        host.fault = () => new Response('Retry later\n', { status: 429, headers })
        const checked = await ask(source(), memory)
        expect(checked).toMatchObject({ state: 'postponed', until, memory })
      }
      // Whoever has a token needs no word about one, also while the kind is found out without it.
      writeFileSync(join(place.path, 'token'), 's3cret\n')
      const withToken = source({ hostKind: null, tokenFile: join(place.path, 'token') })
      expect(await ask(withToken)).toMatchObject({ state: 'postponed', remedy: null })
      host.fault = () => new Response('down', { status: 503, headers: { 'retry-after': '600' } })
      expect(await ask(source(), memory)).toMatchObject({ state: 'postponed', until: NOW + 600_000 })
    })
  })
})
