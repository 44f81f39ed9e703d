import type { Database } from 'bun:sqlite'
import { isDamage } from './errors.ts'
import { foreignKeyFaults } from './migrations.ts'

/** One thing that is wrong inside a database. */
export interface Fault {
  check: 'integrity' | 'foreign keys' | 'schema'
  message: string
}

/** At most this many faults of the file are looked for: one is enough to refuse it. */
const MAX_FAULTS = 10

/**
 * What is wrong with a database of any schema, without changing it: damage, or, in a file that has none, references to
 * missing rows.
 */
export function contentFaults(client: Database): Fault[] {
  try {
    const damage = faults('integrity', integrityFaults(client))
    return damage.length > 0 ? damage : faults('foreign keys', foreignKeyFaults(client))
  } catch (error) {
    if (isDamage(error)) return faults('integrity', [error.message])
    throw error
  }
}

export const faults = (check: Fault['check'], messages: string[]): Fault[] =>
  messages.map((message) => ({ check, message }))

/** What is physically wrong with the file, or breaks the rules of its tables. */
const integrityFaults = (client: Database): string[] =>
  client
    .query<{ integrity_check: string }, []>(`PRAGMA integrity_check(${MAX_FAULTS})`)
    .all()
    .map((row) => row.integrity_check)
    .filter((fault) => fault !== 'ok')
