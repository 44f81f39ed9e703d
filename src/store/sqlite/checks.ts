import { accessSync, constants, existsSync, realpathSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { attempt, type Finding } from '../../domain/finding.ts'
import { shellWord } from '../../domain/shell.ts'
import { size } from '../../domain/size.ts'
import { type Examination, examine } from './examine.ts'
import { fileFindings } from './file-checks.ts'
import { auxiliaryFiles, fileAt } from './files.ts'

const RESTORE = 'To go back to a backup: changelogd restore FILE'

/** Checks the database at `path`, whatever its state, and the files around it, and changes nothing. */
export function checkDatabase(path: string): Finding[] {
  // SQLite keeps its auxiliary files next to the real file, not next to a link to it.
  const database = existsSync(path) ? realpathSync(path) : path
  return [
    ...attempt('database', () => databaseFindings(database)),
    ...attempt('files', () => fileFindings(database)),
  ]
}

function databaseFindings(database: string): Finding[] {
  const found = fileAt(database)
  if (!found) return [missing(database)]
  const closed = [database, dirname(database)].find((path) => !mayWrite(path))
  if (closed !== undefined) return [closedTo(closed)]
  const seen = examine(database)
  if (typeof seen === 'string')
    return [
      {
        state: 'wrong',
        check: 'database',
        message: `${database} cannot be read: ${seen}`,
        remedy: `See that DATABASE_URL, or --db, is right. ${RESTORE}`,
      },
    ]
  if (seen.owner === 'others')
    return [
      {
        state: 'wrong',
        check: 'database',
        message: `${database} is a SQLite database, but not one of changelogd's`,
        remedy: 'Set DATABASE_URL, or --db, to the right file.',
      },
    ]
  return [
    { state: 'ok', check: 'database', message: `${database}, ${size(found.size)}` },
    faultFinding('integrity', 'the file is whole', seen.integrity),
    ...(seen.foreignKeys
      ? [faultFinding('foreign keys', 'every record has what it belongs to', seen.foreignKeys)]
      : []),
    schemaFinding(seen),
  ]
}

/** Even reading needs it: SQLite keeps a file beside the database in which readers are noted. */
function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return true
  } catch {
    return false
  }
}

const closedTo = (path: string): Finding => ({
  state: 'wrong',
  check: 'database',
  message: `${path} may not be written by you, user ${userInfo().uid}; it belongs to user ${fileAt(path)?.uid}`,
  remedy: `Run this as that user, or if it is yours: chmod u+rwX ${shellWord(path)}`,
})

function missing(database: string): Finding {
  const left = auxiliaryFiles(database).filter(fileAt)
  const make = 'changelogd migrate, or changelogd restore FILE'
  return {
    state: 'wrong',
    check: 'database',
    message: `there is no file ${database}${left.length > 0 ? `, but ${left[0]} is there: a server may still be serving what was removed` : ''}`,
    remedy:
      left.length > 0
        ? `Stop it, then: rm ${left.map(shellWord).join(' ')}, and ${make}`
        : `Set DATABASE_URL, or --db, to the right one, or make it: ${make}`,
  }
}

function faultFinding(check: string, fine: string, faults: string[]): Finding {
  if (faults.length === 0) return { state: 'ok', check, message: fine }
  const more = faults.length > 1 ? `, and ${faults.length - 1} more` : ''
  return { state: 'wrong', check, message: `${faults[0]}${more}`, remedy: RESTORE }
}

function schemaFinding({ owner, schema }: Examination): Finding {
  const check = 'schema'
  const { found, known } = schema
  if (found > known)
    return {
      state: 'wrong',
      check,
      message: `${found}, made by a newer changelogd; this one knows ${known}`,
      remedy: 'Run the newer program.',
    }
  if (owner === 'nobody')
    return { state: 'warn', check, message: 'none yet: the database is empty', remedy: MIGRATE }
  if (found < known)
    return { state: 'warn', check, message: `${found}, older than ${known}, this program's`, remedy: MIGRATE }
  return schema.faults.length > 0
    ? faultFinding(check, '', schema.faults)
    : { state: 'ok', check, message: `${found}, as it should be` }
}

const MIGRATE = 'serve does it at its start, or: changelogd migrate'
