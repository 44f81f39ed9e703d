import { expect, test } from 'bun:test'
import { watchRevision } from '../../../../src/store/postgres/watch.ts'
import { blockingDatabase } from '../../../support/postgres/blocking.ts'
import { postgres } from '../../../support/postgres/cluster.ts'
import { proxyTo } from '../../../support/postgres/proxy.ts'
import { seederOn } from '../../../support/seed.ts'
import { holdTimers } from '../../../support/timers.ts'
import { until } from '../../../support/until.ts'

/** So long that no test sees the question after it. */
const NEVER_MS = 2 ** 30

/** The timeouts of the first question, which has to connect, and of those after it. */
const FIRST_MS = 2_000
const QUESTION_MS = 500

test('a question without an answer is asked again at once on another connection, before the engine is lost', async () => {
  await using undo = new AsyncDisposableStack()
  const cluster = await postgres()
  const database = await cluster.create()
  undo.defer(() => cluster.drop(database))
  const proxy = undo.use(await proxyTo(database))
  const seed = seederOn(undo.use(blockingDatabase(database)))
  const timers = undo.use(holdTimers(FIRST_MS, QUESTION_MS))
  const reported: unknown[] = []
  const watch = await watchRevision(
    proxy.address,
    (event) => reported.push(event),
    () => {},
    Date.now,
    NEVER_MS,
  )
  undo.defer(() => watch.close())
  // Seen without a question by the clock: it listens.
  let before = watch.revision()
  seed.team('heard')
  await until(() => watch.revision() !== before)

  before = watch.revision()
  // The first connection is that of the questions, the second listens.
  proxy.deafen(1)
  seed.team('after')
  await until(() => timers.count() === 1)
  expect(watch.revision()).toBe(before)
  timers.end()
  await until(() => watch.revision() !== before)
  watch.check()
  expect(reported).toEqual([])
})

test('a database that is far away is found, though connecting takes longer than a question may', async () => {
  await using undo = new AsyncDisposableStack()
  const cluster = await postgres()
  const database = await cluster.create()
  undo.defer(() => cluster.drop(database))
  const proxy = undo.use(await proxyTo(database))
  proxy.delay(150)
  // A shorter one ends by itself.
  undo.use(holdTimers(FIRST_MS))
  const watch = await watchRevision(
    proxy.address,
    () => {},
    () => {},
    Date.now,
    NEVER_MS,
  )
  undo.defer(() => watch.close())
  watch.check()
})
