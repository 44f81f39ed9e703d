import type { Kind } from '../../domain/versions/kinds.ts'
import { html, type Markup } from '../../notes/html/markup.ts'
import type { PageLanguage } from '../../words/languages.ts'

/** Words of the page: those of an author beside it have a direction of their own. */
export const badge = ({ words }: PageLanguage, kind: Kind): Markup =>
  html`<bdi class="badge ${kind}">${words.kinds[kind]}</bdi>`

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
