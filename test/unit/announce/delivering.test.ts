import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createServer, type Socket } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { RETRIES_MS, retryAt } from '../../../src/announce/deliver.ts'
import { Receiver } from '../../support/announcing/receiver.ts'
import { HOUR, MINUTE, Rig, SECOND } from '../../support/announcing/rig.ts'
import { holdTimeouts } from '../../support/timers.ts'
import { until } from '../../support/until.ts'

const DAY = 24 * HOUR

const statusOf = async ({ bookkeeping }: Rig, hookId: string) =>
  (await bookkeeping.deliveries.list(hookId)).map(({ state, tries, last }) => [state, tries, last?.status])

describe('a delivery', () => {
  let rig: Rig
  let receiver: Receiver
  beforeEach(async () => {
    rig = await Rig.on('SQLite')
    receiver = new Receiver()
  })
  afterEach(async () => {
    receiver[Symbol.dispose]()
    await rig[Symbol.asyncDispose]()
  })
  const status = (hookId: string) => statusOf(rig, hookId)

  test('is verified by the reference library of Standard Webhooks, with either secret while one is replaced', async () => {
    const hook = await rig.hook(receiver.url())
    const next = 'whsec_bmV3IHNlY3JldCBvZiB0aGUgaG9vaywgMzIgYnl0ZXM='
    rig.now = Date.now()
    await rig.bookkeeping.hookSecrets.put(hook.id, next, rig.now, rig.now + DAY)
    await rig.publish('1.0')
    await rig.round()
    const [first] = receiver.received
    for (const secret of [hook.secret, next])
      expect(new Webhook(secret).verify(first?.body ?? '', first?.headers.toJSON() ?? {})).toMatchObject({
        type: 'version.published',
        data: { version: '1.0', url: 'https://news.acme.test/changelog/acme/app/1.0' },
      })
    expect(() => new Webhook(hook.secret).verify(`${first?.body} `, first?.headers.toJSON() ?? {})).toThrow()

    rig.now += DAY + SECOND
    await rig.publish('2.0')
    await rig.round()
    const second = receiver.received[1]
    expect(second?.headers.get('webhook-signature')?.split(' ')).toHaveLength(1)
  })

  test('is tried again by the schedule with the same id and body, and the hook is disabled after the last try', async () => {
    const times: number[] = []
    receiver.answer = () => {
      times.push(rig.now)
      return new Response('no\u0007pe', { status: 500 })
    }
    const hook = await rig.hook(receiver.url())
    await rig.publish('1.0')
    await rig.round()
    await rig.pass(MINUTE, SECOND)
    await rig.pass(5 * DAY, 10 * MINUTE)
    const waits = times.slice(1).map((time, at) => time - (times[at] ?? 0))
    for (const [at, delay] of RETRIES_MS.entries()) {
      expect(waits[at]).toBeGreaterThanOrEqual(delay)
      expect(waits[at]).toBeLessThanOrEqual(delay * 1.2 + 10 * MINUTE)
    }
    expect(receiver.received).toHaveLength(RETRIES_MS.length + 1)
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
    expect(new Set(receiver.received.map(({ headers }) => headers.get('webhook-id'))).size).toBe(1)
    expect(new Set(receiver.received.map(({ headers }) => headers.get('webhook-timestamp'))).size).toBe(10)
    expect(await status(hook.id)).toEqual([['failed', 10, 500]])
    expect(await rig.bookkeeping.announced.failing()).toMatchObject([
      { hookId: hook.id, active: false, stoppedAt: times.at(-1), reason: 'It returned 500: no pe' },
    ])
    expect(rig.notices.join('\n')).toMatch(
      /failed. The worker will retry[\s\S]*is disabled: 1\.0 could not be/,
    )

    expect(rig.alarms).toEqual([expect.stringMatching(/is disabled: 1\.0 could not be/)])

    await rig.publish('2.0')
    await rig.pass(30 * DAY, DAY)
    expect(receiver.received).toHaveLength(RETRIES_MS.length + 1)

    // Enabled again, it is told what it missed.
    receiver.answer = () => new Response()
    await rig.bookkeeping.announced.resume(hook.id)
    rig.restart()
    await rig.round()
    expect(receiver.told.at(-1)).toBe('version.published 2.0')
  })

  test('waits as long as Retry-After says, in seconds or by a date, but not longer than a day', async () => {
    const pauses = ['3600', new Date(rig.now + 2 * HOUR).toUTCString(), '999999999']
    receiver.answer = (_, count) => {
      const pause = pauses[count - 1]
      return pause ? new Response('', { status: 429, headers: { 'retry-after': pause } }) : new Response()
    }
    await rig.hook(receiver.url())
    await rig.publish('1.0')
    await rig.round()
    for (const tries of [1, 2]) {
      await rig.pass(HOUR - SECOND)
      expect(receiver.received).toHaveLength(tries)
      await rig.pass(SECOND)
      expect(receiver.received).toHaveLength(tries + 1)
    }
    expect(await rig.bookkeeping.announced.failing()).toHaveLength(1)
    await rig.pass(DAY + SECOND, HOUR)
    expect(receiver.received).toHaveLength(4)
    expect(retryAt(1, 0, 999 * DAY)).toBe(DAY)
    expect(await rig.bookkeeping.announced.failing()).toEqual([])
  })

  test('does not wait for a clock that was a year ahead', async () => {
    receiver.answer = (_, count) => new Response('', { status: count === 1 ? 500 : 200 })
    await rig.hook(receiver.url())
    await rig.publish('1.0')
    const then = rig.now
    rig.now += 365 * DAY
    await rig.round()
    await rig.edit('1.0', { title: 'Edited' })
    await rig.round()
    expect(receiver.told).toEqual(['version.published 1.0'])
    rig.now = then + MINUTE
    await rig.round()
    await rig.round()
    expect(receiver.told.slice(1)).toEqual(['version.published 1.0', 'version.updated 1.0'])
  })

  test('is a failure if the answer redirects, and no other address is asked', async () => {
    using other = new Receiver()
    receiver.answer = () => Response.redirect(other.url(), 301)
    const hook = await rig.hook(receiver.url())
    await rig.publish('1.0')
    await rig.round()
    expect(await status(hook.id)).toEqual([['waiting', 1, 301]])
    expect(other.received).toEqual([])
  })

  test('disables the hook at once if the receiver is gone', async () => {
    receiver.answer = () => new Response('', { status: 410 })
    const hook = await rig.hook(receiver.url())
    await rig.publish('1.0')
    await rig.publish('2.0')
    await rig.round()
    expect(receiver.received).toHaveLength(1)
    expect(await status(hook.id)).toEqual([
      ['waiting', 0, undefined],
      ['failed', 1, 410],
    ])
    expect(await rig.bookkeeping.announced.hook(hook.id)).toMatchObject({ active: false })
  })

  test('that is refused, reset or answered with nonsense is tried again', async () => {
    const sockets: ((socket: Socket) => void)[] = [
      (socket) => socket.resetAndDestroy(),
      (socket) => socket.end('nonsense\r\n\r\n'),
      // The status is there, so the rest of the answer does not matter.
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'),
    ]
    let requests = 0
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => sockets[requests++]?.(socket))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const hook = await rig.hook(`http://127.0.0.1:${port}/`)
    const closed = await rig.hook('http://127.0.0.1:1/')
    await rig.publish('1.0')
    await rig.round()
    await rig.pass(MINUTE, SECOND)
    await rig.pass(3 * HOUR)
    expect(requests).toBe(3)
    expect(await status(hook.id)).toEqual([['done', 3, 200]])
    expect(await status(closed.id)).toMatchObject([['waiting', expect.any(Number), null]])
    server.close()
  })

  test('to more hooks that hang than a host has places does not hold up a good one there', async () => {
    receiver.answer = ({ path }) => (path === '/good' ? new Response('ok') : null)
    for (let at = 0; at < 17; at++) await rig.hook(receiver.url(`/hangs/${at}`))
    await rig.hook(receiver.url('/good'))
    await rig.publish('1.0')
    // Those that hang do so for good.
    using _ = holdTimeouts(20_000)
    const stopping = new AbortController()
    const announcer = rig.announcer()
    await announcer.round(rig.now, stopping.signal)
    await until(() => announcer.attempts.done === 1)
    expect(receiver.received.at(-1)?.path).toBe('/good')
    expect(announcer.attempts.failed).toBe(0)
    stopping.abort()
    await announcer.ended()
  })

  test('to a receiver that hangs holds up no other one, nor the next look', async () => {
    receiver.answer = () => null
    using other = new Receiver()
    await rig.hook(receiver.url())
    await rig.hook(other.url())
    const announcer = rig.announcer()
    const stop = new AbortController()
    for (const label of ['1.0', '2.0', '3.0']) {
      await rig.publish(label)
      await announcer.round(rig.now, stop.signal)
      while (!other.told.includes(`version.published ${label}`)) {
        await Bun.sleep(1)
        await announcer.round(rig.now, stop.signal)
      }
    }
    expect(receiver.received).toHaveLength(1)
    stop.abort()
    await announcer.ended()
    expect(rig.errors).toEqual([])
  })

  test('of one version comes in order, also if the first fails; of another it does not wait', async () => {
    receiver.answer = ({ json }) =>
      new Response('', { status: json.data.version === '1.0' && rig.now < failUntil ? 503 : 200 })
    const failUntil = rig.now + HOUR
    await rig.hook(receiver.url())
    await rig.publish('1.0')
    await rig.round()
    await rig.edit('1.0', { title: 'Edited' })
    await rig.round()
    await rig.pass(5 * MINUTE)
    await rig.publish('2.0')
    await rig.round()
    expect(receiver.told).toContain('version.published 2.0')
    await rig.pass(4 * HOUR)
    const ofFirst = receiver.told.filter((each) => each.endsWith('1.0'))
    expect(ofFirst.at(-1)).toBe('version.updated 1.0')
    expect(ofFirst.slice(0, -1).every((each) => each === 'version.published 1.0')).toBe(true)
  })

  test('of a text that is hidden before it is sent is dropped, but a hook that knows the version hears that it is hidden', async () => {
    await rig.hook(receiver.url())
    await rig.publish('1.0')
    await rig.round()
    await rig.edit('1.0', { title: 'Edited' })
    await rig.round()
    rig.now += 5 * MINUTE
    // The edit is found and hidden before it is sent.
    await rig.look()
    await rig.edit('1.0', { status: 'draft' })
    await rig.round()
    expect(receiver.told).toEqual(['version.published 1.0', 'version.withdrawn 1.0'])

    // Published again and hidden before that is sent: it knows that already.
    await rig.edit('1.0', { status: 'published' })
    await rig.look()
    await rig.edit('1.0', { status: 'draft' })
    await rig.round()
    expect(receiver.told).toHaveLength(2)
  })

  test('that lists versions which are hidden before it is sent is dropped, and so is the word that they are hidden', async () => {
    const hook = await rig.hook(receiver.url())
    const labels = ['1', '2', '3', '4', '5', '6']
    for (const label of labels) await rig.publish(label)
    await rig.look()
    for (const label of labels) await rig.edit(label, { status: 'draft' })
    await rig.round()
    expect(receiver.told).toEqual([])
    expect(await status(hook.id)).toEqual(Array.from({ length: 7 }, () => ['dropped', 0, undefined]))

    // One that was listed is known.
    for (const label of labels) await rig.edit(label, { status: 'published' })
    await rig.round()
    await rig.edit('3', { status: 'draft' })
    await rig.round()
    expect(receiver.told).toEqual(['versions.published 6', 'version.withdrawn 3'])
  })

  test('whose version is hidden by now is dropped, and so is the word that it is hidden', async () => {
    receiver.answer = (_, count) => new Response('', { status: count === 1 ? 500 : 200 })
    const hook = await rig.hook(receiver.url())
    await rig.publish('1.0')
    await rig.round()
    expect(receiver.told).toEqual(['version.published 1.0'])
    await rig.edit('1.0', { status: 'draft' })
    await rig.round()
    await rig.pass(HOUR)
    // It may have been read at the first try.
    expect(receiver.told).toEqual(['version.published 1.0', 'version.withdrawn 1.0'])
    const data = receiver.received[1]?.json.data ?? {}
    expect(Object.keys(data).toSorted()).toEqual(['id', 'object', 'version'])
    expect(await status(hook.id)).toEqual([
      ['done', 1, 200],
      ['dropped', 1, 500],
    ])
  })
})

test('on PostgreSQL, a delivery is signed, tried again, given up with its hook, and goes on once that is enabled', async () => {
  await using rig = await Rig.on('PostgreSQL')
  using receiver = new Receiver()
  rig.now = Date.now()
  receiver.answer = (_, count) => new Response('', { status: [500, 410][count - 1] ?? 200 })
  const hook = await rig.hook(receiver.url())
  await rig.publish('1.0')
  await rig.round()
  await rig.pass(10 * SECOND, SECOND)
  expect(await statusOf(rig, hook.id)).toEqual([['failed', 2, 410]])
  await rig.publish('2.0')
  await rig.round()
  expect(await rig.bookkeeping.announced.failing()).toMatchObject([{ hookId: hook.id, active: false }])
  await rig.bookkeeping.announced.resume(hook.id)
  rig.restart()
  await rig.round()
  expect(receiver.told).toEqual([1, 1, 2].map((number) => `version.published ${number}.0`))
  const last = receiver.received.at(-1)
  new Webhook(hook.secret).verify(last?.body ?? '', last?.headers.toJSON() ?? {})
})
