import { statSync } from 'node:fs'
import { messageOf } from '../../../domain/errors.ts'
import type { PrintedFinding } from '../../../domain/finding.ts'
import { Notice } from '../../../domain/notice.ts'
import { Refusal, Unavailable } from '../../../domain/refusal.ts'
import { exactStat, isSame, resolvedPath } from '../../../files/lookup.ts'
import { ownCommand } from '../../../files/own-program.ts'
import type { WatchedConnection } from './connection.ts'
import { removalOf } from './file-watch.ts'
import type { Sharing } from './sharing.ts'

/** How often the files are checked: nothing old is served for longer than a second. */
const INTERVAL_MS = 250

/** A database with faults is verified again when it changes, or after this many times as long as it took. */
const PAUSES = 10
const LEAST_PAUSE_MS = 1_000

/**
 * Keeps a server on the database at `path`. When the file is replaced, reading stops; once the new file has been
 * verified, `connect` opens it. `report` gets an error or a notice for each step. With `sharing`, other threads use the
 * same database.
 */
export function createReopening(
  path: string,
  first: WatchedConnection,
  connect: () => WatchedConnection,
  report: (event: unknown) => void,
  sharing?: Sharing,
) {
  /** The serving connection; after a loss, until it can be closed. */
  let connection: WatchedConnection | null = first
  let lost: Unavailable | null = null
  let isVerifying = false
  let failed: { state: string; until: number } | null = null
  const closed = new AbortController()

  /** Throws `Unavailable` while there is no connection. */
  const current = (): WatchedConnection => {
    if (lost !== null || connection === null) throw lost
    return connection
  }

  const checkFiles = (): void => {
    try {
      const loss = lost ? null : connection?.checkFiles()
      if (loss) lose(`Lost the database: ${loss.message}`, loss.hint)
      if (lost && !isVerifying) recover()
    } catch (error) {
      fail(error)
    }
  }

  const lose = (message: string, hint?: string): void => {
    if (lost?.message === message) return
    lost = new Unavailable(message, { hint })
    sharing?.lose()
    report(lost)
  }

  /** A file can be removed at any moment. */
  const fail = (error: unknown): void => {
    const removal = removalOf(path)
    if (removal) lose(`Lost the database: ${removal.message}`, removal.hint)
    else lose(`Cannot serve ${path}: ${messageOf(error)}`, error instanceof Refusal ? error.hint : undefined)
  }

  /** Begins to verify the file that is there, if it can replace the lost one. */
  const recover = (): void => {
    if (sharing && !sharing.isFree()) return
    if (connection && !isLetGo(connection)) return
    connection = null
    const found = exactStat(path)
    if (!found?.isFile()) return
    const state = [found.dev, found.ino, found.size, found.mtimeNs].join()
    if (state === failed?.state && performance.now() < failed.until) return
    isVerifying = true
    const start = performance.now()
    verifyToServe(resolvedPath(path), closed.signal)
      .then(() => {
        // A file that changed meanwhile was not verified.
        if (!closed.signal.aborted && isSame(exactStat(path), found)) reopen()
      })
      .catch((error) => {
        const end = performance.now()
        failed = { state, until: end + Math.max(LEAST_PAUSE_MS, PAUSES * (end - start)) }
        if (!closed.signal.aborted) fail(error)
      })
      .finally(() => {
        isVerifying = false
      })
  }

  /** Closes a lost connection, unless it is still needed. */
  const isLetGo = (old: WatchedConnection): boolean => {
    const step = old.checkFiles()?.step ?? 'release'
    if (step === 'wait') return false
    if (step === 'empty the log' && !old.emptyWal()) {
      lose(`Cannot serve ${path} yet: another process is using the previous database.`)
      return false
    }
    if (old.release()) return true
    lose(`The files of ${path} changed while the server was running.`, 'Restart the server.')
    return false
  }

  const reopen = (): void => {
    connection = connect()
    lost = null
    failed = null
    sharing?.open()
    report(new Notice('database_reopened', `Reopened the database ${path}.`))
  }

  sharing?.open()
  const timer = setInterval(checkFiles, INTERVAL_MS)
  timer.unref()

  const close = (): void => {
    clearInterval(timer)
    closed.abort()
    const loss = connection?.checkFiles()
    if (!loss) connection?.close()
    else {
      // The next start would add the log to the database that is there now.
      if (loss.step === 'empty the log') connection?.emptyWal()
      connection?.release()
    }
  }

  return { current, close }
}

/** Checks of `doctor` that a database must pass to be served. */
const REQUIRED = ['database', 'integrity', 'foreign keys', 'schema']

/** The timeout: so long, and a millisecond per so many bytes. It takes a tenth of that. */
const LEAST_MS = 30_000
const BYTES_PER_MS = 10_000

/**
 * Verifies a database like `doctor`, in a process of its own, because that takes seconds with a million versions. Throws a
 * `Refusal` with the first fault. The signal ends it.
 */
async function verifyToServe(database: string, signal: AbortSignal): Promise<void> {
  const child = Bun.spawn([...ownCommand(), 'doctor', '--json', '--db', database], {
    env: {},
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
    timeout: LEAST_MS + Math.ceil(statSync(database).size / BYTES_PER_MS),
    killSignal: 'SIGKILL',
    signal,
  })
  const output = await new Response(child.stdout).text()
  await child.exited
  if (child.signalCode !== null)
    throw new Refusal(
      `the check was stopped by ${child.signalCode}, because it took too long or too much memory.`,
    )
  const { findings } = JSON.parse(output) as { findings: PrintedFinding[] }
  const fault = findings.find(({ check, state }) => REQUIRED.includes(check) && state !== 'ok')
  if (fault) throw new Refusal(`${fault.check}: ${fault.message}.`, { hint: fault.remedy ?? undefined })
}
