import type { Change } from '../../domain/records.ts'
import { derivedOf } from '../../domain/versions/derived.ts'
import { isBreaking } from '../../domain/versions/kinds.ts'
import { ALONE, type WrittenRelease } from '../../notes/writing.ts'
import type { VersionRead } from '../../store/store.ts'
import type { PageLanguage } from './languages/languages.ts'
import type { createRenderer } from './render-release.ts'
import { badge } from './templates/kinds.ts'

/**
 * A release as its author wrote it, in place of its texts and changes. Null if that is a list, or more than a page has of a
 * text: lists have further pages.
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
  const texts = { description: source, closing: null, changes: [], changeCount: 0, kinds }
  const written = await release(product, { ...version, ...texts }, 2, ALONE)
  if (written.isCut) return null
  const form = formOf(product)
  const titled: TitledChange[] = []
  for (const change of changes) {
    const [title, own] = [change.title, change.title.replace(NAMES, '')]
    const beginnings = [await form.line(title), ...(own === title ? [] : [await form.line(own)])]
    titled.push({ ...change, beginnings })
  }
  const mark = `${badge(language, 'breaking')} `
  return { ...written, description: withChanges(written.description, titled, mark), isDocument: true }
}

interface TitledChange extends Change {
  /** How the item of the change may begin. */
  beginnings: string[]
}

/** The author has marked it in front. */
const SAYS_SO = /^[^\p{L}]*breaking/iu

/** Names of headings that imports put in front of a title. */
const NAMES = /^\*\*[^*]+:\*\* (?=\S)/

/** Items that are changes have their ids, so that links lead to them, and the mark if they break something. */
function withChanges(html: string, changes: readonly TitledChange[], mark: string): string {
  // A title has one line.
  const text = html.replaceAll('\n', ' ')
  const items = [...text.matchAll(/<li>(?: <p>)?/g)].map(({ 0: { length }, index: start }) => ({
    ...{ start, end: start + length },
  }))
  let [result, at, next] = ['', 0, 0]
  for (const { id, beginnings, ...change } of changes) {
    const found = items.findIndex(
      ({ end }, place) => place >= next && beginnings.some((each) => text.startsWith(each, end)),
    )
    const item = items[found]
    if (!item) continue
    next = found + 1
    const open = html.slice(item.start, item.end).replace('<li', `<li id="${id}"`)
    const isMarked = isBreaking(change) && !SAYS_SO.test(change.title)
    result += html.slice(at, item.start) + open + (isMarked ? mark : '')
    at = item.end
  }
  return result + html.slice(at)
}

/** Loaded when first needed: most pages need none. */
const parser = () => require('../../notes/document.ts') as typeof import('../../notes/document.ts')
