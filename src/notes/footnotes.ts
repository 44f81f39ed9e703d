import { mapRows } from '../domain/objects.ts'
import type { Change } from '../domain/records.ts'
import { NOTE_LABEL } from '../domain/text/footnotes.ts'
import { type VersionTexts, versionTexts } from '../domain/versions/properties.ts'
import { outsideCode } from './code.ts'
import { edited } from './edits.ts'
import { isLong, type Pace } from './writing.ts'

/** Footnotes of releases that are parts of one document, in which a label counts for all of it. */

type Noted = VersionTexts & {
  id: string
  changes: readonly Pick<Change, 'title' | 'description'>[]
}

/** With the colon of a definition, in front of which there may be marks of lists and quotes. */
const NOTE = new RegExp(`\\[\\^(${NOTE_LABEL})\\](?:(?<=^[ >*+-]*\\[\\^\\1\\])(:[ \\t]*))?`, 'gm')

/** Stand for the brackets of a footnote until it is written: no parser takes them for those of a link. */
const [OPEN, CLOSE] = ['\uE000', '\uE001']

/** The release with a word of its own in the labels that it defines. They are hidden until `showNotes`. */
export function hideNotes<Release extends Noted>(release: Release, pace: Pace): Promise<Release> {
  const word = release.id.slice(-6)
  return rewriteNotes(release, pace, (label, colon) => `${OPEN}${label}-${word}${CLOSE}${colon}`)
}

/** A page cannot lead from one text of a release to another: there, references go, and notes are text. */
export const dropLooseNotes = <Release extends Noted>(release: Release, pace: Pace): Promise<Release> =>
  rewriteNotes(release, pace, (_, __, times) => (times > 1 ? null : ''))

/** Replaces the notes that the release defines, unless it is very long or `write` gives null for a label in a text. */
async function rewriteNotes<Release extends Noted>(
  release: Release,
  pace: Pace,
  write: (label: string, colon: string, times: number) => string | null,
): Promise<Release> {
  const { changes } = release
  const ofVersion = versionTexts(release)
  const texts = [
    ...Object.values(ofVersion),
    ...changes.flatMap(({ title, description }) => [title, description]),
  ]
  const noted = texts.filter((text) => text?.includes('[^')).join('\n')
  if (!noted.includes(']:') || isLong(noted)) return release
  await pace(noted)
  const notes = new Map(texts.map((text) => [text, notesIn(text)]))
  const labels = new Set([...notes.values()].flat().map(({ label, colon }) => colon && label))
  const rewritten = <Text extends string | null>(given: Text) => {
    const own = (notes.get(given) ?? []).filter(({ label }) => labels.has(label))
    const times = Map.groupBy(own, ({ label }) => label)
    const edits = own.flatMap(({ label, colon, ...range }) => {
      const text = write(label, colon, times.get(label)?.length ?? 0)
      return text === null ? [] : { ...range, text }
    })
    return (given && edited(given, edits)) as Text
  }
  return {
    ...release,
    ...mapRows(ofVersion, rewritten),
    changes: changes.map((change) => ({
      ...change,
      title: rewritten(change.title),
      description: rewritten(change.description),
    })),
  }
}

export const showNotes = (text: string): string =>
  text.includes(OPEN) ? text.replaceAll(OPEN, '[^').replaceAll(CLOSE, ']') : text

/** The notes of a text, except in its code. */
function notesIn(text: string | null) {
  if (!text?.includes('[^')) return []
  const found = outsideCode(text).matchAll(NOTE)
  return [...found].map(({ 0: { length }, 1: label = '', 2: colon = '', index: start }) => {
    return { label, colon, start, end: start + length }
  })
}
