import type { Change, Version } from '../domain/records.ts'
import { NOTE_LABEL } from '../domain/text/footnotes.ts'
import { edited } from './edits.ts'

/** Footnotes of releases that are parts of one document, in which a label counts for all of it. */

type Noted = Pick<Version, 'id' | 'description' | 'closing'> & {
  changes: readonly Pick<Change, 'title' | 'description'>[]
}

/** In front of a definition there may be marks of lists and quotes. */
const DEFINITION = new RegExp(`^[ >*+-]*\\[\\^(${NOTE_LABEL})\\]:`, 'gm')
const NOTE = new RegExp(`\\[\\^(${NOTE_LABEL})\\]`, 'g')
/** With the colon of a definition. */
const WHOLE_NOTE = new RegExp(`${NOTE.source}(?:(?<=^[ >*+-]*\\[\\^\\S+):[ \\t]*)?`, 'gm')

/** Stand for the brackets of a footnote until it is written: no parser takes them for those of a link. */
const [OPEN, CLOSE] = ['\uE000', '\uE001']

/** The release with a word of its own in the labels that it defines. They are hidden until `showNotes`. */
export function hideNotes<Release extends Noted>(release: Release): Release {
  const word = release.id.slice(-6)
  return rewriteNotes(release, NOTE, (label) => `${OPEN}${label}-${word}${CLOSE}`)
}

/** A page cannot lead from one text of a release to another: there, references go, and notes are text. */
export const dropLooseNotes = <Release extends Noted>(release: Release): Release =>
  rewriteNotes(release, WHOLE_NOTE, (label, text) => (text.split(`[^${label}]`).length > 2 ? null : ''))

/** Replaces the notes that the release defines, unless `write` gives null for one in this text. */
function rewriteNotes<Release extends Noted>(
  release: Release,
  pattern: RegExp,
  write: (label: string, text: string) => string | null,
): Release {
  const { description, closing, changes } = release
  const texts = [description, closing, ...changes.map((change) => change.description)]
  if (!texts.some((text) => text?.includes('[^') && text.includes(']:'))) return release
  const labels = new Set(texts.flatMap((text) => found(text, DEFINITION)).map(({ label }) => label))
  if (labels.size === 0) return release
  const rewritten = <Text extends string | null>(given: Text) => {
    const own = found(given, pattern).filter(({ label }) => labels.has(label))
    const edits = own.flatMap(({ label, ...range }) => {
      const text = write(label, given ?? '')
      return text === null ? [] : { ...range, text }
    })
    return (given && edited(given, edits)) as Text
  }
  return {
    ...release,
    description: rewritten(description),
    closing: rewritten(closing),
    changes: changes.map((change) => ({
      ...change,
      title: rewritten(change.title),
      description: rewritten(change.description),
    })),
  }
}

export const showNotes = (text: string): string =>
  text.includes(OPEN) ? text.replaceAll(OPEN, '[^').replaceAll(CLOSE, ']') : text

/** More would delay other requests, and no page shows more of a text. */
export const MOST_PARSED = 30_000

/** Matches of a pattern in a text, except in its code, unless it is very long. */
function found(text: string | null, pattern: RegExp) {
  if (!text?.includes('[^')) return []
  const searched = text.length > MOST_PARSED ? text : parser().withoutCode(text)
  return [...searched.matchAll(pattern)].map(({ 0: { length }, 1: label = '', index: start }) => {
    return { label, start, end: start + length }
  })
}

/** Loaded when first needed, as for `authored.ts`. */
const parser = () => require('./in-place.ts') as typeof import('./in-place.ts')
