import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { Refusal } from '../../domain/refusal.ts'
import { createReport } from '../../report.ts'
import { openInThread } from '../../store/open.ts'
import type { Store } from '../../store/port.ts'
import { ownLimits } from '../pipeline/limits/limits.ts'
import { acquire, release } from '../pipeline/limits/lock.ts'
import { type Logger, type RunningServer, ruleOf, startServer } from '../server.ts'
import type { Message, Task } from './messages.ts'

/** The entry point of a serving thread. It writes nowhere by itself: the main thread writes whole lines, one after the other. */
if (parentPort) serve(workerData, parentPort)

function serve(task: Task, port: MessagePort): void {
  const post = (message: Message) => port.postMessage(message)
  const { log, flush } = batched((text) => post({ log: text }))
  const logger: Logger = { log, report: createReport((text) => post({ report: text })) }
  const end = (status: number) => {
    flush()
    process.exit(status)
  }
  const fail = (error: unknown) => {
    if (error instanceof Refusal) post({ refusal: { message: error.message, hint: error.hint } })
    else logger.report(error)
    end(1)
  }
  process.on('uncaughtException', fail).on('unhandledRejection', fail)
  const server = start(task, logger)
  server.then(({ url }) => post({ listening: url }), fail)
  port.once('message', async () => {
    await (await server).stop()
    end(0)
  })
}

async function start(task: Task, logger: Logger): Promise<RunningServer> {
  const { config, owner, tables, startedAt } = task
  // All threads must have one clock. This one may be some milliseconds behind that of the others, but never ahead.
  const now = () => startedAt + performance.now()
  const own = ownLimits(ruleOf(config), { tables, owner, now })
  const store = await openInThread(config.database, logger.report)
  return startServer(config, closingAlone(store, task), logger, { own, reusePort: true })
}

/** One thread after the other closes its store: of two at once, neither would be the last one, which removes SQLite's log. */
const closingAlone = (store: Store, { closing, owner }: Task): Store => ({
  ...store,
  close: () => {
    acquire(closing, owner)
    store.close()
    release(closing)
  },
})

/** Collects the lines of one turn of the event loop: a message for each would take longer than a cached response. */
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
