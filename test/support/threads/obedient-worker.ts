/** A serving thread that does what `orders.ts` says, beside serving. */
import { workerData } from 'node:worker_threads'
import type { Task } from '../../../src/http/threads/messages.ts'
import { ORDERS, type Order, SHORT_LIVED, TOLD } from './orders.ts'

const { owner, config } = workerData as Task
if (config.siteName === SHORT_LIVED && owner > config.threads) throw new Error('not worth living')

new BroadcastChannel(ORDERS).onmessage = ({ data }: { data: Order }) => {
  if (data.owner !== owner) return
  if (data.how === 'tell its share of the cache') {
    new BroadcastChannel(TOLD).postMessage(config.cacheMaxBytes)
    return
  }
  throw new Error('told to die')
}

void import('../../../src/http/threads/worker.ts')
