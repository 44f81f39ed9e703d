import type { Instant } from '../../../domain/records.ts'
import type { Holdings, Records } from '../../../store/records/types.ts'

/** One run of `apply`. */
export interface ApplyRun {
  records: Records
  /** What it has done so far. */
  steps: Step[]
  now: Instant
}

/** One record that `apply` creates, updates or deletes. */
export interface Step {
  action: 'create' | 'update' | 'delete'
  record: 'team' | 'product' | 'changelog' | 'key'
  name: string
  changes: Record<string, { from: string | null; to: string | null }>
  /** What a deleted team or product held. */
  held?: Holdings
  /** What else there is to say about it. */
  note?: string
  /** Only for a new key: it cannot be shown again. */
  token?: string
}

/** The wanted fields whose current values differ. */
export function differences(is: object, wanted: object): Step['changes'] {
  const current: Record<string, unknown> = { ...is }
  const differing = Object.entries(wanted).filter(([field, value]) => current[field] !== value)
  return Object.fromEntries(
    differing.map(([field, to]) => [field, { from: (current[field] as string) ?? null, to: String(to) }]),
  )
}

export const isNothing = (changes: Step['changes']): boolean => Object.keys(changes).length === 0
