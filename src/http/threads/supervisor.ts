import { Worker } from 'node:worker_threads'
import type { Config } from '../../config/config.ts'
import { socketPath } from '../../domain/addresses/paths.ts'
import { Notice } from '../../domain/notice.ts'
import { once } from '../../domain/objects.ts'
import { Refusal, toRun } from '../../domain/refusal.ts'
import { entryPoint } from '../../files/own-program.ts'
import { createReport, errorEntry, type LogEntry } from '../../log/report.ts'
import type { ThreadedStore } from '../../store/store.ts'
import { createTables, redisNotice } from '../limits/limits.ts'
import { type ClaimedPort, claimPort } from '../listening/claimed-port.ts'
import { endRow } from '../metrics/counters.ts'
import type { RunningServer } from '../server.ts'
import { type Message, RELOAD, STOP, type Task } from './messages.ts'

export interface ThreadsLogger {
  log(lines: string): void
  /** `owner` is the number of the thread. */
  report(entry: LogEntry, owner: number): void
}

export interface ThreadsOptions {
  /** The script of a thread. */
  entry?: string | URL
  /** Shared counters, if there are metrics. */
  metrics?: SharedArrayBuffer | null
}

/** The owner of the main thread's entries. */
export const MAIN_THREAD = 0

const REPLACED = new Notice(
  'thread_replaced',
  'A serving thread ended unexpectedly. A new one replaces it.',
  'warning',
)

/** After this many ended threads within this time, the server stops. */
const MOST_DEATHS = 5
const DEATHS_MS = 60_000

/**
 * Serves the store with `config.threads` threads, and closes it when they have stopped. Each has a listener on the same
 * port, a connection and a share of the cache; all share one limiter. A thread that ends is replaced, unless too many
 * do. Throws a `Refusal` if the server cannot start; then no thread is left.
 */
export async function startThreads(
  config: Config,
  store: ThreadedStore,
  logger: ThreadsLogger,
  { entry = entryPoint('http/threads/worker.ts'), metrics = null }: ThreadsOptions = {},
): Promise<RunningServer> {
  const tables = createTables(SharedArrayBuffer)
  const cacheMaxBytes = Math.floor(config.cacheMaxBytes / config.threads)
  const report = createReport((entry) => logger.report(entry, MAIN_THREAD))
  const running = new Map<number, Worker>()
  /** Threads that currently limit without Redis. */
  const withoutRedis = new Set<number>()
  const ended = Promise.withResolvers<void>()
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => {})
  let deaths: number[] = []
  let lastOwner = MAIN_THREAD
  let claimed: ClaimedPort | undefined
  let state: 'starting' | 'serving' | 'stopping' = 'starting'

  /** Starts a thread; resolves with its address once it listens. */
  const start = (thread: number): Promise<string> => {
    const owner = ++lastOwner
    const startedAt = performance.now()
    const task = {
      config: { ...config, port: claimed?.port ?? config.port, cacheMaxBytes },
      thread,
      owner,
      memory: store.memory,
      metrics,
      tables,
      startedAt,
    }
    const worker = new Worker(entry, { workerData: task satisfies Task })
    const listening = Promise.withResolvers<string>()
    let hasListened = false
    running.set(owner, worker)
    worker.on('message', (message: Message) => {
      if ('log' in message) logger.log(message.log)
      else if ('report' in message) logger.report(message.report, owner)
      else if ('redis' in message) reportRedis(message.redis, message.works, owner)
      else if ('listening' in message) {
        hasListened = true
        listening.resolve(message.listening)
      } else listening.reject(new Refusal(message.refusal.message, { hint: message.refusal.hint }))
    })
    // A thread that has started reports its errors itself.
    worker.on('error', (error: Error) => logger.report(errorEntry(error), owner))
    worker.on('exit', () => {
      running.delete(owner)
      withoutRedis.delete(owner)
      store.forget(thread)
      if (metrics) endRow(metrics, thread)
      listening.reject(new Refusal('A serving thread ended before it listened.'))
      // A thread that cannot start at first keeps the server from starting.
      if (state === 'serving' || (state === 'starting' && hasListened)) replace(thread)
      if (running.size === 0) ended.resolve()
    })
    return listening.promise
  }

  /** The shared limit is lost with the first thread without Redis, and restored with the last. */
  const reportRedis = (event: string, works: boolean, owner: number): void => {
    const before = withoutRedis.size
    if (works) withoutRedis.delete(owner)
    else withoutRedis.add(owner)
    if ((before === 0) !== (withoutRedis.size === 0)) report(redisNotice(event, works))
  }

  const replace = (thread: number): void => {
    const now = performance.now()
    deaths = [...deaths.filter((at) => now - at < DEATHS_MS), now]
    if (deaths.length < MOST_DEATHS) {
      report(REPLACED)
      start(thread).catch((error) => {
        if (state !== 'stopping') report(error)
      })
    } else {
      const message = `${MOST_DEATHS} serving threads ended within ${DEATHS_MS / 1000} seconds.`
      const refusal = new Refusal(message, { hint: 'See the reasons above.' })
      void stop().then(() => failed.reject(refusal))
    }
  }

  const stop = once(async (): Promise<void> => {
    state = 'stopping'
    for (const worker of running.values()) worker.postMessage(STOP)
    if (running.size === 0) ended.resolve()
    // Not by replies: a dead thread sends none.
    await ended.promise
    claimed?.release()
    store.close()
  })

  const reload = async (): Promise<void> => {
    for (const worker of running.values()) worker.postMessage(RELOAD)
  }

  try {
    claimed = claimPort(config)
    const [url = ''] = await Promise.all(Array.from({ length: config.threads }, (_, thread) => start(thread)))
    await claimed.handOver()
    if (state === 'starting') state = 'serving'
    return { url, reload, stop, failed: failed.promise }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Only on Linux do several listeners on one port share its connections. A unix socket can have only one. */
export function refuseThreads(platform: NodeJS.Platform, host: string): void {
  const isSocket = socketPath(host) !== null
  if (platform === 'linux' && !isSocket) return
  const why = isSocket
    ? 'but only one thread can listen on a unix socket (HOST)'
    : `which works only on Linux, not on ${platform}`
  throw new Refusal(`THREADS is more than 1, ${why}.`, {
    hint: toRun('To start with one thread', 'serve', [], { threads: '1' }),
  })
}
