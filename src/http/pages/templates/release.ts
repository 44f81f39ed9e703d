import type { Instant } from '../../../domain/records.ts'
import { formatInstant } from '../../../domain/time/time.ts'
import type { ChangelogInfo } from '../../../store/store.ts'
import { fillText, type PageLanguage } from '../languages/languages.ts'
import { versionLink } from '../links.ts'
import type { Level, Release, RenderedChange, Section } from '../render-release.ts'
import { badge } from './kinds.ts'
import { html, type Markup } from './markup.ts'

export const day = (language: PageLanguage, instant: Instant | null): Markup | null =>
  instant === null ? null : html`<time datetime="${formatInstant(instant)}">${language.day(instant)}</time>`

/** `excerptOf` is given if only some of its changes were searched for: how many it has in all. */
export function releaseArticle(
  language: PageLanguage,
  changelog: ChangelogInfo,
  release: Release,
  excerptOf?: { changeCount: number },
): Markup {
  const href = versionLink(changelog, release)
  const { id, label, title, date, badges } = release
  const { words } = language
  return html`
<article class="release" id="${id}">
<div class="when"><a class="plain" href="${href}"><span class="label">${label}</span>${date === null ? null : html` ${day(language, date)}`}</a><a class="anchor" href="#${id}" aria-label="${fillText(words.release.placeInList, { label })}"></a>${
    badges.length > 0 ? html`\n<div>${badges.map((kind) => html`${badge(language, kind)} `)}</div>` : null
  }</div>
<div>
${title === null ? html`<h2 class="hidden">${label}</h2>` : html`<h2 dir="auto">${linked(title, href)}</h2>`}
${isEmpty(release) ? html`<p class="empty">${words.release.noChanges}</p>\n` : releaseBody(language, release, 3)}${
  excerptOf && excerptOf.changeCount > release.changeCount - release.omitted
    ? html`<p class="more"><a class="plain" href="${href}">${excerpt(language, release, excerptOf.changeCount)}</a></p>\n`
    : moreOf(language, release, href)
}</div>
</article>
`
}

/** A title that has a link of its own cannot be one. */
const linked = (title: Markup, href: string): Markup =>
  title.toString().includes('<a ') ? title : html`<a href="${href}">${title}</a>`

const excerpt = (
  { words, number, onward }: PageLanguage,
  { changeCount, omitted }: Release,
  all: number,
): string => onward(fillText(words.release.ofAll, { count: number(changeCount - omitted), all: number(all) }))

/** A link to the page of a release, if not all of it is shown here. */
export function moreOf(
  { words, number, onward }: PageLanguage,
  { changeCount, omitted, isCut }: Release,
  href: string,
): Markup | null {
  if (omitted === 0 && !isCut) return null
  const more =
    omitted === 0 ? words.release.readAll : fillText(words.release.showAll, { count: number(changeCount) })
  return html`<p class="more"><a class="button" href="${href}">${onward(more)}</a></p>\n`
}

export const isEmpty = ({ description, sections, closing }: Release): boolean =>
  description === null && sections.length === 0 && closing === null

/** `level` is that of section headings. On a page of its own, where it is 2, sections and changes have anchors. */
export const releaseBody = (
  language: PageLanguage,
  { description, sections, closing }: Release,
  level: Level,
): Markup =>
  html`${description && html`<div class="intro text" dir="auto">${description}</div>\n`}${sections.map(
    (each, at) => sectionOf(language, each, level, level === 2 ? sectionId(sections, at) : null),
  )}${closing && html`<footer class="after text" dir="auto">${closing}</footer>\n`}`

/** The first section of a kind has its name. */
export function sectionId(sections: readonly Section[], at: number): string {
  const kind = sections[at]?.kind ?? 'other'
  const before = sections.slice(0, at).filter((each) => each.kind === kind).length
  return before === 0 ? kind : `${kind}-${before + 1}`
}

const sectionOf = (
  language: PageLanguage,
  { heading, kind, isAside, changes }: Section,
  level: Level,
  id: string | null,
): Markup => html`<section class="part ${isAside ? 'aside' : kind}"${id && html` id="${id}"`}>
<h${level} class="kind" dir="auto">${id ? html`<a href="#${id}">${heading}</a>` : heading}</h${level}>
<ul class="changes">
${changes.map((change) => changeItem(language, change, kind === 'breaking', id !== null))}</ul>
</section>
`

/** The bullet of a change with an anchor leads to it, for those who point at it. */
const changeItem = (
  language: PageLanguage,
  { id, title, description, isBreaking, repeats }: RenderedChange,
  isUnderBreaking: boolean,
  hasAnchor: boolean,
): Markup =>
  html`<li${repeats ? html` class="untitled"` : null}${hasAnchor ? html` id="${id}"` : null} dir="auto">${
    hasAnchor ? html`<a class="point" href="#${id}" tabindex="-1" aria-hidden="true"></a>` : null
  }${isBreaking && !isUnderBreaking ? html`${badge(language, 'breaking')} ` : null}${repeats ? null : title}${
    description && html`<div class="text">${description}</div>`
  }</li>\n`
