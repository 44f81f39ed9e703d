import { picturePath, SITE, teamPagePath } from '../../domain/addresses/paths.ts'
import { inForm, isMoving, isWide, picturesIn, smallSides } from '../../domain/pictures.ts'
import { cut } from '../../domain/text/cut.ts'
import { formatInstant } from '../../domain/time/time.ts'
import { handOver } from '../../domain/turns.ts'
import { shownName } from '../../domain/versions/names.ts'
import { FILTER_NAMES, versionFilter } from '../../domain/versions/properties.ts'
import { plainText } from '../../notes/html/render.ts'
import { firstChanges, firstWords } from '../../notes/release.ts'
import type { ChangelogInfo, Cursor, TimelineEntry, VersionContent } from '../../store/store.ts'
import type { Reads } from '../answers/reads.ts'
import { type Names, positionBelow, withQuery, writeCursor } from '../reading/addresses.ts'
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
import type { Context } from '../request/context.ts'
import { pathOf } from '../target.ts'
import type { Tools } from '../tools.ts'
import { createDocuments } from './documents.ts'
import { searchEverywhere } from './everywhere.ts'
import { formOf, searchOf } from './form.ts'
import { isMereUpdate } from './list.ts'
import {
  badgesIn,
  type CardContent,
  isCard,
  type TimelineLine,
  type TimelinePage,
  timelinePage,
} from './templates/timeline.ts'

const RELEASES_PER_PAGE = 20
/** The most releases of a page, if many are in one line. */
const MAX_RELEASES = 60
/** Releases of a product in a row, before the line of the rest. */
const IN_ROW = 3
/** Releases with more changes are shown as others are, and read one by one. */
const MAX_UPDATES = 20
/** Of a release without an introduction, so many changes are shown. */
const FIRST_CHANGES = 2
const LINE_LENGTH = 320

/** The newest releases and the products of a team, or of all teams. */
export async function timeline(asked: Asked<never, typeof TIMELINE_PARAMETERS, 'team'>): Promise<Response> {
  const { context, params, query } = asked
  const site = asked.site()
  const { form, name: slug } = formOf(asked, params.team ?? pathOf(context.target))
  const team = params.team === undefined ? null : slug
  return asked.responder.long(context, checkedList(site, team), async (reads) => {
    const name = await nameOfList(site, reads, team)
    if (name === null) return null
    const list = await readEntries(reads, team, query.q ? null : query.after)
    const page = query.q
      ? await readFound(reads, team, asked, list)
      : await readPage(reads, team, query, list)
    if (typeof page === 'string') return form.leadTo(page)
    if (form.isMarkdown) return form.body(createDocuments(site).timeline(name, page))
    return form.body(timelinePage(site, team && name, page))
  })
}

/** The page of a search in all products. It costs as many requests as its work. */
async function readFound(
  reads: Reads,
  team: ListOf,
  { context, charge, query: asked }: Pick<Tools, 'charge'> & { context: Context; query: TimelineQuery },
  { entries }: DirectoryPage,
): Promise<TimelinePage | string> {
  const path = team === null ? SITE.home : teamPagePath(team)
  const href = (after: Names | null) =>
    withQuery(path, { q: asked.q, ...versionFilter(asked), after: after && `${after.team}/${after.product}` })
  const own = href(asked.after)
  if (own !== path + searchOf(context)) return own
  const { found, next, requests } = await searchEverywhere(reads, team, asked)
  charge(context.address(), requests())
  const cards = found.map((each): [string, CardContent] => {
    // Of a part of its changes, those are found that it has.
    const isPart = each.excerptOf !== undefined && each.changes.length > 0
    return [each.id, cardOf(each, isPart ? { ...each, description: null } : each)]
  })
  return {
    ...{ path, products: entries, q: asked.q, cards: new Map(cards) },
    lines: found.filter(({ dateKnown }) => dateKnown).map((each) => ({ releases: [each], isUpdate: false })),
    undated: found.filter(({ dateKnown }) => !dateKnown),
    own,
    newerHref: asked.after && href(null),
    olderHref: next && href(next),
    firstProductsHref: null,
    moreProductsHref: null,
  }
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
    q: null,
    lines,
    undated,
    cards: await readCards(reads, shown, [...contents, ...(await readShort(reads, undated))]),
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

/** Those of the releases that have few changes, and no title unless their texts are shown. */
const readShort = (reads: Reads, releases: readonly TimelineEntry[]): Promise<VersionContent[]> =>
  reads.ask(
    'readContents',
    releases.filter((each) => each.changeCount <= MAX_UPDATES && shownName(each).title === null),
  )

/** What cards say of releases below their names, by the ids of these: the first words or, without any, the first changes. */
async function readCards(reads: Reads, releases: readonly TimelineEntry[], read: VersionContent[]) {
  const known = new Map(read.map((version) => [version.id, version]))
  const cards = new Map<string, CardContent>()
  for (const release of releases) {
    const { team, product, id } = release
    const range = { skip: 0, limit: MAX_CHANGES }
    let content = known.get(id)
    if (!content) {
      await handOver()
      content = (await reads.ask('readVersion', 'public', team.slug, product.slug, id, range))?.version
    }
    if (content) cards.set(id, cardOf(release, content))
  }
  return cards
}

export function cardOf({ team, product }: ChangelogInfo, content: VersionContent): CardContent {
  const { description, closing, changes } = content
  const texts = changes.flatMap((change) => [change.title, change.description])
  const [id] = picturesIn(description, ...texts, closing)
  const titles = firstChanges(changes, FIRST_CHANGES).map(({ title }) => plainText(title))
  const about = firstWords(content)
  const lines = about === '' ? titles : [about]
  const path = id && picturePath(team.slug, product.slug, id)
  // Nothing moves in a list.
  const small = path && (isWide(id) || isMoving(id)) ? inForm(path, 'small') : path
  return {
    lines: lines.map((line) => cut(line, LINE_LENGTH)).filter(Boolean),
    picture: small && id ? { path: small, ...smallSides(id) } : null,
  }
}

/** Names the product and the month of a release. */
const listOf = ({ changelog, publishedAt }: TimelineEntry): string =>
  changelog.id + formatInstant(publishedAt).slice(0, 7)
