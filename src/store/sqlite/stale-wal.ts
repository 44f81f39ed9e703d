import { closeSync, openSync, readSync, realpathSync } from 'node:fs'
import { Refusal } from '../../domain/refusal.ts'
import { shellWord } from '../../domain/text/shell.ts'
import { fileAt } from '../../files/lookup.ts'
import { hasPagesOfWal, usesWal } from './serving/database-pages.ts'
import { checkpointsIn } from './serving/wal-index.ts'

/** The offset of the salt in the header of a log. */
const SALT = 16

/** Other processes may commit and copy during the comparison. */
const ATTEMPTS = 3

/**
 * Refuses a database file next to the WAL of another database, which was replaced or overwritten: SQLite would mix the two.
 * The sign is that the WAL index lists copied pages which the file does not contain.
 *
 * Only for a process that does not have the database open yet: its locks would end.
 */
export function refuseStaleWal(database: string): void {
  const fault = staleWal(database)
  if (fault) throw new Refusal(`${fault.message}.`, { hint: fault.remedy })
}

export function staleWal(database: string): { message: string; remedy: string } | null {
  if (!fileAt(database)?.size) return null
  const real = realpathSync(database)
  const [log, index] = [`${real}-wal`, `${real}-shm`]
  if (!fileAt(log)?.isFile() || !fileAt(index)?.isFile() || !isStale(real, log, index)) return null
  return {
    message: `${database} was replaced or overwritten, but ${log} still has changes of the database that was there before`,
    remedy: `A running server sorts that out within a second: try again. If there is none: rm ${shellWord(log)} ${shellWord(index)}`,
  }
}

function isStale(...paths: [database: string, log: string, index: string]): boolean {
  const files: number[] = []
  try {
    for (const path of paths) files.push(openSync(path, 'r'))
    const [database = -1, log = -1, index = -1] = files
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const before = checkpointsIn(index)
      if (before.lastFrame === 0 || !isSalt(log, before.salt)) return false
      if (usesWal(database) && hasPagesOfWal(log, database, before)) return false
      const after = checkpointsIn(index)
      if (after.stamp === before.stamp && after.lastFrame === before.lastFrame) return true
    }
    return false
  } catch {
    // Opening the database will tell what is wrong.
    return false
  } finally {
    for (const file of files) closeSync(file)
  }
}

function isSalt(log: number, salt: Uint8Array): boolean {
  const found = Buffer.alloc(salt.length)
  readSync(log, found, 0, found.length, SALT)
  return found.equals(salt)
}
