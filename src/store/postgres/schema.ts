import { contentRules } from '../upkeep/content-rules.ts' with { type: 'macro' }
import type { Fault } from '../upkeep/repair.ts'
import { type Client, valuesOf } from './connect.ts'
import { MIGRATIONS } from './migrations.ts'

/** Only what works counts: triggers that fire, valid indexes, constraints that hold for every row. */
export const FOUND = `
  with own as (select oid, relname, relkind from pg_class where relnamespace = current_schema()::regnamespace)
  select 'column ' || relname || '.' || attname from own join pg_attribute on attrelid = own.oid
    where relkind = 'r' and attnum > 0 and not attisdropped
  union all select 'index ' || relname from own join pg_index on indexrelid = own.oid where indisvalid
  union all select 'trigger ' || tgname from own join pg_trigger on tgrelid = own.oid
    where not tgisinternal and tgenabled in ('O', 'A')
  union all select 'constraint ' || conname from own join pg_constraint on conrelid = own.oid where convalidated
    and not exists (select from pg_trigger where tgconstraint = pg_constraint.oid and tgenabled = 'D')
  union all select 'function ' || proname from pg_proc where pronamespace = current_schema()::regnamespace`

/** Missing parts of the schema that migrations create. */
export async function schemaFaults(client: Client): Promise<Fault[]> {
  const found = new Set((await valuesOf(client, FOUND)).map(([part]) => part))
  return [...migratedParts()].flatMap(([part, mend]) =>
    found.has(part) ? [] : [{ message: `no ${part}`, mend }],
  )
}

// Frozen by a call, as the statements of serve.ts.
export const CONTENT_RULES = Object.freeze(contentRules('postgres'))

const PART =
  /(^CREATE |ADD |DROP |^\t)(?:UNIQUE |OR REPLACE )?(INDEX|TRIGGER|FUNCTION|CONSTRAINT|COLUMN|) ?"(\w+)"/gm

/** Everything that the migrations create, with the statements that create it again if they lose nothing. */
export function migratedParts(): Map<string, string[] | undefined> {
  const parts = new Map<string, string[] | undefined>()
  for (const statement of MIGRATIONS.flatMap((sql) => sql.split('--> statement-breakpoint'))) {
    const sql = statement.replace(/^\s*(--.*\n\s*)*/, '')
    const [, table] = /^(?:CREATE|ALTER) TABLE "(\w+)"/.exec(sql) ?? []
    for (const [, verb, kind = '', name] of sql.matchAll(PART)) {
      const isColumn = kind === '' || kind === 'COLUMN'
      const part = isColumn ? `column ${table}.${name}` : `${kind.toLowerCase()} ${name}`
      const mend: Record<string, string[]> = {
        INDEX: [`drop index if exists "${name}"`, sql],
        TRIGGER: [sql.replace('CREATE', 'CREATE OR REPLACE')],
        ...(verb === 'ADD ' && {
          CONSTRAINT: [`alter table "${table}" drop constraint if exists "${name}"`, sql],
        }),
      }
      if (verb === 'DROP ') parts.delete(part)
      else if (table || !isColumn) parts.set(part, mend[kind])
    }
  }
  return parts
}
