import { setTimeout as sleep } from 'node:timers/promises'
import type { SQL } from 'bun'
import { databaseName } from '../../../domain/addresses/database.ts'
import { Refusal, Unavailable } from '../../../domain/refusal.ts'
import { type Client, close, connect, OPEN_MS, valuesOf } from '../connect.ts'
import { before } from '../deadline.ts'
import { postgresError } from '../errors.ts'
import type { Session } from './session.ts'

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

interface Pace {
  /** The pause between checks, which the signal ends. */
  pause(ended: AbortSignal): Promise<unknown>
  /** The least time that counts as silence, however short the command may wait. */
  silentMs: number
}

const PACE: Pace = {
  pause: (signal) => sleep(2_000, null, { signal }).catch(() => {}),
  silentMs: 5_000,
}

/**
 * Runs `work` on the connection of a session. A statement may take as long as the engine works on it, and `work` as long as it
 * likes between two. But if, while a statement is not answered, the engine cannot be reached any more, or waits for one that got
 * lost, that is announced, and in the end the connection is closed, and this throws `Unavailable`. As a client cannot tell a
 * lost answer from a long statement, another connection looks.
 */
export async function unlessSilent<T>(
  session: Session,
  backend: Backend,
  work: () => Promise<T>,
  pace = PACE,
): Promise<T> {
  const ended = new AbortController()
  let silence: Unavailable | undefined
  void watch(session, backend, pace, ended.signal, (reason) => {
    silence = reason
  })
  try {
    return await work()
  } catch (error) {
    throw error instanceof Refusal ? error : (silence ?? error)
  } finally {
    ended.abort()
  }
}

async function watch(
  session: Session,
  backend: Backend,
  { pause, silentMs }: Pace,
  ended: AbortSignal,
  giveUp: (reason: Unavailable) => void,
): Promise<void> {
  const { address, waiting } = session
  const name = databaseName(address)
  const limit = Math.max(waiting.answerMs, silentMs)
  let observer: SQL | undefined
  const closeObserver = () => {
    if (observer) close(observer)
    observer = undefined
  }
  ended.addEventListener('abort', closeObserver)
  let since: number | null = null
  for (;;) {
    const { sent, answered } = session
    const isOneAwaited = () => sent > answered && session.sent === sent && session.answered === answered
    await pause(ended)
    if (ended.aborted) return
    if (isOneAwaited()) {
      observer ??= connect(address, { max: 1 })
      const isSilent = await before(OPEN_MS, address, waitsForUs(observer, backend)).catch((error) => {
        closeObserver()
        // Such as too many connections: the engine is up, but cannot be asked.
        return postgresError(error)?.errno === undefined
      })
      if (ended.aborted) return
      if (isSilent && isOneAwaited()) {
        const now = performance.now()
        if (since !== null) await waiting.announce(`the database ${name} to answer`)
        since ??= now
        if (now - since < limit) continue
        const seconds = Math.round(limit / 1_000)
        giveUp(
          new Unavailable(`The database ${name} has not answered for ${seconds} s. Nothing was changed.`),
        )
        if (observer) await before(OPEN_MS, address, endIdle(observer, backend)).catch(() => {})
        close(session.sql)
        return
      }
    }
    since = null
  }
}

/** Whether a backend waits for its client, or is gone. */
async function waitsForUs(observer: SQL, { pid, server }: Backend): Promise<boolean> {
  const question = `select pg_postmaster_start_time()::text,
    (select coalesce(wait_event, '') from pg_stat_activity where pid = $1)`
  const [[here, event] = []] = await valuesOf(observer, question, [pid])
  return here !== server || event === null || event === 'ClientRead'
}
