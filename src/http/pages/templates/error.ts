import type { ErrorCode } from '../../errors.ts'
import type { Site } from '../site.ts'
import { breadcrumbs, layout } from './layout.ts'
import { html } from './markup.ts'

/** An error page. It does not mention the address, so that hidden and missing pages are the same. */
export function errorPage(site: Site, code: ErrorCode, message: string): string {
  const { site: texts, errors, errorMessages } = site.language.words
  const title = errors[code]
  return layout(site, {
    title: site.siteName ? `${title} · ${site.siteName}` : title,
    description: title,
    path: null,
    body: html`<header>
${breadcrumbs(site)}
<h1>${title}</h1>
</header>
<main>
<p class="empty">${errorMessages[code] ?? message}${site.hasLists || site.home ? html` <a href="/">${texts.goToStart}</a>` : null}</p>
</main>`,
  })
}

/** For browsers at the gate; with a time to wait after too many wrong passwords. It shows nothing that is behind it. */
export function gatePage(site: Site, retryAfter: number): string {
  const { words, counted } = site.language
  const { gate } = words
  const title = retryAfter > 0 ? gate.blocked : words.errors.unauthorized
  const outside = { ...site, logoUrl: '', shareImageUrl: '', hasLists: false, home: null }
  return layout(outside, {
    title: site.siteName ? `${title} · ${site.siteName}` : title,
    description: title,
    path: null,
    isSingle: true,
    body: html`<header>
${breadcrumbs(outside)}
<h1>${title}</h1>
</header>
<main>
${
  retryAfter > 0
    ? html`<p class="plainly">${counted(gate.tryAgain, Math.ceil(retryAfter / 60))}</p>`
    : html`<p class="plainly">${gate.about}</p>
<p class="act"><a class="button main" href="">${gate.enter}</a></p>`
}
<p class="small-print">${gate.ask}</p>
</main>`,
  })
}
