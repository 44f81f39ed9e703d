import { derivedOf } from '../../domain/versions/derived.ts'
import { CHANGE_MARKS } from '../../domain/versions/marks.ts'
import { ALONE, type WrittenRelease } from '../../notes/writing.ts'
import type { VersionRead } from '../../store/store.ts'
import type { PageLanguage } from './languages/languages.ts'
import type { createRenderer } from './render-release.ts'
import { badge } from './templates/kinds.ts'

/**
 * A release as its author wrote it, in place of its texts and changes; items that are changes have their ids, so that links
 * lead to them, and marks. Null if it is a list, or more than a page has of a text: lists have further pages.
 */
export async function writeDocument(
  { formOf, release, pace }: ReturnType<typeof createRenderer>,
  language: PageLanguage,
  { source, version, ...product }: VersionRead,
): Promise<WrittenRelease | null> {
  if (!source || source.length > ALONE.text) return null
  await pace(source.length)
  if (!parser().isDocument(source)) return null
  const { changes } = version
  const kinds = version.kinds ?? derivedOf(version.label, changes).kinds
  const whole = { description: source, closing: null, changes: [], changeCount: 0, kinds }
  const written = await release(product, { ...version, ...whole }, 2, ALONE)
  if (written.isCut) return null
  const { line } = formOf(product)
  const items = written.description.split(/(?=<li>)/)
  // A title has one line, and what is above the first item is none.
  const texts = items.map((item, at) => (at === 0 ? '' : item.replace(ITEM, '').replaceAll('\n', ' ')))
  for (const change of changes) {
    const [title, own] = [await line(change.title), await line(change.title.replace(NAMES, ''))]
    const at = texts.findIndex((text) => text.startsWith(title) || text.startsWith(own))
    const isMarked = CHANGE_MARKS.breaking.of(change) && !SAYS_SO.test(change.title)
    const mark = isMarked ? `${badge(language, 'breaking')} ` : ''
    if (at > 0) items[at] = items[at]?.replace(ITEM, `<li id="${change.id}">$1${mark}`) ?? ''
    if (at > 0) texts[at] = ''
  }
  return { ...written, description: items.join(''), isDocument: true }
}

const ITEM = /^<li>(\s*(?:<p>)?(?:<input [^>]*> ?)?)/
/** Names of headings that imports put in front of a title, and the box of a task. */
const NAMES = /^(?:\*\*[^*]+:\*\* (?=\S))?(?:\[[ xX]\] )?/
/** Its author has marked it in front. */
const SAYS_SO = /^[^\p{L}]*breaking/iu

/** Loaded when first needed: most pages need none. */
const parser = () => require('../../notes/document.ts') as typeof import('../../notes/document.ts')
