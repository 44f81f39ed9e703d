import { SQLiteError } from 'bun:sqlite'
import { statSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import type { Instant } from '../../domain/records.ts'
import { Refusal } from '../../domain/refusal.ts'
import { shellWord } from '../../domain/text/shell.ts'
import { auxiliaryFiles, bookkeepingFile, fileAt, resolvedPath } from '../../files/lookup.ts'
import { createWaiting } from '../engines/wait.ts'
import { newestBackup, upgradeBackupOf } from '../sqlite/backup/upgrade-backups.ts'
import { ClosingDatabase } from '../sqlite/database.ts'
import { engineError, isDamage } from '../sqlite/errors.ts'
import { copyBeside, createFile, useWal } from '../sqlite/open.ts'
import { type Drizzle, typedAs } from '../tables/schema.ts'
import { SQLITE_BACKUPS, SQLITE_BOOKKEEPING } from '../tables/sqlite.ts'
import { migrationFiles } from '../upkeep/migration.ts' with { type: 'macro' }
import { type Bookkeeping, bookkeepingOn, type Timing } from './bookkeeping.ts'
import type { BookkeepingEngine } from './engine.ts'

/** The file has the number of its migrations as `user_version`. */
const MIGRATIONS = Object.freeze(migrationFiles('bookkeeping'))

/** Marks the file (`application_id`): the letters "clgw". It is not the database. */
const APPLICATION_ID = 0x636c6777

/** Statements are short, so a lock is too. */
const BUSY_MS = 5_000

/** Creates the file if it is missing, readable by its owner only. */
export function openBookkeeping(database: string, timing: Timing): Bookkeeping {
  const file = bookkeepingFile(database)
  if (!fileAt(file)) createFile(file, `Cannot create ${file}`)
  return connect(database, timing)
}

export const openExisting = (database: string, timing: Timing): Bookkeeping | null =>
  fileAt(bookkeepingFile(database)) ? connect(database, timing) : null

function connect(database: string, { clock, leaseMs }: Timing): Bookkeeping {
  const file = bookkeepingFile(database)
  let client: ClosingDatabase | undefined
  try {
    client = ClosingDatabase.existing(file, BUSY_MS)
    useWal(client)
    migrate(client, file, clock)
  } catch (error) {
    client?.close()
    throw isDamage(error) ? unusable(file, error) : engineError(error, file, `Cannot open ${file}`)
  }
  const opened = client
  const db = typedAs<Drizzle>(drizzle({ client: opened }))
  const run: BookkeepingEngine['run'] = async (statement) => {
    try {
      return await statement()
    } catch (error) {
      const failure = error instanceof Error && error.cause instanceof SQLiteError ? error.cause : error
      throw isDamage(failure) ? unusable(file, failure) : engineError(failure, file)
    }
  }
  return bookkeepingOn({
    db,
    tables: SQLITE_BOOKKEEPING,
    backups: SQLITE_BACKUPS,
    now: () => sql`${clock()}`,
    leaseMs,
    run,
    // Without waiting in between: another statement of this process would become a part of the transaction.
    atOnce: ([first, ...others]) =>
      run(async () =>
        opened
          .transaction(() => {
            const taken = first?.(db).all?.()
            if (!Array.isArray(taken) || taken.length === 0) return false
            for (const statement of others) statement(db).run()
            return true
          })
          .immediate(),
      ),
    contentRevision: async () => filesState(resolvedPath(database)),
    close: () => opened.close(),
  })
}

/** How long the time of a file may stay the same although it was written again. */
const TICK_MS = 100

/** Every commit writes to the log, and every end of a log to the database. A fresh file may be written again. */
function filesState(database: string): string {
  const parts = [database, `${database}-wal`].flatMap((path) => {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false })
    return found ? [found] : []
  })
  const isFresh = parts.some(({ mtimeMs }) => Math.abs(Date.now() - Number(mtimeMs)) < TICK_MS)
  return [
    ...parts.filter(({ size }) => size > 0n).map(({ ino, size, mtimeNs }) => `${ino} ${size} ${mtimeNs}`),
    ...(isFresh ? [crypto.randomUUID()] : []),
  ].join()
}

/** Keeps a copy of an older file: older programs cannot use a newer one, and some advise to delete it. */
function migrate(client: ClosingDatabase, file: string, clock: () => Instant): void {
  const schema = () => {
    const version = client.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0
    if (version <= MIGRATIONS.length) return version
    const text = `A newer changelogd created ${file}, with the state of the worker and the secrets of hooks.`
    // Its log is in it once the last process has closed it.
    const away = `mv ${[file, `${file}.newer`].map(shellWord).join(' ')}`
    const copy = newestBackup(file, MIGRATIONS.length)
    const [how, back] = copy ? ['', ` && cp ${[copy, file].map(shellWord).join(' ')}`] : [' without them', '']
    const hint = `Run the newer program. To go back${how}, stop the worker and run: ${away}${back}`
    throw new Refusal(text, { hint })
  }
  if (schema() === MIGRATIONS.length) return
  client
    .transaction(() => {
      const from = schema()
      if (from > 0 && from < MIGRATIONS.length)
        copyBeside(file, upgradeBackupOf(file, from, clock()), createWaiting())
      for (const step of MIGRATIONS.slice(from)) client.run(step)
      client.run(`PRAGMA application_id = ${APPLICATION_ID}`)
      client.run(`PRAGMA user_version = ${MIGRATIONS.length}`)
    })
    .immediate()
}

/** The file can go: everything is checked again then. */
function unusable(file: string, cause: unknown): Refusal {
  const parts = [file, ...auxiliaryFiles(file)].map(shellWord)
  const hint = `To reset the worker, stop it and run: rm -f ${parts.join(' ')}`
  return new Refusal(`${file}, the state of the worker, is damaged.`, { hint, cause })
}
