import type { ErrorCode } from '../../errors.ts'
import type { Site } from '../site.ts'
import { breadcrumbs, layout } from './layout.ts'
import { html } from './markup.ts'

const TITLES: Readonly<Record<ErrorCode, string>> = {
  bad_request: 'This address is not right',
  unauthorized: 'A password is needed',
  forbidden: 'Not allowed',
  not_found: 'Page not found',
  method_not_allowed: 'This page can only be read',
  rate_limited: 'Too many requests',
  internal_error: 'Something went wrong',
  unavailable: 'Not available right now',
}

/** Messages for people, where those for programs do not help. */
const MESSAGES: Readonly<Partial<Record<ErrorCode, string>>> = {
  not_found: 'There is no page at this address, or it is not public.',
  internal_error: 'The server failed. Its operator finds the cause in the log.',
  unavailable: 'The database does not answer. Please try again in a moment.',
}

/** An error page. It does not mention the address, so that hidden and missing pages are the same. */
export function errorPage(site: Site, code: ErrorCode, message: string): string {
  const title = TITLES[code]
  return layout(site, {
    title: site.name ? `${title} · ${site.name}` : title,
    description: title,
    path: null,
    body: html`<header>
${breadcrumbs(site)}
<h1>${title}</h1>
</header>
<main>
<p class="empty">${MESSAGES[code] ?? message}${site.hasLists || site.home ? html` <a href="/">Go to the start page</a>` : null}</p>
</main>`,
  })
}
