import type { Database } from 'bun:sqlite'
import { rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { codeOf, orNull } from '../../domain/errors.ts'
import type { Instant } from '../../domain/records.ts'
import { Refusal, toRun, Unavailable } from '../../domain/refusal.ts'
import { createDirectory, createOwnFile, writeFault } from '../../files/access.ts'
import { accessError, fileError } from '../../files/errors.ts'
import { checkNotRemoved, deadLink, fileAt, fileInstead, notAFile } from '../../files/lookup.ts'
import { missingDirectory } from '../../files/temporary.ts'
import { isBusy } from '../engines/errors.ts'
import type { Waiting } from '../engines/wait.ts'
import { type Migration, upToDate } from '../upkeep/migration.ts'
import { type Backup, copyDatabase } from './backup/copy.ts'
import { upgradeBackupOf } from './backup/upgrade-backups.ts'
import { ClosingDatabase } from './database.ts'
import { engineError } from './errors.ts'
import { checkCurrent, checkOwnership, migrate, SCHEMA_VERSION } from './migrations.ts'

/**
 * How a database file is opened. Every function throws a `Refusal` for a file that is not ours or from a newer program,
 * and an `isBusy` error if another process holds a lock for longer than one attempt of `waiting`.
 */

export function createIfMissing(path: string): void {
  if (!databaseExists(path)) createFile(path, `Cannot create the database ${path}`)
}

/** Opens an existing database for writing, and migrates it after a backup of its content next to it. */
export function openAndMigrate(path: string, waiting: Waiting, clock: () => Instant) {
  let migration = upToDate(SCHEMA_VERSION)
  const client = connect(path, waiting, (client) => {
    useWal(client)
    migration = migrateKeeping(client, waiting, clock)
  })
  return { client, migration }
}

/** Keeps the backup only of a migration that succeeded: a failing one may be repeated often. */
function migrateKeeping(client: Database, waiting: Waiting, clock: () => Instant): Migration {
  let backup: string | null = null
  try {
    const steps = migrate(client, (schema) => {
      backup = keepBackup(client.filename, schema, clock(), waiting)
    })
    return { steps, schema: SCHEMA_VERSION, backup }
  } catch (error) {
    if (backup !== null) rmSync(backup, { force: true })
    throw error
  }
}

/** Backs up on another connection: one that holds a lock cannot copy. */
export function copyBeside(database: string, target: string, waiting: Waiting): Backup {
  using client = ClosingDatabase.existing(database, waiting.attemptMs)
  return copyDatabase(client, target, false)
}

function keepBackup(database: string, schema: number, now: Instant, waiting: Waiting): string {
  try {
    return copyBeside(database, upgradeBackupOf(database, schema, now), waiting).file
  } catch (error) {
    if (!(error instanceof Refusal) || isBusy(error)) throw error
    const Kind = error instanceof Unavailable ? Unavailable : Refusal
    throw new Kind(
      `Cannot upgrade ${database} from schema ${schema} to ${SCHEMA_VERSION}, because the backup before it failed. ${error.message}`,
      { hint: error.advice, cause: error },
    )
  }
}

/** Opens an existing database with this program's schema, for a running server. */
export const openCurrentWithWal = (path: string, waiting: Waiting): Database =>
  connect(path, waiting, (client) => {
    checkCurrent(client)
    useWal(client)
  })

export function useWal(client: Database): void {
  client.run('PRAGMA journal_mode = WAL')
  client.run('PRAGMA synchronous = FULL')
}

/** Opens an existing database with this program's schema. Never creates or migrates. */
export function openCurrent(path: string, waiting: Waiting): Database {
  if (!databaseExists(path)) throw missingDatabase(path)
  return connect(path, waiting, checkCurrent)
}

export function connect(
  path: string,
  waiting: Waiting,
  prepare: (client: Database) => void = () => {},
): Database {
  const doing = `Cannot open the database ${path}`
  let client: Database | undefined
  try {
    // In a directory that this user may write to, SQLite would leave files behind.
    const fault = writeFault(path)
    if (fault?.path === resolve(path)) throw accessError(fault, path, doing)
    client = ClosingDatabase.existing(path, waiting.attemptMs)
    checkOwnership(client)
    client.run('PRAGMA foreign_keys = ON')
    prepare(client)
    return client
  } catch (error) {
    client?.close()
    throw engineError(error, path, doing)
  }
}

/**
 * Closes a connection that has written. First copies the log to the database, which SQLite does only for its last user:
 * then the file is complete, and a server can tell that nothing else has changed it.
 */
export function closeWriter(client: Database): void {
  // If it fails, commits are safe in the log.
  orNull(() => client.run('PRAGMA wal_checkpoint(PASSIVE)'))
  client.close()
}

/**
 * True if there is a file at `path`. Refuses other kinds, a database removed while in use, and a dangling link: a
 * volume that is not mounted must not look like an empty database.
 */
export function databaseExists(path: string): boolean {
  const found = fileAt(path)
  const fault = found && notAFile(found)
  if (fault)
    throw new Refusal(`${path} ${fault}, so it cannot be the database.`, {
      hint: 'Set --db or DATABASE_URL to another one.',
    })
  if (found) return true
  checkNotRemoved(path)
  const dead = deadLink(path)
  if (dead !== null)
    throw new Unavailable(`${dead}.`, {
      hint: toRun('Check that its volume is mounted. To create the database', 'migrate', [], { db: path }),
    })
  return false
}

export function missingDatabase(path: string): Refusal {
  return new Refusal(`There is no database at ${path}.`, {
    kind: 'no_database',
    hint: toRun('To use another database, set --db or DATABASE_URL. To create it', 'migrate', [], {
      db: path,
    }),
  })
}

/** Creates files that only their owner may use: a new directory is 0700, a new file 0600, and so are those beside it. */
export function createFile(path: string, doing: string): void {
  try {
    if (fileInstead(dirname(path))) throw missingDirectory(dirname(path))
    createDirectory(dirname(path))
    createOwnFile(path)
  } catch (error) {
    // The file exists because another process has just created it.
    if (codeOf(error) === 'EEXIST' && fileAt(path)) return
    throw fileError(error, path, doing)
  }
}
