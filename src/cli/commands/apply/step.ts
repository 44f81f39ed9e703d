/** One record that `apply` makes, changes or deletes, and how. */
export interface Step {
  action: 'create' | 'update' | 'delete'
  record: 'team' | 'product' | 'changelog' | 'key'
  name: string
  changes: Record<string, { from: string | null; to: string | null }>
  /** Of a new key, this once. */
  token?: string
}

/** The wanted fields that are not so yet. */
export function differences(is: object, wanted: object): Step['changes'] {
  const current: Record<string, unknown> = { ...is }
  const differing = Object.entries(wanted).filter(([field, value]) => current[field] !== value)
  return Object.fromEntries(
    differing.map(([field, to]) => [field, { from: (current[field] as string) ?? null, to: String(to) }]),
  )
}

export const isNothing = (changes: Step['changes']): boolean => Object.keys(changes).length === 0
