import { LATEST, versionName, withoutSuffix } from '../../domain/addresses/paths.ts'
import { dayIn } from '../../domain/time/date-forms.ts'
import { spanOf } from '../../domain/time/period.ts'
import { NO_VERSION_TEXTS } from '../../domain/versions/properties.ts'
import { ALONE } from '../../notes/writing.ts'
import { type DatedVersion, dateOf, type VersionRead } from '../../store/store.ts'
import type { Body } from '../answers/cached-response.ts'
import type { Reads } from '../answers/reads.ts'
import type { Redirect } from '../answers/responder.ts'
import { writeDocument } from '../html/document.ts'
import { createRenderer } from '../html/renderer.ts'
import { changelogLink, checkedNames, type Names, versionLink } from '../reading/addresses.ts'
import type { Asked, RELEASE_PARAMETERS } from '../reading/parameters.ts'
import { NO_FILTER } from '../reading/search.ts'
import { MAX_CHANGES, readIsOfEntries } from '../reading/slices.ts'
import { MAX_LABELS } from '../reading/upgrade.ts'
import type { Site } from '../site/site.ts'
import { createDocuments } from './documents.ts'
import { markdownForm, type PageForm, unaddressed } from './form.ts'
import { missingBody } from './missing.ts'
import { filterHref } from './templates/changelog.ts'
import { changesHref, releasePage } from './templates/single.ts'

/** The page of a version, by its label or id. */
interface AskedRelease extends Names {
  version: string
  form: PageForm
  /** The part of its changes, from 1. */
  page: number
}

/** The page of a version, or a redirect from another of its names. */
export function version(asked: Asked<keyof Names | 'version', typeof RELEASE_PARAMETERS>): Promise<Response> {
  const { context, params: names, query } = asked
  const site = asked.site()
  return asked.responder.long(context, checkedNames(names), async (reads) => {
    const form = unaddressed(asked)
    const release = { ...names, form, page: query.page ?? 1 }
    const found = await releaseBody(site, reads, release)
    const byDay = found ?? (await leadToDay(reads, names, names.version, form))
    if (byDay) return byDay
    // A label that ends with the suffix takes precedence.
    const stem = withoutSuffix(names.version)
    if (stem === null) return missingBody(site, reads, names, form, names.version)
    const addressed = markdownForm(asked)
    const byStem = await releaseBody(site, reads, { ...release, version: stem, form: addressed })
    return (
      byStem ??
      (await leadToDay(reads, names, stem, addressed)) ??
      missingBody(site, reads, names, addressed, stem)
    )
  })
}

/** Leads to the newest release. */
export const latest = (asked: Asked<keyof Names>): Promise<Response> =>
  version({ ...asked, params: { ...asked.params, version: LATEST }, query: { page: null } })

async function releaseBody(site: Site, reads: Reads, asked: AskedRelease): Promise<Body | Redirect | null> {
  const { team, product, version: name, form, page } = asked
  // A character has at most four bytes, and no longer source is shown as a document.
  const sourceBytes = page === 1 ? 4 * ALONE.text : 0
  const range = { skip: (page - 1) * MAX_CHANGES, limit: MAX_CHANGES, sourceBytes }
  const found = await reads.ask('readVersion', 'public', team, product, name, range)
  const path = found && rightPath(found, asked)
  if (!found || path) return path ? form.leadTo(path) : null
  const beside = await reads.ask('readNeighbors', 'public', team, product, found.version, MAX_LABELS)
  const [older = null] = beside?.older ?? []
  const { newer = null, above = null } = beside ?? {}
  const olderLabels = beside?.older.map(({ label }) => label) ?? []
  const isLast = found.version.changeCount <= page * MAX_CHANGES
  const closing = isLast ? found.version.closing : null
  const texts = { ...(page > 1 && NO_VERSION_TEXTS), closing }
  const part = { ...found, version: { ...found.version, ...texts }, page, newer, older, above, olderLabels }
  const inOwn = site.in(found, await readIsOfEntries(reads, asked))
  if (form.isMarkdown) return form.body(await createDocuments(inOwn).release(part))
  const renderer = createRenderer(site)
  const release =
    (await writeDocument(renderer, inOwn.language, found)) ??
    (await renderer.release(found, part.version, 2, ALONE))
  return form.body(releasePage(inOwn, { ...part, release }), inOwn.language)
}

/** To what came out on a day, or in a month or year: the one version of a day, else the list from there. Null if there is nothing. */
async function leadToDay(reads: Reads, names: Names, name: string, form: PageForm): Promise<Redirect | null> {
  const span = name.includes(':') ? null : spanOf(name)
  if (!span) return null
  const { team, product } = names
  const last = { publishedAt: span.end, id: '' }
  const page = { limit: MOST_OF_DAY, after: last, since: null, withChanges: false, withDates: true } as const
  const read = await reads.ask('readChangelog', 'public', team, product, page)
  const own =
    (read?.versions as DatedVersion[] | undefined)?.filter(
      (each) => (dateOf(each) ?? span.end) < span.end && each.publishedAt >= span.start,
    ) ?? []
  const [first] = own
  if (!read || !first) return null
  if (own.length === 1 && dayIn(name) !== null) return form.leadTo(versionLink(read, first))
  const [above = null] = (await reads.ask('readNewer', 'public', team, product, first, 1)) ?? []
  return form.leadTo(filterHref(changelogLink(read), NO_FILTER, above))
}

/** More than these of a day are not counted. */
const MOST_OF_DAY = 10

/** The address of a version's page, if it is another. */
function rightPath(found: VersionRead, { version: name, page }: AskedRelease): string | null {
  const { id, changeCount } = found.version
  const path = versionLink(found, found.version)
  if (found.isMoved || name === LATEST) return changesHref(path, page)
  if (page > 1 && changeCount <= (page - 1) * MAX_CHANGES) return path
  // The desk shows texts that are not stored under names that no version has.
  const isItsName = id === name || dayIn(name) !== null
  return isItsName && versionName(found.version) !== encodeURIComponent(name) ? changesHref(path, page) : null
}
