import { afterAll, describe, expect, test } from 'bun:test'
import { Counters, createMemory } from '../../../src/http/metrics/counters.ts'
import { writeCursor } from '../../../src/http/reading/addresses.ts'
import { CONFIRMED_MS, type Store } from '../../../src/store/store.ts'
import { Random } from '../../support/random.ts'
import type { Seeder } from '../../support/seed.ts'
import { openHandler } from '../../support/servers/handler.ts'
import { bearer, fingerprint, keyedPath, publicPath } from '../../support/servers/server.ts'

const SETTINGS = { PUBLIC_URL: 'https://acme.test' }
const NOW = Date.UTC(2026, 10, 16)
const DAY = 86_400_000

interface Asked {
  path: string
  headers: Record<string, string>
}

/** Something of every kind, public and not; and the paths of all of it and of what does not exist. */
function fill(seed: Seeder): { asked: Asked[]; cursors: string[] } {
  const [acme, other] = [seed.team('acme'), seed.team('beta')]
  const [secret, quiet] = [seed.team('secret', { visibility: 'private' }), seed.team('quiet')]
  const app = seed.product(acme, 'app')
  const changes = [{ type: 'fixed', title: 'A *fix*' }]
  const ids = Array.from({ length: 30 }, (_, at) =>
    seed.version(app.changelogId, `1.${at}`, { publishedAt: NOW - at * DAY, changes }),
  )
  seed.version(app.changelogId, '2.0', { status: 'draft', publishedAt: NOW })
  // A list of more than 250 versions is cached by itself.
  const long = seed.product(acme, 'long')
  for (let at = 0; at < 260; at++) {
    const id = seed.version(long.changelogId, `1.${at}`, { publishedAt: NOW - at * DAY })
    if (at === 255) seed.formerLabel(long.changelogId, 'before', id)
  }
  seed.product(acme, 'draft', { status: 'draft' })
  seed.version(seed.product(other, 'tool').changelogId, '1.0', { publishedAt: NOW, changes })
  seed.version(seed.product(secret, 'app').changelogId, '1.0', { publishedAt: NOW })
  seed.product(quiet, 'app', { status: 'draft' })
  const keys = [seed.key(acme), seed.key(acme, { kind: 'SELECT', products: [app.id] })]
  const teams = ['acme', 'beta', 'secret', 'quiet', 'ghosts']
  const products = ['acme/app', 'acme/long', 'acme/draft', 'beta/tool', 'secret/app', 'ghosts/app']
  const names = ['1.0', '2.0', '9.9', 'latest', ids[3] as string]
  const pages = products.flatMap((product) =>
    [
      ...['', ...names.map((name) => `/${name}`), '.md', '/1.0.md', '/llms.txt'],
      ...['/feed.atom', '/feed.rss', '/feed.json', '/CHANGELOG.md', '/badge.svg'],
    ].map((rest) => `/changelog/${product}${rest}`),
  )
  const api = products.flatMap((product) => {
    const [team = '', name = ''] = product.split('/')
    return ['', ...names.map((name) => `/versions/${name}`)].map((rest) => [team, name, rest] as const)
  })
  const open = [
    ...['/', '/index.md', '/llms.txt', '/robots.txt', '/sitemap.xml', '/sitemap-pages.xml'],
    ...teams.flatMap((team) => ['', '.md', '/llms.txt'].map((rest) => `/changelog/${team}${rest}`)),
    ...pages,
    ...api.map((path) => publicPath(...path)),
  ].map((path) => ({ path, headers: {} }))
  const keyed = keys.flatMap(({ token }) =>
    api.map((path) => ({ path: keyedPath(...path), headers: bearer(token) })),
  )
  const positions = [ids[4], 'ver_0'].flatMap((id) =>
    [NOW - 4 * DAY, NOW + DAY, -1].map((publishedAt) => ({ publishedAt, id: id as string })),
  )
  return { asked: [...open, ...keyed], cursors: positions.map(writeCursor) }
}

const ODD = ['', ' ', '0', '-1', '1e3', '~', 'x'.repeat(300), '%00', '%ff', '%zz', '../..', '\'"<>', '💥']

/** Values for the parameters that mean something at a path. */
function parametersAt(path: string, cursor: readonly string[]): Record<string, readonly string[]> {
  const after = ['acme/app', 'acme/zzzz', 'beta/a', 'zz/zz', 'secret/a']
  const [, first, , product, rest] = path.split('/')
  if (path === '/' || path === '/index.md') return { after }
  if (path === '/sitemap-pages.xml') return { after, cursor }
  if (path.startsWith('/api/'))
    return path.endsWith('/changelog')
      ? {
          after: ['1.3', '2.0', '9.9', 'before'],
          cursor,
          limit: ['1', '100', '101'],
          since: ['2026-11-01', '2030-01-01', 'soon'],
          include: ['changes', 'nothing'],
          type: ['fixed', 'security'],
        }
      : {}
  if (first !== 'changelog') return {}
  if (product === undefined) return { after }
  if (rest === undefined) return { q: ['fix', 'nothing has this'], type: ['fixed', 'security'], cursor }
  if (rest === 'CHANGELOG.md') return { cursor }
  if (product === 'llms.txt' || rest === 'llms.txt') return {}
  return rest.startsWith('feed') || rest === 'latest' ? {} : { page: ['1', '2', '99'] }
}

/** The same path with each of the values, with an odd one, with a parameter that means nothing, and with several. */
function withQueries(random: Random, { path, headers }: Asked, cursors: readonly string[]): Asked[] {
  const given = Object.entries(parametersAt(path, cursors)).flatMap(([name, values]) =>
    [...values, random.pick(ODD)].map((value) => `${name}=${value}`),
  )
  const unknown = ['x=1', `utm_source=${random.pick(ODD)}`]
  const several = Array.from({ length: 3 }, () =>
    [random.pick([...given, ...unknown]), random.pick(unknown), random.pick([...given, ...unknown])].join(
      '&',
    ),
  )
  return [...given, ...unknown, ...several].map((query) => ({ path: `${path}?${query}`, headers }))
}

const shuffled = <T>(random: Random, values: readonly T[]): T[] =>
  values
    .map((value) => ({ value, place: random.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value)

test('no request, whatever its query, changes what another address answers', async () => {
  let isCaching = false
  // What was confirmed too long ago is not served from the cache.
  using server = openHandler(SETTINGS, (store) => ({
    ...store,
    unconfirmedFor: () => (isCaching ? store.unconfirmedFor() : CONFIRMED_MS),
  }))
  const { asked, cursors } = fill(server.seed)
  const random = new Random(21)
  const queried = shuffled(
    random,
    asked.flatMap((each) => withQueries(random, each, cursors)),
  )
  const all = [...asked, ...queried.slice(0, 600)]
  const answer = async ({ path, headers }: Asked) => fingerprint(await server.get(path, headers))
  const first = new Map<Asked, string>()
  for (const each of all) first.set(each, await answer(each))
  expect(new Set(first.values()).size).toBeGreaterThan(120)

  // A commit: nothing is cached any more.
  server.seed.db.run('UPDATE team SET created_at = created_at + 1')
  isCaching = true
  for (let round = 0; round < 2; round++)
    for (const each of shuffled(random, all))
      expect({ path: each.path, answer: await answer(each) }).toEqual({
        path: each.path,
        answer: first.get(each) as string,
      })
  expect(server.errors).toEqual([])
})

describe('a parameter that means nothing at an address', () => {
  const counters = new Counters(createMemory(1), 0)
  let reads = 0
  const counted = (store: Store): Store =>
    new Proxy(store, {
      get: (target, name: keyof Store) => {
        if (name.startsWith('read')) reads++
        return target[name]
      },
    })
  const server = openHandler(SETTINGS, counted, counters)
  const { asked } = fill(server.seed)
  afterAll(() => server[Symbol.dispose]())

  test('makes neither another response nor another entry of the cache, found or not', async () => {
    for (const { path, headers } of asked) {
      const query = new URLSearchParams(parametersOf(path)).toString()
      const [first, again] = query === '' ? [path, `${path}?`] : [`${path}?${query}`, `${path}?&${query}&`]
      const plain = await fingerprint(await server.get(first, headers))
      const before = { reads, ...counters.usage() }
      for (const other of [again, `${again}&x=1`, `${again}&x=%zz&X=2&__proto__=3`, `${again}&limits=1&Q`]) {
        const found = await fingerprint(await server.get(other, headers))
        expect({ other, found }).toEqual({ other, found: plain })
      }
      // A redirect is not cached: one read makes it. Nor is the page of a version that is missing.
      if (!/"status":302|There is no version/.test(plain))
        expect({ path, reads, ...counters.usage() }).toEqual({ path, ...before })
    }
  })

  test('nor does an Accept header: a page has one entry as HTML and one as Markdown', async () => {
    const names = ['text/html', '*/*', 'text/markdown', 'image/*', 'application/xhtml+xml']
    const random = new Random(7)
    const anyAccept = () =>
      Array.from({ length: 3 }, () => `${random.pick(names)};q=0.${random.below(10)}`).join(', ')
    for (const path of ['/', '/changelog/acme', '/changelog/acme/app', '/changelog/acme/app/1.0']) {
      for (const accept of ['text/html', 'text/markdown']) await server.get(path, { accept })
      const before = { reads, ...counters.usage() }
      const types = new Set<string | null>()
      for (let time = 0; time < 50; time++)
        types.add((await server.get(path, { accept: anyAccept() })).headers.get('content-type'))
      expect([...types].toSorted()).toEqual(['text/html; charset=utf-8', 'text/markdown; charset=utf-8'])
      expect({ path, reads, ...counters.usage() }).toEqual({ path, ...before })
    }
  })
})

/** One value for each of the parameters of a path. */
const parametersOf = (path: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parametersAt(path, [writeCursor({ publishedAt: NOW - 4 * DAY, id: 'ver_0' })]))
      .map(([name, [value = '']]) => [name, value])
      .filter(([name]) => name !== 'page'),
  )
