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
    Array.from({ length: THREADS }, () => takeIn({ rule, table, times: rule.burst, waiting })),
  )
  expect(taken.reduce((sum, each) => sum + each, 0)).toBe(rule.burst)
})

test('a thread waits while another has the lock, and goes on when it is free', async () => {
  const table = createTable(SharedArrayBuffer)
  const lock = new Int32Array(table, 0, 1)
  const waiting = new Int32Array(new SharedArrayBuffer(4)).fill(1)
  lock[0] = 1
  const taken = takeIn({ rule: { burst: 1, perMinute: 1 }, table, times: 2, waiting })
  while (Atomics.load(waiting, 0) > 0) await Bun.sleep(1)
  await Bun.sleep(20)
  expect(new Float64Array(table, BUCKETS_AT).some((time) => time > 0)).toBe(false)
  Atomics.store(lock, 0, 0)
  Atomics.notify(lock, 0)
  expect(await taken).toBe(1)
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

function takeIn(taking: Taking): Promise<number> {
  const url = new URL('../../../support/threads/taking-worker.ts', import.meta.url)
  const worker = new Worker(url, { workerData: taking })
  return new Promise((resolve, reject) => {
    worker.on('message', resolve)
    worker.on('error', reject)
  })
}
