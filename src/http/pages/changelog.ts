import { handOver } from '../../domain/turns.ts'
import { isPrerelease } from '../../domain/versions/standing.ts'
import { html, type Markup } from '../../notes/html/markup.ts'
import { LISTED, PAGE_LENGTH, WHOLE } from '../../notes/writing.ts'
import type { Cursor } from '../../store/store.ts'
import type { Reads } from '../answers/reads.ts'
import { createMark } from '../html/mark.ts'
import { releaseArticle } from '../html/release.ts'
import { createRenderer } from '../html/renderer.ts'
import { changelogLink, checkedNames, homeNames, type Names } from '../reading/addresses.ts'
import type { Asked, CHANGELOG_PARAMETERS } from '../reading/parameters.ts'
import { type Listed, wordsOf } from '../reading/search.ts'
import { readIsOfEntries, readNewest, type Source } from '../reading/slices.ts'
import type { Site } from '../site/site.ts'
import { pathOf } from '../target.ts'
import { createDocuments } from './documents.ts'
import { formOf, searchOf } from './form.ts'
import { foldUpdates, linkEras, queryOf, RELEASES_PER_PAGE, readList, readNewer } from './list.ts'
import { type ChangelogPage, changelogPage, filterHref } from './templates/changelog.ts'
import { eraLine, updatesLine } from './templates/long.ts'
import { upgradeHref } from './templates/upgrade.ts'
import { respondWithUpgrade } from './upgrade.ts'

/** In characters. */
const LONG_PAGE = 100_000

/** The releases of a product, those that a search finds, or the upgrade that the query names. At `/`, of the operator's choice. */
export async function changelog(
  asked: Asked<never, typeof CHANGELOG_PARAMETERS, keyof Names>,
): Promise<Response> {
  const { context, params } = asked
  const { team, product } = params
  const site = asked.site()
  const { form, name } = formOf(asked, product ?? pathOf(context.target))
  const isHome = team === undefined
  const given = isHome ? (site.home as Names) : { team, product: name }
  // A 404 of the API does not know of renames.
  const checked = { ...checkedNames(given), ...(isHome && { isPage: true as const }) }
  const query = queryOf(asked.query)
  const { filter, after, between } = query
  if (between) return respondWithUpgrade(asked, given, form, query, between)
  return asked.responder.long(context, checked, async (reads) => {
    const names = isHome ? await homeNames(reads, given) : given
    const source: Source = { reads, audience: 'public', ...names }
    const overview = await reads.ask('readOverview', 'public', names.team, names.product, filter)
    if (!overview) return null
    const path = changelogLink(overview)
    const hrefAfter = (end: Cursor | null = null) => filterHref(path, filter, end)
    const newer = await readNewer(source, query)
    // An address in another form than our links redirects to theirs: each page is made and cached once.
    const own = hrefAfter(newer ? newer[0] : after)
    if (own !== path + searchOf(context)) return form.leadTo(own)
    const ofEntries = await readIsOfEntries(reads, names)
    const { found, result, next, newest, isLong } = await readList(source, query, overview, form, ofEntries)
    if (after && !result && found.length === 0) return form.leadTo(hrefAfter())
    const isFirst = !after && !result
    const { latest, before } =
      isFirst && !ofEntries ? await readNewest(reads, names) : { latest: null, before: null }
    const page = {
      ...{ overview, filter, own },
      found: result && {
        counts: result.counts,
        // Releases found by their title have no matching changes.
        changeCount: result.found.every(({ excerptOf }) => excerptOf) ? result.changeCount : null,
        releaseCount: found.length,
      },
      newest: latest ?? (isFirst ? (found[0] ?? null) : null),
      hasPrereleases: found.some(isPrerelease),
      eras: isLong ? linkEras(newest, found[0]?.id, hrefAfter, ofEntries) : [],
      upgradeHref: before && upgradeHref(path, { from: before.label }),
      newerHref: after && hrefAfter(newer?.[RELEASES_PER_PAGE]),
    }
    /** If the page is full, the next one begins with the first release that is not on it. */
    const olderThan = (shown: readonly unknown[]) => {
      const end = shown.length < found.length ? (found[shown.length - 1] ?? null) : next
      const older = newest[newest.findIndex(({ id }) => id === end?.id) + 1] ?? null
      return { olderHref: end && hrefAfter(end), older }
    }
    const inOwn = site.in(overview, ofEntries)
    if (form.isMarkdown) {
      const documents = createDocuments(inOwn)
      const parts = await asManyAsFit(reads, found, documents.releasePart(overview))
      return form.body(documents.changelog({ ...page, ...olderThan(parts) }, parts))
    }
    const articles = await asManyAsFit(reads, found, articlesOf(inOwn, page, found))
    return form.body(changelogPage(inOwn, { ...page, ...olderThan(articles) }, articles), inOwn.language)
  })
}

/** Writes the releases of a page, with lines where an era begins and for those that only update dependencies. */
function articlesOf(
  site: Site,
  { overview, filter, found: isSearch, eras }: Pick<ChangelogPage, 'overview' | 'filter' | 'found' | 'eras'>,
  found: readonly Listed[],
) {
  const { language } = site
  const mark = createMark(wordsOf(filter.q))
  const renderer = createRenderer(site)
  const updates = foldUpdates(isSearch ? [] : found, eras)
  return async (version: Listed): Promise<Markup> => {
    const { id, excerptOf } = version
    const mere = updates.get(id)
    const limits = excerptOf ? WHOLE : LISTED
    const article = mere
      ? updatesLine(language, overview, mere)
      : releaseArticle(
          language,
          overview,
          await renderer.release(overview, version, 3, limits, mark),
          excerptOf,
        )
    const era = eras.find(({ versions: [first] }, at) => !isSearch && at > 0 && first?.id === id)
    return era ? html`${eraLine(language, era)}${article}` : article
  }
}

/** As many versions as fit on a page, at least one. */
async function asManyAsFit<Release extends { length: number }>(
  reads: Reads,
  versions: readonly Listed[],
  write: (version: Listed) => Promise<Release>,
): Promise<Release[]> {
  const all: Release[] = []
  let length = 0
  for (const version of versions) {
    reads.checkWanted()
    const release = await write(version)
    length += release.length
    if (length > PAGE_LENGTH && all.length > 0) break
    all.push(release)
  }
  // Putting it together takes a turn too.
  if (length > LONG_PAGE) await handOver()
  return all
}
