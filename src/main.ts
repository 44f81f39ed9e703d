#!/usr/bin/env bun
import { readFileSync, realpathSync } from 'node:fs'
import { version } from '../package.json'
import type { ApiResponse, Context } from './cli/context.ts'
import { run } from './cli/program.ts'
import { editorOn } from './cli/terminal/editor.ts'
import { writerTo } from './cli/terminal/output.ts'
import { progressOn } from './cli/terminal/progress.ts'
import { promptOn } from './cli/terminal/prompt.ts'
import type { Config } from './config/config.ts'
import { isPackaged } from './config/package.ts'
import { Notice } from './domain/notice.ts'
import type { Team } from './domain/records.ts'
import { keepHeapSmall } from './heap.ts'
import { isJournal, notifySystemd } from './http/listening/systemd.ts'
import type { MetricsListener } from './http/metrics/listener.ts'
import { reportConsole } from './log/console.ts'
import { entryLines, type LogEntry } from './log/lines.ts'
import { createReport, textOf } from './log/report.ts'
import { createLogWriter } from './log/writer.ts'
import type { Waiting } from './store/wait.ts'

keepHeapSmall(process)

const stdout = writerTo(process.stdout)
const stderr = writerTo(process.stderr)

/** For the user of a command that reads as a server does. */
const report = createReport(({ message }) => process.stderr.write(`${message}\n`))

const context: Omit<Context, 'configFile'> = {
  version,
  env: process.env,
  isPackaged: isPackaged(process.execPath),
  logHasTimes: !isJournal(process.env),
  stdout,
  stderr,
  terminal: {
    input: process.stdin.isTTY === true,
    output: process.stdout.isTTY === true,
    // Some terminals report no columns.
    width: (process.stdout.isTTY && process.stdout.columns) || Number.POSITIVE_INFINITY,
  },
  now: Date.now,
  confirm: promptOn(console, stderr),
  progress: progressOn(process.stderr, Date.now),
  runEditor: editorOn(process),
  serve,
  preview,
  get,
}

// A reader that closes the pipe early, as `head` does, gets no message; but the output is incomplete, and the exit status
// is that of a program ended by SIGPIPE.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(141)
  void failOutput(error)
})

async function failOutput(error: Error): Promise<never> {
  const { fileError } = await import('./files/errors.ts')
  const known = fileError(error, outputFile(), 'Cannot write to standard output')
  const text = known instanceof Error ? textOf(known) : error.message
  process.stderr.write(`changelogd: ${text}\n`)
  process.exit(1)
}

/** The file that standard output goes to, where the system says so. */
function outputFile(): string {
  try {
    return realpathSync('/dev/stdout')
  } catch {
    return '.'
  }
}

// Not process.exit, which would cut off what a pipe has not taken yet; and no top-level await, which the bytecode
// of the executable does not support.
run(context, process.argv.slice(2)).then((status) => {
  process.exitCode = status
})

/** Serves until SIGTERM, SIGINT or SIGHUP, then finishes the requests in flight. */
async function serve(config: Config, waiting: Waiting): Promise<void> {
  // The server keeps running even if nothing reads its log.
  for (const stream of [process.stdout, process.stderr])
    stream.removeAllListeners('error').on('error', () => {})
  const lines = (entry: LogEntry) =>
    `${entryLines(config.logFormat, entry, Date.now(), context.logHasTimes)}\n`
  const write = (entry: LogEntry) => process.stderr.write(lines(entry))
  const report = createReport(write)
  reportConsole(console, report)
  const log: Log = { log: createLogWriter(process.stdout, (count) => report(droppedNotice(count))), write }
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (error) => {
      report(error)
      process.exit(1)
    })
  // Before the first wait, and before the server reports that it is up.
  const stopped = untilStopped()
  const metrics = await startMetrics(config, report)
  const parts = { log, report, metrics: metrics?.memory ?? null }
  const server = await (config.threads > 1 ? startThreaded : startAlone)(config, waiting, stopped, parts)
  if (!server) process.exit()
  const { url } = server
  const say = (event: string, message: string, more = {}) =>
    process.stdout.write(lines({ level: 'info', event, message, ...more }))
  say('listening', `changelogd is listening on ${url}`, { url })
  if (metrics) say('metrics', `changelogd has metrics on ${metrics.url}`, { url: metrics.url })
  notifySystemd(process.env, 'READY=1', report)
  await Promise.race([stopped, server.failed])
  notifySystemd(process.env, 'STOPPING=1', report)
  say('stopping', 'changelogd is stopping')
  await server.stop()
  await metrics?.stop()
  say('stopped', 'changelogd has stopped')
  await Promise.race([logTaken(), Bun.sleep(LOG_TAKEN_MS)])
  process.exit()
}

/** Where a server logs. */
interface Log {
  /** Writes lines of the access log. */
  log(text: string): void
  write(entry: LogEntry): void
}

/** What a server gets beside its settings: where it logs, and where it counts, if there are metrics. */
interface Parts {
  readonly log: Log
  report(event: unknown): void
  readonly metrics: SharedArrayBuffer | null
}

const droppedNotice = (lines: number): Notice =>
  new Notice(
    'log_dropped',
    `Dropped ${lines} lines about requests, because standard output was not read fast enough.`,
    'warning',
  )

/** The listener of the metrics, if there are any. What it needs is loaded only then. */
async function startMetrics(
  config: Config,
  report: (error: unknown) => void,
): Promise<MetricsListener | null> {
  const { metricsPort } = config
  if (metricsPort === 'off') return null
  return (await import('./http/metrics/listener.ts')).startMetrics(config, metricsPort, report)
}

/** How long a server that has stopped waits for a slow reader of its log. */
const LOG_TAKEN_MS = 3_000

/** Resolves when all that was logged has been passed on. Exiting would cut it off, in the middle of a line. */
const logTaken = (): Promise<void> => new Promise((resolve) => process.stdout.end(() => resolve()))

/** Gives null if it was stopped first. What a server needs is loaded here: other commands start in half the time without. */
async function startAlone(config: Config, waiting: Waiting, stopped: Promise<null>, parts: Parts) {
  const { log, report, metrics } = parts
  const { startServer } = await import('./http/server.ts')
  const { openForServing } = await import('./store/open.ts')
  const store = await Promise.race([openForServing(config.database, waiting, report), stopped])
  const counters = metrics && new (await import('./http/metrics/counters.ts')).Counters(metrics, 0)
  return store && startServer(config, store, { log: log.log, report }, { counters })
}

/** The same with threads, which load what they need themselves. */
async function startThreaded(
  config: Config,
  waiting: Waiting,
  stopped: Promise<null>,
  { log, metrics }: Parts,
) {
  const { MAIN_THREAD, refuseThreads, startThreads } = await import('./http/threads/supervisor.ts')
  const { createReports } = await import('./http/threads/reports.ts')
  const { openForThreads } = await import('./store/open.ts')
  refuseThreads(process.platform, config.host)
  const reports = createReports(log.write, () => performance.now())
  const reportHere = createReport((entry) => reports(entry, MAIN_THREAD))
  const opening = openForThreads(config.database, waiting, reportHere, config.threads)
  const store = await Promise.race([opening, stopped])
  // The threads may have to wait for the database as well.
  return (
    store &&
    Promise.race([startThreads(config, store, { log: log.log, report: reports }, { metrics }), stopped])
  )
}

/** Serves the pages of a team, drafts included, until a signal as for `serve`. */
async function preview(
  config: Config,
  team: Pick<Team, 'id' | 'slug'>,
  path: string,
  announce: (url: string) => Promise<void>,
): Promise<void> {
  const { startPreview } = await import('./http/preview.ts')
  const { openForServing } = await import('./store/open.ts')
  const { waitingFor } = await import('./cli/session.ts')
  const stopped = untilStopped()
  reportConsole(console, report)
  const store = await openForServing(config.database, waitingFor(context, {}), report)
  const server = startPreview(config, store, team, path, { log: () => {}, report })
  await announce(server.url)
  await stopped
  await server.stop()
  process.exit()
}

/** Resolves at the signal that ends a server. Later ones change nothing: several may come at once when a terminal closes. */
const untilStopped = (): Promise<null> =>
  new Promise((stop) => {
    const signals = ['SIGTERM', 'SIGINT', ...(isHangupIgnored() ? [] : ['SIGHUP'])]
    for (const signal of signals) process.on(signal, () => stop(null))
  })

/** Whether this was started with `nohup`, so that it survives its terminal. */
function isHangupIgnored(): boolean {
  try {
    const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
    return (BigInt(`0x${ignored}`) & 1n) === 1n
  } catch {
    return false
  }
}

/** One request from this machine. The operator is past the gate already: its credential is in the settings. */
async function get(config: Config, path: string, token?: string): Promise<ApiResponse> {
  const { createHandler } = await import('./http/server.ts')
  const { openForOneRequest } = await import('./store/open.ts')
  const { waitingFor } = await import('./cli/session.ts')
  const headers = new Headers()
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  if (config.gate) {
    const credential = Buffer.from(`${config.gate.user}:${config.gate.password}`).toString('base64')
    headers.set('x-site-authorization', `Basic ${credential}`)
  }
  const store = await openForOneRequest(config.database, waitingFor(context, {}))
  try {
    const handle = createHandler({ ...config, logRequests: 'off' }, store, { log: () => {}, report })
    const request = new Request(`http://localhost${path}`, { headers })
    const response = await handle(request, () => '127.0.0.1')
    return { status: response.status, headers: [...response.headers], body: await response.text() }
  } finally {
    store.close()
  }
}
