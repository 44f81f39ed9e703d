import { describe, expect, test } from 'bun:test'
import { publishTo } from '../../../src/announce/choose.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { Receiver } from '../../support/announcing/receiver.ts'
import { MINUTE, Rig } from '../../support/announcing/rig.ts'
import { ENGINES, type Engine } from '../../support/servers/server.ts'

/** A chat stands for mail too: what both are told is decided in one place. */
async function newChat(engine: Engine = 'SQLite') {
  const rig = await Rig.on(engine)
  const receiver = new Receiver()
  const hook = await rig.hook(receiver.url(), { kind: 'slack', events: ['published'] })
  return {
    ...{ rig, receiver, hook },
    /** The headlines since the last call. */
    told: () => receiver.received.splice(0).map(({ body }) => JSON.parse(body).text),
    /** Hides a version and publishes it again, each seen by the worker. */
    republish: async (label: string) => {
      for (const status of ['draft', 'published'] as const) {
        await rig.edit(label, { status })
        await rig.round()
      }
    },
    async [Symbol.asyncDispose]() {
      receiver[Symbol.dispose]()
      await rig[Symbol.asyncDispose]()
    },
  }
}

describe('a list', () => {
  test('gets a release once, published again or under another name, deleted and written again, until it is replayed', async () => {
    await using chat = await newChat()
    const { rig, hook, told } = chat
    const id = await rig.publish('1.0')
    await rig.round()
    expect(told()).toEqual(['App 1.0'])
    await chat.republish('1.0')
    await rig.edit('1.0', { label: '1.0.0' })
    await rig.write(async ({ products }) => {
      const product = await products.find('acme', 'app')
      if (product) await products.update(product, { name: 'Renamed', slug: 'renamed' })
    })
    await rig.write(async ({ products }) => {
      const product = await products.find('acme', 'renamed')
      if (product) await products.update(product, { name: 'App', slug: 'app' })
    })
    await chat.republish('1.0.0')
    // Its old name is free for another release.
    await rig.publish('1.0')
    await rig.round()
    expect(told()).toEqual(['App 1.0'])
    await rig.write(async ({ products, versions }) => {
      const product = await products.find('acme', 'app')
      const version = product && (await versions.find(product, '1.0'))
      if (product && version) await versions.delete(product, version)
    })
    await rig.publish('1.0')
    await rig.round()
    expect(told()).toEqual([])
    const [written, again] = await rig.bookkeeping.deliveries.list(hook.id)
    expect([written, again].map((each) => each?.state)).toEqual(['dropped', 'done'])
    for (const delivery of [written, again]) {
      await rig.bookkeeping.deliveries.again(hook.id, { ids: [delivery?.id ?? ''], failed: false }, rig.now)
      await rig.round()
    }
    // The last one is deleted.
    expect(told()).toEqual(['App 1.0'])
    expect(id).not.toBe(written?.versionIds[0] as string)
  })

  test('gets each release of an outage once, as it is by then, and nothing of what is gone or hidden', async () => {
    await using chat = await newChat()
    const { rig, receiver, hook, told } = chat
    receiver.answer = () => new Response('', { status: 503 })
    for (const label of ['1.0', '2.0', '3.0']) await rig.publish(label)
    await rig.round()
    await chat.republish('1.0')
    await rig.edit('1.0', { title: 'Without the secret', yanked: 'Broken.' })
    await rig.edit('2.0', { status: 'draft' })
    await rig.write(async ({ products, versions }) => {
      const product = await products.find('acme', 'app')
      const version = product && (await versions.find(product, '3.0'))
      if (product && version) await versions.delete(product, version)
      if (product) await products.update(product, { name: 'Renamed' })
    })
    await rig.round()
    told()
    receiver.answer = () => new Response('ok')
    await rig.pass(10 * MINUTE)
    expect(receiver.received[0]?.body).toContain('Without the secret')
    expect(told()).toEqual(['Renamed 1.0 [YANKED]'])
    expect((await rig.bookkeeping.deliveries.list(hook.id)).map(({ body }) => body)).not.toContain(
      expect.any(String),
    )
    await rig.edit('2.0', { status: 'published' })
    await rig.round()
    expect(told()).toEqual(['Renamed 2.0'])
  })

  test('gets the releases of a message with many that it has not got alone', async () => {
    await using chat = await newChat()
    const { rig, receiver, told } = chat
    await rig.publish('1.0')
    await rig.round()
    await rig.edit('1.0', { status: 'draft' })
    await rig.round()
    told()
    await rig.edit('1.0', { status: 'published' })
    for (let each = 1; each <= 6; each++) await rig.publish(`2.${each}`)
    await rig.round()
    expect(receiver.received[0]?.body).not.toContain('1.0')
    expect(told()).toEqual([expect.stringContaining('6 new versions')])
    await chat.republish('2.3')
    expect(told()).toEqual([])
  })
})

test.each(ENGINES)(
  'a hook on %s hears nothing of a release that was published without it, until it is published for it',
  async (engine) => {
    await using chat = await newChat(engine)
    const { rig, hook, told } = chat
    using other = new Receiver()
    await rig.hook(other.url())
    const id = await rig.publish('1.0', { status: 'draft' })
    const publish = (quiet: string[]) =>
      publishTo(rig.bookkeeping, id, { quiet, again: [] }, () => rig.edit('1.0', { status: 'published' }))
    await publish([hook.id])
    await rig.round()
    await rig.edit('1.0', { title: 'Again' })
    await rig.pass(10 * MINUTE)
    expect([told(), other.told]).toEqual([[], ['version.published 1.0', 'version.updated 1.0']])
    await rig.edit('1.0', { status: 'draft' })
    await rig.round()
    await publish([])
    await rig.round()
    expect(told()).toEqual(['App 1.0'])
  },
)

test('a publication that is refused leaves who hears of the release as it was', async () => {
  await using chat = await newChat()
  const { rig, hook, told } = chat
  const id = await rig.publish('1.0', { status: 'draft' })
  const refused = publishTo(rig.bookkeeping, id, { quiet: [hook.id], again: [] }, async () => {
    throw new Refusal('No.')
  })
  await expect(refused).rejects.toThrow('No.')
  await rig.edit('1.0', { status: 'published' })
  await rig.round()
  expect(told()).toEqual(['App 1.0'])
})

test.each(ENGINES)(
  'a message on %s waits as long as its hook says, and is not sent once it is dismissed',
  async (engine) => {
    await using rig = await Rig.on(engine)
    const hook = await rig.hook('mailto:list@acme.test', { kind: 'mail', delay: 2 * MINUTE })
    rig.reach = { mailServer: null }
    const sent = async () =>
      (await rig.bookkeeping.deliveries.list(hook.id)).map(({ tries, state }) => [tries, state])
    await rig.publish('1.0')
    await rig.pass(MINUTE)
    expect(await sent()).toEqual([[0, 'waiting']])
    await rig.pass(2 * MINUTE)
    expect(await sent()).toEqual([[expect.any(Number), 'waiting']])
    expect((await sent())[0]?.[0]).toBeGreaterThan(0)
    const second = await rig.publish('2.0')
    await rig.round()
    const [waiting] = await rig.bookkeeping.deliveries.ofVersion(second)
    expect(await rig.bookkeeping.deliveries.dismiss(hook.id, [waiting?.id ?? ''])).toMatchObject([
      { state: 'dismissed' },
    ])
    await rig.edit('2.0', { status: 'draft' })
    await rig.round()
    await rig.edit('2.0', { status: 'published' })
    await rig.pass(10 * MINUTE)
    expect(await rig.bookkeeping.deliveries.ofVersion(second)).toMatchObject([
      { state: 'dismissed', tries: 0 },
    ])
  },
)

test('a list of 0.4.0 gets nothing again after the upgrade, and what waited then', async () => {
  await using chat = await newChat()
  const { rig, receiver, told } = chat
  await rig.publish('1.0')
  await rig.publish('2.0')
  await rig.round()
  await rig.edit('2.0', { status: 'draft' })
  await rig.round()
  receiver.answer = () => new Response('', { status: 503 })
  await rig.publish('3.0')
  await rig.round()
  expect(told()).toEqual(['App 1.0', 'App 2.0', 'App 3.0'])
  for (const table of ['told', 'quiet']) rig.runInBookkeeping(`DROP TABLE worker_${table}`)
  rig.runInBookkeeping('PRAGMA user_version = 7')
  await rig.reopen()
  receiver.answer = () => new Response('ok')
  await chat.republish('1.0')
  await rig.edit('2.0', { status: 'published' })
  await rig.pass(10 * MINUTE)
  expect(told()).toEqual(['App 3.0'])
})

test('a webhook hears of each publication, and of none that is gone before its next try', async () => {
  await using rig = await Rig.on('SQLite')
  using receiver = new Receiver()
  await rig.hook(receiver.url())
  await rig.publish('1.0')
  await rig.round()
  await rig.edit('1.0', { status: 'draft' })
  await rig.round()
  await rig.edit('1.0', { status: 'published' })
  await rig.round()
  expect(receiver.told).toEqual(['version.published 1.0', 'version.withdrawn 1.0', 'version.published 1.0'])
  receiver.received.length = 0
  receiver.answer = (_, count) => new Response('', { status: count === 1 ? 503 : 200 })
  await rig.publish('2.0')
  await rig.round()
  await rig.edit('2.0', { status: 'draft' })
  await rig.pass(10 * MINUTE)
  expect(receiver.told).toEqual(['version.published 2.0', 'version.withdrawn 2.0'])
})
