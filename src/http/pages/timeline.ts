import { teamPagePath } from '../../domain/addresses/paths.ts'
import { isSlug } from '../../domain/slug.ts'
import type { Cursor } from '../../store/store.ts'
import type { Context } from '../context.ts'
import { notFound } from '../errors.ts'
import { positionBelow, writeCursor } from '../reading/paging.ts'
import type { PageReads } from '../reading/reads.ts'
import type { RespondWithPage } from '../responses/responder.ts'
import { ROUTES } from '../routes.ts'
import type { Documents } from './as-markdown/documents.ts'
import { type DirectoryPage, LAST_SLUG, readEntries } from './directory.ts'
import type { Forms } from './form.ts'
import { type TimelineQuery, timelineQuery } from './query.ts'
import type { Site } from './site.ts'
import { homePage, type TimelinePage, teamPage, titleOf } from './templates/timeline.ts'

const RELEASES_PER_PAGE = 20

/** The pages of all teams and of one. */
export function createTimelines(site: Site, respond: RespondWithPage, forms: Forms, documents: Documents) {
  const home = (context: Context): Promise<Response> => {
    if (!site.hasLists) throw notFound()
    const form = forms.ofHome(context)
    const query = timelineQuery(context)
    const [team = '', product = ''] = query.after
    return respond(context, {}, async (reads) => {
      const list = await readEntries(reads, { team, product, lastTeam: LAST_SLUG })
      const page = await readPage(reads, null, query, list)
      if (typeof page === 'string') return form.leadTo(page)
      return form.body(form.isMarkdown ? documents.timeline(titleOf(site), page) : homePage(site, page))
    })
  }

  const team = (context: Context, given: { team: string }): Promise<Response> => {
    const { form, name: team } = forms.of(context, given.team)
    if (!site.hasLists || !isSlug(team)) throw notFound()
    const query = timelineQuery(context)
    const [, product = ''] = query.after
    return respond(context, { team }, async (reads) => {
      const [first] = await reads.ask('readDirectory', { team, product: '', lastTeam: team }, 1)
      if (!first) return null
      const list = await readEntries(reads, { team, product, lastTeam: team })
      const page = await readPage(reads, team, query, list)
      if (typeof page === 'string') return form.leadTo(page)
      const { name } = first.team
      return form.body(form.isMarkdown ? documents.timeline(name, page) : teamPage(site, name, page))
    })
  }

  return { home, team }
}

/** A page, or the address of the right one: a position that no link has would make another entry in the cache. */
async function readPage(
  reads: PageReads,
  team: string | null,
  { cursor, after }: TimelineQuery,
  list: DirectoryPage | null,
): Promise<TimelinePage | string> {
  const path = team === null ? ROUTES.homePage.path : teamPagePath(team)
  const products = after.length === 0 ? null : after.join('/')
  const href = (cursor: Cursor | null, after: string | null): string => {
    const query = [cursor && `cursor=${writeCursor(cursor)}`, after && `after=${after}`].filter(Boolean)
    return query.length === 0 ? path : `${path}?${query.join('&')}`
  }
  if (!list && products) return href(cursor, null)
  const newer = cursor
    ? await reads.ask('readNewerInTimeline', team, positionBelow(cursor), RELEASES_PER_PAGE + 1)
    : []
  const position = newer[0] ?? null
  if (cursor && cursor.id !== position?.id) return href(position, products)
  const { entries, next } = await reads.ask('readTimeline', team, cursor, RELEASES_PER_PAGE)
  if (cursor && entries.length === 0) return href(null, products)
  const last = list?.last
  return {
    releases: entries,
    products: list?.entries ?? [],
    path,
    own: href(cursor, products),
    newerHref: cursor && href(newer[RELEASES_PER_PAGE] ?? null, products),
    olderHref: next && href(next, products),
    firstProductsHref: products && href(cursor, null),
    moreProductsHref: last ? href(cursor, `${last.team.slug}/${last.product.slug}`) : null,
  }
}
