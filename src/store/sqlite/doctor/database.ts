import { Database, SQLiteError } from 'bun:sqlite'
import { existsSync, realpathSync } from 'node:fs'
import { attempt, type Finding } from '../../../domain/finding.ts'
import { shellWord } from '../../../domain/text/shell.ts'
import { size } from '../../../domain/text/size.ts'
import { writeFault } from '../../../files/access.ts'
import { auxiliaryFiles, deadLink, fileAt, notAFile } from '../../../files/lookup.ts'
import { APPLICATION_ID } from '../../../files/names.ts'
import { DIALECTS } from '../../queries/dialects.ts'
import { listingCounts, listingFinding } from '../../queries/listing.ts'
import { wayBack } from '../backup/upgrade-backups.ts'
import type { Fault } from '../faults.ts'
import { applicationId, isEmpty, SCHEMA_VERSION, schemaVersion } from '../migrations.ts'
import { staleWal } from '../stale-wal.ts'
import { verify } from '../verify.ts'
import { fileFindings } from './files.ts'

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
  const kind = notAFile(found)
  if (kind) return [wrong(`${database} ${kind}`, 'Set DATABASE_URL, or --db, to the right file.')]
  const fault = writeFault(database, ...auxiliaryFiles(database))
  if (fault) return [wrong(`${fault.path} ${fault.reason}`, fault.hint)]
  const mixed = staleWal(database)
  if (mixed) return [wrong(mixed.message, mixed.remedy)]
  let client: Database | undefined
  try {
    client = new Database(database, { readwrite: true, create: false, strict: true })
    client.run(`PRAGMA busy_timeout = ${TIMEOUT_MS}`)
    client.run('PRAGMA query_only = ON')
    return contentFindings(client, `${database}, ${size(found.size)}`)
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error
    return [
      wrong(
        `${database} cannot be read: ${error.message}`,
        `See that DATABASE_URL, or --db, is right. ${RESTORE}`,
      ),
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
      wrong(
        `${client.filename} is a SQLite database, but not one of changelogd's`,
        'Set DATABASE_URL, or --db, to the right file.',
      ),
    ]
  const isDamaged = faults.some((fault) => fault.check === 'integrity')
  return [
    { state: 'ok', check: 'database', message: description },
    faultFinding('integrity', 'no damage found', faults),
    ...(isDamaged ? [] : [faultFinding('foreign keys', 'no broken references', faults)]),
    schemaFinding(client.filename, schema, isNew) ?? faultFinding('schema', `${schema} (current)`, faults),
    ...(schema === SCHEMA_VERSION && faults.length === 0 ? [listingFinding(countListing(client))] : []),
  ]
}

const countListing = (client: Database): number[] =>
  listingCounts(DIALECTS.sqlite).map(({ sql, params }) =>
    Number(client.query<unknown, string[]>(sql).values(...(params as string[]))[0]?.[0]),
  )

function faultFinding(check: Fault['check'], fine: string, faults: readonly Fault[]): Finding {
  const [first, ...others] = faults.filter((fault) => fault.check === check)
  if (!first) return { state: 'ok', check, message: fine }
  const more = others.length > 0 ? `, and ${others.length} more` : ''
  return { state: 'wrong', check, message: `${first.message}${more}`, remedy: RESTORE }
}

/** What is wrong with a schema that is not this program's; null if it is this program's. */
function schemaFinding(database: string, found: number, isNew: boolean): Finding | null {
  const check = 'schema'
  if (found > SCHEMA_VERSION)
    return {
      state: 'wrong',
      check,
      message: `${found}, made by a newer changelogd; this one knows ${SCHEMA_VERSION}`,
      remedy: wayBack(database, SCHEMA_VERSION),
    }
  if (isNew) return { state: 'warn', check, message: 'none yet: the database is empty', remedy: MIGRATE }
  if (found === SCHEMA_VERSION) return null
  const message = `${found}, older than this program's ${SCHEMA_VERSION}`
  return { state: 'warn', check, message, remedy: MIGRATE }
}

function missing(database: string): Finding {
  const left = auxiliaryFiles(database).filter(fileAt)
  const dead = deadLink(database)
  if (dead !== null) return wrong(dead, 'See that its volume is mounted, or create it: changelogd migrate')
  const create = 'changelogd migrate, or changelogd restore FILE'
  return left.length > 0
    ? wrong(
        `there is no file ${database}, but ${left[0]} is there: a server may still have what was removed`,
        `If it is not needed: rm ${left.map(shellWord).join(' ')}, then ${create}`,
      )
    : wrong(
        `there is no file ${database}`,
        `Set DATABASE_URL, or --db, to the right one, or create it: ${create}`,
      )
}

const wrong = (message: string, remedy: string): Finding => ({
  state: 'wrong',
  check: 'database',
  message,
  remedy,
})
