import type { Database } from 'bun:sqlite'
import { isDamage } from './errors.ts'
import { foreignKeyFaults } from './migrations.ts'

export interface Fault {
  check: 'integrity' | 'foreign keys' | 'schema'
  message: string
}

/** One is enough to refuse the file. */
const MAX_FAULTS = 10

/** Damage of a database of any schema or, without damage, references to missing rows. Changes nothing. */
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

const integrityFaults = (client: Database): string[] =>
  client
    .query<{ integrity_check: string }, []>(`PRAGMA integrity_check(${MAX_FAULTS})`)
    .all()
    .map((row) => row.integrity_check.replaceAll('\n', ' '))
    .filter((fault) => fault !== 'ok')
