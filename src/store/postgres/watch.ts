import type { SQL } from 'bun'
import { databaseName } from '../../domain/addresses/database.ts'
import { Notice } from '../../domain/notice.ts'
import type { Instant } from '../../domain/records.ts'
import { isRefusal, Unavailable } from '../../domain/refusal.ts'
import { ALWAYS, includes, type ScheduleWindow } from '../engines/schedule.ts'
import { CONFIRMED_MS, type Revision } from '../store.ts'
import { before, close, connect, serving, valuesOf } from './connect.ts'
import { engineError, whileServing } from './errors.ts'
import { checkKnown, META_COLUMNS, metaOf } from './migrations.ts'

/** How often the revision is asked for, and the timeout: together less than a second. */
const INTERVAL_MS = 400
const DEADLINE_MS = 500

/** The timeout if nothing can be served before: the connection comes first, maybe from far away. */
const CONNECT_MS = 2_000

/** How long the engine may be silent before it counts as down. Until then, reads still try it. */
const PATIENCE_MS = 1_000

const QUESTION = `select ${META_COLUMNS}, pg_is_in_recovery() from changelogd`
const CHANNEL = 'changelogd'

/** The revision of the database that a read saw, and the window of its time. */
export interface Seen {
  revision: Revision
  window: ScheduleWindow
}

/** The revision of a read in another window than the clock's. It equals nothing, not even itself. */
const OUTDATED: Revision = Number.NaN

/**
 * Watches the revision of a database by polling, and at once when the engine notifies. Resolves with the first reply,
 * and throws if there is none. `report` gets an error when the engine stops answering, and a notice when it answers
 * again; `onReturn` is called then.
 */
export async function watchRevision(
  address: string,
  report: (event: unknown) => void,
  onReturn: () => void,
  clock: () => Instant = Date.now,
  intervalMs = INTERVAL_MS,
) {
  let client = openClient(address)
  let revision: Revision = 0
  /** The database's own revision, and the window of cached reads, once there was one. */
  let committed: Revision = 0
  let window: ScheduleWindow | null = null
  let windows = 0
  let confirmedAt = Number.NEGATIVE_INFINITY
  let learnedAt = Number.NEGATIVE_INFINITY
  let lost: Unavailable | null = null
  let timer: Timer | undefined
  let isAsking = false
  /** A notification came during a query, which may have been too early. */
  let isHinted = false
  let isListening = false
  let isClosed = false

  const learn = (seen: Revision, sentAt: number): void => {
    if (seen !== committed) {
      // Queries may overtake each other, so one in flight may have seen an older state. A later one is right even if
      // its revision is lower: the database may have been restored.
      if (seen < committed && sentAt < learnedAt) return
      if (seen < committed) confirmedAt = sentAt
      revision = seen
      committed = seen
      window = null
      learnedAt = performance.now()
    }
    confirmedAt = Math.max(confirmedAt, sentAt)
  }

  /** Notes the result of a read, and returns its revision; `sentAt` is when it was sent. */
  const confirm = (seen: Seen, sentAt: number): Revision => {
    learn(seen.revision, sentAt)
    if (seen.revision !== committed) return seen.revision
    if (seen.window.since !== window?.since) {
      if (!includes(seen.window, clock())) return OUTDATED
      if (window) revision = -++windows
      window = seen.window
    }
    return revision
  }

  const ask = async (): Promise<void> => {
    const sentAt = performance.now()
    const isServing = lost === null && confirmedAt > Number.NEGATIVE_INFINITY
    const deadline = isServing ? DEADLINE_MS : CONNECT_MS
    const question = valuesOf(client, QUESTION)
    const [row] = await before(deadline, address, question, () => question.cancel())
    const meta = metaOf(row)
    checkKnown(meta, address)
    learn(meta.revision, sentAt)
    const isStandby = row?.at(-1)
    // A standby cannot be listened to until it is promoted.
    if (isStandby === false && !isListening) listen()
  }

  /** One lost connection does not mean that the engine is down, so another one is tried at once. */
  const askAgain = (error: unknown): Promise<void> => {
    if (isClosed || lost || isRefusal(engineError(error, address))) throw error
    reconnect()
    return ask()
  }

  /** A connection that does not answer may never do so. */
  const reconnect = (): void => {
    close(client)
    client = openClient(address)
    isListening = false
  }

  const listen = (): void => {
    isListening = true
    const listener = client
    listener.listen(CHANNEL, hint, hint).catch(() => {
      if (listener === client) isListening = false
    })
  }

  const hint = (): void => {
    if (isAsking) isHinted = true
    else void poll()
  }

  const poll = async (): Promise<void> => {
    if (isClosed) return
    clearTimeout(timer)
    isAsking = true
    isHinted = false
    const start = performance.now()
    try {
      await ask().catch(askAgain)
      found()
    } catch (error) {
      lose(error)
    }
    isAsking = false
    if (isClosed) return
    const pause = isHinted ? 0 : Math.max(0, start + intervalMs - performance.now())
    timer = setTimeout(poll, pause)
  }

  const found = (): void => {
    if (!lost) return
    lost = null
    onReturn()
    report(new Notice('database_back', `The database ${databaseName(address)} is responding again.`))
  }

  const lose = (error: unknown): void => {
    if (isClosed) return
    reconnect()
    const failure = engineError(error, address)
    if (!isRefusal(failure) && performance.now() - confirmedAt < PATIENCE_MS) return
    if (lost === null) report(failure)
    const away = whileServing(failure, address)
    lost = away instanceof Unavailable ? away : new Unavailable(String(away), { cause: away })
  }

  try {
    await ask()
  } catch (error) {
    close(client)
    throw engineError(error, address)
  }
  timer = setTimeout(poll, intervalMs)

  return {
    /** The last known revision; a negative one for each further window of the same state. */
    revision: () => revision,
    /** Milliseconds since the query that confirmed it; at least `CONFIRMED_MS` once the clock has left its window. */
    unconfirmedFor: () => {
      const age = performance.now() - confirmedAt
      const isOver = window !== null && window !== ALWAYS && !includes(window, clock())
      return isOver ? Math.max(age, CONFIRMED_MS) : age
    },
    /** Throws `Unavailable` while the engine is down: a read would only wait. */
    check: () => {
      if (lost) throw lost
    },
    confirm,
    close: () => {
      isClosed = true
      clearTimeout(timer)
      close(client)
    },
  }
}

/** One connection for queries; the client opens another to listen. */
const openClient = (address: string): SQL => connect(address, serving(1))
