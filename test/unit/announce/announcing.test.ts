import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Records } from '../../../src/store/records/records.ts'
import type { ChangeFound } from '../../../src/store/records/types.ts'
import { Receiver } from '../../support/announcing/receiver.ts'
import { HOUR, MINUTE, Rig, SECOND } from '../../support/announcing/rig.ts'

describe('what is announced', () => {
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

  test('a hook begins with what is public when it is added, and is told of each release after that once', async () => {
    for (const label of ['0.1', '0.2', '0.3']) await rig.publish(label)
    await rig.hook(receiver.url())
    await rig.round()
    expect(receiver.told).toEqual([])
    await rig.publish('1.0')
    await rig.round()
    await rig.round()
    await rig.pass(HOUR)
    rig.restart()
    await rig.round()
    expect(receiver.told).toEqual(['version.published 1.0'])
  })

  test('a hook for stable releases is told of a pre-release once it is none any more', async () => {
    await rig.hook(receiver.url(), { stable: true })
    await rig.publish('1.0-rc')
    await rig.publish('1.0', { prerelease: true })
    await rig.publish('0.9')
    await rig.round()
    expect(receiver.told.splice(0)).toEqual(['version.published 0.9'])
    receiver.received.length = 0
    await rig.edit('1.0', { prerelease: null })
    await rig.edit('1.0-rc', { status: 'draft' })
    await rig.round()
    expect(receiver.told).toEqual(['version.published 1.0'])
  })

  test('what other rules took for a pre-release is no news for such a hook, and candidates of any scheme are none', async () => {
    await rig.hook(receiver.url(), { stable: true })
    for (const label of ['7.88.1-10', '2.0.0']) await rig.publish(label)
    await rig.round()
    receiver.received.length = 0
    const asBefore = `UPDATE worker_announce_round SET rules = NULL;
      UPDATE worker_announced SET stable_in = NULL WHERE label = '7.88.1-10'`
    rig.runInBookkeeping(asBefore)
    await rig.round()
    await rig.publish('2.1.0rc1')
    await rig.publish('2.1.0.Final', { prerelease: true })
    await rig.round()
    expect(receiver.told).toEqual([])
    await rig.edit('2.1.0.Final', { prerelease: null })
    await rig.round()
    expect(receiver.told).toEqual(['version.published 2.1.0.Final'])
  })

  test('what other rules made of a text is no news, however old the rows are that remember it', async () => {
    await rig.hook(receiver.url())
    for (const label of ['1.0.0', '2.0.0']) await rig.publish(label)
    await rig.round()
    receiver.received.length = 0
    rig.runInBookkeeping("UPDATE worker_announced SET hash = 'by other rules'")
    rig.run('UPDATE version SET derived_by = 1')
    await rig.write(async () => {})
    await rig.pass(HOUR)
    expect(receiver.told).toEqual([])
    await rig.edit('1.0.0', { title: 'Edited' })
    await rig.pass(HOUR)
    expect(receiver.told).toEqual(['version.updated 1.0.0'])
  })

  test('a release is told of however it became public: published, scheduled, or with its product or team', async () => {
    await rig.hook(receiver.url())
    await rig.publish('draft', { status: 'draft' })
    await rig.publish('scheduled', { status: 'draft', scheduled: true, date: rig.now + HOUR })
    await rig.round()
    expect(receiver.told).toEqual([])

    await rig.edit('draft', { status: 'published' })
    await rig.round()
    expect(receiver.told.splice(0)).toEqual(['version.published draft'])
    receiver.received.length = 0

    await rig.pass(HOUR - SECOND)
    expect(receiver.told).toEqual([])
    await rig.pass(SECOND)
    expect(receiver.told).toEqual(['version.published scheduled'])
    receiver.received.length = 0

    const hide = (visibility: 'private' | 'public') =>
      rig.write(async ({ teams }) => {
        const team = await teams.find('acme')
        if (team) await teams.update(team, { visibility })
      })
    await hide('private')
    await rig.round()
    expect(receiver.told.toSorted()).toEqual(['version.withdrawn draft', 'version.withdrawn scheduled'])
    receiver.received.length = 0
    await hide('public')
    await rig.round()
    expect(receiver.told.toSorted()).toEqual(['version.published draft', 'version.published scheduled'])
  })

  test('what was published and withdrawn between two rounds is not announced', async () => {
    await rig.hook(receiver.url())
    await rig.publish('1.0')
    await rig.edit('1.0', { status: 'draft' })
    await rig.round()
    expect(receiver.told).toEqual([])
  })

  test('a picture that follows its release, or replaces another, is no news, unlike one that the text did not have', async () => {
    await rig.publish('1.0', { description: 'See ![It](docs/a.png).' })
    await rig.hook(receiver.url())
    await rig.round()
    for (const id of ['a', 'b']) {
      await rig.edit('1.0', { description: `See ![It](pictures/${id.repeat(32)}-40x30.webp).` })
      await rig.round()
      await rig.pass(HOUR)
    }
    expect(receiver.told).toEqual([])
    await rig.edit('1.0', { description: 'See ![It](docs/a.png) and ![Far](https://example.org/a.png).' })
    await rig.round()
    await rig.pass(HOUR)
    expect(receiver.told).toEqual(['version.updated 1.0'])
  })

  test('an edited text is announced after five quiet minutes, or after 30, and not if it is again what it was', async () => {
    await rig.publish('1.0')
    await rig.hook(receiver.url())
    await rig.edit('1.0', { title: 'First' })
    await rig.round()
    await rig.pass(4 * MINUTE)
    await rig.edit('1.0', { title: '1.0' })
    await rig.pass(HOUR)
    expect(receiver.told).toEqual([])

    await rig.edit('1.0', { title: 'Second' })
    await rig.round()
    await rig.pass(5 * MINUTE - SECOND)
    expect(receiver.told).toEqual([])
    await rig.pass(SECOND)
    expect(receiver.told).toEqual(['version.updated 1.0'])
    expect(receiver.received[0]?.json.data.title).toBe('Second')

    for (let minute = 0; minute < 29; minute++) {
      await rig.edit('1.0', { title: `Edit ${minute}` })
      await rig.round()
      await rig.pass(MINUTE)
    }
    expect(receiver.told).toHaveLength(1)
    await rig.edit('1.0', { title: 'Last' })
    await rig.round()
    await rig.pass(MINUTE)
    expect(receiver.told).toHaveLength(2)
    expect(receiver.received[1]?.json.data.title).toBe('Last')
  })

  test('changes that are added, edited, moved or removed count as an edited text', async () => {
    await rig.publish('1.0', { changes: ['One', 'Two'] })
    await rig.hook(receiver.url())
    const edits: ((records: Records, first: ChangeFound) => Promise<unknown>)[] = [
      ({ changes }, { product, version }) =>
        changes.add(product, version, { type: 'fixed', title: 'Three', description: null }, null),
      ({ changes }, first) => changes.update(first, { title: 'Uno' }),
      ({ changes }, first) => changes.move(first, 3),
      ({ changes }, first) => changes.delete(first),
    ]
    for (const [at, edit] of edits.entries()) {
      await rig.write(async (records) => {
        const product = await records.products.find('acme', 'app')
        const version = product && (await records.versions.find(product, '1.0'))
        const [one] = version ? await records.changes.list(version) : []
        if (product && version && one) await edit(records, { change: one, version, product })
      })
      await rig.round()
      await rig.pass(5 * MINUTE)
      expect(receiver.told).toHaveLength(at + 1)
    }
  })

  test('more than five new versions of a product become one message, newest first', async () => {
    await rig.hook(receiver.url())
    for (let each = 1; each <= 6; each++) {
      rig.now += SECOND
      await rig.publish(`1.${each}`)
    }
    for (let each = 1; each <= 5; each++) await rig.publish(`2.${each}`, {}, { team: 'acme', product: 'web' })
    await rig.round()
    expect(receiver.told.toSorted()).toEqual([
      ...[1, 2, 3, 4, 5].map((each) => `version.published 2.${each}`),
      'versions.published 6',
    ])
    const list = receiver.received.find(({ json }) => json.type === 'versions.published')
    const labels = list?.json.data.versions?.map(({ version }) => version)
    expect(labels).toEqual(['1.6', '1.5', '1.4', '1.3', '1.2', '1.1'])
  })

  test('a clock that jumps forward over scheduled moments tells of each once; one that goes back a little withdraws nothing', async () => {
    await rig.hook(receiver.url())
    const start = rig.now
    for (const hours of [1, 2, 3])
      await rig.publish(`${hours}.0`, { status: 'draft', scheduled: true, date: start + hours * HOUR })
    await rig.round()
    rig.now = start + 3 * HOUR
    await rig.round()
    expect(receiver.told.toSorted()).toEqual([1, 2, 3].map((hours) => `version.published ${hours}.0`))

    receiver.received.length = 0
    for (const back of [9 * MINUTE, 0, 5 * MINUTE, 0]) {
      rig.now = start + 3 * HOUR - back
      await rig.round()
      rig.restart()
      await rig.round()
    }
    expect(receiver.told).toEqual([])

    // Further back, the public cannot see it any more; and later it can, again.
    rig.now = start + 3 * HOUR - 20 * MINUTE
    await rig.round()
    expect(receiver.told).toEqual(['version.withdrawn 3.0'])
    await rig.pass(20 * MINUTE)
    expect(receiver.told).toEqual(['version.withdrawn 3.0', 'version.published 3.0'])
  })

  test('if what the worker remembers is lost, nothing that was confirmed is announced again', async () => {
    const hook = await rig.hook(receiver.url())
    await rig.publish('1.0')
    await rig.round()
    await rig.loseBookkeeping()
    await rig.pass(HOUR)
    await rig.bookkeeping.hookSecrets.put(hook.id, hook.secret, rig.now, rig.now)
    await rig.publish('2.0')
    await rig.round()
    expect(receiver.told).toEqual(['version.published 1.0', 'version.published 2.0'])
    expect(rig.notices).toEqual([])
  })

  test('what a program of an older schema writes is announced too, and what it deletes takes hooks along', async () => {
    await rig.hook(receiver.url())
    await rig.hook(receiver.url(), { product: 'app' })
    const id = await rig.publish('1.0')
    await rig.round()
    receiver.received.length = 0
    // The columns that programs of 0.1.0 and 0.2.0 know.
    rig.run(`INSERT INTO version (id, changelog_id, label, title, status, published_at, dated, created_at)
      SELECT 'ver_old', changelog_id, '2.0', 'Two', 'published', published_at, dated, created_at FROM version`)
    rig.run(`UPDATE version SET title = 'Reworded' WHERE id = '${id}'`)
    await rig.round()
    await rig.pass(5 * MINUTE)
    expect(receiver.told).toEqual([
      ...['version.published 2.0', 'version.published 2.0'],
      ...['version.updated 1.0', 'version.updated 1.0'],
    ])
    receiver.received.length = 0
    await rig.write(async ({ products }) => {
      const product = await products.find('acme', 'app')
      if (product) await products.delete(product)
    })
    await rig.round()
    expect(receiver.told.toSorted()).toEqual(['version.withdrawn 1.0', 'version.withdrawn 2.0'])
  })

  test('a chat is told of no edit unless it asks, and of a withdrawal by product and label, also of a deleted product', async () => {
    await rig.publish('1.0')
    await rig.hook(receiver.url('/chat'), { kind: 'slack' })
    await rig.hook(receiver.url('/asks'), { kind: 'slack', events: ['updated'] })
    await rig.edit('1.0', { title: 'Reworded' })
    await rig.round()
    await rig.pass(5 * MINUTE)
    const told = () => receiver.received.splice(0).map(({ path, body }) => [path, JSON.parse(body).text])
    expect(told()).toEqual([['/asks', 'App 1.0: notes updated']])
    await rig.publish('2.0')
    await rig.round()
    expect(told()).toEqual([['/chat', 'App 2.0']])
    await rig.edit('2.0', { status: 'draft' })
    await rig.round()
    expect(told()).toEqual([['/chat', 'App 2.0 is no longer public']])
    await rig.write(async ({ products }) => {
      const product = await products.find('acme', 'app')
      if (product) await products.delete(product)
    })
    await rig.round()
    expect(told()).toEqual([['/chat', 'App 1.0 is no longer public']])
  })

  test('a hook of one product is told of nothing else', async () => {
    await rig.hook(receiver.url(), { product: 'web' })
    await rig.publish('1.0')
    await rig.publish('2.0', {}, { team: 'acme', product: 'web' })
    await rig.round()
    expect(receiver.told).toEqual(['version.published 2.0'])
  })
})

test('on PostgreSQL, releases, edits and withdrawals are told of once, by schedule too, and again only if they are new', async () => {
  await using rig = await Rig.on('PostgreSQL')
  using receiver = new Receiver()
  const hook = await rig.hook(receiver.url())
  await rig.publish('1.0')
  await rig.publish('2.0', { status: 'draft', scheduled: true, date: rig.now + MINUTE })
  await rig.round()
  await rig.edit('1.0', { title: 'Edited' })
  await rig.pass(6 * MINUTE)
  expect(receiver.told).toEqual(['version.published 1.0', 'version.published 2.0', 'version.updated 1.0'])
  receiver.received.length = 0

  for (const label of ['3.1', '3.2', '3.3', '3.4', '3.5', '3.6']) await rig.publish(label)
  await rig.round()
  await rig.edit('1.0', { status: 'draft' })
  await rig.round()
  expect(receiver.told).toEqual(['versions.published 6', 'version.withdrawn 1.0'])

  await rig.loseBookkeeping()
  await rig.bookkeeping.hookSecrets.put(hook.id, hook.secret, rig.now, rig.now)
  await rig.pass(HOUR)
  expect(receiver.told).toHaveLength(2)
  await rig.write(async ({ products }) => {
    const product = await products.find('acme', 'app')
    if (product) await products.delete(product)
  })
  await rig.round()
  expect(receiver.told).toHaveLength(9)
})
