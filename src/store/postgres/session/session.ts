import type { SQL } from 'bun'
import { databaseName } from '../../../domain/addresses/database.ts'
import type { Instant } from '../../../domain/records.ts'
import { Unavailable } from '../../../domain/refusal.ts'
import type { Waiting } from '../../engines/wait.ts'
import { before, type Client, close, connect, isLate, OPEN_MS, valuesOf } from '../connect.ts'
import { postgresError } from '../errors.ts'

/** How long a statement may take before another connection looks whether the engine works on it. */
const LOOK_MS = 2_000

/** The least time that counts as silence, however short the command may wait. */
const SILENT_MS = 5_000

export type Session = ReturnType<typeof openSession>

/** The one connection of a command. */
export const openSession = (address: string, waiting: Waiting, clock: () => Instant) => ({
  address,
  waiting,
  clock,
  sql: connect(address, { max: 1 }),
  isInTransaction: false,
  /** Why it was closed, if the engine went silent. */
  silence: null as Unavailable | null,
})

export function renew(session: Session): void {
  close(session.sql)
  session.sql = connect(session.address, { max: 1 })
}

/** The process of the engine for a connection. */
export interface Backend {
  pid: number
  /** The start time of its server, which tells servers and restarts apart. */
  server: string
}

export async function backendOf(client: Client): Promise<Backend> {
  const question = 'select pg_backend_pid(), pg_postmaster_start_time()::text'
  const [[pid, server] = []] = await valuesOf(client, question)
  return { pid: Number(pid), server: String(server) }
}

/** Ends a backend whose client has given up, and waits for it: its locks would block others for long. */
export async function endIdle(client: Client, { pid, server }: Backend): Promise<void> {
  const statement = `select pg_terminate_backend(pid, 1000) from pg_stat_activity
    where pid = $1 and wait_event = 'ClientRead' and pg_postmaster_start_time()::text = $2`
  await valuesOf(client, statement, [pid, server])
}

/**
 * Waits for the answer to a statement, as long as the engine works on it. If the engine cannot be reached any more, or
 * waits for a statement that got lost, that is announced; in the end the session is closed, and this throws
 * `Unavailable`. As a client cannot tell a lost answer from a long statement, another connection looks.
 */
async function unlessSilent<T>(session: Session, backend: Backend, answer: Promise<T>): Promise<T> {
  const { address, waiting } = session
  const name = databaseName(address)
  const limit = Math.max(waiting.answerMs, SILENT_MS)
  let silentSince: number | null = null
  for (;;)
    try {
      return await before(LOOK_MS, address, answer)
    } catch (error) {
      if (!isLate(error)) throw error
      if (await isWorking(address, backend)) {
        silentSince = null
        continue
      }
      // The answer may have been on its way when the first look found silence.
      if (silentSince !== null) await waiting.announce(`the database ${name} to respond`)
      silentSince ??= performance.now()
      if (performance.now() - silentSince >= limit) throw await givenUp(session, backend, limit)
    }
}

async function givenUp(session: Session, backend: Backend, limit: number): Promise<Unavailable> {
  const { address, sql } = session
  session.silence ??= new Unavailable(
    `The database ${databaseName(address)} has not responded for ${Math.round(limit / 1_000)} s. Nothing was changed.`,
  )
  await onAnother(address, (client) => endIdle(client, backend)).catch(() => {})
  close(sql)
  return session.silence
}

/** A client whose statements are watched by `unlessSilent`. They still begin when they are awaited. */
export function unlessSilentOn<C extends Client>(session: Session, backend: Backend, client: C): C {
  const unsafe: Client['unsafe'] = (text, values) => {
    const query = client.unsafe(text, values)
    const begin: typeof query.then = query.then.bind(query)
    // biome-ignore lint/suspicious/noThenProperty: a query begins when it is awaited.
    query.then = (done, failed) => unlessSilent(session, backend, begin()).then(done, failed)
    return query
  }
  return new Proxy(client, {
    get: (target, name) => (name === 'unsafe' ? unsafe : Reflect.get(target, name)),
  })
}

/** True if a backend works on a statement, as another connection sees it. */
async function isWorking(address: string, { pid, server }: Backend): Promise<boolean> {
  const question = `select pg_postmaster_start_time()::text,
    (select coalesce(wait_event, '') from pg_stat_activity where pid = $1)`
  try {
    const [[here, event] = []] = await onAnother(address, (client) => valuesOf(client, question, [pid]))
    return here === server && event !== null && event !== 'ClientRead'
  } catch (error) {
    // The engine is up, but cannot be asked: it has too many connections, for example.
    return postgresError(error)?.errno !== undefined
  }
}

async function onAnother<T>(address: string, work: (client: SQL) => Promise<T>): Promise<T> {
  const sql = connect(address, { max: 1 })
  try {
    return await before(OPEN_MS, address, work(sql))
  } finally {
    close(sql)
  }
}
