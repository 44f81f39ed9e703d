import { expect, test } from 'bun:test'
import { announcingFor, reportUnannounced } from '../../../src/announce/setup.ts'
import { readConfig } from '../../../src/config/config.ts'
import { Notice } from '../../../src/domain/notice.ts'
import { createWaiting } from '../../../src/store/engines/wait.ts'
import { Rig } from '../../support/announcing/rig.ts'

test('a worker without PUBLIC_URL says so if there is a hook, and not otherwise', async () => {
  await using rig = await Rig.on('SQLite')
  const { bookkeeping } = rig
  const reported: unknown[] = []
  const announcing = announcingFor(rig.database, readConfig({}, {}), '0.0.0', {
    bookkeeping,
    waiting: createWaiting(),
    now: () => rig.now,
    report: (event) => reported.push(event),
  })
  await reportUnannounced(announcing)
  expect(reported).toEqual([])
  await rig.hook('https://example.org/hook')
  await reportUnannounced(announcing)
  expect(reported).toEqual([expect.any(Notice)])
  expect(reported).toMatchObject([{ message: 'PUBLIC_URL is not set, so hooks send nothing.' }])
})
