import { html, type Markup } from '../../notes/html/markup.ts'
import { ERRORS, type ErrorCode } from '../request/errors.ts'
import type { HeaderFields } from '../request/json-response.ts'
import type { Site } from '../site/site.ts'
import { errorDocument } from './documents.ts'
import { HTML, MARKDOWN, securityHeaders } from './form.ts'
import { breadcrumbs, layout, type PageContent } from './templates/layout.ts'

/** How an error is written: as a page, as that of the gate, or as Markdown. */
export type ErrorForm = 'html' | 'gate' | 'markdown'

/** An error as a page. */
export function refuse(
  site: Site,
  form: ErrorForm,
  code: ErrorCode,
  message: string,
  extra: HeaderFields = {},
): Response {
  const own: HeaderFields =
    form === 'markdown'
      ? { 'content-type': MARKDOWN }
      : { 'content-type': HTML, 'content-language': site.language.code }
  const headers = { ...own, 'cache-control': 'no-store', ...securityHeaders(site.policy), ...extra }
  const text = {
    html: () => errorPage(site, code, message),
    gate: () => gatePage(site, Number(extra['retry-after'] ?? 0)),
    markdown: () => errorDocument(code, message),
  }
  return new Response(text[form](), { status: ERRORS[code].status, headers })
}

/** An error page. It does not mention the address, so that hidden and missing pages are the same. */
function errorPage(site: Site, code: ErrorCode, message: string): string {
  const { site: texts, errors, errorMessages } = site.language.words
  const messages: Partial<Record<ErrorCode, string | null>> = errorMessages
  const start = site.hasLists || site.home ? html` <a href="/">${texts.goToStart}</a>` : null
  return plainPage(site, errors[code], html`<p class="empty">${messages[code] ?? message}${start}</p>`)
}

/** For browsers at the gate; with a time to wait after too many wrong passwords. It shows nothing that is behind it. */
function gatePage(site: Site, retryAfter: number): string {
  const { words, counted } = site.language
  const { gate } = words
  const isBlocked = retryAfter > 0
  const title = isBlocked ? gate.blocked : words.errors.unauthorized
  const outside = { ...site, logoUrl: '', shareImageUrl: '', hasLists: false, home: null }
  const about = isBlocked
    ? html`<p class="plainly">${counted(gate.tryAgain, Math.ceil(retryAfter / 60))}</p>`
    : html`<p class="plainly">${gate.about}</p>
<p class="act"><a class="button main" href="">${gate.enter}</a></p>`
  const main = html`${about}
<p class="small-print">${gate.ask}</p>`
  return plainPage(outside, title, main, { isSingle: true })
}

/** A page of a title and a few words. */
const plainPage = (
  site: Site,
  title: string,
  main: Markup,
  form: Pick<PageContent, 'isSingle'> = {},
): string =>
  layout(site, {
    title: site.siteName ? `${title} · ${site.siteName}` : title,
    description: title,
    path: null,
    ...form,
    body: html`<header>
${breadcrumbs(site)}
<h1>${title}</h1>
</header>
<main>
${main}
</main>`,
  })
