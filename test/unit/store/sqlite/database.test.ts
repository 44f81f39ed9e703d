import { heapStats } from 'bun:jsc'
import { test } from 'bun:test'
import { ClosingDatabase } from '../../../../src/store/sqlite/database.ts'
import { until } from '../../../support/until.ts'

const references = (): number => heapStats().objectTypeCounts.WeakRef ?? 0

test('a process that runs for months keeps nothing of the statements it has run', async () => {
  using db = new ClosingDatabase(':memory:')
  const before = references()
  for (let count = 0; count < 10_000; count++) db.prepare('SELECT 1').get()
  await until(() => {
    Bun.gc(true)
    return references() < before + 100
  })
})
