import type { Change, Instant } from '../../../domain/records.ts'
import { formatInstant } from '../../../domain/time.ts'
import type { ChangelogInfo, VersionContent } from '../../../store/port.ts'
import { versionLink } from '../links.ts'
import { renderBlocks, renderInline } from '../markdown/render.ts'
import { headingOf, kindOf } from './kinds.ts'
import { html, type Markup, trusted } from './markup.ts'

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]

/** A day as people write it: 12 November 2026. */
export function formatDay(instant: Instant): string {
  const date = new Date(instant)
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}

export const day = (instant: Instant): Markup =>
  html`<time datetime="${formatInstant(instant)}">${formatDay(instant)}</time>`

/** The title of a version or change, which is inline markdown. */
export const titleOf = ({ title }: { title: string }): Markup => trusted(renderInline(title))

/** A release in a list: version and date, then what is in it. */
export const releaseArticle = (changelog: ChangelogInfo, version: VersionContent): Markup => html`
<article class="release" id="${version.id}">
<div class="when"><a class="label" href="${versionLink(changelog, version)}">${version.label}</a> ${day(version.publishedAt)}</div>
<div>
${
  version.title === version.label
    ? html`<h2 class="hidden">${version.label}</h2>`
    : html`<h2 dir="auto">${titleOf(version)}</h2>`
}
${releaseBody(version, 3)}</div>
</article>
`

/** The description of a release and its changes; `level` is that of its sections' headings. */
export const releaseBody = (version: VersionContent, level: 2 | 3): Markup =>
  html`${
    version.description === null
      ? null
      : html`<div class="intro text" dir="auto">${trusted(renderBlocks(version.description, level))}</div>\n`
  }${sectionsOf(version.changes).map(([first, ...others]) => section([first, ...others], level))}`

type Section = readonly [Change, ...Change[]]

/** The changes by their headings, in the order in which each heading first occurs. */
function sectionsOf(changes: readonly Change[]): Section[] {
  const sections = new Map<string, [Change, ...Change[]]>()
  for (const change of changes) {
    const heading = headingOf(change)
    const section = sections.get(heading)
    if (section) section.push(change)
    else sections.set(heading, [change])
  }
  return [...sections.values()]
}

const section = (changes: Section, level: 2 | 3): Markup => html`<div class="section">
${heading(changes[0], level)}
<ul class="changes">
${changes.map((change) => html`<li dir="auto">${titleOf(change)}${change.description === null ? null : details(change.description, level)}</li>\n`)}</ul>
</div>
`

function heading(change: Change, level: 2 | 3): Markup {
  const classes = `kind ${kindOf(change.type) ?? 'other'}`
  const text = headingOf(change)
  return level === 2
    ? html`<h2 class="${classes}" dir="auto">${text}</h2>`
    : html`<h3 class="${classes}" dir="auto">${text}</h3>`
}

const details = (description: string, level: 2 | 3): Markup =>
  html`<div class="text">${trusted(renderBlocks(description, level + 1))}</div>`
