import { join } from 'node:path'
import { type Child, killProcess, listening, outputOf, startProcess } from './process.ts'
import { pipelined, rawRequest } from './raw-request.ts'
import { scratch } from './scratch.ts'
import { seeder } from './seed.ts'

const root = join(import.meta.dir, '../..')

/** What the end-to-end suites run against: the same promises hold for each. */
export const SUBJECTS = [
  { name: 'the source', command: [process.execPath, join(root, 'src/main.ts')], env: {} },
  {
    name: 'the source without a cache',
    command: [process.execPath, join(root, 'src/main.ts')],
    env: { CACHE_MAX_BYTES: '0' },
  },
  { name: 'the binary', command: [join(root, 'dist/changelogd')], env: {} },
] as const

export type Subject = (typeof SUBJECTS)[number]
export type Settings = Record<string, string>

/** A generous limit, for tests that are not about the limit. */
export const PLENTY: Settings = { RATE_LIMIT_BURST: '1000000', RATE_LIMIT_PER_MINUTE: '1000000' }

/** Starts `serve`. Its environment is only what is given. */
export function spawnServer(subject: Subject, settings: Settings): Child {
  return startProcess([...subject.command, 'serve'], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', ...subject.env, ...settings },
  })
}

/**
 * A running server over a database of its own, and a seeder that writes to that database. Should this fail, the
 * server is ended and its directory removed; otherwise `stop` or disposing of it does both.
 */
export async function startServer(subject: Subject, settings: Settings = {}) {
  await using undo = new AsyncDisposableStack()
  const database = join(undo.use(scratch()).path, 'changelogd.db')
  const seed = seeder(database)
  undo.defer(() => seed.db.close())
  const child = spawnServer(subject, { PORT: '0', DATABASE_URL: database, ...PLENTY, ...settings })
  undo.defer(() => killProcess(child))
  const output = outputOf(child)
  const url = await listening(child, output)
  const running = undo.move()

  return {
    url,
    database,
    seed,
    child,
    /** Every line it has printed so far; all of them once it has stopped. */
    lines: output.lines,
    get: (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers }),
    /** Sends these bytes, and gives the response as it came over the wire. */
    raw: (text: string) => rawRequest(Number(new URL(url).port), text),
    /** Sends these requests in one write, and gives the statuses of the responses. */
    pipelined: (requests: readonly string[]) => pipelined(Number(new URL(url).port), requests),
    async stop() {
      child.kill('SIGTERM')
      const status = await child.exited
      await output.ended
      await running.disposeAsync()
      return status
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

export type TestServer = Awaited<ReturnType<typeof startServer>>

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
