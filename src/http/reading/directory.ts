import { isSlug } from '../../domain/slug.ts'
import type { VersionFilter } from '../../domain/versions/properties.ts'
import type { DirectoryRange, TimelineEntry } from '../../store/store.ts'
import type { Reads } from '../answers/reads.ts'
import { notFound } from '../request/errors.ts'
import type { Site } from '../site/site.ts'
import type { Names } from './addresses.ts'

const CHANGELOGS_PER_PAGE = 100

/** Sorts after every slug. */
export const LAST_SLUG = '~'

/** A list is about one team, or about all: then this is null. */
export type ListOf = string | null

export type DirectoryPage = Awaited<ReturnType<typeof readEntries>>

/** The names under which a 404 of a list is cached. Throws `not_found` if there can be none. */
export function checkedList(site: Site, team: ListOf): { team?: string } {
  if (!site.hasLists || (team !== null && !isSlug(team))) throw notFound()
  return team === null ? {} : { team }
}

/** The name of the team or site; null if the team has nothing that is public. */
export async function nameOfList(site: Site, reads: Reads, team: ListOf): Promise<string | null> {
  if (team === null) return site.title
  const [first] = await reads.ask('readDirectory', rangeOf(team, null), 1)
  return first?.team.name ?? null
}

/** The first public changelogs of a list, or of what is after one of them; and the last of these, if there are more. */
export async function readEntries(reads: Reads, team: ListOf, after: Names | null) {
  const found = await reads.ask('readDirectory', rangeOf(team, after), CHANGELOGS_PER_PAGE + 1)
  const entries = found.slice(0, CHANGELOGS_PER_PAGE)
  return { entries, last: found.length > entries.length ? entries.at(-1) : undefined }
}

/** The newest releases without a date of the products on a page of a list. */
export const readUndated = (
  reads: Reads,
  team: ListOf,
  after: Names | null,
  filter: VersionFilter,
): Promise<TimelineEntry[]> => reads.ask('readUndated', rangeOf(team, after), CHANGELOGS_PER_PAGE, filter)

export const rangeOf = (team: ListOf, after: Names | null): DirectoryRange => ({
  team: team ?? after?.team ?? '',
  product: after?.product ?? '',
  lastTeam: team ?? LAST_SLUG,
})
