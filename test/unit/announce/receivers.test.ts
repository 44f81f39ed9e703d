import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createServer, type Socket } from 'node:net'
import type { HookKind } from '../../../src/domain/hook-kinds.ts'
import { Receiver } from '../../support/announcing/receiver.ts'
import { Rig } from '../../support/announcing/rig.ts'
import { describeNeeding } from '../../support/needs.ts'
import { type Far, far } from '../../support/servers/far.ts'
import { holdTimeouts } from '../../support/timers.ts'
import { until } from '../../support/until.ts'

describeNeeding('openssl', Bun.which('openssl') !== null, 'a receiver', () => {
  let net: Far
  beforeAll(async () => {
    net = await far()
  })
  afterAll(() => net[Symbol.asyncDispose]())

  const tries = async (rig: Rig, hookId: string) =>
    (await rig.bookkeeping.deliveries.list(hookId)).map(({ state, last }) => [
      state,
      last?.status,
      last?.answer,
    ])

  test('whose name leads to a private address meanwhile is told nothing', async () => {
    await using rig = await Rig.on('SQLite')
    rig.reach = { network: net.network, allowPrivate: false }
    let requests = 0
    const origin = net.https('rebound.test', () => new Response(`${++requests}`))
    const hook = await rig.hook(`${origin}/`)
    await rig.publish('1.0')
    await rig.round()
    expect(requests).toBe(0)
    expect(await tries(rig, hook.id)).toEqual([
      ['waiting', null, expect.stringMatching(/rebound\.test \(127.* private .*HOOKS_PRIVATE=true/)],
    ])
  })

  test('that answers a byte at a time is given up after a while, unless its status is there, and holds up no other', async () => {
    await using rig = await Rig.on('SQLite')
    using receiver = new Receiver()
    const sockets = new Set<Socket>()
    const dripping = (head: string) =>
      createServer((socket) => {
        sockets.add(socket)
        socket.on('error', () => {})
        socket.once('data', () => {
          socket.write(head)
          const drip = setInterval(() => socket.write('x'), 20)
          socket.on('close', () => clearInterval(drip))
        })
      })
    const servers = [
      dripping('HTTP/1.1 200 OK\r\nx-slow: '),
      dripping('HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n'),
    ]
    const slow = []
    for (const server of servers) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as { port: number }
      slow.push(await rig.hook(`http://127.0.0.1:${port}/`))
    }
    const quick = await rig.hook(receiver.url())
    await rig.publish('1.0')
    using timeouts = holdTimeouts(20_000)
    using seen = noteResponses()
    const round = rig.round()
    await until(async () => (await tries(rig, quick.id))[0]?.[0] === 'done')
    expect(await tries(rig, quick.id)).toEqual([['done', 200, 'ok']])
    // Both send for as long as they are let.
    await until(() => sockets.size === 2 && seen.count() === 2 && timeouts.count() === 3)
    timeouts.end()
    await round
    expect(await Promise.all(slow.map(({ id }) => tries(rig, id)))).toEqual([
      [['waiting', null, expect.stringContaining('did not respond within 20 seconds')]],
      [['done', 200, '']],
    ])
    for (const server of servers) server.close()
    for (const socket of sockets) socket.destroy()
  })
})

/** Counts the responses whose status has come. */
function noteResponses() {
  const own = globalThis.fetch
  let count = 0
  const noting = async (...given: Parameters<typeof fetch>) => {
    const response = await own(...given)
    count++
    return response
  }
  globalThis.fetch = Object.assign(noting, own)
  return {
    count: () => count,
    [Symbol.dispose]: () => {
      globalThis.fetch = own
    },
  }
}

describe('what a receiver answers is shown', () => {
  const answered = async (kind: HookKind, path: string, answer: (hook: { secret: string }) => string) => {
    await using rig = await Rig.on('SQLite')
    using receiver = new Receiver()
    const hook = await rig.hook(receiver.url(path), { kind })
    receiver.answer = () => new Response(answer(hook), { status: 404 })
    await rig.publish('1.0')
    await rig.round()
    const [delivery] = await rig.bookkeeping.deliveries.list(hook.id)
    expect(rig.notices.join()).toContain(`It returned 404: ${delivery?.last?.answer}`)
    return delivery?.last?.answer
  }

  test.each<[HookKind, string, string, string]>([
    [
      'slack',
      '/services/T000/B000/SecrEt1',
      'Cannot POST /services/T000/B000/SecrEt1',
      'Cannot POST /…/…/…/…',
    ],
    ['slack', '/services/T000/B000/SecrEt1', 'invalid_payload', 'invalid_payload'],
    ['discord', '/api/webhooks/1234/a.b_c-d', '{"at":"\\/API\\/WEBHOOKS\\/1234"}', '{"at":"\\/API\\/…\\/…"}'],
    [
      'teams',
      '/invoke?v=1&sig=a%2Bsecret%3D',
      'No: sig=a+secret= or a%2Bsecret%3D',
      'No: sig=a+…= or a%…%3D',
    ],
    ['teams', `/${'a'.repeat(190)}`, `${'-'.repeat(150)} ${'a'.repeat(190)}`, `${'-'.repeat(150)} …`],
  ])('without the address of %s at %s, of which it says %s', async (kind, path, said, shown) => {
    expect(await answered(kind, path, () => said)).toBe(shown)
  })

  test('without the secret of a webhook', async () => {
    const said = ({ secret }: { secret: string }) => `Not ${secret}, nor ${secret.slice('whsec_'.length)}.`
    expect(await answered('webhook', '/hook', said)).toBe('Not …, nor ….')
  })

  test('in one line, and without marks that reorder or control', async () => {
    const said = '\u001b]0;x\u0007a\u009b31m\r\n\u202eb\u2066 \u200d👩\u200d💻'
    expect(await answered('webhook', '/hook', () => said)).toBe(']0;x a 31m b \u200d👩\u200d💻')
  })
})
