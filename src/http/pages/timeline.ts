import { teamPagePath } from '../../domain/addresses/paths.ts'
import { formatInstant } from '../../domain/time/time.ts'
import type { Cursor, TimelineEntry } from '../../store/store.ts'
import type { Context } from '../context.ts'
import { positionBelow, writeCursor } from '../reading/paging.ts'
import type { PageReads } from '../reading/reads.ts'
import type { RespondWithPage } from '../responses/responder.ts'
import { ROUTES } from '../routes.ts'
import type { Documents } from './as-markdown/documents.ts'
import {
  checkedList,
  type DirectoryPage,
  type ListOf,
  nameOfList,
  readEntries,
  readUndated,
} from './directory.ts'
import type { PageForm, PageForms } from './form.ts'
import { foldUpdates } from './long.ts'
import { type TimelineQuery, timelineQuery } from './query.ts'
import type { Site } from './site.ts'
import { type TimelinePage, timelinePage } from './templates/timeline.ts'

const RELEASES_PER_PAGE = 20
/** The most releases of a page, if many only update dependencies. */
const MAX_RELEASES = 100
/** Releases with more changes are shown as others are. */
const MAX_UPDATES = 20

/** The pages of all teams and of one. */
export function createTimelines(
  site: Site,
  respond: RespondWithPage,
  forms: PageForms,
  documents: Documents,
) {
  const timeline = (context: Context, team: ListOf, form: PageForm): Promise<Response> => {
    const own = checkedList(site, team)
    const query = timelineQuery(context)
    return respond(context, own, async (reads) => {
      const name = await nameOfList(site, reads, team)
      if (name === null) return null
      const list = await readEntries(reads, team, query.after)
      const page = await readPage(reads, team, query, list)
      if (typeof page === 'string') return form.leadTo(page)
      if (form.isMarkdown) return form.body(documents.timeline(name, page))
      return form.body(timelinePage(site, team && name, page))
    })
  }

  return {
    home: (context: Context) => timeline(context, null, forms.ofHome(context)),

    team: (context: Context, given: { team: string }) => {
      const { form, name } = forms.of(context, given.team)
      return timeline(context, name, form)
    },
  }
}

/** A page, or the address of the right one: a position that no link has would make another entry in the cache. */
async function readPage(
  reads: PageReads,
  team: ListOf,
  { prereleases, cursor, after }: TimelineQuery,
  { entries: listed, last }: DirectoryPage,
): Promise<TimelinePage | string> {
  const path = team === null ? ROUTES.homePage.path : teamPagePath(team)
  const products = after && `${after.team}/${after.product}`
  const href = (cursor: Cursor | null, after: string | null): string => {
    const stable = prereleases && `prereleases=${prereleases}`
    const query = [stable, cursor && `cursor=${writeCursor(cursor)}`, after && `after=${after}`].filter(
      Boolean,
    )
    return query.length === 0 ? path : `${path}?${query.join('&')}`
  }
  if (listed.length === 0 && products) return href(cursor, null)
  const newer = cursor
    ? await reads.ask('readNewerInTimeline', team, positionBelow(cursor), RELEASES_PER_PAGE + 1, prereleases)
    : []
  const position = newer[0] ?? null
  if (cursor && cursor.id !== position?.id) return href(position, products)
  const { releases, updates, next } = await readReleases(reads, team, cursor, prereleases)
  if (cursor && releases.length === 0) return href(null, products)
  return {
    releases,
    updates,
    undated: cursor ? [] : await readUndated(reads, team, after, prereleases),
    products: listed,
    path,
    own: href(cursor, products),
    newerHref: cursor && href(newer[RELEASES_PER_PAGE] ?? null, products),
    olderHref: next && href(next, products),
    firstProductsHref: products && href(cursor, null),
    moreProductsHref: last ? href(cursor, `${last.team.slug}/${last.product.slug}`) : null,
  }
}

/** The releases of a page, on which a row of updates counts as one. */
async function readReleases(
  reads: PageReads,
  team: ListOf,
  after: Cursor | null,
  prereleases: 'no' | null,
): Promise<Pick<TimelinePage, 'releases' | 'updates'> & { next: Cursor | null }> {
  const releases: TimelineEntry[] = []
  const mere = new Set<string>()
  let next = after
  for (;;) {
    const page = await reads.ask('readTimeline', team, next, RELEASES_PER_PAGE, prereleases)
    releases.push(...page.entries)
    next = page.next
    const short = page.entries.filter(({ changeCount }) => changeCount <= MAX_UPDATES).map(({ id }) => id)
    for (const id of await reads.ask('readUpdates', short)) mere.add(id)
    const updates = foldByProduct(releases, mere)
    const lines = releases.filter(({ id }) => updates.get(id)?.length !== 0)
    const [beyond] = lines.slice(RELEASES_PER_PAGE)
    if (beyond) {
      const shown = releases.slice(0, releases.indexOf(beyond))
      return { releases: shown, updates: foldByProduct(shown, mere), next: shown.at(-1) ?? null }
    }
    if (!next || lines.length === RELEASES_PER_PAGE || releases.length >= MAX_RELEASES)
      return { releases, updates, next }
  }
}

/** Rows of updates that no other release of the same product and month interrupts. */
function foldByProduct(releases: readonly TimelineEntry[], mere: ReadonlySet<string>) {
  const monthOf = ({ publishedAt }: TimelineEntry) => formatInstant(publishedAt).slice(0, 7)
  const lists = Map.groupBy(releases, (release) => `${release.changelog.id} ${monthOf(release)}`)
  return new Map([...lists.values()].flatMap((own) => [...foldUpdates(own, ({ id }) => mere.has(id))]))
}
