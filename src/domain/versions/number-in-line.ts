import { readNumber, type VersionNumber } from './number.ts'
import { numberWord } from './number-words.ts'

/** A label in a line of text. */
export interface LabelInLine {
  /** Where it begins, with its package and `v`, and ends. */
  start: number
  end: number
  label: string
  number: VersionNumber
}

/** `name@1.2.0`, `ethers/v6.17.0`, `pkg-v1.2.0`, `GDB-4.18`. */
const NAME = '(?:(?:@[\\w.-]{1,80}/)?[A-Za-z][\\w.-]{0,80}[@/-])?'
/** `-8. September 2026` behind a number is a date. */
const DATE_BEHIND = '-\\d{1,2}(?:st|nd|rd|th|er|[.º])?\\s+(?:de\\s+)?[^\\s\\d]{3,}\\s+(?:de\\s+)?\\d{4}\\b'
const SUFFIX = `(?:(?!${DATE_BEHIND})(?:[-+._]|~(?=[A-Za-z]|\\d+(?![.\\d]))|@(?=alpha|beta|rc))[0-9A-Za-z]+)`
/** The source of an expression, which ignores case: two numbers or more, or one with a stage, as GNOME's `43.rc`. */
export const NUMBER = `(?:v\\.?)?\\d+(?:(?:\\.\\d+)+|\\.(?=(?:alpha|beta|rc)(?![a-z])))[0-9A-Za-z]*${SUFFIX}*`
const LABEL = new RegExp(`(?<![\\w.%@/+-])${NAME}${NUMBER}(?![%\\w]|\\.\\w)`, 'gi')
/** `4.5 Beta`, `1.0 rc 2`: words belong to the label only if a date, a separator or nothing follows. */
const STAGE = /[ ](\p{L}{1,20})(?:[ .-]?\d{1,3}(?![\d./-]))?(?=\s*(?:$|[-–—:,;/|()[*_=\]]|\d))/uy

/** Finds the labels in a line that have at least two numbers, or a stage. */
export function* labelsIn(line: string): Generator<LabelInLine> {
  for (const match of line.matchAll(LABEL)) {
    const start = match.index
    STAGE.lastIndex = start + match[0].length
    const [words = '', word = ''] = STAGE.exec(line) ?? []
    const own = numberWord(word)?.kind === 'stage' ? words : ''
    const label = match[0] + own
    const number = readNumber(label)
    if (number !== null) yield { start, end: start + label.length, label, number }
  }
}
