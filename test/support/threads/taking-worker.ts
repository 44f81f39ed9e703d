/** A thread that takes tokens of one client from a limiter that it shares with others, and says how many it got. */
import { parentPort, workerData } from 'node:worker_threads'
import { parseAddress } from '../../../src/domain/addresses/ip-address.ts'
import { Limiter, type RateLimit } from '../../../src/http/limits/limiter.ts'

export interface Taking {
  rule: RateLimit
  table: SharedArrayBuffer
  times: number
  /** The number of threads that are not ready yet. All begin together. */
  waiting: Int32Array
}

const { rule, table, times, waiting } = workerData as Taking
const limiter = new Limiter(rule, () => 1_000, table)
const client = parseAddress('192.0.2.1')
if (!client) throw new Error('not an address')
Atomics.sub(waiting, 0, 1)
while (Atomics.load(waiting, 0) > 0) {}
let taken = 0
for (let time = 0; time < times; time++) if (limiter.take(client).allowed) taken++
parentPort?.postMessage(taken)
