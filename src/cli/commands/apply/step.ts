import type { Instant, Product, Source } from '../../../domain/records.ts'
import type { Holdings, Records } from '../../../store/records/types.ts'
import type { HookChanges } from './hook-changes.ts'

export interface ApplyRun {
  records: Records
  steps: Step[]
  now: Instant
  hooks: HookChanges
  /** Those that are kept for `undo`, by product; none in a dry run. */
  former: ReadonlyMap<string, FormerSource>
  followPrivate(): boolean
}

/** What a product follows until the file ends or replaces that. */
export interface FormerSource {
  product: Product
  source: Source
  /** The id of what it follows then. */
  replacedBy?: string
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

/** The wanted fields that differ, as texts. */
export function differences(is: object, wanted: object): Step['changes'] {
  const current: Record<string, unknown> = { ...is }
  const text = (value: unknown): string | null => (value == null ? null : String(value))
  const all = Object.entries(wanted).map(
    ([field, to]) => [field, { from: text(current[field]), to: text(to) }] as const,
  )
  return Object.fromEntries(all.filter(([, { from, to }]) => from !== to))
}

export const isNothing = (changes: Step['changes']): boolean => Object.keys(changes).length === 0
