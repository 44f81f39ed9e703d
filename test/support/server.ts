import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seeder } from './seed.ts'

/** What the end-to-end suites run against: the same promises hold for each. */
export const SUBJECTS = [
  { name: 'the source', command: [process.execPath, 'src/main.ts'], env: {} },
  {
    name: 'the source, remembering nothing',
    command: [process.execPath, 'src/main.ts'],
    env: { CACHE_MAX_BYTES: '0' },
  },
  { name: 'the binary', command: ['dist/changelogd'], env: {} },
] as const

export type Subject = (typeof SUBJECTS)[number]
export type Settings = Record<string, string>

/** A generous limit, for the suites that are not about the limit. */
const PLENTY: Settings = { RATE_LIMIT_BURST: '1000000', RATE_LIMIT_PER_MINUTE: '1000000' }

const root = join(import.meta.dir, '../..')

/** A directory of its own, and a way to be rid of it. */
export function scratch() {
  const path = mkdtempSync(join(tmpdir(), 'changelogd-test-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** Servers that a failed test has left behind are ended with the tests. */
const spawned = new Set<Bun.Subprocess>()
process.on('exit', () => {
  for (const child of spawned) child.kill('SIGKILL')
})

/** Runs `serve` as a process of its own. The environment is only what is given. */
export function spawnServer(subject: Subject, settings: Settings) {
  const [program, ...rest] = subject.command
  const child = Bun.spawn([program.startsWith('dist/') ? join(root, program) : program, ...rest, 'serve'], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', ...subject.env, ...settings },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  spawned.add(child)
  return child
}

/** A running server over a database of its own, with a hand to write into that database. */
export async function startServer(subject: Subject, settings: Settings = {}) {
  const directory = scratch()
  const database = join(directory.path, 'changelogd.db')
  const seed = seeder(database)
  const child = spawnServer(subject, { PORT: '0', DATABASE_URL: database, ...PLENTY, ...settings })
  const lines: string[] = []
  const url = await firstAddress(child.stdout, lines)
  if (!url) throw new Error(`the server did not start: ${await new Response(child.stderr).text()}`)

  return {
    url,
    database,
    seed,
    child,
    /** Everything it has printed, line by line. */
    lines,
    get: (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers }),
    /** Sends these bytes and gives what comes back until the server closes or falls silent. */
    raw: (text: string) => rawRequest(Number(new URL(url).port), text),
    async stop() {
      child.kill('SIGTERM')
      const status = await child.exited
      seed.db.close()
      directory[Symbol.dispose]()
      return status
    },
  }
}

export type TestServer = Awaited<ReturnType<typeof startServer>>

async function firstAddress(
  stdout: ReadableStream<Uint8Array>,
  lines: string[],
): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  void (async () => {
    let rest = ''
    for await (const chunk of stdout.pipeThrough(new TextDecoderStream() as never) as AsyncIterable<string>) {
      const parts = (rest + chunk).split('\n')
      rest = parts.pop() ?? ''
      lines.push(...parts)
      resolve(parts.map((line) => /http:\/\/\S+/.exec(line)?.[0]).find((address) => address))
    }
    resolve(undefined)
  })()
  return promise
}

function rawRequest(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    const done = () => {
      socket.destroy()
      resolve(Buffer.concat(chunks).toString('latin1'))
    }
    let silence = setTimeout(done, 3_000)
    socket.on('data', (chunk) => {
      chunks.push(Buffer.from(chunk))
      clearTimeout(silence)
      silence = setTimeout(done, 150)
    })
    socket.on('close', done)
    socket.on('error', reject)
    // Asked to close, the server need not be waited for.
    socket.write(Buffer.from(text.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'), 'latin1'))
  })
}

/** The parts of an answer that must not tell two hidden things apart. */
export async function fingerprint(response: Response): Promise<string> {
  const varying = new Set(['date', 'ratelimit'])
  const headers = [...response.headers].filter(([name]) => !varying.has(name)).sort()
  return JSON.stringify({ status: response.status, headers, body: await response.text() })
}

export const publicPath = (team: string, product: string, rest = '') =>
  `/api/v1/public/teams/${team}/products/${product}/changelog${rest}`

export const keyedPath = (team: string, product: string, rest = '') =>
  `/api/v1/teams/${team}/products/${product}/changelog${rest}`

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
