#!/usr/bin/env bun
import { readFileSync, realpathSync } from 'node:fs'
import { version } from '../package.json'
import type { ApiResponse, Context } from './cli/context.ts'
import { run } from './cli/program.ts'
import { editorOn } from './cli/terminal/editor.ts'
import { writerTo } from './cli/terminal/output.ts'
import { progressOn } from './cli/terminal/progress.ts'
import { promptOn } from './cli/terminal/prompt.ts'
import type { Config } from './config.ts'
import type { Team } from './domain/records.ts'
import { Refusal } from './domain/refusal.ts'
import type { Waiting } from './store/wait.ts'

const stdout = writerTo(process.stdout)
const stderr = writerTo(process.stderr)

const context: Context = {
  version,
  env: process.env,
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
  const { fileError } = await import('./store/sqlite/errors.ts')
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
  // Loaded here, because the other commands start in half the time without it.
  const { startServer } = await import('./http/server.ts')
  const { openForServing } = await import('./store/open.ts')
  // The server keeps running even if nothing reads its log.
  process.stdout.removeAllListeners('error').on('error', () => {})
  // Before the first wait, and before the server reports that it is up.
  const stopped = untilStopped()
  const store = await Promise.race([openForServing(config.database, waiting, report), stopped])
  if (!store) process.exit()
  const logger = { log: (line: string) => process.stdout.write(`${line}\n`), report }
  const server = await startServer(config, store, logger)
  process.stdout.write(`changelogd is listening on ${server.url}\n`)
  await stopped
  await server.stop()
  process.exit()
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
  const store = await openForServing(config.database, waitingFor(context, {}), report)
  const server = startPreview(config, store, team, path, { log: () => {}, report })
  await announce(server.url)
  await stopped
  await server.stop()
  process.exit()
}

/** Resolves at the signal that ends a server. */
const untilStopped = (): Promise<null> =>
  new Promise((stop) => {
    const signals = ['SIGTERM', 'SIGINT', ...(isHangupIgnored() ? [] : ['SIGHUP'])]
    for (const signal of signals) process.once(signal, () => stop(null))
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

/** The errors that have been printed: one that lasts, such as a database that was removed, meets requests too. */
const printed = new WeakSet<Error>()

/** Prints a line, or an error and its causes. console.error would print lines of the source as well. */
function report(event: unknown): void {
  if (!(event instanceof Error)) {
    process.stderr.write(`${String(event)}\n`)
    return
  }
  if (printed.has(event)) return
  printed.add(event)
  process.stderr.write(`${textOf(event)}\n`)
  if (event.cause !== undefined) report(event.cause)
}

/** A refusal says by itself what is wrong; where in the program it was noticed would not help. */
const textOf = (error: Error): string =>
  error instanceof Refusal
    ? [error.message, error.hint].filter(Boolean).join(' ')
    : (error.stack ?? error.message)

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
    const handle = createHandler(config, store, { log: () => {}, report })
    const request = new Request(`http://localhost${path}`, { headers })
    const response = await handle(request, () => '127.0.0.1')
    return { status: response.status, headers: [...response.headers], body: await response.text() }
  } finally {
    store.close()
  }
}
