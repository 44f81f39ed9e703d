import type { Change, Version } from '../domain/records.ts'
import { cutAtLine } from '../domain/text/cut.ts'
import { NOTE_LABEL } from '../domain/text/footnotes.ts'
import { edited } from './edits.ts'

/** Footnotes of releases that are parts of one document, in which a label counts for all of it. */

type Noted = Pick<Version, 'id' | 'description' | 'closing'> & {
  changes: readonly Pick<Change, 'title' | 'description'>[]
}

/**
 * A definition with its colon, or a reference. In front of a definition there may be marks of lists and quotes: only a bracket
 * looks back for them, so that a line of nothing but marks is read once.
 */
const NOTE = new RegExp(
  `\\[(?<=^[ >*+-]*.)\\^(?<defined>${NOTE_LABEL})\\](?<colon>:[ \\t]*)|\\[\\^(?<used>${NOTE_LABEL})\\]`,
  'gm',
)

/** Stand for the brackets of a footnote until it is written: no parser takes them for those of a link. */
const [OPEN, CLOSE] = ['\uE000', '\uE001']

/** The release with a word of its own in the labels that it defines. They are hidden until `showNotes`. */
export function hideNotes<Release extends Noted>(release: Release): Release {
  const word = release.id.slice(-6)
  return rewriteNotes(release, ({ label, colon }) => `${OPEN}${label}-${word}${CLOSE}${colon}`)
}

/** A page cannot lead from one text of a release to another: there, references go, and notes are text. */
export const dropLooseNotes = <Release extends Noted>(release: Release): Release =>
  rewriteNotes(release, (_, isOnly) => (isOnly ? '' : null))

/**
 * Replaces the notes that the release defines, unless `write` gives null for one, which may be the only one of its label in a
 * text. Those of a very long release stay.
 */
function rewriteNotes<Release extends Noted>(
  release: Release,
  write: (note: Note, isOnly: boolean) => string | null,
): Release {
  const { description, closing, changes } = release
  const all = [description, closing, ...changes.flatMap(({ title, description }) => [title, description])]
  const texts = all.filter((text) => text?.includes('[^')) as string[]
  if (!texts.some((text) => text.includes(']:')) || isLong(texts.join('\n'))) return release
  const notes = new Map(texts.map((text) => [text as string | null, notesIn(text)]))
  const defined = [...notes.values()].flat().filter(({ colon }) => colon)
  const labels = new Set(defined.map(({ label }) => label))
  const rewritten = <Text extends string | null>(given: Text) => {
    const own = notes.get(given)?.filter(({ label }) => labels.has(label)) ?? []
    const times = Map.groupBy(own, ({ label }) => label)
    const edits = own.flatMap((note) => {
      const text = write(note, times.get(note.label)?.length === 1)
      return text === null ? [] : { ...note, text }
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
const MOST_PARSED = 30_000

export const isLong = (text: string): boolean => cutAtLine(text, MOST_PARSED).length < text.length

interface Note {
  label: string
  /** Empty for a reference. */
  colon: string
  start: number
  end: number
}

/** The notes of a text, except in its code. */
const notesIn = (text: string): Note[] =>
  [...parser().withoutCode(text).matchAll(NOTE)].map(({ 0: { length }, index: start, groups }) => {
    const { defined, used = '', colon = '' } = groups ?? {}
    return { label: defined ?? used, colon, start, end: start + length }
  })

/** Loaded when first needed, as for `authored.ts`. */
const parser = () => require('./in-place.ts') as typeof import('./in-place.ts')
