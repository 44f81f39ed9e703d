import type { Instant } from '../../domain/records.ts'
import { formatInstant } from '../../domain/time/time.ts'
import type { Kind } from '../../domain/versions/kinds.ts'
import { hasNumber } from '../../domain/versions/names.ts'
import { unescapeHtml } from '../../notes/html/entities.ts'
import { html, type Markup, trusted } from '../../notes/html/markup.ts'
import { plainText, textIn } from '../../notes/html/render.ts'
import { badgesOf, signsBelow } from '../../notes/release.ts'
import type { WrittenChange, WrittenGroup, WrittenRelease } from '../../notes/writing.ts'
import type { ChangelogInfo } from '../../store/store.ts'
import { fillText, type PageLanguage } from '../../words/languages.ts'
import { versionLink } from '../reading/addresses.ts'
import { badge, labelOf, standingBadges, yankedNotice } from './badges.ts'
import type { Level } from './renderer.ts'

export const day = (language: PageLanguage, instant: Instant | null): Markup | null =>
  instant === null ? null : html`<time datetime="${formatInstant(instant)}">${language.day(instant)}</time>`

/** `all` is given if only some of its changes were searched for: how many it has in all. */
export function releaseArticle(
  language: PageLanguage,
  changelog: ChangelogInfo,
  release: WrittenRelease,
  all?: number,
): Markup {
  const href = versionLink(changelog, release)
  const { id, beside, title, date } = release
  const name = nameOf(language, release)
  const badges = [
    ...badgesOf(release.counts).map((kind) => html`${badge(language, kind)} `),
    ...standingBadges(language, release),
  ]
  const { words, number, onward } = language
  const label = beside === null ? null : labelOf(release)
  const time = day(language, date)
  // A number is before its date, and a name behind it.
  const said =
    label && time
      ? hasNumber(release.label)
        ? html`${label} ${time}`
        : html`${time} ${label}`
      : (label ?? time)
  const shown = release.changeCount - release.omitted
  return html`
<article class="release" id="${id}">
<div class="when">${said === null ? null : html`<a class="plain" href="${href}">${said}</a>`}<a class="anchor" href="#${id}" aria-label="${fillText(words.release.placeInList, { label: name })}"></a>${
    badges.length > 0 ? html`\n<div>${badges}</div>` : null
  }</div>
<div>
${title === null ? html`<h2 class="hidden">${name}</h2>` : html`<h2 dir="auto">${linked(title, href)}</h2>`}
${yankedNotice(language, release)}${isEmpty(release) ? html`<p class="empty">${words.release.noChanges}</p>\n` : releaseBody(language, release, 3, href)}${
  all !== undefined && all > shown
    ? html`<p class="more"><a class="plain" href="${href}">${onward(fillText(words.release.ofAll, { count: number(shown), all: number(all) }))}</a></p>\n`
    : moreOf(language, release, href)
}</div>
</article>
`
}

/** What to call a release where there is only text: its number, else its date, else its title or its label. */
export const nameOf = (
  language: PageLanguage,
  { label, beside, title, date }: Pick<WrittenRelease, 'label' | 'beside' | 'title' | 'date'>,
): string => beside ?? (date === null ? textIn(title ?? label) : language.day(date))

/** A title that has a link of its own cannot be one. */
const linked = (title: string, href: string): Markup =>
  title.includes('<a ') ? trusted(title) : html`<a href="${href}">${trusted(title)}</a>`

/** A link to the page of a release, if not all of it is shown here. */
export function moreOf(
  { words, number, onward }: PageLanguage,
  { changeCount, omitted, isCut }: WrittenRelease,
  href: string,
): Markup | null {
  if (omitted === 0 && !isCut) return null
  const more =
    omitted === 0 ? words.release.readAll : fillText(words.release.showAll, { count: number(changeCount) })
  return html`<p class="more"><a class="button" href="${href}">${onward(more)}</a></p>\n`
}

export const isEmpty = ({ description, groups, closing }: WrittenRelease): boolean =>
  description === '' && groups.length === 0 && closing === ''

/**
 * `level` is that of section headings: 2 on a page of its own, where sections and changes have anchors. `href` is the address of that
 * page, to which changes lead; null where they do not.
 */
export const releaseBody = (
  language: PageLanguage,
  { description, groups, closing, isDocument }: WrittenRelease,
  level: Level,
  href: string | null,
): Markup =>
  html`${description && html`<div class="intro${isDocument && ' document'} text" dir="auto">${trusted(description)}</div>\n`}${groups.map(
    (each, at) => sectionOf(language, each, level, level === 2 ? sectionId(groups, at) : null, href),
  )}${closing && html`<footer class="after text" dir="auto">${trusted(closing)}</footer>\n`}`

/** The first section of a kind has its name. */
export function sectionId(groups: readonly WrittenGroup[], at: number): string {
  const kind = groups[at]?.kind ?? 'other'
  const before = groups.slice(0, at).filter((each) => each.kind === kind).length
  return before === 0 ? kind : `${kind}-${before + 1}`
}

const sectionOf = (
  language: PageLanguage,
  { heading, kind, isAside, changes }: WrittenGroup,
  level: Level,
  id: string | null,
  href: string | null,
): Markup => html`<section class="part ${isAside ? 'aside' : kind}"${id && html` id="${id}"`}>
<h${level} class="kind" dir="auto">${id ? html`<a href="#${id}">${heading}</a>` : heading}</h${level}>
<ul class="changes">
${changes.map((change) => changeItem(language, change, { heading, kind }, id !== null, href))}</ul>
</section>
`

/** A bullet that becomes a link to its change, for those who point at it or come by keyboard; `path` if that is on another page. */
export const pointTo = ({ words }: PageLanguage, id: string, path = ''): Markup =>
  html`<a class="point" href="${path}#${id}" aria-label="${words.release.linkToChange}"></a>`

function changeItem(
  language: PageLanguage,
  change: WrittenChange,
  { heading, kind }: Pick<WrittenGroup, 'heading' | 'kind'>,
  hasAnchor: boolean,
  href: string | null,
): Markup {
  const { id } = change.source
  const isUntitled = repeatsSummary(change) || repeatsHeading(change, heading)
  return html`<li${isUntitled ? html` class="untitled"` : null}${hasAnchor ? html` id="${id}"` : null} dir="auto">${
    href === null ? null : pointTo(language, id, hasAnchor ? '' : href)
  }${signBadges(language, change, kind)}${isUntitled ? null : titleOf(change)}${textOf(change)}</li>\n`
}

/** Badges of an urgent change below the heading of another kind. */
export const signBadges = (language: PageLanguage, change: Pick<WrittenChange, 'signs'>, kind: Kind) =>
  signsBelow(kind, change).map((sign) => html`${badge(language, sign)} `)

/** The title of a change, and quietly its origin. */
export const titleOf = ({ title, tail }: WrittenChange): Markup =>
  html`${trusted(title)}${tail && html` <span class="by">${trusted(tail)}</span>`}`

export const textOf = ({ description }: WrittenChange): Markup | null =>
  description === '' ? null : html`<div class="text">${trusted(description)}</div>`

/** True if the title of a change only repeats the summary at the start of its text. */
export function repeatsSummary({ source, description }: WrittenChange): boolean {
  const summary = SUMMARY.exec(description)?.[1]?.replace(/<[^>]*>/g, '')
  return summary !== undefined && plainText(source.title) === unescapeHtml(summary)
}

const SUMMARY = /^\s*<details[^>]*>\s*<summary>(.*?)<\/summary>/s

/** True if the title only repeats the heading above it, and there is a text to show instead. */
const repeatsHeading = (
  { source: { title, typeLabel }, description }: WrittenChange,
  heading: string,
): boolean => description !== '' && (title === heading || title === typeLabel)
