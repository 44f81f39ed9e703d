import { type Client, valuesOf } from '../connect.ts'

/** The identifiers of the server's data and of the database in it; null if this role may not read the first. */
export async function databaseIdentity(client: Client): Promise<string | null> {
  // Asked separately: a refused statement would end the transaction.
  const [allowed] = await valuesOf(client, "select has_function_privilege('pg_control_system()', 'execute')")
  if (allowed?.[0] !== true) return null
  const [row] = await valuesOf(
    client,
    `select system_identifier::text || '/' || (select oid from pg_database where datname = current_database())
     from pg_control_system()`,
  )
  return String(row?.[0])
}
