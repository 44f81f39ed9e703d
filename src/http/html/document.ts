import { withoutNotes } from '../../domain/text/footnotes.ts'
import { derivedOf } from '../../domain/versions/derived.ts'
import { kindOf } from '../../domain/versions/kinds.ts'
import { signsOf } from '../../domain/versions/marks.ts'
import { ALONE, isLong, type Pace, type WrittenRelease } from '../../notes/writing.ts'
import type { VersionContent, VersionRead } from '../../store/store.ts'
import type { PageLanguage } from '../../words/languages.ts'
import { pointTo, signBadges } from './release.ts'
import type { createRenderer } from './renderer.ts'

/** A version whose text is all that its author wrote. Null if that is a list, or more than a page has of a text. */
export async function asDocument(
  { source, version }: VersionRead,
  pace: Pace,
): Promise<VersionContent | null> {
  if (!source || isLong(source)) return null
  await pace(source)
  if (!parser().isDocument(source)) return null
  const kinds = version.kinds ?? derivedOf(version).kinds
  return { ...version, description: source, closing: null, changes: [], changeCount: 0, kinds }
}

/**
 * A release as its author wrote it, in place of its texts and changes; items and paragraphs that are changes have their ids, so
 * that links lead to them, and marks. Null if it is a list.
 */
export async function writeDocument(
  { formOf, release, pace }: ReturnType<typeof createRenderer>,
  language: PageLanguage,
  read: VersionRead,
): Promise<WrittenRelease | null> {
  const whole = await asDocument(read, pace)
  const written = whole && (await release(read, whole, 2, ALONE))
  if (!written || written.isCut) return null
  const { line } = formOf(read, read.version.grounds)
  const parts = written.description.split(PART)
  // A title has one line and no footnotes. The text above the first part has no changes.
  const texts = parts.map((part, at) =>
    at === 0 ? '' : part.replace(OPENING, '').replace(NOTE, '').replaceAll('\n', ' '),
  )
  let last = 0
  for (const change of read.version.changes) {
    const words = withoutNotes(change.title)
    const [title, own] = [await line(words), await line(words.replace(NAMES, ''))]
    const at = texts.findIndex((text) => text.startsWith(title) || text.startsWith(own))
    // An author's own mark in front is enough.
    const signs = signsOf(change).filter((sign) => !new RegExp(`^\\P{L}*${sign}`, 'iu').test(change.title))
    const badges = signBadges(language, { signs }, kindOf(change.type, change.typeLabel)).join('')
    last = at > 0 ? at : last
    // A change that is not found gets its place near the one before it.
    parts[last] =
      at > 0
        ? (parts[at]?.replace(OPENING, `<$1 id="${change.id}">${pointTo(language, change.id)}$2${badges}`) ??
          '')
        : `${parts[last]}`.replace(/^(?:<(?:li|p)(?: id="[^"]*")?>)?/, `$&<span id="${change.id}"></span>`)
    if (at > 0) texts[at] = ''
  }
  return { ...written, description: parts.join(''), isDocument: true }
}

/** Where an item or a paragraph begins. */
const PART = /(?=<li>|<p>(?<!<li>\s*<p>))/
const OPENING = /^<(li|p)>(\s*(?:<p>)?(?:<input [^>]*> ?)?)/
/** As the renderer writes a footnote's mark. */
const NOTE = /<sup><a(?: id="[^"]*")? href="#note-[^>]*>[^<]*<\/a><\/sup>/g
/** Names of headings that imports put in front of a title, and the box of a task. */
const NAMES = /^(?:\*\*[^*]+:\*\* (?=\S))?(?:\[[ xX]\] )?/

/** Loaded when first needed: most pages need none. */
const parser = () => require('../../notes/document.ts') as typeof import('../../notes/document.ts')
