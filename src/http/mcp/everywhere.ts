import { type Names, parseNames } from '../reading/addresses.ts'
import { type Filter, noWork } from '../reading/search.ts'
import { isMuch } from '../reading/slices.ts'
import { ApiError } from '../request/errors.ts'
import { productOf } from './entries.ts'
import { periodOf } from './period.ts'
import { type Asked, lengthOf, placeIn, roomOf, wrongCursor } from './tool.ts'
import { type Given, type Listing, listVersions, NOTHING_SO_FAR } from './version-list.ts'
import { eachVisible } from './visible.ts'

/** A changelog is as much work as so many versions, even if it has none. */
const VERSIONS_OF_CHANGELOG = 10
/** Reading so many versions costs as much as a request. */
const VERSIONS_PER_REQUEST = 250
/** The least room for another changelog. */
const LEAST_ROOM = 500

/**
 * The versions with matching changes of all changelogs that the audience may list, one changelog after another. The answer ends
 * after as much work as a search of one, and says where it goes on.
 */
export async function searchAll(
  source: Asked,
  filter: Filter,
  limit: number,
  { cursor, ...given }: Given,
): Promise<Listing> {
  const place = placeIn(cursor)
  const first = place.to === undefined ? null : parseNames(place.to)
  if (cursor !== undefined && !first) throw wrongCursor()
  if (periodOf(given).newerThan !== undefined) throw new ApiError('bad_request', NO_DATE)
  const answer: Listing = { versions: [] }
  const { versions } = answer
  const room = roomOf(lengthOf(given), answer)
  const work = noWork()
  for await (const entry of eachVisible(source, first ? rightBefore(first) : undefined)) {
    const { changelog } = productOf(entry)
    const isFull = versions.length === limit || (versions.length > 0 && room.left() < LEAST_ROOM)
    if (isFull || isMuch(work)) {
      answer.next = `0..${changelog}`
      break
    }
    const own = changelog === place.to ? cursor?.slice(0, -changelog.length) : undefined
    const names = { team: entry.team.slug, product: entry.product.slug }
    const within = { ...given, maxLength: room.left(), ...(own && { cursor: own }) }
    work.versions += VERSIONS_OF_CHANGELOG
    const found = await listVersions({ ...source, ...names }, filter, limit - versions.length, within, work)
    for (const version of found?.versions ?? []) {
      versions.push(version)
      room.take(version)
    }
    if (found?.note) answer.note = found.note
    if (!found?.next) continue
    answer.next = found.next + changelog
    break
  }
  source.charge(Math.floor(work.versions / VERSIONS_PER_REQUEST))
  if (versions.length === 0) answer.note ??= answer.next ? NOTHING_SO_FAR : 'Nothing was found.'
  return answer
}

const NO_DATE = 'Without changelog, since must be a date, such as 2025-01-31, 2025-01 or 2025.'

/** No name sorts between this and that of the changelog. */
const rightBefore = ({ team, product }: Names): Names => ({
  team,
  product: `${product.slice(0, -1)}${String.fromCharCode(product.charCodeAt(product.length - 1) - 1)}~`,
})
