import type { VersionFacts } from '../../domain/versions/properties.ts'
import { isPrerelease } from '../../domain/versions/standing.ts'
import { html, type Markup } from '../markup.ts'
import { fillText, type PageLanguage } from '../words/languages.ts'

/** A version or a release as such. */
export type Marked = VersionFacts & { label: string }

/** How it is marked, if it is a pre-release or yanked. */
export const standingBadges = ({ words }: PageLanguage, version: Marked): Markup[] =>
  [
    isPrerelease(version) ? html`<span class="badge pre">${words.standing.prerelease}</span> ` : [],
    version.yanked === null ? [] : html`<span class="badge yanked">${words.standing.yanked}</span> `,
  ].flat()

/** The same in words. */
export const standingNames = ({ words }: PageLanguage, version: Marked): string[] => [
  ...(isPrerelease(version) ? [words.standing.prerelease] : []),
  ...(version.yanked === null ? [] : [words.standing.yanked]),
]

/** The same behind the name of a release, where there is only text. */
export const standingText = (language: PageLanguage, version: Marked): string =>
  standingNames(language, version)
    .map((name) => ` [${name}]`)
    .join('')

/** That it was withdrawn, and why. */
export const yankedNotice = ({ words }: PageLanguage, { label, yanked }: Marked): Markup | null =>
  yanked === null
    ? null
    : html`<p class="notice warning">${fillText(words.yanked.notice, { version: label })} <bdi>${yanked}</bdi></p>\n`

/** The label, in another form for a pre-release. */
export const labelOf = (version: Marked): Markup =>
  html`<span class="label${isPrerelease(version) ? ' pre' : ''}">${version.label}</span>`
