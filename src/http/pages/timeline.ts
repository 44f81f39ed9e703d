import { SITE, teamPagePath } from '../../domain/addresses/paths.ts'
import { cut } from '../../domain/text/cut.ts'
import { formatInstant } from '../../domain/time/time.ts'
import { handOver } from '../../domain/turns.ts'
import { shownName } from '../../domain/versions/names.ts'
import { FILTER_NAMES } from '../../domain/versions/properties.ts'
import { plainText } from '../../notes/html/render.ts'
import { firstChanges, firstWords } from '../../notes/release.ts'
import type { Cursor, TimelineEntry, VersionContent } from '../../store/store.ts'
import type { Reads } from '../answers/reads.ts'
import { positionBelow, writeCursor } from '../reading/addresses.ts'
import {
  checkedList,
  type DirectoryPage,
  type ListOf,
  nameOfList,
  readEntries,
  readUndated,
} from '../reading/directory.ts'
import type { Asked, TIMELINE_PARAMETERS, TimelineQuery } from '../reading/parameters.ts'
import { MAX_CHANGES } from '../reading/slices.ts'
import { pathOf } from '../target.ts'
import { createDocuments } from './documents.ts'
import { formOf } from './form.ts'
import { isMereUpdate } from './list.ts'
import { badgesIn, isCard, type TimelineLine, type TimelinePage, timelinePage } from './templates/timeline.ts'

const RELEASES_PER_PAGE = 20
/** The most releases of a page, if many are in one line. */
const MAX_RELEASES = 60
/** Releases of a product in a row, before the line of the rest. */
const IN_ROW = 3
/** Releases with more changes are shown as others are, and read one by one. */
const MAX_UPDATES = 20
/** Of a release without a title, so many changes are shown, each in a line. */
const FIRST_CHANGES = 2
const LINE_LENGTH = 160

/** The newest releases and the products of a team, or of all teams. */
export async function timeline(asked: Asked<never, typeof TIMELINE_PARAMETERS, 'team'>): Promise<Response> {
  const { context, params, query } = asked
  const site = asked.site()
  const { form, name: slug } = formOf(asked, params.team ?? pathOf(context.target))
  const team = params.team === undefined ? null : slug
  return asked.responder.long(context, checkedList(site, team), async (reads) => {
    const name = await nameOfList(site, reads, team)
    if (name === null) return null
    const list = await readEntries(reads, team, query.after)
    const page = await readPage(reads, team, query, list)
    if (typeof page === 'string') return form.leadTo(page)
    if (form.isMarkdown) return form.body(createDocuments(site).timeline(name, page))
    return form.body(timelinePage(site, team && name, page))
  })
}

/** A page, or the address of the right one: a position that no link has would make another entry in the cache. */
async function readPage(
  reads: Reads,
  team: ListOf,
  asked: TimelineQuery,
  { entries: listed, last }: DirectoryPage,
): Promise<TimelinePage | string> {
  const { cursor, after } = asked
  const path = team === null ? SITE.home : teamPagePath(team)
  const products = after && `${after.team}/${after.product}`
  const href = (cursor: Cursor | null, after: string | null): string => {
    const filter = FILTER_NAMES.map((name) => asked[name] && `${name}=${asked[name]}`)
    const query = [...filter, cursor && `cursor=${writeCursor(cursor)}`, after && `after=${after}`].filter(
      Boolean,
    )
    return query.length === 0 ? path : `${path}?${query.join('&')}`
  }
  if (listed.length === 0 && products) return href(cursor, null)
  const newer = cursor
    ? await reads.ask('readNewerInTimeline', team, positionBelow(cursor), RELEASES_PER_PAGE + 1, asked)
    : []
  const position = newer[0] ?? null
  if (cursor && cursor.id !== position?.id) return href(position, products)
  const { lines, next, contents } = await readLines(reads, team, asked, listed.length > 1)
  if (cursor && lines.length === 0) return href(null, products)
  const undated = cursor ? [] : await readUndated(reads, team, after, asked)
  const shown = [...lines.filter(isCard).map(({ releases: [newest] }) => newest), ...undated]
  return {
    lines,
    undated,
    first: await readFirstChanges(reads, shown, [...contents, ...(await readShort(reads, undated))]),
    products: listed,
    path,
    own: href(cursor, products),
    newerHref: cursor && href(newer[RELEASES_PER_PAGE] ?? null, products),
    olderHref: next && href(next, products),
    firstProductsHref: products && href(cursor, null),
    moreProductsHref: last ? href(cursor, `${last.team.slug}/${last.product.slug}`) : null,
  }
}

/** The lines of a page. Updates of a product and month that nothing interrupts are one; so is the rest of a row, if nothing in it is marked. */
async function readLines(reads: Reads, team: ListOf, asked: TimelineQuery, hasOthers: boolean) {
  const { entries, next } = await reads.ask('readTimeline', team, asked.cursor, MAX_RELEASES, asked)
  const contents = await readShort(reads, entries)
  const updates = new Set(contents.filter(isMereUpdate).map(({ id }) => id))
  const lines: TimelineLine[] = []
  for (const [at, entry] of entries.entries()) {
    const isUpdate = updates.has(entry.id)
    const isOwn = ({ releases: [newest] }: TimelineLine) => listOf(newest) === listOf(entry)
    const above = lines.findLast(isOwn)
    const row = lines.slice(-IN_ROW - 1)
    const isRow = hasOthers && row.length > IN_ROW && row.every(isOwn)
    const isPlain = [entry, ...(above?.releases ?? [])].every((each) => badgesIn(each).length === 0)
    if (above && (above.isUpdate ? isUpdate : isRow && isPlain)) above.releases.push(entry)
    else if (lines.length === RELEASES_PER_PAGE) return { lines, next: entries[at - 1] ?? null, contents }
    else lines.push({ releases: [entry], isUpdate })
  }
  return { lines, next, contents }
}

/** Those of the releases that have no title and few changes. */
const readShort = (reads: Reads, releases: readonly TimelineEntry[]): Promise<VersionContent[]> =>
  reads.ask(
    'readContents',
    releases.filter((each) => each.changeCount <= MAX_UPDATES && isUntitled(each)),
  )

const isUntitled = (release: TimelineEntry): boolean => shownName(release).title === null

/** The first changes of releases without a title, or the first words of those without changes, by the ids of these. */
async function readFirstChanges(reads: Reads, releases: readonly TimelineEntry[], read: VersionContent[]) {
  const known = new Map(read.map((version) => [version.id, version]))
  const first = new Map<string, string[]>()
  for (const release of releases.filter(isUntitled)) {
    const { team, product, id, changeCount } = release
    const range = { skip: 0, limit: MAX_CHANGES }
    let content = known.get(id)
    if (!content && changeCount > 0) {
      await handOver()
      content = (await reads.ask('readVersion', 'public', team.slug, product.slug, id, range))?.version
    }
    const titles = firstChanges(content?.changes ?? [], FIRST_CHANGES).map(({ title }) => plainText(title))
    const lines = titles.length === 0 && content ? [firstWords(content)] : titles
    first.set(id, lines.map((line) => cut(line, LINE_LENGTH)).filter(Boolean))
  }
  return first
}

/** Names the product and the month of a release. */
const listOf = ({ changelog, publishedAt }: TimelineEntry): string =>
  changelog.id + formatInstant(publishedAt).slice(0, 7)
