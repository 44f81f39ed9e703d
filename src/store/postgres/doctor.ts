import type { SQL } from 'bun'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import { databaseName } from '../../domain/addresses/database.ts'
import { reasonOf } from '../../domain/errors.ts'
import { type Check, type Finding, ok, type Result, runChecks, warn, wrong } from '../../domain/finding.ts'
import type { Instant } from '../../domain/records.ts'
import { Refusal, toRun } from '../../domain/refusal.ts'
import { POSTGRES_TABLES } from '../tables/postgres.ts'
import { contentFaults, faultResult } from '../upkeep/repair.ts'
import { before, connect, valuesOf } from './connect.ts'
import { engineError } from './errors.ts'
import { asking, readMeta, SCHEMA_VERSION, WAY_BACK } from './migrations.ts'
import { CONTENT_RULES, schemaFaults } from './schema.ts'

/** How long connecting, and each check, may take. That of the contents reads every row. */
const CONNECT_MS = 5_000
const CHECK_MS = 600_000

/** The oldest PostgreSQL that this program is tested with, as `server_version_num` has it. */
const OLDEST_SERVER = 150_000

/** Keys expire, and scheduled versions go public, by the clocks of the nodes: this is a difference that one would notice. */
const CLOCK_MS = 1_000

const RESTORE = 'Restore the database from a dump.'
const MIGRATE = toRun('serve upgrades it if its role owns the tables. To upgrade it now', 'migrate')

/** What a server reads. */
const { kept: _, keptParts: __, ...SERVED } = POSTGRES_TABLES
const TABLES = Object.values(SERVED).map((table) => getTableConfig(table as unknown as PgTable))

interface Examined {
  sql: SQL
  address: string
  clock: () => Instant
}

const CHECKS: readonly Check<Examined>[] = [
  { name: 'database', run: serverResult, stopsOthers: true },
  { name: 'clock', run: clockResult },
  { name: 'schema', run: ({ sql }) => schemaResult(sql), stopsOthers: true },
  { name: 'privileges', run: ({ sql }) => privilegeResult(sql), stopsOthers: true },
  { name: 'secrets', run: ({ sql }) => secretResults(sql) },
  { name: 'contents', run: ({ sql }) => contentResult(sql) },
]

/** Checks the database at an address, whatever its state, and changes nothing. */
export async function checkDatabase(address: string, clock = Date.now): Promise<Finding[]> {
  const sql = connect(address, { max: 1, settings: { default_transaction_read_only: 'on' } })
  const inTime = ({ run, ...check }: Check<Examined>): Check<Examined> => ({
    ...check,
    run: (on) => before(check.name === 'database' ? CONNECT_MS : CHECK_MS, address, Promise.try(run, on)),
  })
  try {
    return await runChecks(CHECKS.map(inTime), { sql, address, clock }, (error) => failure(error, address))
  } finally {
    await sql.close({ timeout: 0 })
  }
}

function failure(error: unknown, address: string): Result {
  const refusal = engineError(error, address)
  if (!(refusal instanceof Refusal)) throw refusal
  return wrong(
    reasonOf(refusal),
    refusal.hint ?? 'Check that the server is running, and that DATABASE_URL is correct.',
  )
}

async function serverResult({ sql, address }: Examined): Promise<Result> {
  const [row = []] = await valuesOf(
    sql,
    `select current_setting('server_version'), current_setting('server_version_num')::int, pg_is_in_recovery()`,
  )
  const [version, number, isStandby] = row as [string, number, boolean]
  const name = `${databaseName(address)}, PostgreSQL ${version}${isStandby ? ', a standby' : ''}`
  return number >= OLDEST_SERVER ? ok(name) : wrong(name, 'Upgrade it to version 15 or newer.')
}

async function clockResult({ sql, clock }: Examined): Promise<Result> {
  const start = clock()
  const [row] = await valuesOf(sql, 'select (extract(epoch from clock_timestamp()) * 1000)::float8')
  const difference = Math.abs(Number(row?.[0]) - (start + clock()) / 2)
  const message = `differs by ${(difference / 1_000).toFixed(1)} s from the server's`
  return difference <= CLOCK_MS
    ? ok(message)
    : warn(message, 'Synchronize the clocks of all machines, for example with chrony.')
}

async function schemaResult(sql: SQL): Promise<Result> {
  const meta = await readMeta(sql)
  if (!meta) return warn('none yet: the database is empty', toRun('To create it', 'migrate'))
  const { schema, oldestProgram } = meta
  if (oldestProgram > SCHEMA_VERSION)
    return wrong(`${schema} of a newer changelogd; this program knows ${SCHEMA_VERSION}`, WAY_BACK)
  if (schema < SCHEMA_VERSION) return warn(`${schema}; this program needs ${SCHEMA_VERSION}`, MIGRATE)
  // Changes by a newer program are not known.
  if (schema > SCHEMA_VERSION) return ok(`${schema}, which this program can use`)
  return faultResult(await schemaFaults(sql), `${schema} (current)`, RESTORE)
}

/** A role that can only SELECT is enough for `serve`. */
async function privilegeResult(sql: SQL): Promise<Result> {
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
    return wrong(
      `this role cannot read ${unreadable}`,
      'As the owner, run: GRANT SELECT ON ALL TABLES IN SCHEMA … TO …',
    )
  const written = [...read, 'changelogd_command', ...PRIVATE]
  const missing = await Promise.all(
    ['SELECT', 'INSERT', 'UPDATE', 'DELETE'].map((privilege) => denied(privilege, written)),
  )
  return ok(
    missing.flat().length === 0
      ? 'this role can read and write'
      : 'this role can only read: enough for serve, not for commands that write',
  )
}

/** What a role that can only read must not: secrets of hooks, and what was deleted. */
const PRIVATE = ['worker_hook_secret', 'kept', 'kept_part']

async function secretResults(sql: SQL): Promise<Result[]> {
  const readers = await valuesOf(
    sql,
    `select reader, string_agg(name, ', ' order by name desc) from unnest($1::text[]) as name, lateral (
      select case when grantee = 0 then 'PUBLIC' else pg_get_userbyid(grantee) end
      from pg_class, aclexplode(relacl) where pg_class.oid = to_regclass(name) and grantee <> relowner
      group by grantee having bool_or(privilege_type = 'SELECT') and not bool_or(privilege_type = 'INSERT')
      union select current_user where has_table_privilege(name, 'SELECT') and not has_table_privilege('team', 'INSERT')
    ) as found (reader) group by reader`,
    [`{${PRIVATE.join(',')}}`],
  )
  return readers.map(([role, names]) =>
    wrong(
      `role ${role} is read-only, but can read secrets of hooks or deleted content`,
      `As the owner, run: REVOKE ALL ON ${names} FROM ${role}`,
    ),
  )
}

/** Values that a newer program derives are not known. */
async function contentResult(sql: SQL): Promise<Result[]> {
  if ((await readMeta(sql))?.schema !== SCHEMA_VERSION) return []
  const faults = await contentFaults(CONTENT_RULES, asking(sql))
  return [faultResult(faults, 'no wrong counts or values', RESTORE)]
}
