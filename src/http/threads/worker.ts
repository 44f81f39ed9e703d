import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { Refusal } from '../../domain/refusal.ts'
import { reportConsole } from '../../log/console.ts'
import { createReport } from '../../log/report.ts'
import { createWaiting } from '../../store/engines/wait.ts'
import { openForServing } from '../../store/open.ts'
import type { Store } from '../../store/store.ts'
import type { Logger } from '../handler.ts'
import { Counters } from '../metrics/counters.ts'
import { type RunningServer, startServer } from '../server.ts'
import { type Message, RELOAD, STOP, type Task } from './messages.ts'

/** The entry point of a serving thread. The main thread writes its log, in whole lines. */
if (parentPort) serve(workerData, parentPort)

function serve(task: Task, port: MessagePort): void {
  const post = (message: Message) => port.postMessage(message)
  const { log, flush } = batched((text) => post({ log: text }))
  const logger: Logger = { log, report: createReport((entry) => post({ report: entry })) }
  reportConsole(console, logger.report)
  let store: Store | undefined
  let running: RunningServer | undefined

  const start = async () => {
    const { config, startedAt } = task
    // One clock for all threads. This one may be some milliseconds behind, but never ahead.
    const now = () => startedAt + performance.now()
    store = await openForServing(config.database, {
      waiting: createWaiting(),
      report: logger.report,
      thread: task,
    })
    const reportRedis = (redis: string, works: boolean) => post({ redis, works })
    const counters = task.metrics && new Counters(task.metrics, task.thread)
    const part = { ...task, now }
    return startServer(config, store, logger, { part, reusePort: true, reportRedis, counters })
  }

  const end = (status: number) => {
    flush()
    process.exit(status)
  }

  const fail = (error: unknown) => {
    logger.report(error)
    // Its connections would outlive it.
    store?.close()
    end(1)
  }

  const failToStart = (error: unknown) => {
    if (!(error instanceof Refusal)) return fail(error)
    post({ refusal: { message: error.message, hint: error.advice } })
    end(1)
  }

  process.on('uncaughtException', fail).on('unhandledRejection', fail)
  start().then((server) => {
    running = server
    post({ listening: server.url })
  }, failToStart)
  port.on('message', async (message) => {
    if (message === RELOAD) await running?.reload()
    if (message !== STOP) return
    // Before it has started it may be waiting for its database.
    await (running ? running.stop() : store?.close())
    end(0)
  })
}

/** Batches the lines of one turn of the event loop: a message for each would take longer than a cached response. */
function batched(write: (text: string) => void) {
  let lines: string[] = []
  const flush = () => {
    if (lines.length === 0) return
    write(lines.join('\n'))
    lines = []
  }
  const log = (line: string) => {
    if (lines.push(line) === 1) setImmediate(flush)
  }
  return { log, flush }
}
