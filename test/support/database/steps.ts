import { Database, SQLiteError } from 'bun:sqlite'
import { statSync } from 'node:fs'

/** How far a command that writes has come, as seen from outside. */

export interface WriteLock extends Disposable {
  /** Whether a process is in a transaction that writes. */
  isHeld(): boolean
}

/** The lock of a database that one writer at a time holds. */
export function writeLock(database: string): WriteLock {
  const db = new Database(database)
  db.run('PRAGMA busy_timeout = 0')
  const isHeld = () => {
    try {
      db.run('BEGIN IMMEDIATE')
      db.run('ROLLBACK')
      return false
    } catch (error) {
      if (error instanceof SQLiteError && error.code?.startsWith('SQLITE_BUSY')) return true
      throw error
    }
  }
  return { isHeld, [Symbol.dispose]: () => db.close() }
}

/** The size of a database's write-ahead log. A large transaction writes to it before it commits. */
export const logBytes = (database: string): number =>
  statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0
