import { changelogPagePath, isOwnName, LATEST, withoutSuffix } from '../../domain/addresses/paths.ts'
import { NO_VERSION_TEXTS } from '../../domain/versions/properties.ts'
import { isPrerelease } from '../../domain/versions/standing.ts'
import { ALONE, LISTED, PAGE_LENGTH, WHOLE } from '../../notes/writing.ts'
import type { Cursor, DatedVersion, VersionRead } from '../../store/store.ts'
import { handOver } from '../answers/queue.ts'
import type { Body, Redirect } from '../answers/respond.ts'
import type { Responder } from '../answers/responder.ts'
import { checkedNames, type Names } from '../reading/names.ts'
import { positionBelow } from '../reading/paging.ts'
import { type Reads, readFirst } from '../reading/reads.ts'
import { MAX_CHANGES, readVersions, type Source } from '../reading/slices.ts'
import type { Context } from '../request/context.ts'
import { ERRORS, type Refuse } from '../request/errors.ts'
import { type HeaderFields, NO_SNIFFING } from '../request/json-response.ts'
import { createDocuments, errorDocument } from './as-markdown/documents.ts'
import { writeDocument } from './document.ts'
import { createFiles } from './feeds/files.ts'
import { createForms, HTML, MARKDOWN, type PageForm, searchOf } from './form.ts'
import { changelogLink, versionLink } from './links.ts'
import { foldUpdates, LONG, linkEras, readFilling, readNewest } from './long.ts'
import { createMark } from './marks.ts'
import { type ChangelogQuery, changelogQuery, releaseQuery } from './query.ts'
import { createRenderer } from './render-release.ts'
import { isFiltered, type Listed, search, wordsOf } from './search.ts'
import type { Site } from './site.ts'
import { type ChangelogPage, changelogPage, filterHref } from './templates/changelog.ts'
import { errorPage, gatePage } from './templates/error.ts'
import { eraLine, updatesLine } from './templates/long.ts'
import { html, type Markup } from './templates/markup.ts'
import { missingPage, replaced } from './templates/missing.ts'
import { releaseArticle } from './templates/release.ts'
import { changesHref, releasePage } from './templates/single.ts'
import { asListed, upgradeHref, upgradePage } from './templates/upgrade.ts'
import { createTimelines } from './timeline.ts'
import { readUpgrade, type UpgradeRange, writeUpgrade } from './upgrade.ts'

export type Pages = ReturnType<typeof createPages>

const RELEASES_PER_PAGE = 20
/** In characters. */
const LONG_PAGE = 100_000
/** Labels that can be chosen for an upgrade; others can be in its address. */
const MAX_LABELS = 250

/** The page of a version, by its label or id. */
interface AskedRelease extends Names {
  version: string
  form: PageForm
  /** The part of its changes, from 1. */
  page: number
}

export function createPages(site: Site, responder: Responder) {
  const { long: respond } = responder
  const documents = createDocuments(site)
  const securityHeaders = {
    'content-security-policy': site.policy,
    ...NO_SNIFFING,
    'referrer-policy': 'no-referrer',
  }
  const forms = createForms(
    site,
    { ...responder.headers.forPages, ...securityHeaders },
    { ...responder.headers.forMarkdown, 'content-security-policy': "default-src 'none'" },
  )

  const refused = (own: HeaderFields, write: (...error: Parameters<Refuse>) => string): Refuse => {
    const headers = { ...own, 'cache-control': 'no-store', ...securityHeaders }
    return (code, message, extra) => {
      const status = { status: ERRORS[code].status, headers: { ...headers, ...extra } }
      return new Response(write(code, message, extra), status)
    }
  }
  const ofPages = { 'content-type': HTML, 'content-language': site.language.code }
  const refuse = refused(ofPages, (code, message) => errorPage(site, code, message))
  const refuseAtGate = refused(ofPages, (_, __, extra) => gatePage(site, Number(extra?.['retry-after'] ?? 0)))
  const refuseAsMarkdown = refused({ 'content-type': MARKDOWN }, errorDocument)
  const timelines = createTimelines(site, respond, forms, documents)

  /** The newest releases of all products, or the changelog that the operator chose. */
  const home = (context: Context): Promise<Response> =>
    site.home ? changelogOf(context, site.home, forms.ofHome(context)) : timelines.home(context)

  const changelog = (context: Context, given: Names): Promise<Response> => {
    const { form, name } = forms.of(context, given.product)
    return changelogOf(context, { team: given.team, product: name }, form)
  }

  const changelogOf = (context: Context, names: Names, form: PageForm): Promise<Response> => {
    const own = checkedNames(names)
    const query = changelogQuery(context)
    if (query.between) return upgrade(context, names, form, query, query.between)
    const { filter, after } = query
    const { team, product } = names
    return respond(context, own, async (reads) => {
      const { prereleases } = filter
      const overview = await reads.ask('readOverview', 'public', team, product, prereleases)
      if (!overview) return null
      const path = changelogLink(overview)
      const isAll = !isFiltered(filter)
      // A filtered list has no way back: its newer pages begin again.
      const below = isAll && !prereleases && after && positionBelow(after)
      const newer = below
        ? await reads.ask('readNewer', 'public', team, product, below, RELEASES_PER_PAGE + 1)
        : []
      const position = below ? newer[0] : after
      const own = filterHref('', filter, position)
      // An address in another form than our links redirects to theirs: each page is made and cached once.
      if (own !== searchOf(context)) return form.leadTo(path + own)
      const source: Source = { reads, audience: 'public', ...names }
      const result = isAll ? null : await search(source, filter, after, RELEASES_PER_PAGE)
      const { found, next } = result ?? (await readFilling(source, { after, prereleases }, RELEASES_PER_PAGE))
      if (after && isAll && found.length === 0) return form.leadTo(filterHref(path, filter))
      const isCurrent = (version: DatedVersion) => !isPrerelease(version) && version.yanked === null
      // Further down, if others fill the page.
      const isEnough = after || !isAll || found.filter(isCurrent).length > 1
      const recent = isEnough ? found : (await readVersions(source, { limit: 10, prereleases: 'no' })).found
      const current = recent.filter(isCurrent)
      const isLong = !form.isMarkdown && overview.versionCount >= LONG
      const newest = isLong || next ? await readNewest(source, prereleases) : []
      const hrefAfter = (end: Cursor | null) => filterHref(path, filter, end)
      const eras = isLong ? linkEras(newest, found[0]?.id, hrefAfter) : []
      const pageOf = <Release>(releases: Release[]): ChangelogPage<Release> => {
        // If the page is full, the next one begins with the first release that is not on it.
        const end = releases.length < found.length ? (found[releases.length - 1] ?? null) : next
        return {
          overview,
          filter,
          found: result && {
            counts: result.counts,
            // Releases found by their title have no matching changes.
            changeCount: result.found.every(({ excerptOf }) => excerptOf) ? result.changeCount : null,
            releaseCount: found.length,
            hasAsides: result.hasAsides,
          },
          newest: after === null && isAll ? (current[0] ?? found[0] ?? null) : null,
          hasPrereleases: found.some(isPrerelease),
          eras,
          upgradeHref:
            after === null && found[1] ? upgradeHref(path, { from: (current[1] ?? found[1]).label }) : null,
          releases,
          newerHref: after && filterHref(path, filter, newer[RELEASES_PER_PAGE]),
          olderHref: end && hrefAfter(end),
          olderLabel: newest[newest.findIndex(({ id }) => id === end?.id) + 1]?.label ?? null,
          own: path + own,
        }
      }
      if (form.isMarkdown) {
        const document = documents.newForm()
        const parts = await asManyAsFit(reads, found, (version) =>
          documents.releasePart(document, overview, version),
        )
        return form.body(documents.changelog(pageOf(parts)))
      }
      const mark = createMark(wordsOf(filter.q))
      const renderer = createRenderer(site)
      const inOwn = site.in(overview)
      const updates = foldUpdates(isAll ? found : [], eras)
      const articles = await asManyAsFit(reads, found, async (version): Promise<Markup> => {
        const { id, excerptOf } = version
        const mere = updates.get(id)
        const limits = excerptOf ? WHOLE : LISTED
        const article = mere
          ? updatesLine(inOwn.language, overview, mere)
          : releaseArticle(
              inOwn.language,
              overview,
              await renderer.release(overview, version, 3, limits, mark),
              excerptOf,
            )
        const era = eras.find(({ versions: [newest] }, at) => isAll && at > 0 && newest?.id === id)
        return era ? html`${eraLine(inOwn.language, era)}${article}` : article
      })
      return form.body(changelogPage(inOwn, pageOf(articles)), inOwn.language)
    })
  }

  /** The labels that can be chosen, newest first. */
  const labelsOf = async (reads: Reads, { team, product }: Names): Promise<string[]> => {
    const range = { limit: MAX_LABELS, after: null, since: null, withChanges: false }
    const list = await reads.ask('readChangelog', 'public', team, product, range)
    return (list?.versions ?? []).map(({ label }) => label)
  }

  /** A 404 that names other versions; null if there is no such changelog. Hidden versions take the same steps. */
  const missing = async (
    reads: Reads,
    names: Names,
    form: PageForm,
    label: string,
    between: UpgradeRange | null = null,
  ): Promise<Body | null> => {
    const near = await reads.ask('readNear', 'public', names.team, names.product, label)
    if (!near) return null
    const instead: DatedVersion[] = []
    for (const version of near.alike.length > 0 ? near.alike : [near.older, near.newer]) {
      if (!version) continue
      const range = between && replaced(label, between, version.label)
      // Where list order and precedence disagree, it may be on the wrong side of the other end.
      const page = range && { limit: 1, after: null, since: null, withChanges: false, between: range }
      const read = page && (await reads.ask('readChangelog', 'public', names.team, names.product, page))
      if (!page || read?.upTo !== undefined) instead.push(version)
    }
    const labels = between ? await labelsOf(reads, names) : []
    const page = { ...near, label, between, instead, labels }
    const inOwn = site.in(near)
    const text = form.isMarkdown ? documents.missing(page) : missingPage(inOwn, page)
    return { ...form.body(text, inOwn.language), status: 404 }
  }

  const upgrade = (
    context: Context,
    names: Names,
    form: PageForm,
    { filter: { kind }, after }: ChangelogQuery,
    between: UpgradeRange,
  ): Promise<Response> => {
    const path = changelogPagePath(names.team, names.product)
    const own = upgradeHref(path, between, kind, after)
    return respond(context, checkedNames(names), async (reads) => {
      if (path + searchOf(context) !== own) return form.leadTo(own)
      const found = await readUpgrade({ reads, audience: 'public', ...names }, between, kind, after)
      if (!found) return null
      if ('missingLabel' in found) return missing(reads, names, form, found.missingLabel, between)
      if (after && found.verdict.releases.length === 0 && !found.next)
        return form.leadTo(upgradeHref(path, between, kind))
      // The next page has the same end, whatever is released meanwhile.
      const whole = { ...between, to: found.to }
      const olderHref = found.next && upgradeHref(path, whole, kind, found.next)
      const upgrade = { ...found, between: whole, kind, own, isFurther: after !== null, olderHref }
      if (form.isMarkdown) return form.body(await documents.upgrade(upgrade))
      const labels = await labelsOf(reads, names)
      const written = await writeUpgrade(found, kind, createRenderer(site).formOf(found.info), 3)
      const inOwn = site.in(found.info)
      const { from, ...rest } = whole
      const ends = { ...(from && { from: asListed(from, labels) }), ...rest, to: asListed(whole.to, labels) }
      const shown = { ...upgrade, between: ends, written, labels }
      return form.body(upgradePage(inOwn, shown), inOwn.language)
    })
  }

  /** The page of a version, or a redirect from its label. */
  const version = (context: Context, names: Names & { version: string }): Promise<Response> => {
    const own = checkedNames(names)
    const page = releaseQuery(context)
    return respond(context, own, async (reads) => {
      const asked = { ...names, form: forms.unaddressed(context), page }
      const stem = withoutSuffix(names.version)
      const found = await releaseOf(reads, asked)
      if (found) return found
      if (stem === null) return missing(reads, names, asked.form, names.version)
      // A label that ends with the suffix takes precedence.
      const byStem = await releaseOf(reads, { ...asked, version: stem, form: forms.addressed })
      return byStem ?? missing(reads, names, forms.addressed, stem)
    })
  }

  const releaseOf = async (reads: Reads, asked: AskedRelease): Promise<Body | Redirect | null> => {
    const { team, product, version: name, form, page } = asked
    const range = { skip: (page - 1) * MAX_CHANGES, limit: MAX_CHANGES, withSource: page === 1 }
    const found = await reads.ask('readVersion', 'public', team, product, name, range)
    const path = found && rightPath(found, asked)
    if (!found || path) return path ? form.leadTo(path) : null
    const [newer = null] = await reads.ask('readNewer', 'public', team, product, found.version, 1)
    const following = await readFirst(reads, asked, found.version)
    const older = following?.versions[0] ?? null
    const isLast = found.version.changeCount <= page * MAX_CHANGES
    const closing = isLast ? found.version.closing : null
    const texts = { ...(page > 1 && NO_VERSION_TEXTS), closing }
    const part = { ...found, version: { ...found.version, ...texts }, page, newer, older }
    if (form.isMarkdown) return form.body(await documents.release(part))
    const inOwn = site.in(found)
    const renderer = createRenderer(site)
    const release =
      (await writeDocument(renderer, inOwn.language, found)) ??
      (await renderer.release(found, part.version, 2, ALONE))
    return form.body(releasePage(inOwn, { ...part, release }), inOwn.language)
  }

  /** With what pages in files of their own need. Those that refuse are for the pipeline. */
  return {
    tools: { site, respond, forms },
    refuse,
    refuseAtGate,
    refuseAsMarkdown,
    home,
    team: timelines.team,
    changelog,
    version,
    ...createFiles(site, responder),
  }
}

/** The address of a version's page, if it is another. */
function rightPath(found: VersionRead, { version: name, page }: AskedRelease): string | null {
  const { id, label, changeCount } = found.version
  const path = versionLink(found, found.version)
  if (found.isMoved || name === LATEST) return changesHref(path, page)
  if (page > 1 && changeCount <= (page - 1) * MAX_CHANGES) return path
  return id === name && isOwnName(label) ? changesHref(path, page) : null
}

/** As many versions as fit on a page, at least one. */
async function asManyAsFit<Release extends { length: number }>(
  reads: Reads,
  versions: readonly Listed[],
  render: (version: Listed) => Promise<Release>,
): Promise<Release[]> {
  const all: Release[] = []
  let length = 0
  for (const version of versions) {
    reads.checkWanted()
    const release = await render(version)
    length += release.length
    if (length > PAGE_LENGTH && all.length > 0) break
    all.push(release)
  }
  // Putting it together takes a turn too.
  if (length > LONG_PAGE) await handOver()
  return all
}
