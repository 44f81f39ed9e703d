import { mapRows } from '../../domain/objects.ts'
import { type ReasonCode, Refused } from '../../domain/reasons.ts'
import type { ProductName } from '../../domain/records.ts'
import { isRefusal, OutcomeUnknown, Refusal, Unavailable } from '../../domain/refusal.ts'
import { size } from '../../domain/text/size.ts'
import { html, type Markup } from '../../notes/html/markup.ts'
import { findVersion } from '../../transfer/find.ts'
import { fillText } from '../../words/languages.ts'
import { NEW } from '../editing/text.ts'
import { deskPage, hidden, tokenField, topLine } from '../layout.ts'
import { moment } from '../moments.ts'
import type { Form } from '../request/form.ts'
import { type Desk, homeHref, type Named, productHref, type Sent, type Visit, versionHref } from '../visit.ts'

/** True for what was renamed or deleted meanwhile, and for what never was. */
export const isMissing = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.kind === 'not_found'

/** What is wrong, in the language of the desk, and without the command that a terminal would show. */
export function refusalText(desk: Desk, refusal: Refusal): string {
  const { words, language } = desk
  const { message, advice, kind } = refusal
  if (refusal instanceof Refused)
    return fillText(
      words.reasons[refusal.code as ReasonCode],
      mapRows(refusal.values as Values, (value, name) =>
        name === 'what'
          ? (words.fields[value as keyof typeof words.fields] ?? words.fields.text)
          : typeof value === 'string'
            ? value
            : name === 'time'
              ? moment(desk, value)
              : name === 'size' || name === 'limit'
                ? size(value)
                : language.number(value),
      ),
    )
  if (kind === 'exists' && typeof advice?.command === 'object')
    return fillText(words.refused.taken, { name: advice.command.args?.at(-1) ?? '' })
  return fillText(words.reasons.other, { why: message })
}

type Values = Readonly<Record<string, string | number>>

/** The same, with a link to where the desk does what the command would do: the editor of a version, or the list of them. */
export async function refusalLine(desk: Desk, name: ProductName, refusal: Refusal): Promise<Markup> {
  const { advice, kind } = refusal
  const { command } = advice ?? {}
  if (typeof command !== 'object' || !command.name.startsWith('version '))
    return html`${refusalText(desk, refusal)}`
  const label = command.args?.at(-1) ?? ''
  const taken =
    kind === 'exists' ? (await desk.read((records) => findVersion(records, name, label))).version : null
  return taken
    ? html`${refusalText(desk, refusal)} <a class="button" href="${versionHref(desk, name, taken.id)}">${desk.words.product.edit} <bdi>${label}</bdi></a>`
    : html`${refusalText(desk, refusal)} <a class="button" href="${productHref(desk, name)}">${desk.words.product.releases}</a>`
}

/** For somebody who is not signed in: it names no team and no product, and has the text of their form. */
export function signedOutPage(desk: Desk, form: Form | null): Response {
  const { words, language, door } = desk
  const { header } = door
  const kept =
    form?.has('text') === true ? html`<p>${words.refused.kept}</p>\n${keptText({ desk, form })}\n` : null
  const crumbs = html`<nav class="crumbs" aria-label="${language.words.site.breadcrumb}"><span>${words.desk.name}</span></nav>`
  return deskPage(desk, {
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
<p class="plainly">${words.signedOut.once} ${desk.hasTerminal ? words.signedOut.enter : words.signedOut.start}</p>
${kept}<p class="small-print">${words.signedOut.other}</p>
</main>`
        : html`<header>
${crumbs}
<h1>${words.signedOut.title}</h1>
</header>
<main>
<p class="plainly">${words.signedOut.about}</p>
<p class="act"><a class="button main" href="/">${words.signedOut.reload}</a></p>
${kept}<p class="small-print">${words.signedOut.operator} <code>${header}</code></p>
</main>`,
  })
}

interface Problem {
  title: string
  about: string
  status: number
}

/** The same for what does not exist and for what one may not write. */
export const notFoundPage = async (visit: Visit): Promise<Response> => problemPage(visit, missing(visit))

const missing = ({ desk: { words, language } }: Visit): Problem => ({
  title: language.words.errors.not_found,
  about: words.refused.notFoundAbout,
  status: 404,
})

/** A form that may not be from this desk: the text in it can be read, and not sent again. */
export const foreignForm = (visit: Visit): Response => {
  const { words } = visit.desk
  const about = visit.form?.has('text') ? words.refused.kept : words.refused.staleAbout
  return problemPage(visit, { title: words.refused.stale, about, status: 403 }, keptText(visit))
}

/** A form from before the desk was started again, or one that is too long. */
export function refusedForm(visit: Sent, names: Named): Response {
  const { words } = visit.desk
  const { isTooLong } = visit.form
  const old = visit.form.has('text') ? words.refused.staleText : words.refused.staleAbout
  const about = isTooLong ? words.refused.tooLong : old
  return withText(visit, names, { title: words.refused.stale, about, status: isTooLong ? 413 : 403 })
}

/** What went wrong, with the text of the form, which is not saved. */
export function errorPage(visit: Visit, names: Named, error: unknown): Response {
  const { desk, form } = visit
  const { words } = desk
  // The script of the editor sends pictures alone, and shows why one was not taken.
  if (form?.file('picture') && !form.has('text') && isRefusal(error))
    return Response.json({ problem: refusalText(desk, error) })
  if (isMissing(error) && !form?.has('text')) return problemPage(visit, missing(visit))
  const away = error instanceof OutcomeUnknown ? words.refused.unknownAbout : words.refused.awayAbout
  return withText(
    visit,
    names,
    error instanceof Unavailable
      ? { title: words.refused.away, about: away, status: 503 }
      : isRefusal(error)
        ? {
            title: words.refused.refused,
            about: refusalText(desk, error),
            status: error instanceof Refused && error.code === 'mayNot' ? 403 : 422,
          }
        : { title: words.refused.failed, about: words.refused.failedAbout, status: 500 },
  )
}

/** A problem, with the text of the form, to be sent again. */
function withText(visit: Visit, names: Named, problem: Problem): Response {
  const { desk, form } = visit
  if (!form?.has('text')) return problemPage(visit, problem)
  const { version, ...name } = names
  const opened = version === NEW ? NEW : form.text('opened')
  return problemPage(
    visit,
    problem,
    html`<form method="post" action="${versionHref(desk, name, version)}" enctype="multipart/form-data">
${tokenField(visit)}${['label', 'title', 'date'].map((field) => hidden(field, form.text(field)))}${hidden('opened', opened)}${keptText(visit)}
<p class="act"><button type="submit" class="button main">${desk.words.refused.again}</button></p>
</form>`,
  )
}

const keptText = ({ desk, form }: Pick<Visit, 'desk' | 'form'>): Markup | null =>
  form?.has('text')
    ? html`<textarea class="kept" name="text" readonly aria-label="${desk.words.edit.notes}">
${form.text('text')}</textarea>`
    : null

function problemPage(visit: Visit, { title, about, status }: Problem, kept: Markup | null = null): Response {
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
${kept ?? html`<p class="act"><a class="button main" href="${homeHref(desk)}">${desk.words.refused.home}</a></p>`}
</main>`,
  })
}
