import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { Unavailable } from '../../../../src/domain/refusal.ts'
import { createResponseHeaders } from '../../../../src/http/answers/headers.ts'
import { type Content, createResponder, long } from '../../../../src/http/answers/responder.ts'
import { createCache } from '../../../../src/http/cache.ts'
import type { Context } from '../../../../src/http/request/context.ts'
import { Trace } from '../../../../src/http/request/trace.ts'
import type { Audience } from '../../../../src/store/store.ts'
import { openStore } from '../../../support/servers/handler.ts'

/** A responder over a real store, asked without routes around it. */
describe('what the routes make', () => {
  const MIB = 2 ** 20
  /** Of no product, whose stamp would be asked for. */
  const NAMES = { team: 'acme' }
  const KEYED: Audience = { teamId: 'team_1', kind: 'FULL', keyId: 'key_1' } as Audience
  const TEXT = 'x'.repeat(2_000)
  let opened: ReturnType<typeof openStore>
  let away = 0
  beforeEach(() => {
    away = 0
    opened = openStore()
    opened.seed.team('acme')
  })
  afterEach(() => opened[Symbol.dispose]())

  const responderOf = (bytes = MIB) => {
    const store = { ...opened.store, unconfirmedFor: () => away }
    const cache = createCache(store, 300_000)
    return createResponder(store, cache, createResponseHeaders(60, false, 'policy'), bytes)
  }
  const contextOf = (target: string, given: Partial<Context> & { accept?: string } = {}): Context => ({
    target,
    asMarkdown: false,
    request: {
      headers: new Headers({ 'accept-encoding': given.accept ?? 'identity' }),
      signal: new AbortController().signal,
    },
    address: () => [0, 0, 0xffff, 1],
    refuse: (code, message) => new Response(`${code} ${message}`, { status: 404 }),
    ...given,
  })
  const body = (text: string, type?: string): Content => ({
    kind: 'body',
    text,
    headers: {},
    ...(type && { type }),
  })
  /** How often it is made, and what is sent. */
  const asking = (responder: ReturnType<typeof responderOf>, audience: Audience = 'public') => {
    let made = 0
    const ask = async (
      target: string,
      content: Content = body(TEXT),
      given?: Parameters<typeof contextOf>[1],
    ) =>
      responder.respond(audience, contextOf(target, given), NAMES, async () => {
        made++
        return content
      })
    return { ask, made: () => made }
  }

  test('is kept in exactly three quarters of the bytes that the cache may have', async () => {
    const target = '/a/b'
    const bytes = Math.ceil((4 / 3) * (TEXT.length + 2 * target.length + 2_816))
    for (const [most, expected] of [
      [bytes, 1],
      [bytes - 1, 2],
    ] as const) {
      const { ask, made } = asking(responderOf(most))
      await ask(target)
      expect(await (await ask(target)).text()).toBe(TEXT)
      expect(made()).toBe(expected)
    }
  })

  test('leaves three quarters of the cache to what are no pictures', async () => {
    const entry = TEXT.length + 2 * '/1.webp'.length + 2_816
    const { ask, made } = asking(responderOf(8 * entry))
    await ask('/page')
    for (let at = 0; at < 3; at++) await ask(`/${at}.webp`, body(TEXT, 'image/webp'))
    const before = made()
    for (const kept of ['/page', '/2.webp', '/1.webp']) await ask(kept)
    expect(made()).toBe(before)
    await ask('/0.webp', body(TEXT, 'image/webp'))
    expect(made()).toBe(before + 1)
  })

  test('is sent encoded as its client wants, but a picture as it is', async () => {
    const { ask } = asking(responderOf())
    const encodingOf = async (target: string) =>
      (await ask(target, body(TEXT), { accept: 'gzip' })).headers.get('content-encoding')
    expect([await encodingOf('/page'), await encodingOf('/1.webp')]).toEqual(['gzip', null])
  })

  test('is kept for each audience, and for a page and its Markdown, by itself', async () => {
    const responder = responderOf()
    const [open, keyed] = [asking(responder), asking(responder, KEYED)]
    const textOf = async (response: Promise<Response>) => (await response).text()
    const asMarkdown = { asMarkdown: true }
    expect(await textOf(open.ask('/a', body('public')))).toBe('public')
    expect(await textOf(keyed.ask('/a', body('keyed')))).toBe('keyed')
    expect(await textOf(open.ask('/a', body('markdown'), asMarkdown))).toBe('markdown')
    expect(await textOf(keyed.ask('/a', body('keyed markdown'), asMarkdown))).toBe('keyed markdown')
    expect(await textOf(open.ask('/a', body('other')))).toBe('public')
    expect(await textOf(keyed.ask('/a', body('other')))).toBe('keyed')
    expect(await textOf(open.ask('/a', body('other'), asMarkdown))).toBe('markdown')
  })

  test('may lead elsewhere, with 302 unless it says how, and is not kept then', async () => {
    const { ask, made } = asking(responderOf())
    const sent = async (content: Content) => {
      const { status, headers } = await ask('/a', content)
      return [status, headers.get('location'), headers.get('vary')]
    }
    const headers = { vary: 'Accept' }
    expect(await sent({ kind: 'redirect', location: '/b', headers })).toEqual([302, '/b', 'Accept'])
    expect(await sent({ kind: 'redirect', location: '/c', status: 308, headers })).toEqual([
      308,
      '/c',
      'Accept',
    ])
    expect(made()).toBe(2)
  })

  test('may be a 404 in words of its own, which nobody keeps', async () => {
    const { ask, made } = asking(responderOf())
    for (const type of ['text/html', undefined]) {
      const response = await ask('/a', {
        kind: 'missing page',
        text: 'none',
        headers: { vary: 'x' },
        ...(type && { type }),
      })
      const { 'content-type': sent, ...others } = response.headers.toJSON()
      expect([response.status, await response.text()]).toEqual([404, 'none'])
      expect([sent || undefined, others]).toEqual([type, { vary: 'x', 'cache-control': 'no-store' }])
    }
    expect(made()).toBe(2)
  })

  test('is missing by name: each address is known from its second request on, and to the public alone', async () => {
    const responder = responderOf()
    const [open, keyed] = [asking(responder), asking(responder, KEYED)]
    expect((await keyed.ask('/keyed', null)).status).toBe(404)
    await keyed.ask('/keyed', null)
    expect([keyed.made(), responder.isNotFound('/keyed')]).toEqual([1, false])
    await open.ask('/a', null)
    expect(responder.isNotFound('/a')).toBe(true)
    await open.ask('/b', null)
    expect([open.made(), responder.isNotFound('/b')]).toEqual([1, true])
  })

  test('may lack one label, whose parameter the 404 names, and is looked up for others', async () => {
    const responder = responderOf()
    let made = 0
    const ask = async (target: string, label?: string) => {
      const make = async () => {
        made++
        return { kind: 'missing' as const, parameter: 'since' }
      }
      return (await responder.respond('public', contextOf(target), NAMES, make, label)).text()
    }
    expect(await ask('/a?after=1', '1')).toStartWith('not_found since names')
    expect([await ask('/a?limit=1&after=1', '1'), made]).toEqual([await ask('/a?after=1', '1'), 1])
    await ask('/a?after=2', '2')
    expect([made, responder.isNotFound('/a?after=1')]).toEqual([2, false])
  })

  test('is what it was while the store is away, to the public alone, and the log says so', async () => {
    const responder = responderOf()
    const [open, keyed] = [asking(responder), asking(responder, KEYED)]
    await open.ask('/a')
    await keyed.ask('/a')
    await responder.respond('public', contextOf('/b'), { teamSlug: 'none' }, async () => null)
    const missing = async () => ({ kind: 'missing' as const, parameter: 'after' })
    await responder.respond('public', contextOf('/l'), NAMES, missing, '1')
    away = 5_000
    const fail = async () => {
      throw new Unavailable('The engine is away.')
    }
    const trace = new Trace()
    const during = (audience: Audience, target: string, names: object = NAMES, label?: string) =>
      responder.respond(audience, contextOf(target, { trace }), names, fail, label)
    expect(await (await during('public', '/a')).text()).toBe(TEXT)
    expect(trace.cache).toBe('stale')
    expect((await during('public', '/b', { teamSlug: 'none' })).status).toBe(404)
    expect(await (await during('public', '/l?', NAMES, '1')).text()).toContain('after names no version')
    expect(during('public', '/c')).rejects.toThrow('The engine is away.')
    expect(during(KEYED, '/a')).rejects.toThrow('The engine is away.')
    const unrelated = responder.respond('public', contextOf('/a'), NAMES, async () => {
      throw new Error('a fault')
    })
    expect(unrelated).rejects.toThrow('a fault')
  })

  test('waits for its turn if it is long, and a client that has gone is logged with 499', async () => {
    const responder = responderOf()
    const gone = new AbortController()
    const given = contextOf('/a', { request: { headers: new Headers(), signal: gone.signal } })
    const begun = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    const inTurn = long(async () => {
      begun.resolve()
      await end.promise
      return body(TEXT)
    })
    const response = responder.respond('public', given, NAMES, async () => inTurn)
    await begun.promise
    gone.abort()
    end.resolve()
    expect((await response).status).toBe(499)
  })

  test('is refused to a client that waits for too much, by its address or key, and never where no address is known', async () => {
    const MOST = 2 + 64
    for (const [audience, address, isRefused] of [
      ['public', [0, 0, 0xffff, 1], true],
      ['public', [0, 0, 0, 0], false],
      [KEYED, [0, 0, 0, 0], true],
    ] as const) {
      const responder = responderOf()
      const end = Promise.withResolvers<void>()
      const asked = Array.from({ length: MOST + 1 }, (_, at) => {
        const make = async () => {
          await end.promise
          return body(TEXT)
        }
        return responder
          .long(contextOf(`/${at}`, { address: () => address }), NAMES, make, audience)
          .then(({ status }) => status)
          .catch((error: Error) => error.constructor.name)
      })
      await new Promise((resolve) => setImmediate(resolve))
      end.resolve()
      const busy = (await Promise.all(asked)).filter((each) => each === 'Busy')
      expect(busy).toHaveLength(isRefused ? 1 : 0)
    }
  })

  test('is public unless an audience is given, short or long', async () => {
    const responder = responderOf()
    const make = async () => body(TEXT)
    await responder.short(contextOf('/short'), NAMES, make)
    await responder.long(contextOf('/long'), NAMES, make)
    await responder.long(contextOf('/keyed'), NAMES, make, KEYED)
    const isKept = (target: string, audience: Audience = 'public') =>
      responder.cachedResponse(audience, contextOf(target)) !== undefined
    expect(['/short', '/long', '/keyed'].map((target) => isKept(target))).toEqual([true, true, false])
    expect(isKept('/keyed', KEYED)).toBe(true)
  })

  test('is built once if it never changes, and has the headers of public texts below its own', async () => {
    const responder = responderOf()
    let built = 0
    const ask = (accept: string) =>
      responder.fixed(contextOf('/openapi.json', { accept }), { 'cache-control': 'own' }, () => {
        built++
        return TEXT
      })
    const [plain, encoded] = [await ask('identity'), await ask('gzip')]
    expect([await plain.text(), encoded.headers.get('content-encoding'), built]).toEqual([TEXT, 'gzip', 1])
    expect(plain.headers.toJSON()).toMatchObject({
      'cache-control': 'own',
      'access-control-allow-origin': '*',
    })
  })
})
