import { afterAll, describe, expect, test } from 'bun:test'
import { UNIX_PEERS } from '../../../../src/domain/addresses/ip-address.ts'
import { createResponseHeaders } from '../../../../src/http/answers/headers.ts'
import { createResponder } from '../../../../src/http/answers/responder.ts'
import { createCache } from '../../../../src/http/cache.ts'
import { errorResponse } from '../../../../src/http/request/errors.ts'
import { noting, openHandler, openStore } from '../../../support/servers/handler.ts'
import { publicPath } from '../../../support/servers/server.ts'

describe('content that is hidden and content that is missing', () => {
  /** How often the store was asked whether there is such a product. */
  let reads = 0
  const counted = noting(['readStamp'], () => reads++)
  const server = openHandler({}, counted)
  const { seed } = server
  const teamId = seed.team('acme')
  const { changelogId } = seed.product(teamId, 'app')
  seed.product(teamId, 'draft', { status: 'draft' })
  const draft = seed.version(changelogId, '2', { status: 'draft' })
  const secret = seed.product(seed.team('secret', { visibility: 'private' }), 'app')
  const secretVersion = seed.version(secret.changelogId, '1')
  const pairs: [hidden: string, missing: string][] = [
    [publicPath('secret', 'app'), publicPath('ghosts', 'app')],
    [publicPath('acme', 'draft'), publicPath('acme', 'ghost')],
    [publicPath('acme', 'app', `/versions/${draft}`), publicPath('acme', 'app', '/versions/ver_0')],
    [publicPath('acme', 'app', `/versions/${secretVersion}`), publicPath('acme', 'app', '/versions/ver_1')],
    [publicPath('acme', 'draft', '/versions/latest'), publicPath('acme', 'ghost', '/versions/latest')],
  ]
  afterAll(() => server[Symbol.dispose]())

  const readsFor = async (path: string): Promise<number> => {
    const before = reads
    expect((await server.get(path)).status).toBe(404)
    return reads - before
  }

  /** A commit, after which nothing is cached. */
  const change = () => server.seed.db.run('UPDATE team SET created_at = created_at + 1')

  test('are looked up once until the data changes, whatever the query', async () => {
    for (const path of pairs.flat()) {
      change()
      expect(await readsFor(`${path}?after=1`)).toBe(1)
      for (const query of ['', '?after=2', '?limit=5', '?since=2026-01-01&include=changes'])
        expect({ path, query, reads: await readsFor(path + query) }).toEqual({ path, query, reads: 0 })
    }
  })

  test('in a changelog that is there, are labels to be newer than, and only these are not found', async () => {
    const path = publicPath('acme', 'app')
    for (const label of ['2', 'nothing']) {
      change()
      expect([
        await readsFor(`${path}?after=${label}`),
        await readsFor(`${path}?after=${label}&limit=1`),
      ]).toEqual([1, 0])
      expect((await server.get(path)).status).toBe(200)
    }
  })

  test('a name with a slash in it is not taken for two names', async () => {
    const { changelogId } = server.seed.product(teamId, 'split')
    const id = server.seed.version(changelogId, '1')
    expect((await server.get(publicPath('acme', `split%2Fchangelog%2Fversions%2F${id}`))).status).toBe(404)
    expect((await server.get(publicPath('acme', 'split', `/versions/${id}`))).status).toBe(200)
  })

  test('a plus sign in a path is looked up once, escaped or not', async () => {
    change()
    expect([
      await readsFor(publicPath('a+b', 'app')),
      await readsFor(publicPath('a%2Bb', 'app')),
      await readsFor(publicPath('a%2bb', 'app')),
    ]).toEqual([1, 0, 0])
  })
})

test('a missing name is answered alike at every address, whichever asked for it first', async () => {
  using opened = openStore()
  const { respond, isNotFound } = createResponder(
    opened.store,
    createCache(opened.store, 0),
    createResponseHeaders(60, false, ''),
    0,
  )
  const ask = (target: string) => {
    const address = () => UNIX_PEERS.network
    const context = {
      target,
      asMarkdown: false,
      request: new Request('http://x'),
      address,
      refuse: errorResponse,
    }
    return respond('public', context, { team: 'ghosts' }, async () => null)
  }
  for (const target of ['/changelog/ghosts', '/changelog/ghosts/feed.atom']) {
    expect((await ask(target)).status).toBe(404)
    expect({ target, isKnown: isNotFound(target) }).toEqual({ target, isKnown: true })
  }
})
