import { expect, test } from 'bun:test'
import { Worker } from 'node:worker_threads'
import { createTable, Limiter } from '../../../../src/http/limits/limiter.ts'
import type { Taking } from '../../../support/threads/taking-worker.ts'

test('threads that take at the same time get exactly the burst together', async () => {
  const THREADS = 4
  const rule = { burst: 200_000, perMinute: 1 }
  const table = createTable(SharedArrayBuffer)
  const waiting = new Int32Array(new SharedArrayBuffer(4)).fill(THREADS)
  const taken = await Promise.all(
    Array.from({ length: THREADS }, () => {
      const taking: Taking = { rule, table, times: rule.burst, waiting }
      const url = new URL('../../../support/threads/taking-worker.ts', import.meta.url)
      const worker = new Worker(url, { workerData: taking })
      return new Promise<number>((resolve, reject) => {
        worker.on('message', resolve)
        worker.on('error', reject)
      })
    }),
  )
  expect(taken.reduce((sum, each) => sum + each, 0)).toBe(rule.burst)
})

test('every table has a secret key of its own, which says where the bucket of a client is', () => {
  const written = () => {
    const table = createTable(ArrayBuffer)
    new Limiter({ burst: 1, perMinute: 1 }, () => 1_000, table).take([0, 0, 0xffff, 1])
    const buckets = new Float64Array(table, BUCKETS_AT)
    return [buckets.findIndex((time) => time > 0), buckets.findLastIndex((time) => time > 0)]
  }
  expect(written()).not.toEqual(written())
})

/** Behind the lock, the key and the time. */
const BUCKETS_AT = 24
