import { markdownAddress } from '../../domain/addresses/paths.ts'
import type { Change } from '../../domain/records.ts'
import { plural } from '../../domain/text/plural.ts'
import { readCounts } from '../../domain/versions/derived.ts'
import { kindOfChange } from '../../domain/versions/kinds.ts'
import { hasNumber, type Named, nameWith } from '../../domain/versions/names.ts'
import { NO_VERSION_TEXTS } from '../../domain/versions/properties.ts'
import { hideNotes } from '../../notes/footnotes.ts'
import { headingInEnglish } from '../../notes/html/headings.ts'
import { plainText } from '../../notes/html/render.ts'
import {
  besideName,
  changeItem,
  dayText,
  headingText,
  joined,
  kindsText,
  link,
  list,
  markdownForm,
  nameText,
  plainName,
  releaseText,
  standingText,
  titleText,
  verdictTexts,
} from '../../notes/markdown.ts'
import { picturesOf } from '../../notes/pictures.ts'
import { showRelease } from '../../notes/release.ts'
import { type WrittenStep, writeUpgrade } from '../../notes/upgrade.ts'
import {
  ALONE,
  LISTED,
  type Limits,
  type Pace,
  WHOLE,
  type WrittenRelease,
  writeRelease,
} from '../../notes/writing.ts'
import {
  type ChangelogInfo,
  type DatedVersion,
  type DirectoryEntry,
  dateOf,
  OVERVIEW,
  type TimelineEntry,
  type VersionContent,
  type VersionRead,
} from '../../store/store.ts'
import { WORDS } from '../../words/languages.ts'
import { createPace } from '../answers/queue.ts'
import { asDocument } from '../html/document.ts'
import type { Level } from '../html/renderer.ts'
import { changelogLink, markdownLink, versionLink } from '../reading/addresses.ts'
import type { Listed } from '../reading/search.ts'
import { MAX_CHANGES } from '../reading/slices.ts'
import type { ErrorCode } from '../request/errors.ts'
import type { Site } from '../site/site.ts'
import type { ChangelogPage } from './templates/changelog.ts'
import { changesHref, type ReleasePage } from './templates/single.ts'
import { isCard, type TimelineLine, type TimelinePage } from './templates/timeline.ts'
import { type UpgradePage, upgradeHref } from './templates/upgrade.ts'

/** A version that a missing label may mean: the address with it in place of that, and the labels in it. */
export interface Instead {
  version: DatedVersion
  labels: readonly string[]
  href: string
}

/** Pages as Markdown: the same contents within the same limits, with links to other pages as Markdown. */
export function createDocuments(site: Site) {
  /** A link to a page as Markdown. */
  const to = (words: string, href: string): string => link(words, site.publicUrl + markdownAddress(href))
  const toAny = (words: string, href: string | null): string | null => href && to(words, href)

  const noun = site.language.ofEntries ? 'update' : 'release'

  const linkOf = (changelog: ChangelogInfo, version: Named & { id: string }): string =>
    to(plainName(version), versionLink(changelog, version))

  const formOf = ({ team, product }: ChangelogInfo, pace: Pace) =>
    markdownForm(picturesOf(team.slug, product.slug, site.baseUrl), pace)

  const write = async (
    pace: Pace,
    changelog: ChangelogInfo,
    version: VersionContent,
    level: Level,
    limits: Limits,
  ): Promise<WrittenRelease> => {
    const shown = showRelease(await hideNotes(version, pace), headingInEnglish, limits.changes)
    return writeRelease(formOf(changelog, pace), shown, level, limits)
  }

  /** Writes the parts of the page of a changelog. */
  const releasePart =
    (changelog: ChangelogInfo, pace = createPace()) =>
    async (version: Listed): Promise<string> => {
      const { excerptOf } = version
      const release = await write(pace, changelog, version, 3, excerptOf ? WHOLE : LISTED)
      const shown = release.changeCount - release.omitted
      const all = excerptOf ?? release.changeCount
      const isWhole = shown === all && !release.isCut
      return joined([
        headingText(linkOf(changelog, version), release),
        bold(besideName(release)),
        excerptOf ? null : kindsText(release.counts),
        releaseText(release, 3) || WORDS.en.release.noChanges,
        isWhole
          ? null
          : `${shown} of ${plural(all, 'change')}: ${to(`the whole ${noun}`, versionLink(changelog, version))}`,
      ])
    }

  const changelog = (page: ChangelogPage, releases: readonly string[]): string => {
    const { overview, filter, newerHref, olderHref } = page
    const { team, product, versionCount } = overview
    const isMore = versionCount > OVERVIEW.versions
    const sought = [
      filter.q && `mention “${nameText(filter.q)}”`,
      filter.kind && `are ${filter.kind}`,
      filter.type && `have the type ${nameText(filter.type)}`,
    ]
    const only = sought.filter(Boolean).join(' and ')
    return document(
      `# ${nameText(overview.changelog.name)}`,
      `What is new in ${nameText(product.name)} by ${nameText(team.name)}: ${isMore ? 'more than ' : ''}${plural(Math.min(versionCount, OVERVIEW.versions), noun)}.`,
      page.found && `Only changes that ${only}. ${to(`All ${noun}s`, changelogLink(overview))}`,
      filter.prereleases ? `Only stable releases. ${to('All releases', changelogLink(overview))}` : null,
      ...releases,
      page.found && releases.length === 0 ? 'None was found.' : null,
      links(toAny(`Newer ${noun}s`, newerHref), toAny(`Older ${noun}s`, olderHref)),
    )
  }

  const release = async (page: Omit<ReleasePage, 'release'>): Promise<string> => {
    const { team, product, version, newer, older, above } = page
    const pace = createPace()
    const written = await write(pace, page, (await asDocument(page, pace)) ?? version, 2, ALONE)
    const isWhole = written.omitted === version.changeCount - version.changes.length && !written.isCut
    return document(
      `# ${nameText(nameWith(product.name, version, dayText(written.date), plainText).name)}${hasNumber(version.label) && written.title !== null ? `: ${written.title}` : ''}${standingText(written)}`,
      links(
        dayText(written.date),
        kindsText(written.counts),
        `${to(page.changelog.name, changelogLink(page))} by ${nameText(team.name)}`,
      ),
      releaseText(written, 2) || WORDS.en.release.noChanges,
      isWhole
        ? null
        : `This ${noun} is too long to show all of it here: ${link('all of it', site.publicUrl + markdownLink(page, above))}`,
      ...changeParts(page),
      links(
        older && `Previous ${noun}: ${linkOf(page, older)}`,
        newer && `Next ${noun}: ${linkOf(page, newer)}`,
      ),
    )
  }

  const changeParts = ({ version, page, ...read }: VersionRead & { page: number }): string[] => {
    const path = versionLink(read, version)
    const last = Math.ceil(version.changeCount / MAX_CHANGES)
    if (last < 2) return []
    const next = page < last ? ` ${to('Next part', changesHref(path, page + 1))}` : ''
    return [`Part ${page} of ${last} of ${plural(version.changeCount, 'change')}.${next}`]
  }

  const upgrade = async (page: Omit<UpgradePage, 'written' | 'labels'>): Promise<string> => {
    const { info, between, to: last, verdict, kind, olderHref } = page
    const range = between.from === undefined ? `up to ${last}` : `${between.from} → ${last}`
    const count = verdict.changes.length
    const pace = createPace()
    const prepare = (change: Change) => alone(change, pace)
    const written = await writeUpgrade(verdict, kind, formOf(info, pace), 3, prepare)
    const listed = written.kinds.flatMap(({ kind, all, changes }) => {
      const whole = to(`all ${kind}`, upgradeHref(changelogLink(info), between, kind))
      return [
        `## ${WORDS.en.kinds[kind]}`,
        list(changes.map((change) => changeItem(change, kind, `${linkOf(info, change.version)}: `))),
        changes.length < all.length ? `${changes.length} of ${plural(all.length, 'change')}: ${whole}` : null,
      ]
    })
    const folded = verdict.folded.map((version) => linkOf(info, version))
    return document(
      `# ${nameText(`${info.product.name} ${range}`)}`,
      kind === null ? links(...verdictTexts(verdict)) : null,
      `${olderHref === null ? '' : 'At least '}${plural(count, 'change')} in ${plural(verdict.releases.length, 'release')}${kind === null ? '' : `, only ${kind}`}.`,
      ...page.yanked.map(
        ({ label, yanked }) => `**${nameText(label)} is yanked.** ${nameText(yanked ?? '')}`,
      ),
      written.checklist.length > 0 ? `## ${WORDS.en.kinds.breaking}` : null,
      ...written.checklist.flatMap((step) => stepParts(info, step, 'breaking')),
      kind === null && verdict.breaking === 0 && verdict.unmarked.length > 0
        ? `**The author of ${verdict.unmarked.map(({ label }) => nameText(label)).join(', ')} marks no change as breaking.**`
        : null,
      written.lookFirst.length > 0 ? '## Look here first' : null,
      ...written.lookFirst.flatMap((step) => stepParts(info, step, null)),
      ...listed,
      folded.length > 0
        ? `Not listed, as they are pre-releases or only update dependencies: ${folded.join(', ')}`
        : null,
      toAny('Changes of older releases', olderHref),
    )
  }

  /** A checklist; without a kind, of what to look at first. */
  const stepParts = (info: ChangelogInfo, { version, changes }: WrittenStep, kind: 'breaking' | null) => {
    const items = changes.map((change) => {
      const label = change.version === version ? '' : `${linkOf(info, change.version)}: `
      const name = kind === null ? `**${WORDS.en.kinds[kindOfChange(change.source)]}:** ` : ''
      return changeItem(change, kind ?? 'changed', `[ ] ${label}${name}`)
    })
    const name = [
      linkOf(info, version),
      titleText(version, picturesOf(info.team.slug, info.product.slug, site.baseUrl)),
    ]
      .filter(Boolean)
      .join(' ')
    return [`### ${[name, dayText(version.date)].filter(Boolean).join(', ')}`, list(items)]
  }

  const missing = (page: ChangelogInfo & { label: string; instead: readonly Instead[] }): string => {
    const instead = page.instead.map(
      ({ version, labels, href }) => to(labels.join(' → '), href) + standingText(version),
    )
    return document(
      `# There is no version ${nameText(page.label)}`,
      links(...instead, to('All releases', changelogLink(page))),
    )
  }

  const released = (cards: TimelinePage['cards'], release: TimelineEntry): string => {
    const { name: text, title } = nameWith(release.product.name, release, null, plainText)
    const said =
      (title && titleText(release)) || (cards.get(release.id)?.lines ?? []).map(nameText).join(' · ')
    const name = to(text, versionLink(release, release))
    const contents = kindsText(readCounts(release.kinds) ?? new Map())
    const words = [said, contents && `(${contents})`].filter(Boolean).join(' ')
    return `- ${links(dayText(dateOf(release)), name)}${standingText(release)}${words && `: ${words}`}`
  }

  const dated = (cards: TimelinePage['cards'], line: TimelineLine): string => {
    const { releases, isUpdate } = line
    const [newest] = releases
    if (isCard(line)) return released(cards, newest)
    const ends = [...new Set([releases.at(-1) ?? newest, newest])].map((each) => linkOf(each, each))
    const name = `${nameText(newest.product.name)} ${ends.join(' – ')}`
    const about = isUpdate ? WORDS.en.long.updates.toLowerCase() : plural(releases.length, 'release')
    return `- ${links(dayText(dateOf(newest)), name)}: ${about}`
  }

  const listed = ({ newest, ...entry }: DirectoryEntry): string => {
    const name = `- ${to(entry.product.name, changelogLink(entry))} by ${nameText(entry.team.name)}`
    const said = newest.label && hasNumber(newest.label) ? newest.label : dayText(newest.publishedAt)
    return said === null ? name : `${name}, newest ${nameText(said)}`
  }

  const timeline = (title: string, page: TimelinePage): string => {
    const { lines, undated, cards, products, newerHref, olderHref, firstProductsHref, moreProductsHref } =
      page
    return document(
      `# ${nameText(title)}`,
      '## Latest releases',
      list(lines.map((line) => dated(cards, line))) ||
        (undated.length > 0 ? null : 'Nothing is released yet.'),
      links(toAny('Newer releases', newerHref), toAny('Older releases', olderHref)),
      undated.length > 0 && lines.length > 0 ? `## ${WORDS.en.timeline.undated}` : null,
      list(undated.map((release) => released(cards, release))),
      '## Products',
      list(products.map(listed)),
      links(toAny('First products', firstProductsHref), toAny('More products', moreProductsHref)),
    )
  }

  return { releasePart, changelog, release, upgrade, missing, timeline }
}

/** A change without the rest of its release. */
async function alone(change: Change, pace: Pace): Promise<Change> {
  const { changes } = await hideNotes({ id: change.id, ...NO_VERSION_TEXTS, changes: [change] }, pace)
  return changes[0] ?? change
}

export const errorDocument = (code: ErrorCode, message: string): string =>
  document(`# ${WORDS.en.errors[code]}`, message)

/** Several in one line. */
const links = (...all: (string | null)[]): string => all.filter(Boolean).join(' · ')

const bold = (text: string | null): string | null => text && `**${text}**`

const document = (...parts: (string | null)[]): string => `${joined(parts)}\n`
