import { mapRows } from '../objects.ts'
import { picturesIn } from '../pictures.ts'
import type { ChangeDraft } from '../records.ts'
import { KINDS, type Kind, kindOfChange } from './kinds.ts'
import { breakingIn, type TextsAround } from './marks/said.ts'
import { marksOf } from './marks.ts'
import { orderOf } from './number.ts'
import { MARKS } from './properties.ts'

/**
 * How many changes of each kind there are. Breaking and security changes also count as such. `breaking` is 0 if only the texts
 * around them say that something breaks.
 */
export type KindCounts = ReadonlyMap<Kind, number>

/**
 * The number in counts that says how they are written. Counts with another one are not known. 0.3.0 also counts all versions
 * again that have another one, by its own rules, when it runs beside a newer program.
 */
export const COUNTING = 2

/** The number of the rules of all derived columns. Those of a lower one are made anew. */
export const DERIVING = 7

/** Columns of a version that lists, filters and ranges need: texts that its authors never write. */
export const DERIVED_COLUMNS = {
  kinds: ({ changes, description = null, closing = null }: Derivable) =>
    writeCounts(changes, { description, closing }),
  precedence: ({ label }: Derivable) => orderOf(label),
  /** A JSON array of the ids of the pictures that it shows; null for none. */
  pictures: ({ changes, description, closing }: Derivable) => {
    const shown = picturesIn(
      description,
      closing,
      ...changes.flatMap(({ title, description }) => [title, description]),
    )
    return shown.length > 0 ? JSON.stringify(shown) : null
  },
}

/** What columns are derived from. */
interface Derivable {
  label: string
  changes: readonly ChangeDraft[]
  description?: string | null
  closing?: string | null
}

export const derivedOf = (version: Derivable) => ({
  ...mapRows(DERIVED_COLUMNS, (derive) => derive(version)),
  derivedBy: DERIVING,
})

/** `5:2/breaking=1,added=3`: the number of all changes and of the form, then the counts. */
function writeCounts(changes: readonly ChangeDraft[], around: TextsAround): string {
  const counts = [...countKinds(changes, around)]
  const texts = counts.map(([kind, count]) => (count === 0 ? kind : `${kind}=${count}`))
  return `${changes.length}:${COUNTING}/${texts.join()}`
}

/** In the order of the kinds; only those that occur. */
export function countKinds(changes: readonly ChangeDraft[], around?: TextsAround): KindCounts {
  const counts = new Map<Kind, number>()
  const count = (kind: Kind) => counts.set(kind, (counts.get(kind) ?? 0) + 1)
  if (around && breakingIn(around) !== null) counts.set('breaking', 0)
  for (const change of changes) {
    const kind = kindOfChange(change)
    for (const mark of marksOf(change)) count(mark)
    if (!MARKS.some((mark) => mark === kind)) count(kind)
  }
  if (counts.size < 2) return counts
  return new Map([...counts].sort(([one], [other]) => KINDS.indexOf(one) - KINDS.indexOf(other)))
}

/** True if a version with these counts may have changes of a kind. */
export const mayHaveKind = (kinds: string | null, kind: Kind): boolean => readCounts(kinds)?.has(kind) ?? true

/** The counts in `kinds`; null if they are not known. */
export const readCounts = (kinds: string | null): KindCounts | null =>
  kinds === null || !kinds.includes(`:${COUNTING}/`)
    ? null
    : new Map(
        (kinds.match(/[a-z]+(?:=\d+)?/g) ?? []).map((each) => {
          const [kind, count = 0] = each.split('=')
          return [kind as Kind, Number(count)] as const
        }),
      )
