import { type Database, SQLiteError } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { type Check, type Finding, ok, type Result, runChecks, warn, wrong } from '../../../domain/finding.ts'
import { toRun } from '../../../domain/refusal.ts'
import { shellWord } from '../../../domain/text/shell.ts'
import { size } from '../../../domain/text/size.ts'
import { writeFault } from '../../../files/access.ts'
import { APPLICATION_ID } from '../../../files/leftovers.ts'
import { auxiliaryFiles, deadLink, fileAt, notAFile, resolvedPath } from '../../../files/lookup.ts'
import { contentFaults, type Fault, faultResult } from '../../upkeep/repair.ts'
import { wayBack } from '../backup/upgrade-backups.ts'
import { ClosingDatabase } from '../database.ts'
import { applicationId, asking, isEmpty, SCHEMA_VERSION, schemaVersion } from '../migrations.ts'
import { CONTENT_RULES, type FileFault, verify } from '../verify.ts'
import { FILE_CHECKS } from './files.ts'

/** How long to wait for a process that is recovering the file. */
const TIMEOUT_MS = 2_000

const RIGHT_FILE = 'Set --db or DATABASE_URL to the right file.'
const RESTORE = toRun('To restore a backup', 'restore', ['FILE'])
const MIGRATE = toRun('serve upgrades it when it starts. To upgrade it now', 'migrate')

/** What the first check reads for the others. */
interface Examined {
  path: string
  schema: number
  isNew: boolean
  faults: readonly FileFault[]
  /** Null if the schema is not this program's, or damaged. */
  contents: readonly Fault[] | null
}

const CHECKS: readonly Check<Examined>[] = [
  { name: 'database', run: databaseResult, stopsOthers: true },
  {
    name: 'integrity',
    run: ({ faults }) => faultResult(faultsOf(faults, 'integrity'), 'no damage found', RESTORE),
  },
  {
    name: 'foreign keys',
    run: ({ faults }) =>
      faults.some(({ check }) => check !== 'foreign keys')
        ? []
        : faultResult(faultsOf(faults, 'foreign keys'), 'no broken references', RESTORE),
  },
  { name: 'schema', run: schemaResult },
  {
    name: 'contents',
    run: ({ contents }) => (contents ? faultResult(contents, 'no wrong counts or values', RESTORE) : []),
  },
]

/** Checks the database at `path`, whatever its state, and the files around it, and changes nothing. */
export async function checkDatabase(path: string): Promise<Finding[]> {
  // SQLite keeps its auxiliary files next to the real file, not next to a link to it.
  const database = existsSync(path) ? resolvedPath(path) : path
  const examined: Examined = { path: database, schema: 0, isNew: false, faults: [], contents: null }
  return [...(await runChecks(CHECKS, examined)), ...(await runChecks(FILE_CHECKS, database))]
}

async function databaseResult(examined: Examined): Promise<Result> {
  const { path } = examined
  const found = fileAt(path)
  if (!found) return missing(path)
  const kind = notAFile(found)
  if (kind) return wrong(`${path} ${kind}`, RIGHT_FILE)
  const fault = writeFault(path, ...auxiliaryFiles(path))
  if (fault) return wrong(`${fault.path} ${fault.reason}`, fault.hint)
  try {
    using client = ClosingDatabase.existing(path, TIMEOUT_MS)
    client.run('PRAGMA query_only = ON')
    return (await examine(client, examined))
      ? ok(`${path}, ${size(found.size)}`)
      : wrong(`${path} is a SQLite database, but not a changelogd database`, RIGHT_FILE)
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error
    return wrong(`${path} cannot be read: ${error.message}`, {
      ...RESTORE,
      text: `Check --db and DATABASE_URL. ${RESTORE.text}`,
    })
  }
}

/** Examines the database for the other checks. False if it is another program's. */
async function examine(client: Database, examined: Examined): Promise<boolean> {
  const id = applicationId(client)
  examined.schema = schemaVersion(client)
  examined.faults = verify(client)
  examined.isNew = id === 0 && examined.schema === 0 && isEmpty(client)
  const isWhole = examined.schema === SCHEMA_VERSION && examined.faults.length === 0
  examined.contents = isWhole ? await contentFaults(CONTENT_RULES, asking(client)) : null
  return id === APPLICATION_ID || examined.isNew
}

const faultsOf = (faults: readonly FileFault[], check: FileFault['check']): FileFault[] =>
  faults.filter((fault) => fault.check === check)

function schemaResult({ path, schema, isNew, faults }: Examined): Result {
  if (schema > SCHEMA_VERSION)
    return wrong(
      `${schema} of a newer changelogd; this program knows ${SCHEMA_VERSION}`,
      wayBack(path, SCHEMA_VERSION),
    )
  if (isNew) return warn('none yet: the database is empty', toRun('To create it', 'migrate'))
  if (schema < SCHEMA_VERSION) return warn(`${schema}; this program needs ${SCHEMA_VERSION}`, MIGRATE)
  return faultResult(faultsOf(faults, 'schema'), `${schema} (current)`, RESTORE)
}

function missing(database: string): Result {
  const left = auxiliaryFiles(database).filter(fileAt)
  const dead = deadLink(database)
  if (dead !== null) return wrong(dead, toRun('Check that its volume is mounted, or create it', 'migrate'))
  return left.length > 0
    ? wrong(
        `there is no file ${database}, but ${left[0]} exists: a server may still have the removed data`,
        toRun(
          `If you do not need it: rm ${left.map(shellWord).join(' ')}. Then restore a backup, or create it`,
          'migrate',
        ),
      )
    : wrong(
        `there is no file ${database}`,
        toRun('Set --db or DATABASE_URL to the right one, restore a backup, or create it', 'migrate'),
      )
}
