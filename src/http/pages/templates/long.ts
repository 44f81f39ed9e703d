import type { Change, Instant } from '../../../domain/records.ts'
import { cut } from '../../../domain/text/cut.ts'
import { formatInstant } from '../../../domain/time/time.ts'
import type { Era } from '../../../domain/versions/eras.ts'
import { shortName, shownName } from '../../../domain/versions/names.ts'
import { html, type Markup } from '../../../notes/html/markup.ts'
import { type ChangelogInfo, type DatedVersion, dateOf, type VersionContent } from '../../../store/store.ts'
import type { PageLanguage } from '../../../words/languages.ts'
import { labelOf } from '../../html/badges.ts'
import { day } from '../../html/release.ts'
import { versionLink } from '../../reading/addresses.ts'

/** An era, and the address of the page that begins with it. */
export interface EraLink extends Era<DatedVersion> {
  href: string
  isCurrent: boolean
}

export const jumpRow = (
  language: PageLanguage,
  eras: readonly EraLink[],
): Markup => html`<nav class="jump" aria-labelledby="jump"><span id="jump">${language.words.long.jump}</span>
${
  language.ofEntries
    ? monthLinks(language, eras)
    : eras.map((era) => eraLink(era, era.name, era.isYear ? null : yearsOf(era.versions)))
}</nav>
`

const eraLink = ({ href, isCurrent }: EraLink, name: string, about: string | null): Markup =>
  html`<a href="${href}"${isCurrent ? html` aria-current="true"` : null}>${name}${about && html` <small>${about}</small>`}</a>\n`

/** The months of the year that the page begins in, and the other years with the number of their entries. */
const monthLinks = (language: PageLanguage, months: readonly EraLink[]): Markup[] =>
  [...Map.groupBy(months, ({ name }) => name.slice(0, 4))].flatMap(([year, own]) => {
    const [first] = own
    if (!first) return []
    const count = own.reduce((sum, { versions }) => sum + versions.length, 0)
    return own.some(({ isCurrent }) => isCurrent)
      ? [
          html`<b>${year}</b>\n`,
          ...own.map((month) => eraLink(month, language.shortMonth(monthAt(month)), null)),
        ]
      : eraLink(first, year, language.number(count))
  })

const monthAt = ({ name }: EraLink): Instant => Date.UTC(Number(name.slice(0, 4)), Number(name.slice(4)) - 1)

/** 2026, 2025–26 */
function yearsOf(versions: readonly DatedVersion[]): string | null {
  const [from, to] = datesOf(versions).map((date) => formatInstant(date).slice(0, 4))
  if (!from || !to) return null
  return from === to ? to : `${from}–${to.slice(2)}`
}

/** The first and the last, if there are any. */
function datesOf(versions: readonly DatedVersion[]): Instant[] {
  const dates = versions.map(dateOf).filter((date) => date !== null)
  return dates.length === 0 ? [] : [Math.min(...dates), Math.max(...dates)]
}

/** Where an era begins: its name, how much there is of it, and of which months. */
export function eraLine(language: PageLanguage, { name, versions }: Era<DatedVersion>): Markup {
  const all = [...new Set(datesOf(versions).map(language.month))]
  const [title, months] = language.ofEntries ? [all[0] ?? name, []] : [name, all]
  const count = language.counted(language.words.changelog.releases, versions.length)
  const about = [count, months.join(' – ')].filter(Boolean).join(language.words.timeline.separator)
  return html`<h2 class="era"><bdi>${title}</bdi> <small>${about}</small></h2>\n`
}

/** Releases that only update dependencies: one line, which opens if there are several. */
export function updatesLine(
  language: PageLanguage,
  changelog: ChangelogInfo,
  versions: readonly VersionContent[],
): Markup {
  const [newest] = versions
  if (!newest) return html``
  const { words, counted } = language
  const link = (version: VersionContent) =>
    html`<a class="plain" href="${versionLink(changelog, version)}">${shownName(version).label === null ? shortName(version) : labelOf(version)}</a>`
  const packages = (version: VersionContent) =>
    cut(version.changes.flatMap(packagesIn).join(words.timeline.separator), 120)
  const date = (version: VersionContent) => day(language, dateOf(version))
  const oldest = versions.at(-1) ?? newest
  const isOne = oldest === newest
  const about = isOne ? packages(newest) : counted(words.changelog.releases, versions.length)
  const line = html`${words.long.updates}${[about, date(newest)].map((part) => part && html` · ${part}`)}`
  return html`
<article class="release slim"${isOne ? html` id="${newest.id}"` : null}>
<div class="when">${isOne ? null : html`${link(oldest)} – `}${link(newest)}</div>
<div><h2 class="hidden">${isOne ? null : `${shortName(oldest)} – `}${shortName(newest)}</h2>${
    isOne
      ? html`<p>${line}</p>`
      : html`<details><summary>${line}</summary>
<table><tbody>
${versions.map((version) => html`<tr id="${version.id}"><td>${link(version)}</td><td>${date(version)}</td><td>${packages(version)}</td></tr>\n`)}</tbody></table></details>`
  }</div>
</article>
`
}

/** `gateway 3.0.232`: what a list of changesets or the words of a bot name. */
function packagesIn({ title, description }: Change): string[] {
  const listed = [...(description ?? '').matchAll(/^[ \t]*[-*] +`?(@?[^\s@`]+)@(\d[^\s`]*)/gm)]
  const named = listed.length > 0 ? listed : [NAMED.exec(title)].filter((found) => found !== null)
  return named.map(([, name, version]) => `${name} ${version}`)
}

const NAMED =
  /(?:bump|updat|upgrad)\w* (?:dependency |module )?[`[]?(@?[\w./-]+)[`\]]?(?:\([^()]*\))? (?:.{0,80} )?to v?(\d[^\s,)`]*)/i
