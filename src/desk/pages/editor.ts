import { ACTS } from '../../acts/acts.ts'
import { picturePath } from '../../domain/addresses/paths.ts'
import { PICTURE_ENDING } from '../../domain/pictures.ts'
import type { ProductName } from '../../domain/records.ts'
import { storedStatus } from '../../domain/time/schedule.ts'
import { KINDS, type Kind } from '../../domain/versions/kinds.ts'
import { html, type Markup } from '../../notes/html/markup.ts'
import { plainName } from '../../notes/markdown.ts'
import { fillText, WORDS } from '../../words/languages.ts'
import type { Plural } from '../../words/words.ts'
import { type Oddity, oddities } from '../editing/checks.ts'
import { habitsOf, textLike } from '../editing/habits.ts'
import { type Draft, NEW_TEXT, type WrittenText } from '../editing/text.ts'
import { crumbLine, deskPage, hidden, PASTE_SCRIPT, refusal, tokenField } from '../layout.ts'
import { may, type Named, productHref, type Visit, versionHref } from '../visit.ts'

interface Shown {
  written: WrittenText
  /** What it was opened from. */
  opened: string
  /** How the text stands. */
  state: string
  /** The text was written, and is not saved. */
  isUnsaved?: true
  /** Why not. */
  message?: Markup
}

/** Markdown on the left, the page of the release on the right. */
export async function editor(visit: Visit, names: Named, draft: Draft, shown: Shown): Promise<Response> {
  const { product, before } = draft
  const { desk } = visit
  const { words } = desk
  const { version: id, ...name } = names
  const { opened, state, message, isUnsaved } = shown
  const habits = await desk.read((records) => habitsOf(records, product, before?.version.id))
  const { last } = habits
  const isLike = last !== null && visit.url.searchParams.get('like') === last.id && shown.written === NEW_TEXT
  const written = isLike ? { ...NEW_TEXT, text: textLike(last.headings) } : shown.written
  const isPublished = before?.version.status === 'published'
  const mayPublish = may(visit, ACTS.publish.needs)
  const mayNot = before && storedStatus(before.version) !== 'draft' && !mayPublish
  const why = message ?? (mayNot ? html`${words.reasons.mayNot}` : null)
  const own = versionHref(desk, name, id)
  const label = before ? plainName(before.version) : words.home.newRelease
  const kindWords = desk.language.words.kinds
  const known = habits.headings.size > 0
  const kinds = KINDS.filter((kind) => kind !== 'other' && (known || !QUICK.includes(kind)))
  const quick: [string, Kind][] = known
    ? [...habits.headings].slice(0, QUICK.length)
    : QUICK.map((kind) => [HEADINGS[kind], kind])
  const more = new Map([
    ...[...habits.headings.keys()].slice(QUICK.length).map((heading) => [heading, heading] as const),
    ...kinds.map((kind) => [HEADINGS[kind], kindWords[kind]] as const),
  ])
  for (const [heading] of quick) more.delete(heading)
  return deskPage(desk, {
    title: `${product.name} ${label}`,
    form: 'edit',
    status: message === undefined ? 200 : 422,
    body: html`<form class="editor" method="post" action="${own}" enctype="multipart/form-data" data-editor="${product.id} ${id}"${isPublished || mayNot ? null : html` data-auto`}${isUnsaved ? html` data-unsaved` : null} data-paste="${PASTE_SCRIPT}" data-pictures="${desk.base}${picturesPath(name)}">
${tokenField(visit)}${hidden('opened', opened)}
<div class="bar">
${crumbLine(desk, { name: product.name, href: productHref(desk, name) }, { name: label, href: null })}
<div class="end"><span class="saved" role="status" data-saved data-saving="${words.edit.saving}" data-unsaved="${isPublished ? words.edit.notByItself : words.edit.unsaved}" data-at="${words.edit.savedAt}" data-offline="${words.edit.offline}">${state}</span>
<noscript><button type="submit" class="button" formaction="${own}/preview" formtarget="preview">${words.edit.update}</button></noscript>
${
  mayNot
    ? null
    : isPublished
      ? html`<button type="submit" class="button main" name="do" value="save">${words.edit.updatePage}</button>`
      : html`<button type="submit" class="button by-hand" name="do" value="save">${words.edit.save}</button>
${mayPublish ? html`<button type="submit" class="button main" name="do" value="publish">${words.edit.publish}</button>` : null}`
}</div>
</div>
<div class="notice warning kept" role="status" hidden data-kept="${words.edit.kept}" data-words="${plurals(words.edit.words)}"><p><span><b></b> <q dir="auto"></q></span> <button type="button" class="link" data-take>${words.edit.restore}</button> <button type="button" class="link" data-drop>${words.edit.discard}</button></p></div>
<div class="tabs" role="group" aria-label="${words.product.show}"><label><input type="radio" name="tab" id="write" checked>${words.edit.write}</label><label><input type="radio" name="tab" id="preview">${words.edit.preview}</label></div>
<main class="panes">
<h1 class="hidden">${product.name} ${label}</h1>
<section class="write" aria-label="${words.edit.write}">
${refusal(why)}<input type="text" class="name" name="title" value="${written.title}" placeholder="${words.edit.title}" aria-label="${words.edit.title}" maxlength="1000" dir="auto" autocomplete="off"${before ? null : html` autofocus`}>
<a class="skip" href="#text">${words.edit.toText}</a>
<div class="meta"><input class="input" type="date" name="date" id="date" value="${written.day}" aria-label="${words.edit.date}"><input type="text" class="input mono" name="label" value="${written.label}" placeholder="${words.edit.labelOptional}" aria-label="${words.edit.labelOptional}" maxlength="128" list="next" autocomplete="off"><datalist id="next">${before ? null : habits.next.map((label) => html`<option value="${label}"></option>`)}</datalist>${
      before === null && last && written.text === ''
        ? html`<a class="like" href="${own}?like=${last.id}" data-start="${textLike(last.headings)}">${fillText(words.edit.like, { label: last.name })}</a>`
        : null
    }</div>
<div class="toolbar" role="toolbar" aria-label="${words.edit.format}">
${tool('bold', `${words.edit.bold}, Ctrl+B`, 'M4 2.5h4.6a2.7 2.7 0 0 1 0 5.4H4zM4 7.9h5.4a2.8 2.8 0 0 1 0 5.6H4z', 2)}
${tool('italic', `${words.edit.italic}, Ctrl+I`, 'M6.5 2.8h5M4.5 13.2h5M9.6 2.8 6.4 13.2')}
${tool('link', `${words.edit.link}, Ctrl+K`, 'M6.7 9.3a2.8 2.8 0 0 0 4 0l2.2-2.2a2.8 2.8 0 0 0-4-4l-.9.9M9.3 6.7a2.8 2.8 0 0 0-4 0L3.1 8.9a2.8 2.8 0 0 0 4 4l.9-.9')}
${tool('list', words.edit.list, 'M6 4h7.5M6 8h7.5M6 12h7.5M2.6 4h.01M2.6 8h.01M2.6 12h.01')}
${tool('code', words.edit.code, 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5')}
<label title="${words.pictures.picture}">${icon('M3.8 2.8h8.4a2 2 0 0 1 2 2v6.4a2 2 0 0 1-2 2H3.8a2 2 0 0 1-2-2V4.8a2 2 0 0 1 2-2zM5.4 6.2h.01M2.2 12l3.6-3.2L8 10.6l2.7-3 3.4 3.3')}<input type="file" name="picture" aria-label="${words.pictures.picture}" accept="image/png,image/jpeg,image/webp,image/gif"></label>
<i></i>
${quick.map(
  ([heading, kind]) =>
    html`<button type="button" class="dot ${kind}" data-heading="${heading}">${known ? heading : kindWords[kind]}</button>\n`,
)}<details class="menu"><summary>${words.edit.more}</summary><ul>${[...more].map(
      ([heading, shown]) => html`<li><button type="button" data-heading="${heading}">${shown}</button></li>`,
    )}</ul></details>
</div>
<div class="paper"><textarea name="text" id="text" aria-label="${words.edit.notes}" placeholder="${words.edit.placeholder}" spellcheck="true" dir="auto">
${written.text}</textarea><div class="ink" aria-hidden="true" data-ink></div></div>
${pictureFeet(visit)}<div data-checks>${checkList(visit, written, draft)}</div>
</section>
<section class="view" aria-label="${words.edit.preview}">
<iframe class="sheet" name="preview" title="${words.edit.preview}" src="${own}/preview" sandbox="allow-same-origin"></iframe>
</section>
</main>
</form>`,
  })
}

const plurals = (words: Plural): string => [words].flat().join('|')

/** Where the desk has the pictures of a product. */
const picturesPath = ({ team, product }: ProductName): string =>
  picturePath(team, product, '').slice(0, -PICTURE_ENDING.length)

/** The kinds with a button of their own. */
const QUICK: readonly Kind[] = ['added', 'changed', 'fixed']

/** The headings of Keep a Changelog, whatever the language of the desk. */
const HEADINGS = WORDS.en.kinds

const tool = (name: string, label: string, path: string, width = 1.6): Markup =>
  html`<button type="button" data-format="${name}" aria-label="${label}" title="${label}">${icon(path, width)}</button>`

const icon = (path: string, width = 1.6): Markup =>
  html`<svg viewBox="0 0 16 16" aria-hidden="true"><path stroke-width="${width}" d="${path}"/></svg>`

/** What the script shows of pictures: one that is sent, one that is placed, and those that were refused. */
function pictureFeet({ desk }: Visit): Markup {
  const { pictures: words } = desk.words
  return html`<div class="foot shot" hidden data-sending="${words.sending}"><img src="data:," alt=""><div><p dir="auto">… <span class="quiet"></span></p><progress max="1" aria-label="${words.upload}"></progress></div><button type="button" class="button">${words.cancel}</button></div>
<div class="foot caution refused" role="alert" hidden data-refused data-large="${words.large}" data-kind="${words.kind}" data-failed="${words.failed}"><ul></ul><button type="button" class="shut" aria-label="${words.close}">×</button></div>
<section class="strip" aria-label="${words.inText}" hidden data-strip data-all="${plurals(words.count)}" data-one="${plurals(words.bare)}">
<p><b></b> <span class="warning"></span></p>
<ul><li><img src="data:," alt=""><textarea class="input" rows="2" dir="auto" data-about="${words.about}" placeholder="${words.shows}"></textarea><button type="button" class="shut" data-about="${words.remove}">×</button></li></ul>
</section>
`
}

/** What is odd about a text, with its lines. */
export function checkList({ desk }: Visit, written: WrittenText, { before, pictures }: Draft): Markup {
  const found = oddities(written, {
    now: desk.now(),
    isPublished: before?.version.status === 'published',
    pictures,
  })
  if (found.length === 0) return html``
  const { words, language } = desk
  const say = ({ code, about }: Oddity): string =>
    fillText(words.checks[code], {
      line: about,
      words: about,
      day: code === 'dateAhead' ? language.day(Date.parse(about)) : '',
    })
  const place = ({ line }: Oddity): Markup =>
    line === null
      ? html`<a href="#date">${words.edit.date}</a>`
      : html`<a href="#text" data-line="${line}">${fillText(words.checks.line, { line: language.number(line) })}</a>`
  return html`<div class="foot warning" role="status"><strong>${language.counted(words.checks.count, found.length)}</strong>
<ul>
${found.map((each) => html`<li>${place(each)}<span>${say(each)}</span></li>\n`)}</ul>
</div>`
}
