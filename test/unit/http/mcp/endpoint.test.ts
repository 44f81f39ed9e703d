import { describe, expect, test } from 'bun:test'
import { withReads } from '../../../../src/store/queries/reads.ts'
import type { Store } from '../../../../src/store/store.ts'
import { createOutage, noting, openHandler } from '../../../support/servers/handler.ts'
import { message } from '../../../support/servers/mcp.ts'
import { bearer, GATED, LOGIN, type Settings } from '../../../support/servers/server.ts'

function openWith(settings: Settings = {}, around?: (store: Store) => Store) {
  const server = openHandler(settings, around)
  const acme = server.seed.team('acme')
  const app = server.seed.product(acme, 'app')
  server.seed.version(app.changelogId, '1.0.0', { changes: [{ type: 'added', title: 'Everything' }] })
  server.seed.version(app.changelogId, '2.0.0', { status: 'draft' })
  const post = async (init: RequestInit, headers: Record<string, string> = {}) => {
    const all = { ...(init.headers as Record<string, string>), ...headers }
    return server.send('POST', '/mcp', all, null, init.body ?? null)
  }
  /** The text of an answer. */
  const ask = async (name: string, given: object, headers = {}) => {
    const response = await post(message('tools/call', { name, arguments: given }), headers)
    const { result } = JSON.parse(await response.text())
    return { isError: result.isError ?? false, text: result.content[0].text as string }
  }
  return { ...server, post, ask, key: server.seed.key(acme).token }
}

describe('the address of agents', () => {
  test('is not there with MCP=off: it is as any that does not exist', async () => {
    using server = openWith({ MCP: 'off' })
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
      const [own, other] = await Promise.all(
        ['/mcp', '/nothing'].map((path) =>
          server.send(method, path, {}, null, method === 'POST' ? '{}' : null),
        ),
      )
      expect({ method, status: own?.status, body: await own?.text() }).toEqual({
        method,
        status: other?.status,
        body: await other?.text(),
      })
    }
  })

  test('counts as public requests do, each message once, and keys do not', async () => {
    using server = openWith({ RATE_LIMIT_BURST: '3', RATE_LIMIT_PER_MINUTE: '1' })
    for (const left of [2, 1, 0]) {
      const response = await server.post(message('tools/list'))
      expect(response.status).toBe(200)
      expect(response.headers.get('ratelimit')).toStartWith(`"public";r=${left};`)
    }
    const refused = await server.post(message('tools/list'))
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBeTruthy()
    expect((await server.get('/changelog/acme/app')).status).toBe(429)
    for (let time = 0; time < 5; time++)
      expect((await server.post(message('tools/list'), bearer(server.key))).status).toBe(200)
  })

  test('is behind the password, which a key does not replace', async () => {
    using server = openWith(GATED)
    expect((await server.post(message('tools/list'))).status).toBe(401)
    expect((await server.post(message('tools/list'), bearer(server.key))).status).toBe(401)
    const wrong = { authorization: `Basic ${btoa('vera:else')}` }
    expect((await server.post(message('tools/list'), wrong)).status).toBe(401)
    const draft = { changelog: 'acme/app', version: '2.0.0' }
    expect((await server.ask('get_version', draft, LOGIN)).isError).toBe(true)
    const both = { ...bearer(server.key), 'x-site-authorization': LOGIN.authorization }
    expect((await server.ask('get_version', draft, both)).isError).toBe(false)
  })

  test('lists no changelogs where pages list none, and reads those that are named', async () => {
    for (const PAGES of ['unlisted', 'off']) {
      using server = openWith({ PAGES })
      expect(await server.ask('list_changelogs', {})).toEqual({
        isError: true,
        text: 'This server does not list its changelogs. Name one.',
      })
      expect((await server.ask('get_changelog', { changelog: 'acme/app' })).text).toContain('Everything')
      expect((await server.ask('list_changelogs', {}, bearer(server.key))).text).toContain('acme/app')
    }
  })

  test('reads what was asked before from the cache, for the same arguments in any order, until it changes', async () => {
    let reads = 0
    using server = openWith(
      {},
      noting(['readChangelog'], () => reads++),
    )
    const given = { changelog: 'acme/app', limit: 5, kind: 'added' }
    const first = await server.ask('get_changelog', given)
    const before = reads
    expect(await server.ask('get_changelog', { kind: 'added', limit: 5, changelog: 'acme/app' })).toEqual(
      first,
    )
    expect(reads).toBe(before)
    await server.ask('get_changelog', given, bearer(server.key))
    expect(reads).toBeGreaterThan(before)
    server.seed.db.run("UPDATE change SET title = 'Everything else'")
    expect((await server.ask('get_changelog', given)).text).toContain('Everything else')
  })

  test('replies to the same message as it did at first, each with its own id', async () => {
    using server = openWith()
    const send = async (id: unknown) => {
      const params = { name: 'get_version', arguments: { changelog: 'acme/app', version: '1.0.0' } }
      const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })
      const response = await server.post({ ...message('x'), body })
      return { status: response.status, ...JSON.parse(await response.text()) }
    }
    const first = await send(1)
    expect(first).toMatchObject({ status: 200, id: 1, result: { structuredContent: { version: '1.0.0' } } })
    for (const id of [1, 2, 'a"}', '']) expect(await send(id)).toEqual({ ...first, id })
    for (const id of [1.5, null, {}]) expect((await send(id)).status).not.toBe(200)
    server.seed.db.run("UPDATE version SET label = '1.0.1' WHERE label = '1.0.0'")
    expect((await send(4)).result).toMatchObject({ isError: true })
  })

  test('knows no tool by the name of what every object has', async () => {
    using server = openWith()
    for (const name of ['nothing', 'constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      const response = await server.post(message('tools/call', { name, arguments: {} }))
      const { error } = JSON.parse(await response.text())
      expect(error).toEqual({ code: -32602, message: `Tool ${name} not found` })
    }
  })

  test('reports nothing of an agent that leaves before its answer is there', async () => {
    const leaving = new AbortController()
    using server = openWith({}, (store) => ({
      ...store,
      snapshot: async (work) => {
        leaving.abort()
        return store.snapshot(work)
      },
    }))
    const { body = null, headers } = message('tools/call', {
      name: 'get_version',
      arguments: { changelog: 'acme/app', version: '1.0.0' },
    })
    await server.send('POST', '/mcp', headers as Record<string, string>, leaving.signal, body)
    expect(server.errors).toEqual([])
  })

  test('tells nobody what a key was told before, in the same words', async () => {
    using server = openWith()
    const draft = { changelog: 'acme/app', version: '2.0.0' }
    const other = server.seed.key(server.seed.team('other')).token
    for (let time = 0; time < 2; time++) {
      expect((await server.ask('get_version', draft, bearer(server.key))).isError).toBe(false)
      expect((await server.ask('get_version', draft)).isError).toBe(true)
      expect((await server.ask('get_version', draft, bearer(other))).isError).toBe(true)
    }
    server.seed.db.run("UPDATE api_key SET status = 'disabled'")
    expect((await server.post(message('tools/list'), bearer(server.key))).status).toBe(401)
  })

  test('says that the database does not answer, and nothing of what failed', async () => {
    const outage = createOutage()
    using server = openWith({}, outage.around)
    outage.begin()
    expect(await server.ask('get_changelog', { changelog: 'acme/app' })).toEqual({
      isError: true,
      text: 'The database is not responding. Try again in a moment.',
    })
    const failing = (read: string) => () => Promise.reject(new Error(`a secret of ${read}`))
    using broken = openWith({}, (store) =>
      withReads(store, () => ({ readVersion: failing('versions'), readDirectory: failing('lists') })),
    )
    expect(await broken.ask('get_version', { changelog: 'acme/app', version: '1.0.0' })).toEqual({
      isError: true,
      text: 'The server failed. The error is in its log.',
    })
    const listed = await broken.post(message('resources/list', {}))
    expect(await listed.json()).toMatchObject({
      error: { message: 'The server failed. The error is in its log.' },
    })
    expect(broken.errors.map(String)).toEqual(['Error: a secret of versions', 'Error: a secret of lists'])
  })
})
