#!/usr/bin/env bun
import { version } from '../package.json'
import type { Answer, Context, Progress } from './cli/context.ts'
import { run } from './cli/program.ts'
import type { Config } from './config.ts'

const context: Context = {
  version,
  env: process.env,
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  terminal: { input: process.stdin.isTTY === true, output: process.stdout.isTTY === true },
  now: Date.now,
  confirm,
  progress,
  serve,
  get,
}

// Whoever reads the first lines only, as `head` does, has read enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  process.stderr.write(`changelogd: Cannot write: ${error.message}\n`)
  process.exit(1)
})

// Not process.exit, which would cut off what a pipe has not taken yet; and no await here, which the bytecode of
// the executable cannot hold.
run(context, process.argv.slice(2)).then((status) => {
  process.exitCode = status
})

async function confirm(question: string): Promise<boolean> {
  process.stderr.write(`${question} [y/N] `)
  for await (const line of console) return /^y(es)?$/i.test(line.trim())
  return false
}

/** A bar on a terminal once it has taken more than a moment; nothing where nobody watches. */
async function progress(total: number): Promise<Progress> {
  if (!process.stderr.isTTY) return { update: () => {}, end: () => {} }
  const { SingleBar } = await import('cli-progress')
  const bar = new SingleBar({ stream: process.stderr, clearOnComplete: true, format: '{bar} {percentage}%' })
  const start = Date.now()
  let isShown = false
  return {
    update: (done) => {
      if (!isShown && Date.now() - start > 500) {
        bar.start(total, done)
        isShown = true
      }
      if (isShown) bar.update(done)
    },
    end: () => bar.stop(),
  }
}

/** Serves until SIGTERM or SIGINT, then finishes what is in flight. */
async function serve(config: Config): Promise<void> {
  // Loaded when asked for: the other commands start in half the time without it.
  const { startServer } = await import('./http/server.ts')
  // Nobody reading the log is no reason to stop serving.
  process.stdout.removeAllListeners('error').on('error', () => {})
  // Listened for before anybody can know that the server is up.
  const told = new Promise((stop) => {
    for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, stop)
  })
  const server = startServer(config, {
    log: (line) => process.stdout.write(`${line}\n`),
    report,
  })
  process.stdout.write(`changelogd is listening on ${server.url}\n`)
  await told
  await server.stop()
  process.exit()
}

/** A fault and what caused it. Not by console.error, which would show lines of the program too. */
function report(fault: unknown): void {
  const text = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)
  process.stderr.write(`${text}\n`)
  if (fault instanceof Error && fault.cause !== undefined) report(fault.cause)
}

/** One request from this machine. The operator is past the gate already: its credential is in the settings. */
async function get(config: Config, path: string, token?: string): Promise<Answer> {
  const { createHandler } = await import('./http/server.ts')
  const { openForOneRequest } = await import('./store/sqlite/serve.ts')
  const headers = new Headers()
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  if (config.gate) {
    const credential = Buffer.from(`${config.gate.user}:${config.gate.password}`).toString('base64')
    headers.set('x-site-authorization', `Basic ${credential}`)
  }
  const store = openForOneRequest(config.database)
  try {
    const handle = createHandler(config, store, { log: () => {}, report })
    const request = new Request(`http://localhost${path}`, { headers })
    const response = await handle(request, () => '127.0.0.1')
    return { status: response.status, headers: [...response.headers], body: await response.text() }
  } finally {
    store.close()
  }
}
