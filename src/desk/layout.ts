import { html, type Markup } from '../notes/html/markup.ts'
import { htmlResponse } from './respond.ts'
import type { Desk, Visit } from './visit.ts'
import { homeHref } from './visit.ts'

interface DeskPage {
  title: string
  /** The class of the body: `one` narrow column, `two` wide ones, or `edit`. */
  form?: 'one' | 'two' | 'edit'
  status?: number
  body: Markup
}

export const STYLE = '/desk.css'
export const SCRIPT = '/desk.js'
export const PASTE_SCRIPT = '/desk-paste.js'

/** A whole page of the desk. */
export function deskPage({ language, words, door }: Desk, { title, form, status, body }: DeskPage): Response {
  const document = html`<!DOCTYPE html>
<html lang="${language.code}"${language.words.direction === 'rtl' ? html` dir="rtl"` : null}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${words.desk.name}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${STYLE}">
<script type="module" src="${SCRIPT}"></script>
</head>
<body${form && html` class="${form}"`}>
${body}
<p class="notice caution lost" role="alert" hidden data-lost data-no-answer="${words.refused.noAnswer}" data-signed-out="${door.header === null ? words.refused.restarted : words.refused.signedOut}" data-kept-here="${words.refused.keptHere}"></p>
</body>
</html>
`
  return htmlResponse(document.toString(), status)
}

interface Crumb {
  name: string
  href: string | null
}

/** Where you are, and who you are. */
export const topLine = (visit: Visit, ...crumbs: Crumb[]): Markup =>
  html`<div class="bar">${crumbLine(visit.desk, ...crumbs)}${whoIs(visit)}</div>\n`

export const crumbLine = (desk: Desk, ...crumbs: Crumb[]): Markup =>
  html`<nav class="crumbs" aria-label="${desk.language.words.site.breadcrumb}">${[
    { name: desk.words.desk.name, href: homeHref(desk) },
    ...crumbs,
  ].map(({ name, href }) =>
    href === null ? html`<span><bdi>${name}</bdi></span>` : html`<a href="${href}"><bdi>${name}</bdi></a>`,
  )}</nav>`

export const whoIs = ({ writer: { name } }: Visit): Markup | null =>
  name === null ? null : html`<span class="who" data-initials="${initials(name)}"><bdi>${name}</bdi></span>`

const initials = (name: string): string =>
  name
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => [...word][0] ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase()

/** The field that shows that a form is from the desk. */
export const tokenField = ({ token }: Visit): Markup =>
  html`<input type="hidden" name="token" value="${token}">`

/** A field that the form sends along. */
export const hidden = (name: string, value: string): Markup =>
  html`<input type="hidden" name="${name}" value="${value}">`

/** Why something was not done. */
export const refusal = (message: Markup | null): Markup | null =>
  message === null ? null : html`<p class="notice caution" role="alert">${message}</p>\n`
