import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Hint, Refusal, toRun } from '../../domain/refusal.ts'

/** The schema change made by opening. */
export interface Migration {
  readonly steps: number
  readonly schema: number
  /** The copy made before; null if there was nothing to copy, and on PostgreSQL. */
  readonly backup: string | null
}

export const upToDate = (schema: number): Migration => ({ steps: 0, schema, backup: null })

export const upgradeNotice = (database: string, { steps, schema, backup }: Migration): string | null =>
  backup &&
  `Upgraded ${database} from schema ${schema - steps} to ${schema}. The backup from before the upgrade is ${backup}`

/** Refuses a database of a program newer than the one that knows schema `known`. */
export const newerSchema = (name: string, schema: number, known: number, hint: string): Refusal =>
  new Refusal(`${name} has schema ${schema} of a newer changelogd. This program knows schema ${known}.`, {
    hint,
  })

/** Refuses a database without a schema, or with an older one, which `migrate` upgrades. */
export const olderSchema = (name: string, schema: number, known: number, db?: string): Refusal =>
  schema === 0
    ? new Refusal(`${name} has no schema yet.`, { kind: 'no_database', hint: toMigrate('To create it', db) })
    : new Refusal(`${name} has schema ${schema}. This program needs schema ${known}.`, {
        hint: toMigrate('To upgrade it', db),
      })

/** Every migration of a folder of `drizzle/`, in order. Called as a macro: the one executable has their texts. */
export function migrationFiles(folder: 'sqlite' | 'postgres' | 'bookkeeping'): string[] {
  const directory = join(import.meta.dir, '../../../drizzle', folder)
  const files = readdirSync(directory).filter((name) => name.endsWith('.sql'))
  return files.sort().map((name) => readFileSync(join(directory, name), 'utf8'))
}

const toMigrate = (text: string, db: string | null = null): Hint => toRun(text, 'migrate', [], { db })
