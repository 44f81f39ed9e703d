import type { ErrorCode } from '../../errors.ts'
import type { Site } from '../site.ts'
import { breadcrumbs, layout } from './layout.ts'
import { html } from './markup.ts'

/** An error page. It does not mention the address, so that hidden and missing pages are the same. */
export function errorPage(site: Site, code: ErrorCode, message: string): string {
  const { site: texts, errors } = site.language.words
  const { title } = errors[code]
  return layout(site, {
    title: site.siteName ? `${title} · ${site.siteName}` : title,
    description: title,
    path: null,
    body: html`<header>
${breadcrumbs(site)}
<h1>${title}</h1>
</header>
<main>
<p class="empty">${errors[code].message ?? message}${site.hasLists || site.home ? html` <a href="/">${texts.goToStart}</a>` : null}</p>
</main>`,
  })
}
