import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { Context } from '../cli/context.ts'
import type { Config } from '../config/config.ts'
import { isPostgres } from '../domain/addresses/database.ts'
import { orNull } from '../domain/errors.ts'
import { Notice } from '../domain/notice.ts'
import { pause } from '../domain/time/waiting.ts'
import { notifySystemd } from '../http/listening/systemd.ts'
import { reportConsole } from '../log/console.ts'
import { createReport, entryLines, type LogEntry } from '../log/report.ts'
import { createLogWriter } from '../log/writer.ts'
import type { Waiting } from '../store/engines/wait.ts'
import { onHurry } from './hurry.ts'

type Report = (event: unknown) => void

/** Loads the server only here: other commands start in half the time. Reports go to `stderr`. */
export function servingFor({ stderr, logHasTimes }: Pick<Context, 'stderr' | 'logHasTimes'>) {
  const report = createReport(({ message }) => void stderr(`${message}\n`))
  const serving: Pick<Context, 'serve' | 'preview' | 'get'> = {
    serve: (...given) => serve(logHasTimes, ...given),

    preview: async (config, waiting, team, path, announce) => {
      const { startPreview } = await import('../http/preview.ts')
      const { openForServing } = await import('../store/open.ts')
      const stopped = untilStopped()
      reportConsole(console, report)
      const store = await openForServing(config.database, { waiting, report })
      const server = startPreview(config, store, team, path, { log: () => {}, report })
      await announceEach(server.newUrl, announce)
      await stopped
      await server.stop()
      process.exit()
    },

    get: async (config, waiting, path, token) => {
      const { createHandler } = await import('../http/handler.ts')
      const { openForOneRequest } = await import('../store/open.ts')
      const headers = new Headers()
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
      // The operator is past the gate already: its credential is in the settings.
      if (config.gate) {
        const credential = Buffer.from(`${config.gate.user}:${config.gate.password}`).toString('base64')
        headers.set('x-site-authorization', `Basic ${credential}`)
      }
      const store = await openForOneRequest(config.database, waiting)
      try {
        const handle = createHandler({
          config: { ...config, logRequests: 'off' },
          store,
          logger: { log: () => {}, report },
        })
        const request = new Request(`http://localhost${path}`, { headers })
        const response = await handle(request, () => ({ address: '127.0.0.1', port: 0 }))
        return { status: response.status, headers: [...response.headers], body: await response.text() }
      } finally {
        store.close()
      }
    },
  }
  return serving
}

/** Announces an address, and another one whenever Enter is pressed. */
export async function announceEach(newUrl: () => string, announce: (url: string) => Promise<void>) {
  await announce(newUrl())
  const again = async () => {
    for await (const _ of console) await announce(newUrl())
  }
  if (process.stdin.isTTY) void again()
}

/** The log of a server, and its counters if there are metrics. */
interface Outputs {
  log(lines: string): void
  write(entry: LogEntry): void
  report: Report
  readonly metrics: SharedArrayBuffer | null
}

/** The log of a process that keeps running even if nothing reads it. An uncaught error ends it. */
export function startLog({ logFormat }: Config, logHasTimes: boolean) {
  const stdout = openedOnce(() => process.stdout)
  const stderr = openedOnce(() => process.stderr)
  const lines = (entry: LogEntry) => `${entryLines(logFormat, entry, Date.now(), logHasTimes)}\n`
  const write = (entry: LogEntry) => stderr().write(lines(entry))
  const say = (event: string, message: string, more = {}) => {
    const line = lines({ level: 'info', event, message, ...more })
    const isWritten = !stdout.isOpen() && orNull(() => writeSync(STANDARD_OUTPUT, line)) !== null
    if (!isWritten) stdout().write(line)
  }
  const report = createReport(write)
  reportConsole(console, report)
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (error) => {
      report(error)
      process.exit(1)
    })
  return { write, say, report, stdout }
}

/** Opens a stream for its first line: that takes milliseconds, and no response should wait for it. */
function openedOnce(open: () => NodeJS.WriteStream) {
  let stream: NodeJS.WriteStream | undefined
  const opened = () => {
    stream ??= open()
      .removeAllListeners('error')
      .on('error', () => {})
    return stream
  }
  return Object.assign(opened, { isOpen: () => stream !== undefined })
}

const STANDARD_OUTPUT = 1

/** Serves until a signal ends it, then finishes the requests in flight. */
async function serve(logHasTimes: boolean, ...[config, waiting, file]: Parameters<Context['serve']>) {
  const { write, say, report, stdout } = startLog(config, logHasTimes)
  const log = createLogWriter({ write: (text, done) => stdout().write(text, done) }, (lines) => {
    const dropped = `Dropped ${lines} lines of the request log, because standard output was too slow.`
    report(new Notice('log_dropped', dropped, 'warning'))
  })
  // Before the first wait, and before the server reports that it is up.
  let reload = async () => {}
  const stopped = untilStopped(() => void reload())
  // Before a database is created.
  if (config.tlsCert !== '') (await import('../config/certificate.ts')).readCertificate(config)
  const isNew = willCreate(config)
  const { metricsPort } = config
  const metrics =
    metricsPort === 'off'
      ? null
      : await (await import('../http/metrics/listener.ts')).startMetrics(config, metricsPort, report)
  const start = config.threads > 1 ? startThreaded : startAlone
  const server = await start(config, waiting, stopped, {
    log,
    write,
    report,
    metrics: metrics?.memory ?? null,
  })
  if (!server) process.exit()
  const { url } = server
  reload = server.reload
  say('listening', `changelogd is listening on ${url}`, { url })
  if (isNew) report(createdNotice(config))
  if (metrics) say('metrics', `changelogd has metrics on ${metrics.url}`, { url: metrics.url })
  // After the server, which has created or migrated the database.
  const worker = config.worker
    ? (await import('./worker-process.ts')).startWorker(config, file, report)
    : null
  if (worker) onHurry(worker.hurry)
  notifySystemd(process.env, 'READY=1', report)
  await Promise.race([stopped, server.failed])
  notifySystemd(process.env, 'STOPPING=1', report)
  say('stopping', 'changelogd is stopping')
  await worker?.stop()
  await server.stop()
  await metrics?.stop()
  say('stopped', 'changelogd has stopped')
  await Promise.race([logTaken(stdout()), pause(LOG_TAKEN_MS)])
  process.exit()
}

/** How long a stopped server waits for a slow reader of its log. */
const LOG_TAKEN_MS = 3_000

/** Resolves when the whole log has been passed on: exiting would cut it off in the middle of a line. */
const logTaken = (stdout: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => stdout.end(() => resolve()))

type Start = [config: Config, waiting: Waiting, stopped: Promise<null>, outputs: Outputs]

/** Null if it was stopped first. */
async function startAlone(...[config, waiting, stopped, { log, report, metrics }]: Start) {
  const { startServer } = await import('../http/server.ts')
  const { openForServing } = await import('../store/open.ts')
  const store = await Promise.race([openForServing(config.database, { waiting, report }), stopped])
  const counters = metrics && new (await import('../http/metrics/counters.ts')).Counters(metrics, 0)
  return store && startServer(config, store, { log, report }, { counters })
}

/** Starts a server with threads, which load modules themselves. Null if it was stopped first. */
async function startThreaded(...[config, waiting, stopped, { log, write, metrics }]: Start) {
  const { MAIN_THREAD, refuseThreads, startThreads } = await import('../http/threads/supervisor.ts')
  const { createRepeats } = await import('../http/logging/repeats.ts')
  const { openForThreads } = await import('../store/open.ts')
  refuseThreads(process.platform, config.host)
  // Threads lose the database for one reason, but may notice it in several ways.
  const keyOf = ({ event, message }: LogEntry) => (event === 'error' ? message : event)
  const report = createRepeats(write, keyOf, () => performance.now())
  const reportHere = createReport((entry) => report(entry, MAIN_THREAD))
  const opening = openForThreads(config.database, { waiting, report: reportHere }, config.threads)
  const store = await Promise.race([opening, stopped])
  // The threads may have to wait for the database as well.
  return store && Promise.race([startThreads(config, store, { log, report }, { metrics }), stopped])
}

/**
 * Resolves at the signal that ends a server. Later ones change nothing: several may come at once when a terminal closes.
 * Without a terminal, SIGHUP asks a service to reload.
 */
export const untilStopped = (reload = () => {}): Promise<null> =>
  new Promise((resolve) => {
    const stop = () => resolve(null)
    process.on('SIGTERM', stop).on('SIGINT', stop)
    if (!isHangupIgnored()) process.on('SIGHUP', hasTerminal() ? stop : reload)
  })

/** To be asked at the start: a terminal that closes can no longer be opened. */
const hasTerminal = (): boolean => orNull(() => closeSync(openSync('/dev/tty', 'r'))) !== null

/** True if started with `nohup`, to survive its terminal. */
function isHangupIgnored(): boolean {
  const status = orNull(() => readFileSync('/proc/self/status', 'utf8')) ?? ''
  const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'
  return (BigInt(`0x${ignored}`) & 1n) === 1n
}

/** Whether starting creates the database, which somebody in another directory does not mean to. */
export const willCreate = ({ database }: Config): boolean => !isPostgres(database) && !existsSync(database)
export const createdNotice = ({ database }: Config): Notice =>
  new Notice('database_created', `Created ${database}, which is empty.`)
