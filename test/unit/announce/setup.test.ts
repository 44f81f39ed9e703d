import { expect, test } from 'bun:test'
import { announcingFor, createUnannounced } from '../../../src/announce/setup.ts'
import { readConfig } from '../../../src/config/config.ts'
import { Notice } from '../../../src/domain/notice.ts'
import { createWaiting } from '../../../src/store/engines/wait.ts'
import { Rig } from '../../support/announcing/rig.ts'

test('a worker without PUBLIC_URL says so once, as soon as there is a hook, and not before', async () => {
  await using rig = await Rig.on('SQLite')
  const { bookkeeping } = rig
  const reported: unknown[] = []
  const announcing = announcingFor(rig.database, readConfig({}, {}), '0.0.0', {
    bookkeeping,
    waiting: createWaiting(),
    now: () => rig.now,
    report: (event) => reported.push(event),
  })
  const { round } = createUnannounced(announcing)
  expect(await round()).toBe(rig.now + 10_000)
  expect(reported).toEqual([])
  await rig.hook('https://example.org/hook')
  expect(await round()).toBe(Number.POSITIVE_INFINITY)
  // A signal asks for a round before its time.
  expect(await round()).toBe(Number.POSITIVE_INFINITY)
  expect(reported).toEqual([expect.any(Notice)])
  expect(reported).toMatchObject([
    { message: 'PUBLIC_URL is not set, so hooks send nothing. Set it and restart the worker.' },
  ])
})
