import type { Instant } from '../../../domain/records.ts'
import { formatInstant } from '../../../domain/time/time.ts'
import type { ChangelogInfo } from '../../../store/store.ts'
import { versionLink } from '../links.ts'
import type { Level, Release, Section } from '../render-release.ts'
import { html, type Markup } from './markup.ts'

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]

/** 12 November 2026 */
export function formatDay(instant: Instant): string {
  const date = new Date(instant)
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}

export const day = (instant: Instant | null): Markup | null =>
  instant === null ? null : html`<time datetime="${formatInstant(instant)}">${formatDay(instant)}</time>`

export const releaseArticle = (changelog: ChangelogInfo, release: Release): Markup => html`
<article class="release" id="${release.id}">
<div class="when"><a class="label" href="${versionLink(changelog, release)}">${release.label}</a> ${day(release.date)}</div>
<div>
${
  release.title === null
    ? html`<h2 class="hidden">${release.label}</h2>`
    : html`<h2 dir="auto">${release.title}</h2>`
}
${releaseBody(release, 3)}${moreOf(release, versionLink(changelog, release))}</div>
</article>
`

/** A link to the page of a release, if not all of it is shown here. */
export function moreOf({ omitted, isCut }: Release, href: string): Markup | null {
  if (omitted === 0 && !isCut) return null
  const more =
    omitted === 0
      ? 'Read all of this release'
      : `${omitted.toLocaleString('en')} more changes in this release`
  return html`<p class="more"><a href="${href}">${more}</a></p>\n`
}

export const NO_CHANGES = 'No changes are listed for this release.'

export const isEmpty = ({ description, sections, closing }: Release): boolean =>
  description === null && sections.length === 0 && closing === null

/** `level` is that of section headings. */
export const releaseBody = ({ description, sections, closing }: Release, level: Level): Markup =>
  html`${description && html`<div class="intro text" dir="auto">${description}</div>\n`}${sections.map((each) => sectionOf(each, level))}${closing && html`<div class="closing text" dir="auto">${closing}</div>\n`}`

const sectionOf = ({ heading, kind, changes }: Section, level: Level): Markup => html`<div class="section">
<h${level} class="kind ${kind}" dir="auto">${heading}</h${level}>
<ul class="changes">
${changes.map(({ title, description }) => html`<li dir="auto">${title}${description && html`<div class="text">${description}</div>`}</li>\n`)}</ul>
</div>
`
