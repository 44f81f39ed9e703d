import { Refused } from '../domain/reasons.ts'
import type { Instant } from '../domain/records.ts'
import type { Records } from '../store/records/records.ts'

/** What somebody may do: write drafts; change what is public; change teams, products and who sees them. */
export const RIGHTS = ['write', 'publish', 'settings'] as const
export type Right = (typeof RIGHTS)[number]

export const ALL_RIGHTS: ReadonlySet<Right> = new Set(RIGHTS)

/** Somebody who acts, in one transaction. */
export interface Acting {
  readonly records: Records
  readonly now: Instant
  /** Null where nobody says who acts. */
  readonly who: string | null
  readonly rights: ReadonlySet<Right>
}

/** With the act that is under way, as the log and kept states call it. */
export interface Doing extends Acting {
  readonly event: string
}

export interface Act<Given extends unknown[] = unknown[], Done = unknown> {
  /** As the log and kept states call it. */
  readonly event: string
  /** The least right that it takes. */
  readonly needs: Right
  /** What brings back the state before: `undo`, the history of a version, or another act. */
  readonly undo: 'kept' | 'history' | 'act'
  run(by: Acting, ...given: Given): Promise<Done>
}

/** Nobody does an act without its right. */
export const act = <Given extends unknown[], Done>({
  run,
  ...row
}: Omit<Act, 'run'> & { run(by: Doing, ...given: Given): Promise<Done> }): Act<Given, Done> => ({
  ...row,
  run: async (by, ...given) => {
    need(by, row.needs)
    return run({ ...by, event: row.event }, ...given)
  },
})

export function need({ rights }: Pick<Acting, 'rights'>, right: Right): void {
  if (!rights.has(right)) throw new Refused('mayNot', {})
}
