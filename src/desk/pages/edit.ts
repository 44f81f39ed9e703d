import { ACTS } from '../../acts/acts.ts'
import { said } from '../../domain/reasons.ts'
import { isRefusal } from '../../domain/refusal.ts'
import { storedStatus } from '../../domain/time/schedule.ts'
import { hiddenChangelog } from '../../domain/versions/hidden.ts'
import { html } from '../../notes/html/markup.ts'
import { isSameStamp } from '../../transfer/stamp.ts'
import {
  bothOf,
  type Draft,
  FACTS,
  findText,
  isSameText,
  labelOf,
  NEW,
  NEW_TEXT,
  openedField,
  openedOf,
  openText,
  readDraft,
  readText,
  stampIn,
  type WrittenText,
} from '../editing/text.ts'
import { moment } from '../moments.ts'
import { performing } from '../perform.ts'
import { htmlResponse, seeOther } from '../respond.ts'
import { type Desk, type Named, type Sent, type Visit, versionHref } from '../visit.ts'
import { conflictPage } from './conflict.ts'
import { checkList, editor } from './editor.ts'
import { addPicture, pictureIn } from './picture.ts'
import { isMissing, refusalLine, refusalText } from './refused.ts'

/** The editor of a stored text, or of a new one. */
export async function editPage(visit: Visit, names: Named): Promise<Response> {
  const { desk, url } = visit
  const draft = await desk.read((records) => readDraft(records, names))
  const hasSaved = url.searchParams.has('saved')
  return editor(visit, names, draft, {
    written: draft.before ?? NEW_TEXT,
    opened: openedField(draft.before),
    state: stateText(desk, draft, hasSaved),
  })
}

/** The text of a form. */
const writtenIn = ({ form }: Sent): WrittenText => ({
  label: form.text('label').trim(),
  title: form.text('title').trim(),
  day: form.text('date'),
  text: form.text('text'),
})

/** Saves, and leads on to the editor or to publishing. Nothing is saved if somebody has changed the version. */
export async function saveText(visit: Sent, names: Named): Promise<Response> {
  const { desk, form } = visit
  const { version, ...name } = names
  const written = writtenIn(visit)
  const keep = form.text('keep')
  if (keep === 'theirs') return seeOther(versionHref(desk, name, version))
  try {
    if (FACTS.every((fact) => written[fact] === '') && written.text.trim() === '')
      throw said(desk.words.edit.nothing)
    const isAuto = form.text('do') === 'auto'
    const picture = await pictureIn(visit)
    const saved = await performing(visit, ACTS.save, async (run, by) => {
      const draft = await readDraft(by.records, names)
      const { product, before } = draft
      const shown = picture && (await addPicture(by, name, picture, desk)).shown
      const whole = shown ? { ...written, text: `${written.text.trimEnd()}\n\n${shown}` } : written
      const label = await labelOf(by.records, product, whole, before)
      const stored = before ?? (await findText(by.records, product, label))
      // Pressed twice, or sent again after its answer was lost.
      if (stored && isSameText(whole, stored)) return { product, text: stored }
      if (!isSameStamp(stampIn(form.text('opened')), before?.opened.stamp ?? NEW))
        return { conflict: { draft, whole } }
      // It became public on schedule.
      if (isAuto && before?.version.status === 'published') throw said(desk.words.edit.notByItself)
      const { version: read } = readText({ ...whole, label }, before)
      const { version } = await run(product, before && openedOf(before), read)
      return { product, text: await openText(by.records, version) }
    })
    if (saved.conflict && isAuto) return Response.json({ problem: desk.words.edit.conflict })
    if (saved.conflict) return await conflictPage(visit, names, saved.conflict.draft, saved.conflict.whole)
    const { product, text } = saved
    const { id } = text.version
    const to = versionHref(desk, name, id)
    if (isAuto) return Response.json({ to, editor: `${product.id} ${id}`, opened: openedField(text) })
    const isPublishing = form.text('do') === 'publish'
    return seeOther(isPublishing ? `${to}/publish` : `${to}?saved`)
  } catch (error) {
    return unsaved(visit, names, written, error)
  }
}

/** The editor again, with the text and why it was not saved. */
async function unsaved(visit: Sent, names: Named, written: WrittenText, error: unknown): Promise<Response> {
  const { desk, form } = visit
  if (!isRefusal(error)) throw error
  const isGone = isMissing(error)
  // A version that was deleted meanwhile is saved as a new one.
  const own = isGone ? { ...names, version: NEW } : names
  const draft = await desk.read((records) => readDraft(records, own))
  if (form.text('do') === 'auto')
    return Response.json({ problem: isGone ? desk.words.refused.deleted : refusalText(desk, error) })
  return editor(visit, own, draft, {
    written,
    opened: isGone ? NEW : form.text('opened'),
    state: desk.words.edit.unsaved,
    isUnsaved: true,
    message: isGone ? html`${desk.words.refused.deleted}` : await refusalLine(desk, names, error),
  })
}

/** Both texts together, to be saved over theirs. */
export async function editTogether(visit: Sent, names: Named): Promise<Response> {
  const { desk } = visit
  const written = writtenIn(visit)
  try {
    const draft = await desk.read((records) => readDraft(records, names))
    const { before } = draft
    return editor(visit, names, draft, {
      written: before ? bothOf(written, before, visit.form.text('was')) : written,
      opened: openedField(before),
      state: desk.words.edit.unsaved,
      isUnsaved: true,
    })
  } catch (error) {
    return unsaved(visit, names, written, error)
  }
}

/** The page of the text in a form, or of the stored one: for a frame, or with what is odd as JSON. */
export async function previewOf(visit: Visit, names: Named): Promise<Response> {
  const { desk, form } = visit
  const draft = await desk.read((records) => readDraft(records, names))
  const { product, before } = draft
  const written = form ? writtenIn({ ...visit, form }) : (before ?? NEW_TEXT)
  const isAsked = form?.text('as') === 'json'
  const checks = checkList(visit, written, draft).toString()
  try {
    const { version: text } = readText(
      { ...written, label: written.label || before?.version.label || '…' },
      before,
    )
    const page = await desk.pageOf({ product, version: before?.version ?? null, text, now: desk.now() })
    return isAsked ? Response.json({ page: await page.text(), checks }) : page
  } catch (error) {
    if (!isRefusal(error)) throw error
    const problem = refusalText(desk, error)
    return isAsked ? Response.json({ problem, checks }) : htmlResponse(Bun.escapeHTML(problem), 422)
  }
}

/** What the state line says: how the text stands, and who sees it. */
function stateText(desk: Desk, { product, before }: Draft, hasSaved: boolean): string {
  const { words } = desk
  if (!before) return words.edit.isNew
  const { version } = before
  const state = storedStatus(version)
  const text = {
    draft: words.edit.draft,
    scheduled: words.edit.scheduled.replace('{time}', moment(desk, version.publishedAt)),
    published:
      hiddenChangelog(product).length === 0
        ? words.edit.published.replace('{day}', desk.language.day(version.publishedAt))
        : words.edit.publishedHidden,
  }[state]
  return hasSaved ? `${words.edit.saved} · ${text}` : text
}
