import { namesOf } from '../../domain/objects.ts'
import type { Kind } from '../../domain/versions/kinds.ts'
import { hasNumber } from '../../domain/versions/names.ts'
import { type SignName, toldFacts, type VersionFacts } from '../../domain/versions/properties.ts'
import { isPrerelease } from '../../domain/versions/standing.ts'
import { html, type Markup } from '../../notes/html/markup.ts'
import { fillText, type PageLanguage } from '../../words/languages.ts'

/** A version or a release as such. */
export type Marked = VersionFacts & { label: string }

/** The facts that are badges, with the classes of these. */
const BADGES = { prerelease: 'pre', yanked: 'yanked' } as const

const badgesOf = (version: Marked) => {
  const told = toldFacts(version)
  return namesOf(BADGES).filter((name) => name in told)
}

export const standingBadges = ({ words }: PageLanguage, version: Marked): Markup[] =>
  badgesOf(version).map((name) => html`<span class="badge ${BADGES[name]}">${words.standing[name]}</span> `)

export const standingNames = ({ words }: PageLanguage, version: Marked): string[] =>
  badgesOf(version).map((name) => words.standing[name])

/** The standing of a release behind its name, where there is only text. */
export const standingText = (language: PageLanguage, version: Marked): string =>
  standingNames(language, version)
    .map((name) => ` [${name}]`)
    .join('')

/** Says why a release was withdrawn, where it has a badge. */
export const yankedNotice = (language: PageLanguage, version: Marked): Markup | null =>
  version.yanked ? withdrawn(language, version) : null

/** Says that a release was withdrawn, and why. */
export const withdrawn = ({ words }: PageLanguage, { label, yanked }: Marked): Markup =>
  html`<p class="notice warning">${fillText(words.yanked.notice, { version: label })}${yanked && html` <bdi>${yanked}</bdi>`}</p>\n`

/** The label, in another form for a pre-release or for a name. */
export const labelOf = (version: Marked): Markup =>
  hasNumber(version.label)
    ? html`<span class="label${isPrerelease(version) ? ' pre' : ''}">${version.label}</span>`
    : html`<span class="named" dir="auto">${version.label}</span>`

/** Words of the page: those of an author beside it have a direction of their own. */
export const badge = ({ words }: PageLanguage, kind: Kind | SignName): Markup =>
  kind === 'mayBreak'
    ? html`<bdi class="badge may">${words.verdict.mayBreak}</bdi>`
    : html`<bdi class="badge ${kind}">${words.kinds[kind]}</bdi>`

export interface Pill {
  name: string
  href: string
  /** Null for an unknown count. */
  count: number | null
  /** The kind it stands for, which colors its dot. */
  kind?: Kind
  isCurrent?: boolean
}

/** A row of links to kinds of change; `isMore` if there may be more of each. */
export const pills = (
  { number }: PageLanguage,
  label: string,
  links: readonly Pill[],
  isMore = false,
): Markup =>
  html`<nav class="kinds" aria-label="${label}">
${links.map(
  ({ name, href, count, kind, isCurrent }) =>
    html`<a${kind ? html` class="dot ${kind}"` : null} href="${href}"${isCurrent ? html` aria-current="true"` : null}>${name}${
      count === null ? null : html` <b>${number(count)}${isMore ? '+' : null}</b>`
    }</a>\n`,
)}</nav>`
