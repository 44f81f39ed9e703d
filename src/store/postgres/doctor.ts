import type { SQL } from 'bun'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import { databaseName } from '../../domain/addresses/database.ts'
import type { Finding } from '../../domain/finding.ts'
import type { Instant } from '../../domain/records.ts'
import { Refusal } from '../../domain/refusal.ts'
import { DIALECTS } from '../queries/dialects.ts'
import { listingCounts, listingFinding } from '../queries/listing.ts'
import { POSTGRES_TABLES } from '../tables/postgres.ts'
import { connect, valuesOf } from './connect.ts'
import { before } from './deadline.ts'
import { engineError } from './errors.ts'
import { readMeta, SCHEMA_VERSION, WAY_BACK } from './migrations.ts'

/** How long connecting, and each check, may take. Looking for orphans reads every row. */
const CONNECT_MS = 5_000
const CHECK_MS = 600_000

/** The oldest PostgreSQL that this program is tested with, as `server_version_num` has it. */
const OLDEST_SERVER = 150_000

/** Keys expire, and scheduled versions go public, by the clocks of the nodes: this is a difference that one would notice. */
const CLOCK_MS = 1_000

const MIGRATE = 'serve upgrades it at its start if its role may, or run: changelogd migrate'

const TABLES = Object.values(POSTGRES_TABLES).map((table) => getTableConfig(table as unknown as PgTable))

/** What Drizzle's schema cannot name: what keeps the revision, the counts and the public list. */
const TRIGGERS = [
  ...TABLES.map(({ name }) => `${name}_revision`),
  'change_added',
  'change_removed',
  'change_moved',
  'team_listed',
  'product_listed',
  'changelog_listed',
]

/** Checks the database at an address, whatever its state, and changes nothing. */
export async function checkDatabase(address: string, clock = Date.now): Promise<Finding[]> {
  const sql = connect(address, { max: 1, settings: { default_transaction_read_only: 'on' } })
  const look = <T>(work: Promise<T>, ms = CHECK_MS): Promise<T> => before(ms, address, work)
  try {
    const server = await look(serverFindings(sql, address, clock), CONNECT_MS)
    const schema = await look(schemaFindings(sql))
    if (schema.some(({ state }) => state !== 'ok')) return [...server, ...schema]
    return [
      ...server,
      ...schema,
      ...(await look(privilegeFindings(sql))),
      ...(await look(orphanFindings(sql))),
      listingFinding(await look(countListing(sql))),
    ]
  } catch (error) {
    const failure = engineError(error, address)
    if (!(failure instanceof Refusal)) throw failure
    return [
      {
        state: 'wrong',
        check: 'database',
        message: failure.message.replace(/\.$/, ''),
        remedy: failure.hint ?? 'See that the server runs, and that DATABASE_URL is right.',
      },
    ]
  } finally {
    await sql.close({ timeout: 0 })
  }
}

/** That it answers, how old it is, and whether its clock is ours. */
async function serverFindings(sql: SQL, address: string, clock: () => Instant): Promise<Finding[]> {
  const question = `select current_setting('server_version'), current_setting('server_version_num')::int,
    pg_is_in_recovery(), (extract(epoch from clock_timestamp()) * 1000)::float8`
  await valuesOf(sql, 'select 1')
  const start = clock()
  const [row = []] = await valuesOf(sql, question)
  const [version, number, isStandby, theirs] = row as [string, number, boolean, number]
  const difference = Math.abs(theirs - (start + clock()) / 2)
  const name = `${databaseName(address)}, PostgreSQL ${version}${isStandby ? ', a standby' : ''}`
  const seconds = (difference / 1_000).toFixed(1)
  return [
    number >= OLDEST_SERVER
      ? { state: 'ok', check: 'database', message: name }
      : { state: 'wrong', check: 'database', message: name, remedy: 'Upgrade it to version 15 or newer.' },
    difference <= CLOCK_MS
      ? { state: 'ok', check: 'clock', message: `differs by ${seconds} s from the server's` }
      : {
          state: 'warn',
          check: 'clock',
          message: `differs by ${seconds} s from the server's`,
          remedy: 'Synchronize the clocks of all machines, for example with chrony.',
        },
  ]
}

async function schemaFindings(sql: SQL): Promise<Finding[]> {
  const check = 'schema'
  const meta = await readMeta(sql)
  if (!meta) return [{ state: 'warn', check, message: 'none yet: the database is empty', remedy: MIGRATE }]
  const { schema, oldestProgram } = meta
  if (oldestProgram > SCHEMA_VERSION)
    return [
      {
        state: 'wrong',
        check,
        message: `${schema}, made by a newer changelogd; this one knows ${SCHEMA_VERSION}`,
        remedy: WAY_BACK,
      },
    ]
  if (schema < SCHEMA_VERSION) {
    const message = `${schema}, older than this program's ${SCHEMA_VERSION}`
    return [{ state: 'warn', check, message, remedy: MIGRATE }]
  }
  const missing = [...(await missingColumns(sql)), ...(await missingTriggers(sql))]
  const use = schema === SCHEMA_VERSION ? ' (current)' : ', which this program can use'
  if (missing.length === 0) return [{ state: 'ok', check, message: `${schema}${use}` }]
  const more = missing.length > 1 ? `, and ${missing.length - 1} more` : ''
  return [
    { state: 'wrong', check, message: `${missing[0]}${more}`, remedy: 'Restore the database from a dump.' },
  ]
}

async function missingColumns(sql: SQL): Promise<string[]> {
  const found = await valuesOf(
    sql,
    `select table_name || '.' || column_name from information_schema.columns where table_schema = current_schema()`,
  )
  const present = new Set(found.map(([name]) => name))
  return TABLES.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`))
    .filter((name) => !present.has(name))
    .map((name) => `no column ${name}`)
}

async function missingTriggers(sql: SQL): Promise<string[]> {
  const found = await valuesOf(
    sql,
    `select tgname from pg_trigger join pg_class on pg_class.oid = tgrelid
    where relnamespace = current_schema()::regnamespace and not tgisinternal and tgenabled in ('O', 'A')`,
  )
  const present = new Set(found.map(([name]) => name))
  return TRIGGERS.filter((name) => !present.has(name)).map((name) => `no trigger ${name}`)
}

/** A role that can only SELECT is enough for `serve`. */
async function privilegeFindings(sql: SQL): Promise<Finding[]> {
  const check = 'privileges'
  const read = ['changelogd', ...TABLES.map(({ name }) => name)]
  const denied = async (privilege: string, names: readonly string[]): Promise<string[]> => {
    const found = await valuesOf(
      sql,
      `select name from unnest($1::text[]) as name where not has_table_privilege(name, '${privilege}')`,
      [`{${names.join(',')}}`],
    )
    return found.map(([name]) => String(name))
  }
  const [unreadable] = await denied('SELECT', read)
  if (unreadable !== undefined)
    return [
      {
        state: 'wrong',
        check,
        message: `this role may not read ${unreadable}`,
        remedy: 'With the role that owns it: GRANT SELECT ON ALL TABLES IN SCHEMA … TO …',
      },
    ]
  const written = [...read, 'changelogd_command']
  const missing = await Promise.all(
    ['SELECT', 'INSERT', 'UPDATE', 'DELETE'].map((privilege) => denied(privilege, written)),
  )
  const isWriter = missing.flat().length === 0
  const message = isWriter
    ? 'this role may read and write'
    : 'this role may only read: enough for serve, not for commands that write'
  return [{ state: 'ok', check, message }]
}

/** Rows whose parent is missing: only possible where constraints were switched off. */
async function orphanFindings(sql: SQL): Promise<Finding[]> {
  const check = 'foreign keys'
  const faults: string[] = []
  for (const { name, foreignKeys } of TABLES)
    for (const key of foreignKeys) {
      const { columns, foreignColumns, foreignTable } = key.reference()
      const parent = getTableConfig(foreignTable).name
      const pairs = columns.map(
        (column, at) => `child."${column.name}" = parent."${foreignColumns[at]?.name}"`,
      )
      const [row] = await valuesOf(
        sql,
        `select count(*)::int from "${name}" as child
        where not exists (select 1 from "${parent}" as parent where ${pairs.join(' and ')})`,
      )
      const count = Number(row?.[0])
      if (count > 0) faults.push(`${count} ${count === 1 ? 'row' : 'rows'} of ${name} without ${parent}`)
    }
  if (faults.length === 0) return [{ state: 'ok', check, message: 'no broken references' }]
  return [{ state: 'wrong', check, message: faults.join(', '), remedy: 'Restore the database from a dump.' }]
}

const countListing = (sql: SQL): Promise<number[]> =>
  Promise.all(
    listingCounts(DIALECTS.postgres).map(async (count) => {
      const [row] = await valuesOf(sql, count.sql, count.params)
      return Number(row?.[0])
    }),
  )
