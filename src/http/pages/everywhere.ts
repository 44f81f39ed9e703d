import { handOver } from '../../domain/turns.ts'
import { versionFilter } from '../../domain/versions/properties.ts'
import type { TimelineEntry } from '../../store/store.ts'
import type { Reads } from '../answers/reads.ts'
import type { Names } from '../reading/addresses.ts'
import { type ListOf, rangeOf } from '../reading/directory.ts'
import type { TimelineQuery } from '../reading/parameters.ts'
import { type Listed, NO_FILTER, noWork, search } from '../reading/search.ts'
import { isMuch } from '../reading/slices.ts'

/** Releases of a page, and of each product: its own page finds all. */
const MOST = 20
const MOST_OF_PRODUCT = 5
/** Changelogs that are read at once. */
const PART = 50
/** A changelog is as much work as so many versions, even if it has none. */
const VERSIONS_OF_CHANGELOG = 10
/** Reading so many versions costs as much as a request. */
const VERSIONS_PER_REQUEST = 250

export type Found = TimelineEntry & Listed

/** What is found in all public changelogs of a list behind a name, newest first, and the name behind which there is more. */
export async function searchEverywhere(reads: Reads, team: ListOf, asked: TimelineQuery) {
  const found: Found[] = []
  const work = noWork()
  const requests = () => Math.floor(work.versions / VERSIONS_PER_REQUEST)
  const filter = { ...NO_FILTER, q: asked.q, ...versionFilter(asked) }
  let last: Names | null = asked.after
  for (;;) {
    const part = await reads.ask('readDirectory', rangeOf(team, last), PART)
    for (const info of part) {
      if (found.length >= MOST || isMuch(work)) return { found: newestFirst(found), next: last, requests }
      const names = { team: info.team.slug, product: info.product.slug }
      work.versions += VERSIONS_OF_CHANGELOG
      const source = { reads, audience: 'public', ...names } as const
      const { found: own, next } = await search(source, filter, null, MOST_OF_PRODUCT, { work })
      // The next page begins with a changelog that was not read to its end, unless it is longer than a page.
      const isUnread = next !== null && own.length < MOST_OF_PRODUCT && last !== asked.after
      if (isUnread) return { found: newestFirst(found), next: last, requests }
      found.push(...own.map((version) => ({ ...info, ...version })))
      last = names
    }
    if (part.length < PART) return { found: newestFirst(found), next: null, requests }
    await handOver()
  }
}

const newestFirst = (found: Found[]): Found[] =>
  found.toSorted((one, other) => other.publishedAt - one.publishedAt)
