import { Database, SQLiteError } from 'bun:sqlite'
import { accessSync, constants, existsSync, realpathSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { attempt, type Finding } from '../../domain/finding.ts'
import { shellWord } from '../../domain/shell.ts'
import { size } from '../../domain/size.ts'
import { fileFindings } from './doctor-files.ts'
import { auxiliaryFiles, fileAt } from './files.ts'
import { APPLICATION_ID, applicationId, isEmpty, SCHEMA_VERSION, schemaVersion } from './migrations.ts'
import { type Fault, verify } from './verify.ts'

/** How long to wait for a process that is recovering the file. */
const TIMEOUT_MS = 2_000

const RESTORE = 'To go back to a backup: changelogd restore FILE'
const MIGRATE = 'serve upgrades it at its start, or run: changelogd migrate'

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
  const closed = [database, dirname(database)].find((path) => !isWritable(path))
  if (closed !== undefined) return [notWritable(closed)]
  let client: Database | undefined
  try {
    client = new Database(database, { readwrite: true, create: false, strict: true })
    client.run(`PRAGMA busy_timeout = ${TIMEOUT_MS}`)
    client.run('PRAGMA query_only = ON')
    return contentFindings(client, `${database}, ${size(found.size)}`)
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error
    const remedy = `See that DATABASE_URL, or --db, is right. ${RESTORE}`
    return [
      { state: 'wrong', check: 'database', message: `${database} cannot be read: ${error.message}`, remedy },
    ]
  } finally {
    client?.close()
  }
}

function contentFindings(client: Database, description: string): Finding[] {
  const id = applicationId(client)
  const schema = schemaVersion(client)
  const faults = verify(client)
  const isNew = id === 0 && schema === 0 && isEmpty(client)
  if (id !== APPLICATION_ID && !isNew)
    return [
      {
        state: 'wrong',
        check: 'database',
        message: `${client.filename} is a SQLite database, but not one of changelogd's`,
        remedy: 'Set DATABASE_URL, or --db, to the right file.',
      },
    ]
  const isDamaged = faults.some((fault) => fault.check === 'integrity')
  return [
    { state: 'ok', check: 'database', message: description },
    faultFinding('integrity', 'no damage found', faults),
    ...(isDamaged ? [] : [faultFinding('foreign keys', 'no broken references', faults)]),
    schemaFinding(schema, isNew) ?? faultFinding('schema', `${schema} (current)`, faults),
  ]
}

function faultFinding(check: Fault['check'], fine: string, faults: readonly Fault[]): Finding {
  const [first, ...others] = faults.filter((fault) => fault.check === check)
  if (!first) return { state: 'ok', check, message: fine }
  const more = others.length > 0 ? `, and ${others.length} more` : ''
  return { state: 'wrong', check, message: `${first.message}${more}`, remedy: RESTORE }
}

/** What is wrong with a schema that is not this program's; null if it is this program's. */
function schemaFinding(found: number, isNew: boolean): Finding | null {
  const check = 'schema'
  if (found > SCHEMA_VERSION)
    return {
      state: 'wrong',
      check,
      message: `${found}, made by a newer changelogd; this one knows ${SCHEMA_VERSION}`,
      remedy: 'Run the newer program.',
    }
  if (isNew) return { state: 'warn', check, message: 'none yet: the database is empty', remedy: MIGRATE }
  if (found === SCHEMA_VERSION) return null
  const message = `${found}, older than this program's ${SCHEMA_VERSION}`
  return { state: 'warn', check, message, remedy: MIGRATE }
}

/** Even reading needs it: SQLite keeps a file next to the database in which readers are noted. */
function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return true
  } catch {
    return false
  }
}

const notWritable = (path: string): Finding => ({
  state: 'wrong',
  check: 'database',
  message: `${path} is not writable by you, user ${userInfo().uid}; it belongs to user ${fileAt(path)?.uid}`,
  remedy: `Run this as that user, or if it is yours: chmod u+rwX ${shellWord(path)}`,
})

function missing(database: string): Finding {
  const [state, check] = ['wrong', 'database'] as const
  const left = auxiliaryFiles(database).filter(fileAt)
  const create = 'changelogd migrate, or changelogd restore FILE'
  return left.length > 0
    ? {
        state,
        check,
        message: `there is no file ${database}, but ${left[0]} is there: a server may still have what was removed`,
        remedy: `If it is not needed: rm ${left.map(shellWord).join(' ')}, then ${create}`,
      }
    : {
        state,
        check,
        message: `there is no file ${database}`,
        remedy: `Set DATABASE_URL, or --db, to the right one, or create it: ${create}`,
      }
}
