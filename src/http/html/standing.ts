import { isPrerelease, type Standing } from '../../domain/versions/standing.ts'
import { html, type Markup } from '../markup.ts'
import { fillText, type PageLanguage } from '../words/languages.ts'

/** A version or a release as such. */
export type Marked = Standing & { label: string }

/** A pre-release, a yanked release, both or neither, with the class of its badge. */
const marksOf = ({ words: { standing } }: PageLanguage, version: Marked) => [
  ...(isPrerelease(version) ? [{ name: standing.prerelease, style: 'pre' }] : []),
  ...(version.yanked === null ? [] : [{ name: standing.yanked, style: 'yanked' }]),
]

export const standingBadges = (language: PageLanguage, version: Marked): Markup[] =>
  marksOf(language, version).map(({ name, style }) => html`<span class="badge ${style}">${name}</span> `)

export const standingNames = (language: PageLanguage, version: Marked): string[] =>
  marksOf(language, version).map(({ name }) => name)

/** The standing of a release behind its name, where there is only text. */
export const standingText = (language: PageLanguage, version: Marked): string =>
  standingNames(language, version)
    .map((name) => ` [${name}]`)
    .join('')

/** Says that a release was withdrawn, and why. */
export const yankedNotice = ({ words }: PageLanguage, { label, yanked }: Marked): Markup | null =>
  yanked === null
    ? null
    : html`<p class="notice warning">${fillText(words.yanked.notice, { version: label })} <bdi>${yanked}</bdi></p>\n`

/** The label, in another form for a pre-release. */
export const labelOf = (version: Marked): Markup =>
  html`<span class="label${isPrerelease(version) ? ' pre' : ''}">${version.label}</span>`
