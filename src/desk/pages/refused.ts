import { isRefusal, Refusal, Unavailable } from '../../domain/refusal.ts'
import { html, type Markup } from '../../notes/html/markup.ts'
import { NEW } from '../editing/text.ts'
import { deskPage, hidden, tokenField, topLine } from '../layout.ts'
import { type Desk, homeHref, type Named, type Visit, versionHref } from '../visit.ts'

/** What is wrong, without the command that a terminal would show. */
export function refusalText({ message, advice }: Refusal): string {
  return advice && advice.command === undefined && !advice.or ? `${message} ${advice.text}` : message
}

/** For somebody who is not signed in: it names no team and no product. */
export function signedOutPage(desk: Desk, header: string | null): Response {
  const { words, language } = desk
  const crumbs = html`<nav class="crumbs" aria-label="${language.words.site.breadcrumb}"><span>${words.desk.name}</span></nav>`
  return deskPage(desk.door.header === null ? { ...desk, base: '' } : desk, {
    title: header === null ? words.signedOut.used : words.signedOut.title,
    form: 'one',
    status: 401,
    body:
      header === null
        ? html`<header>
${crumbs}
<h1>${words.signedOut.used}</h1>
</header>
<main>
<p class="plainly">${words.signedOut.once}</p>
<pre class="command alone"><code>changelogd desk</code></pre>
<p class="small-print">${words.signedOut.other}</p>
</main>`
        : html`<header>
${crumbs}
<h1>${words.signedOut.title}</h1>
</header>
<main>
<p class="plainly">${words.signedOut.about}</p>
<p class="act"><a class="button main" href="/">${words.signedOut.reload}</a></p>
<p class="small-print">${words.signedOut.operator} <code>${header}</code></p>
</main>`,
  })
}

/** The same for what does not exist and for what one may not write. */
export const notFoundPage = async (visit: Visit): Promise<Response> =>
  message(visit, visit.desk.words.refused.notFound, visit.desk.words.refused.notFoundAbout, 404)

/** A form of another site, or from before the desk was started again. A text in it is given back, to be sent again. */
export async function staleForm(visit: Visit, names: Named | null): Promise<Response> {
  const { desk, form } = visit
  const { words } = desk
  if (!form || !names) return message(visit, words.refused.stale, words.refused.staleAbout, 403)
  return deskPage(desk, {
    title: words.refused.stale,
    form: 'one',
    status: 403,
    body: html`<header>
${topLine(visit)}<h1>${words.refused.stale}</h1>
</header>
<main>
<p class="plainly">${words.refused.staleText}</p>
<form method="post" action="${versionHref(desk, names, names.version)}">
${tokenField(visit)}${['label', 'title', 'date'].map((name) => hidden(name, form.text(name)))}${hidden('opened', form.text('opened') || NEW)}
<textarea class="kept" name="text" readonly aria-label="${words.edit.notes}">
${form.text('text')}</textarea>
<p class="act"><button class="button main">${words.refused.again}</button></p>
</form>
</main>`,
  })
}

/** What went wrong, with the text of the form, which is not saved. */
export function errorPage(visit: Visit, error: unknown): Response {
  const { desk, form } = visit
  const { words } = desk
  const isAway = error instanceof Unavailable
  const isMissing = error instanceof Refusal && error.kind === 'not_found'
  if (isMissing && !form?.has('text'))
    return message(visit, words.refused.notFound, words.refused.notFoundAbout, 404)
  const text = form?.has('text') ? form.text('text') : null
  const [title, about] = isAway
    ? [words.refused.away, words.refused.awayAbout]
    : isRefusal(error)
      ? [words.refused.refused, refusalText(error)]
      : [words.refused.failed, words.refused.failedAbout]
  const kept =
    text === null
      ? null
      : html`<p class="plainly">${words.refused.kept}</p>
<textarea class="kept" readonly aria-label="${words.edit.notes}">
${text}</textarea>`
  return message(visit, title, about, isAway ? 503 : isRefusal(error) ? 422 : 500, kept)
}

function message(
  visit: Visit,
  title: string,
  about: string,
  status: number,
  more: Markup | null = null,
): Response {
  const { desk } = visit
  return deskPage(desk, {
    title,
    form: 'one',
    status,
    body: html`<header>
${topLine(visit)}<h1>${title}</h1>
</header>
<main>
<p class="plainly" dir="auto">${about}</p>
${more}
<p class="act"><a class="button main" href="${homeHref(desk)}">${desk.words.refused.home}</a></p>
</main>`,
  })
}
