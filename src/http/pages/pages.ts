import { changelogPagePath, isOwnName, LATEST } from '../../domain/addresses/paths.ts'
import type {
  ChangelogInfo,
  ChangelogOverview,
  Cursor,
  LabelRange,
  VersionContent,
  VersionRead,
} from '../../store/store.ts'
import { ERRORS, type Refuse } from '../errors.ts'
import { NO_SNIFFING } from '../json-response.ts'
import { checkedNames, type Names } from '../reading/names.ts'
import { positionBelow, writeCursor } from '../reading/paging.ts'
import { type PageReads, readFirst } from '../reading/reads.ts'
import { MAX_CHANGES, readSlices, type Source } from '../reading/slices.ts'
import type { Body, Redirect } from '../responses/respond.ts'
import type { Responder } from '../responses/responder.ts'
import { createFiles } from './feeds/files.ts'
import type { PageLanguage } from './languages/languages.ts'
import { changelogLink, versionLink } from './links.ts'
import { createMark } from './marks.ts'
import { type ChangelogQuery, changelogQuery, releaseQuery } from './query.ts'
import { ALONE, createReleaseRenderer, LISTED, PAGE_LENGTH, WHOLE } from './render-release.ts'
import { isFiltered, type Listed, search, wordsOf } from './search.ts'
import type { Site } from './site.ts'
import { changelogPage, filterHref } from './templates/changelog.ts'
import { errorPage } from './templates/error.ts'
import type { Markup } from './templates/markup.ts'
import { releaseArticle } from './templates/release.ts'
import { changesHref, releasePage } from './templates/single.ts'
import { upgradeHref, upgradePage } from './templates/upgrade.ts'
import { createTimelines } from './timeline.ts'
import { readUpgrade, renderGroups } from './upgrade.ts'

export type Pages = ReturnType<typeof createPages>

const HTML = 'text/html; charset=utf-8'

const RELEASES_PER_PAGE = 20
/** Labels that can be chosen for an upgrade; others can be in its address. */
const MAX_LABELS = 250

export function createPages(site: Site, responder: Responder) {
  const { queue, turn } = responder
  const renderRelease = createReleaseRenderer(site, turn)
  const securityHeaders = {
    'content-security-policy': site.policy,
    ...NO_SNIFFING,
    'referrer-policy': 'no-referrer',
  }
  const headers = { ...responder.headers.forPages, ...securityHeaders }
  const asBody = (text: string, { code }: PageLanguage = site.language): Body => ({
    text,
    headers: { ...headers, 'content-language': code },
    type: HTML,
  })
  const leadTo = (location: string): Redirect => ({ location, headers })

  /** For the pipeline and the routes. */
  const refuse: Refuse = (code, message, extra = {}) =>
    new Response(errorPage(site, code, message), {
      status: ERRORS[code].status,
      headers: {
        'content-type': HTML,
        'content-language': site.language.code,
        'cache-control': 'no-store',
        ...securityHeaders,
        ...extra,
      },
    })

  const respond = responder.pagesWith(refuse)

  const timelines = createTimelines(site, respond, asBody, leadTo)

  /** The newest releases of all products, or the changelog that the operator chose. */
  const home = (request: Request): Promise<Response> =>
    site.home ? changelog(request, site.home) : timelines.home(request)

  const changelog = (request: Request, names: Names): Promise<Response> => {
    const own = checkedNames(names)
    const query = changelogQuery(request)
    const { search: given } = new URL(request.url)
    if (query.between) return upgrade(request, names, query, query.between)
    return respond(request, own, (reads) => async () => {
      const overview = await reads.ask('readOverview', 'public', names.team, names.product)
      return overview && changelogBody(reads, overview, names, query, given)
    })
  }

  /** What is missing or hidden, a label too, is not found under these names. */
  const upgrade = (
    request: Request,
    names: Names,
    { filter: { kind }, after }: ChangelogQuery,
    between: LabelRange,
  ): Promise<Response> => {
    const path = changelogPagePath(names.team, names.product)
    const hrefAt = (position: Cursor | null) =>
      upgradeHref(path, between, kind, position ? writeCursor(position) : undefined)
    const { search: given } = new URL(request.url)
    return respond(request, { ...checkedNames(names), ...between }, (reads) => async () => {
      if (path + given !== hrefAt(after)) return leadTo(hrefAt(after))
      const { team, product } = names
      const found = await readUpgrade({ reads, queue, audience: 'public', ...names }, between, kind, after)
      if (!found) return null
      if (after && found.releaseCount === 0) return leadTo(hrefAt(null))
      const range = { limit: MAX_LABELS, after: null, since: null, withChanges: false }
      const list = await reads.ask('readChangelog', 'public', team, product, range)
      const rendered = await renderGroups(found, renderRelease)
      const labels = (list?.versions ?? []).map(({ label }) => label)
      const olderHref = found.next && hrefAt(found.next)
      const own = site.in(found.info)
      const page = { ...found, between, kind, rendered, labels, olderHref }
      return asBody(upgradePage(own, page), own.language)
    })
  }

  /** An address in another form than our links redirects to theirs: each page is made and cached once. */
  const changelogBody = async (
    reads: PageReads,
    overview: ChangelogOverview,
    names: Names,
    { filter, after }: ChangelogQuery,
    given: string,
  ): Promise<Body | Redirect> => {
    const path = changelogLink(overview)
    const isAll = !isFiltered(filter)
    const { team, product } = names
    // A search cannot be continued backwards: it begins again.
    const below = isAll && after && positionBelow(after)
    const newer = below
      ? await reads.ask('readNewer', 'public', team, product, below, RELEASES_PER_PAGE + 1)
      : []
    const position = isAll ? newer[0] : after
    const own = filterHref('', filter, position ? writeCursor(position) : undefined)
    if (own !== given) return leadTo(path + own)
    const source: Source = { reads, queue, audience: 'public', ...names }
    const result = isAll ? null : await search(source, filter, after, RELEASES_PER_PAGE, turn)
    const { found, next } = result ?? (await readPage(source, after))
    if (after && isAll && found.length === 0) return leadTo(path)
    const releases = await articles(reads, overview, found, filter.q)
    // If the page is full, the next one begins with the first release that is not on it.
    const end = releases.length < found.length ? (found[releases.length - 1] ?? null) : next
    const start = newer[RELEASES_PER_PAGE]
    const { language } = site.in(overview)
    return asBody(
      changelogPage(site.in(overview), {
        overview,
        filter,
        found: result && {
          counts: result.counts,
          // Those that are found by their title have no changes that were.
          changeCount: result.found.every(({ excerptOf }) => excerptOf) ? result.changeCount : null,
          releaseCount: found.length,
        },
        newest: after === null && isAll ? (found[0] ?? null) : null,
        upgradeHref: after === null && found[1] ? upgradeHref(path, { from: found[1].label }) : null,
        releases,
        newerHref: after && filterHref(path, filter, start && writeCursor(start)),
        olderHref: end && filterHref(path, filter, writeCursor(end)),
        path: isAll ? path + own : null,
      }),
      language,
    )
  }

  /** As many versions as fit on a page, at least one. */
  const articles = async (
    reads: PageReads,
    changelog: ChangelogInfo,
    versions: readonly Listed[],
    q: string | null,
  ): Promise<Markup[]> => {
    const mark = createMark(wordsOf(q))
    const all: Markup[] = []
    let length = 0
    for (const version of versions) {
      reads.checkWanted()
      const { excerptOf } = version
      const release = await renderRelease(changelog, version, 3, excerptOf ? WHOLE : LISTED, mark)
      const article = releaseArticle(
        site.in(changelog).language,
        changelog,
        { ...release, badges: excerptOf?.badges ?? release.badges },
        excerptOf,
      )
      length += article.length
      if (length > PAGE_LENGTH && all.length > 0) break
      all.push(article)
    }
    return all
  }

  /** The page of a version, or a redirect from its label. */
  const version = (request: Request, names: Names & { version: string }): Promise<Response> => {
    const own = checkedNames(names)
    const { version: name } = names
    const page = releaseQuery(request)
    return respond(request, { ...own, versionId: name }, async (reads) => {
      // Without its changes, which a redirect does not need, and which would be in memory while it waits for its turn.
      const { team, product } = names
      const range = { skip: 0, limit: 0 }
      const found = await reads.ask('readVersion', 'public', team, product, name, range)
      return found && (elsewhere(found, name, page) ?? (() => renderVersion(reads, names, page)))
    })
  }

  /** The right address of a version's page, if it is another. */
  const elsewhere = (found: VersionRead, name: string, page: number): Redirect | null => {
    const { id, label, changeCount } = found.version
    const path = versionLink(found, found.version)
    if (found.isFormerLabel) return leadTo(changesHref(path, page))
    if (page > 1 && changeCount <= (page - 1) * MAX_CHANGES) return leadTo(path)
    return id === name && isOwnName(label) ? leadTo(changesHref(path, page)) : null
  }

  const renderVersion = async (
    reads: PageReads,
    names: Names & { version: string },
    page: number,
  ): Promise<Body | Redirect | null> => {
    const { team, product, version: name } = names
    const range = { skip: (page - 1) * MAX_CHANGES, limit: MAX_CHANGES }
    const found = await reads.ask('readVersion', 'public', team, product, name, range)
    // It may have changed since.
    const moved = found && elsewhere(found, name, page)
    if (!found || moved) return moved
    const [newer = null] = await reads.ask('readNewer', 'public', team, product, found.version, 1)
    const following = await readFirst(reads, names, found.version)
    const older = following?.versions[0] ?? null
    const isLast = found.version.changeCount <= page * MAX_CHANGES
    const description = page === 1 ? found.version.description : null
    const closing = isLast ? found.version.closing : null
    const release = await renderRelease(found, { ...found.version, description, closing }, 2, ALONE)
    const own = site.in(found)
    return asBody(releasePage(own, { ...found, release, page, newer, older }), own.language)
  }

  /** Redirects to the newest version. */
  const latest = (request: Request, names: Names): Promise<Response> =>
    respond(request, { ...checkedNames(names), versionId: LATEST }, async (reads) => {
      const read = await readFirst(reads, names, null)
      const newest = read?.versions[0]
      return read && newest ? leadTo(versionLink(read, newest)) : null
    })

  const files = createFiles(site, responder, respond, queue, renderRelease)
  return { refuse, home, team: timelines.team, changelog, version, latest, ...files }
}

async function readPage(source: Source, after: Cursor | null) {
  const found: VersionContent[] = []
  let next: Cursor | null = null
  for await (const slice of readSlices(source, { after, limit: RELEASES_PER_PAGE })) {
    found.push(...slice.versions)
    next = slice.next
  }
  return { found, next }
}
