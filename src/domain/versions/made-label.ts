import { numberWord } from './number-words.ts'

/** Characters of a label that is made from a title: it is an address. */
const LONGEST = 60

/**
 * `Guests on every board` → `guests-on-every-board`. Letters of all scripts stay as they are. Empty for a text without any. What
 * is made so stays the same if it is made again.
 */
export function slugOf(title: string): string {
  const words = title
    .slice(0, 500)
    .replace(/\]\([^()]*\)|<[^<>]*>|:[a-z0-9_+-]+:|&#?\w+;/g, ' ')
    .normalize('NFC')
    .toLowerCase()
    .normalize('NFC')
    .replace(/['’ʼ`*]|\u00ad|\u0640/g, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^[-\p{M}]+|-+$/gu, '')
  if (words.length <= LONGEST) return words
  const whole = words.slice(0, LONGEST + 1).replace(/-[^-]*$/, '')
  return whole.length > LONGEST ? words.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '') : whole
}

/** Stands before a made label that would read as a number. */
export const ENTRY = 'entry'

/** Behind these, a number counts releases: `app-beta-2`. */
const COUNTED = /^(?:build|builds)$/

/**
 * True for a label of words with hyphens that is no number though it has one: `guests-on-every-board-2`. `core-2`, `app-rc-1`
 * and `my-app-1-2-0` are numbers.
 */
export function isMadeWithNumber(label: string): boolean {
  const parts = label.split('-')
  if (parts.length < 2 || !/\d/.test(label) || slugOf(label) !== label) return false
  if (parts[0] === ENTRY) return true
  const words = parts.filter((part) => /^[\p{L}\p{M}]+$/u.test(part))
  const unknown = words.filter((word) => numberWord(word) === null)
  if (unknown.length === 0 || /-\d+-\d+$/.test(label)) return false
  const before = parts[parts.findIndex((part) => /^\d/.test(part)) - 1]
  const word = before === undefined ? null : numberWord(before)
  if (word !== null && (word.kind !== 'release' || COUNTED.test(before ?? ''))) return false
  // A script without small letters may have no blanks between words.
  return words.length > 1 || !/\p{Ll}/u.test(label)
}
