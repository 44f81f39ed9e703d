import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openBookkeeping } from '../../../src/store/bookkeeping/open.ts'
import { Receiver } from '../../support/announcing/receiver.ts'
import { Rig } from '../../support/announcing/rig.ts'
import { until } from '../../support/until.ts'

const PROCESS = join(import.meta.dir, '../../support/announcing/worker-process.ts')
/** How long a killed worker's claims are valid. */
const CLAIM_MS = 1_000

/** For each version of a hook: what it was told, in order, repetitions left out. */
const toldOf = (receiver: Receiver) =>
  Map.groupBy(receiver.received, ({ json }) => String(json.data.version))
    .entries()
    .map(([version, messages]) => {
      const types = messages.map(({ json }) => json.type.replace('version.', ''))
      return [version, types.filter((type, at) => type !== types[at - 1])] as const
    })
    .toArray()
    .toSorted()

test('three workers on PostgreSQL share the deliveries: each is sent once', async () => {
  await using rig = await Rig.on('PostgreSQL')
  using receivers = new DisposableStack()
  const all = Array.from({ length: 4 }, () => receivers.use(new Receiver()))
  for (const receiver of all) await rig.hook(receiver.url())
  const books = await Promise.all([1, 2, 3].map(() => openBookkeeping(rig.database)))
  const workers = books.map((book) => rig.announcer(book))
  for (let each = 1; each <= 5; each++) {
    await rig.publish(`1.${each}`)
    await Promise.all(workers.map((worker) => rig.round(worker)))
  }
  await until(async () => {
    await Promise.all(workers.map((worker) => rig.round(worker)))
    return all.every(({ received }) => received.length >= 5)
  })
  for (const book of books) book.close()
  const expected = [1, 2, 3, 4, 5].map((each) => `version.published 1.${each}`)
  for (const { told } of all) expect(told.toSorted()).toEqual(expected)
})

describe('a worker on PostgreSQL that is killed again and again', () => {
  test('tells every hook each event at least once, in order, and nothing hidden', async () => {
    await using rig = await Rig.on('PostgreSQL')
    using receivers = new DisposableStack()
    const all = Array.from({ length: 3 }, () => receivers.use(new Receiver()))
    for (const receiver of all) await rig.hook(receiver.url())
    rig.now = Date.now()
    const start = () =>
      Bun.spawn(['bun', PROCESS, rig.database, String(CLAIM_MS)], { stdout: 'pipe', stderr: 'pipe' })
    const kills = 3
    for (let each = 1; each <= kills; each++) {
      const worker = start()
      const before = all.map(({ received }) => received.length)
      await rig.publish(`1.${each}`)
      if (each > 2) await rig.edit(`1.${each - 2}`, { status: 'draft' })
      // At another moment each time: before, between and after the messages.
      await until(
        () => all.filter(({ received }, at) => received.length > (before[at] ?? 0)).length >= each - 1,
      )
      worker.kill('SIGKILL')
      await worker.exited
    }
    const last = start()
    const visible = [`1.${kills}`, `1.${kills - 1}`]
    await until(() =>
      all.every((receiver) => {
        const told = new Map(toldOf(receiver))
        return (
          visible.every((label) => told.get(label)?.includes('published')) &&
          [...told].every(([label, types]) => visible.includes(label) || types.at(-1) === 'withdrawn')
        )
      }),
    )
    last.kill('SIGKILL')
    await last.exited
    // A worker that was killed may have told of a release that is hidden by now: then only that is told.
    for (const receiver of all)
      for (const [label, types] of toldOf(receiver))
        expect([label, types]).toEqual([
          label,
          visible.includes(label)
            ? ['published']
            : [...types.slice(0, -1).map(() => 'published'), 'withdrawn'],
        ])
  })
})
