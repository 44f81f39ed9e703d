import type { Product } from '../../domain/records.ts'
import { type Kind, kindOf } from '../../domain/versions/kinds.ts'
import { areEntries, hasNumber, nextLabels, shortName } from '../../domain/versions/names.ts'
import { isPrerelease } from '../../domain/versions/standing.ts'
import { ownHeading } from '../../notes/release.ts'
import type { Records } from '../../store/records/records.ts'

/** What the last versions of a product suggest for a new one. */
export interface Habits {
  /** The headings of the last versions, each once, with their kinds. */
  headings: ReadonlyMap<string, Kind>
  /** The last version that has any. */
  last: { id: string; name: string; headings: readonly string[] } | null
  /** Labels that may follow the newest number. */
  next: readonly string[]
}

const MOST = 3

export async function habitsOf(
  { versions, changes }: Records,
  product: Product,
  without: string | undefined,
): Promise<Habits> {
  const heads = (await versions.heads(product)).filter(({ id }) => id !== without)
  const headings = new Map<string, Kind>()
  let last: Habits['last'] = null
  for (const head of heads.slice(0, MOST)) {
    const all = await changes.list(head)
    const own = [...new Set(all.map(ownHeading))]
    for (const change of all) headings.set(ownHeading(change), kindOf(change.type, change.typeLabel))
    if (own.length > 0) last ??= { id: head.id, name: shortName(head), headings: own }
  }
  const newest = heads.find((head) => hasNumber(head.label) && !isPrerelease(head))
  return { headings, last, next: newest && !areEntries(heads) ? nextLabels(newest.label) : [] }
}

/** A text with these headings, to be filled in. */
export const textLike = (headings: readonly string[]): string =>
  headings.map((heading) => `## ${heading}\n\n- \n`).join('\n')
