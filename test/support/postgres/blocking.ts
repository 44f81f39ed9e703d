/** How tests write rows with plain SQL, whatever the engine; a part of what `bun:sqlite` has. */
export interface PlainDatabase {
  run(text: string, ...values: (string | number | boolean | null)[][]): unknown
  /** A function that runs `work` in a transaction. */
  transaction(work: () => void): () => void
  /** Returns when the servers of the database have seen what was written: with SQLite, the next request does. */
  settle?(): void
  close(): void
}

export interface BlockingDatabase extends PlainDatabase, Disposable {
  settle(): void
}

/** For the worker: what can be asked for beside the statements of SQL. */
export const SETTLE = 0
export const CLOSE = 1

/** A statement, and its values. */
export type SqlText = readonly [text: string, values: unknown[]]

export interface Statement {
  address: string
  work: SqlText[] | typeof SETTLE | typeof CLOSE
  /** Where the answer goes: a flag, and the length and text of an error, if there is one. */
  answer: SharedArrayBuffer
}

const MAX_ANSWER = 2 ** 12
/** As long as the runner's own timeout, which cannot end a wait that blocks. */
const LONGEST_MS = 600_000

let worker: Worker | undefined

/**
 * A connection to PostgreSQL that blocks until each statement is done, like one to SQLite: so the same tests write to both.
 * A worker runs the statements.
 */
export function blockingDatabase(address: string): BlockingDatabase {
  // What others wrote, such as commands, counts too.
  let isSettled = false
  /** What a transaction collects, to be sent at once: one by one they take several times as long. */
  let collected: SqlText[] | undefined
  const send = (work: Statement['work']): void => {
    worker ??= startWorker()
    const answer = new SharedArrayBuffer(8 + MAX_ANSWER)
    const flag = new Int32Array(answer, 0, 2)
    worker.postMessage({ address, work, answer } satisfies Statement)
    if (Atomics.wait(flag, 0, 0, LONGEST_MS) === 'timed-out') throw new Error(`no answer to: ${work}`)
    const bytes = new Uint8Array(answer, 8, flag[1])
    if (bytes.length > 0) throw new Error(new TextDecoder().decode(bytes.slice()))
  }
  const run = (text: string, values: unknown[] = []): void => {
    isSettled = false
    const statement = [numbered(text), values] as const
    if (collected) collected.push(statement)
    else send([statement])
  }
  return {
    run,
    settle: () => {
      if (!isSettled) send(SETTLE)
      isSettled = true
    },
    transaction: (work) => () => {
      if (collected) return work()
      collected = [['BEGIN', []]]
      try {
        work()
        send([...collected, ['COMMIT', []]])
      } finally {
        collected = undefined
      }
    },
    close: () => send(CLOSE),
    [Symbol.dispose]: () => send(CLOSE),
  }
}

function startWorker(): Worker {
  const started = new Worker(new URL('./blocking-worker.ts', import.meta.url).href)
  started.unref()
  return started
}

/** A statement written for SQLite, with PostgreSQL's names for its values. */
function numbered(text: string): string {
  let count = 0
  return text.replace(/\?/g, () => `$${++count}`).replace(/^BEGIN IMMEDIATE/, 'BEGIN')
}
