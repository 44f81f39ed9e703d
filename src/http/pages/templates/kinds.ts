import type { Kind } from '../../../domain/kinds.ts'
import { headingFromType } from '../../../domain/slug.ts'
import { plainText } from '../markdown/render.ts'
import { html, type Markup } from './markup.ts'

export interface TypeName {
  type: string
  typeLabel?: string | null
}

/** The heading of a type as plain text. */
export const headingOf = ({ type, typeLabel }: TypeName): string =>
  plainText(typeLabel ?? '').trim() || headingFromType(type)

export const nameOf = (kind: Kind): string => kind.charAt(0).toUpperCase() + kind.slice(1)

export const badge = (kind: Kind): Markup => html`<span class="badge ${kind}">${nameOf(kind)}</span>`

export interface Pill {
  name: string
  href: string
  /** Null if it is not known. */
  count: number | null
  /** The kind it stands for, which colors its dot. */
  kind?: Kind
  isCurrent?: boolean
}

/** A row of links to kinds of change; `isMore` if there may be more of each. */
export const pills = (label: string, links: readonly Pill[], isMore = false): Markup =>
  html`<nav class="kinds" aria-label="${label}">
${links.map(
  ({ name, href, count, kind, isCurrent }) =>
    html`<a${kind ? html` class="dot ${kind}"` : null} href="${href}"${isCurrent ? html` aria-current="true"` : null}>${name}${
      count === null ? null : html` <b>${count.toLocaleString('en')}${isMore ? '+' : null}</b>`
    }</a>\n`,
)}</nav>`
