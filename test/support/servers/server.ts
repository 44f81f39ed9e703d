import { join } from 'node:path'
import { blockingDatabase } from '../postgres/blocking.ts'
import { postgres } from '../postgres/cluster.ts'
import { scratch } from '../scratch.ts'
import { type Seeder, seeder, seederOn } from '../seed.ts'
import { type Child, COMPILING_LATE, killProcess, listening, outputOf, startProcess } from './process.ts'
import { pipelined, rawRequest } from './raw-request.ts'

const root = join(import.meta.dir, '../../..')

export const ENGINES = ['SQLite', 'PostgreSQL'] as const
export type Engine = (typeof ENGINES)[number]

/** A way to run the program, and the engine of its database. */
export interface Subject {
  name: string
  engine: Engine
  command: readonly string[]
  env: Settings
}

const SOURCE = [process.execPath, join(root, 'src/main.ts')]
const BINARY = [join(root, 'dist/changelogd')]
const NO_CACHE = { CACHE_MAX_BYTES: '0' }

export const THE_BINARY: Subject = { name: 'the binary', engine: 'SQLite', command: BINARY, env: {} }
export const TWO_THREADS: Subject = {
  ...THE_BINARY,
  name: 'the binary with two threads',
  env: { THREADS: '2' },
}
const ON_POSTGRESQL: Subject = { ...THE_BINARY, name: 'the binary on PostgreSQL', engine: 'PostgreSQL' }

/** Takes six times as long to start as the binary. */
export const THE_SOURCE: Subject = { ...THE_BINARY, name: 'the source', command: SOURCE }

/**
 * What is tried where the engines differ beyond statements. `test/unit/store/alike.test.ts` tries all reads on both, so other
 * suites run on the binary alone.
 */
export const SUBJECTS: readonly Subject[] = [THE_BINARY, ON_POSTGRESQL]

/** The other ways to run it, which share almost all code with these: `test/contract/http/smoke.test.ts` tries some of each promise. */
export const OTHERS: readonly Subject[] = [
  THE_SOURCE,
  TWO_THREADS,
  { ...THE_BINARY, name: 'the binary without a cache', env: NO_CACHE },
  ON_POSTGRESQL,
]

export type Settings = Record<string, string>

/** A generous limit, for tests that are not about the limit. */
export const PLENTY: Settings = { RATE_LIMIT_BURST: '1000000', RATE_LIMIT_PER_MINUTE: '1000000' }

/** A site behind a password, and the header that opens it. */
export const GATED: Settings = {
  PASSWORD_PROTECTION: 'true',
  PASSWORD_PROTECTION_USER: 'vera',
  PASSWORD_PROTECTION_PASSWORD: 'secret',
}
export const LOGIN = { authorization: `Basic ${btoa('vera:secret')}` }

/** Starts `serve`. Its environment is what is given, the way to find programs, and settings of its engine. */
export function spawnServer(subject: Subject, settings: Settings): Child {
  return startProcess([...subject.command, 'serve'], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', ...COMPILING_LATE, ...subject.env, ...settings },
  })
}

/**
 * A running server over a database of its own, and a seeder that writes to that database. Should this fail, the
 * server is ended and its directory removed; otherwise `stop` or disposing of it does both.
 */
export async function startServer(subject: Subject, settings: Settings = {}) {
  await using undo = new AsyncDisposableStack()
  const { database, seed } = await newDatabase(subject.engine, undo.use(scratch()).path)
  undo.defer(() => seed.db.close())
  const child = spawnServer(subject, { PORT: '0', DATABASE_URL: database, ...PLENTY, ...settings })
  undo.defer(() => killProcess(child))
  const output = outputOf(child)
  const url = await listening(child, output)
  const running = undo.move()

  return {
    /** Its address, for a request that sees all that was seeded. */
    get url() {
      seed.db.settle?.()
      return url
    },
    database,
    seed,
    child,
    /** Every line it has printed so far; all of them once it has stopped. */
    lines: output.lines,
    get(path: string, headers: Record<string, string> = {}) {
      return fetch(this.url + path, { headers })
    },
    /** Sends these bytes, and gives the response as it came over the wire. */
    raw(text: string) {
      return rawRequest(Number(new URL(this.url).port), text)
    },
    /** Sends these requests in one write, and gives the statuses of the responses. */
    async pipelined(requests: readonly string[]) {
      // Bun serves new connections that follow each other in one turn of the event loop. One that was open ends it.
      await this.get('/livez')
      return pipelined(Number(new URL(this.url).port), requests)
    },
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

/** A new database with a schema, in this directory if it is a file, and what writes to it. */
export async function newDatabase(
  engine: Engine,
  directory: string,
): Promise<{ database: string; seed: Seeder }> {
  if (engine === 'SQLite') {
    const database = join(directory, 'changelogd.db')
    return { database, seed: seeder(database) }
  }
  const cluster = await postgres()
  const database = await cluster.create()
  const db = blockingDatabase(database)
  const close = () => {
    db.close()
    void cluster.drop(database)
  }
  return { database, seed: seederOn({ ...db, close }) }
}

export type TestServer = Awaited<ReturnType<typeof startServer>>

/** On a busy machine, PostgreSQL may take longer than a read waits: the server is asked again, as it says. */
export async function insisting(engine: Engine, ask: () => Promise<Response>): Promise<Response> {
  const response = await ask()
  return response.status === 503 && engine === 'PostgreSQL' ? insisting(engine, ask) : response
}

/** The parts of an answer that must not tell two hidden things apart. */
export async function fingerprint(response: Response): Promise<string> {
  const varying = new Set(['date', 'ratelimit', 'connection'])
  const headers = [...response.headers].filter(([name]) => !varying.has(name)).sort()
  return JSON.stringify({ status: response.status, headers, body: await response.text() })
}

export const publicPath = (team: string, product: string, rest = '') =>
  `/api/v1/public/teams/${team}/products/${product}/changelog${rest}`

export const keyedPath = (team: string, product: string, rest = '') =>
  `/api/v1/teams/${team}/products/${product}/changelog${rest}`

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
