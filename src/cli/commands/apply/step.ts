import type { Instant } from '../../../domain/records.ts'
import type { Records } from '../../../store/records/records.ts'
import type { Holdings } from '../../../store/records/types.ts'
import type { Deletion } from '../../../transfer/deletion.ts'
import type { HookChanges } from './hook-changes.ts'

export interface ApplyRun {
  records: Records
  steps: Step[]
  /** What is deleted or replaced after everything else, once all of it is kept for `undo`. */
  endings: { deletion: Deletion; run(): Promise<unknown> }[]
  now: Instant
  hooks: HookChanges
  followPrivate(): boolean
}

export interface Step {
  action: 'create' | 'update' | 'delete'
  record: 'team' | 'product' | 'changelog' | 'key' | 'source' | 'hook'
  name: string
  changes: Record<string, { from: string | null; to: string | null }>
  /** What a deleted team or product contained. */
  held?: Holdings
  note?: string
  /** Only for a hook. */
  id?: string
  /** Only for a new key: it cannot be shown again. */
  token?: string
  /** Only for a new webhook: it cannot be shown again. */
  secret?: string
}

/** The wanted fields that differ, as texts; null if none do. */
export function differences(is: object, wanted: object): Step['changes'] | null {
  const current: Record<string, unknown> = { ...is }
  const text = (value: unknown): string | null => (value == null ? null : String(value))
  const all = Object.entries(wanted)
    .map(([field, to]) => [field, { from: text(current[field]), to: text(to) }] as const)
    .filter(([, { from, to }]) => from !== to)
  return all.length === 0 ? null : Object.fromEntries(all)
}
