import { decodeString } from 'micromark-util-decode-string'
import { UNRELEASED } from '../../../domain/records.ts'
import { namesMonth } from '../../../domain/time/date-forms.ts'
import { compareNumbers } from '../../../domain/versions/number.ts'
import { NUMBER } from '../../../domain/versions/number-in-line.ts'
import {
  ABOUT_A_VERSION,
  AFTER_LABEL,
  anyOf,
  CHANGES,
  DASHES,
  PENDING_LABELS,
  UNRELEASED_WORD,
  VERSION_WORDS,
} from '../vocabulary.ts'
import { type FoundDate, findDate, findDigits, only } from './dates.ts'

export interface VersionLabel {
  /** `version` is a number such as 1.2.0; `other` may be no label at all. */
  kind: 'version' | 'unreleased' | 'other'
  text: string
  /** Its end in the visible text. */
  end: number
  /** Where the title begins: at the label's end, or before the label in `Version 1.2.0`. */
  titleStart: number
  /** A date before the label, or as the label. */
  date: FoundDate | null
  isDate: boolean
  /** Other words follow a name and its number: a heading has no such label. */
  isLoose?: boolean
}

/** `4.5 Beta`, `1.0 rc 2`: the words belong to the label if only a date or a separator follows. */
const STAGE = `(?: (?:alpha|beta|rc|preview|milestone)(?:[ .-]?\\d{1,3}(?![\\d./-]))?(?=\\s*(?:$|[${DASHES}:,;/|()[*_=]|\\d)))?`
/** `1.7.(1-2)`, `v2.7.{0,1}`, `v0.9.6/v0.9.7`, `2.4.4/5`: several versions in one. */
const SEVERAL = `v?\\d+(?:\\.\\d+)*\\.(?:\\{[\\d., -]+\\}|\\([\\d., -]+\\))|${NUMBER}/(?:${NUMBER}|\\d{1,2}(?![\\d./-]))`
/** `name@1.2.0`, and tags: `ethers/v6.17.0`, `pkg-v1.2.0`, `@scope/pkg-v1.2.0`. */
const PACKAGE = `(?:@[\\w.-]+/)?(?:[\\w.-]+@|[A-Za-z][\\w.-]*(?:/|-(?=v)))${NUMBER}`
/** In front of a number without a blank: `GDB-4.18`, `foo-bar-1.2`. */
const NAME = '(?:(?:[A-Za-z][\\w+.]*-){1,4})'
/** Letters of East Asia and emoji follow without a blank: `1.2.0版本`, `1.2.0🎄`. */
const END = `(?=$|[${AFTER_LABEL}<*_=~\`\\u2600-\\u27bf\\ud83c-\\ud83e\\u3001-\\u9fff\\uac00-\\ud7af]|\\.(?:$|[\\s,:;/(-]))`

const UNRELEASED_LABEL = new RegExp(
  `^(?:\\[\\s*)?${UNRELEASED_WORD}(?:\\s*\\])?(?=$|[\\s${DASHES}:(,/[])(?<noun>\\s+(?:changes|version))?`,
  'i',
)
const PENDING_LABEL = new RegExp(`^${anyOf(PENDING_LABELS)}(?=\\s*$|\\s*[${DASHES}(/])`, 'iu')
/** `0.3.0 to 0.3.1`, `from 0.3.0 to 0.3.1`, `0.3.0 & 0.3.1` */
const RANGE_LABEL = new RegExp(
  `^(?:(?:from|${anyOf(VERSION_WORDS)})\\s+)?(?<from>${NUMBER})\\s+(?:to|&|=+>|-+>|→)\\s+(?<to>${NUMBER})${END}`,
  'i',
)
const PLAIN_LABEL = new RegExp(`^(?:${PACKAGE}|${SEVERAL}|${NUMBER}${STAGE})${END}`, 'i')
/** `12`, `20210210a` */
const WHOLE = 'v?\\d+[a-z]?'
/** `Version 1.2.0`, `2026.12 Version 1.2.0` */
const WORDED_LABEL = new RegExp(
  `^(?:for\\s+|(?:19|20)\\d\\d\\.\\d\\d\\s+)?(?:${anyOf(VERSION_WORDS)}\\s*:?\\s*|v\\s(?=\\d+\\.\\d))\\+*(?<own>${NUMBER}${STAGE}|(?<=[\\s:])[A-Za-z][\\w-]*[/-]${NUMBER}|${WHOLE}(?:/${WHOLE})?)${END}`,
  'i',
)
/** A hyphen right after a number makes it another word: `3-way merge`. */
const LOOSE_LABEL = new RegExp(
  `^(?:v?\\d+(?:\\.\\d+)*(?:\\.[x*])+|v?\\d+(?!-\\S)|[abr]\\d{1,3}(?=\\s*$|\\s+[${DASHES}(]))${END}`,
  'i',
)
/** `Product 1.2.0`, `product [1.2.0]`, `libproduct-1.2.0`, `product1.2.0`. */
const NAMED_LABEL = new RegExp(
  `^(?:(?:(?!${anyOf(ABOUT_A_VERSION)}\\b)\\S+\\s+){1,4}?[([]?${NAME}?|${NAME}|[A-Za-z]{2,20}(?=\\d+\\.\\d+\\.\\d))(?<own>${NUMBER}${STAGE})${END}`,
  'i',
)
/** `Overview of changes in GLib 2.74.6`, `What's new in 1.2`, `CHANGES WITH 252`, `Changes between 3.0.21 and 3.0.22`. */
const CHANGES_IN = `^(?:\\S+\\s+){0,7}${anyOf(CHANGES)}\\s+(?:to\\s+\\S+\\s+)?`
const CHANGES_LABEL = new RegExp(
  [
    `${CHANGES_IN}(?:in|with|for|of|added to|between this version,)\\s+(?:\\S+\\s+){0,3}?${NAME}?(?<own>${NUMBER}${STAGE}|(?!(?:19|20)\\d\\d)\\d{1,4})${END}`,
    `${CHANGES_IN}(?:between|from)\\s+(?:\\S+\\s+){0,2}?${NAME}?(?<from>\\d[\\w./-]*)\\s+(?:\\(.{0,40}?\\)\\s+)?(?:and|to)\\s+(?:\\S+\\s+){0,2}?${NAME}?(?<to>${NUMBER}${STAGE})(?: versions)?${END}`,
  ].join('|'),
  'i',
)
type Form = [kind: VersionLabel['kind'], pattern: RegExp, endsName?: true]
const NUMBERS: readonly Form[] = [
  ['version', RANGE_LABEL],
  ['version', WORDED_LABEL],
  ['version', PLAIN_LABEL],
]
const NAMES: readonly Form[] = [
  ['other', CHANGES_LABEL, true],
  ['other', LOOSE_LABEL],
  ['other', NAMED_LABEL, true],
]
/** Some write the newer version first. */
const newerIn = ({ from = '', to }: Record<string, string | undefined>): string | undefined =>
  to !== undefined && compareNumbers(from, to) > 0 ? from : to

/** The number of a named label must end the name: only a separator, a bracket or a date may follow. */
const AFTER_NAMED_LABEL = new RegExp(
  `^[\\s:\\p{So}]*(?:release notes|(?:un)?released?)?[\\s:]*(?:$|[${DASHES},/()[\\]|"“«'@])`,
  'iu',
)
const BEFORE_RELEASE_DATE = /^[\s:]*(?:(?:released|release notes)\s+)?$/i
/** Symbols before a label, and failed markup (`== 2.4.0 ==`, `#0.5.1`). */
const LEADING_SYMBOLS = /^(?:[\s\p{So}\p{Sk}=#*_~]|\uFE0F|\u200D)*/u
/** An emoji in front of a label is the author's: the title keeps it. */
const HAS_EMOJI = /\p{Extended_Pictographic}/u
const BETWEEN_DATE_AND_LABEL = new RegExp(`^[\\s${DASHES}:,;/|·•]+(?:released\\s+)?[([]?|^[([]`, 'i')

/** `12.03.2026` */
export const DOTTED_DAY = /^\d{1,2}\.\d{1,2}\.\d{4}$/
/** Most begin with such a number, which is no day: there is no date in front of it to look for. */
const NO_DAY = /^v?\d{1,3}\.\d{1,3}(?!\d|\.\d{4})/i

/** The longest label with its surroundings, which bounds the work of regular expressions. */
const MAX_LABEL_LENGTH = 300

export function plainLabel(text: string, mayBeginWithDate = true): VersionLabel | null {
  const start = LEADING_SYMBOLS.exec(text)?.[0].length ?? 0
  const rest = text.slice(start)
  const head = rest.slice(0, MAX_LABEL_LENGTH)
  const label = (
    kind: VersionLabel['kind'],
    words: string,
    length: number,
    more: Partial<VersionLabel> = {},
  ): VersionLabel => ({
    kind,
    text: words
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/^(v)\.(?=\d)/i, '$1'),
    end: start + length + (rest[length] === '.' ? 1 : 0),
    titleStart: HAS_EMOJI.test(text.slice(0, start)) ? 0 : start + length + (rest[length] === '.' ? 1 : 0),
    date: null,
    isDate: false,
    ...more,
  })

  /** With what is in front of the label in the title. */
  const labelBy = ([kind, pattern, endsName]: Form): VersionLabel | null => {
    const match = pattern.exec(head)
    if (match === null) return null
    const [whole] = match
    // A match that ends with the head may be cut off.
    if (whole.length > MAX_LABEL_LENGTH - 2) return null
    const own = match.groups && (match.groups.own ?? newerIn(match.groups))
    const isLoose = endsName === true && !isEndOfName(rest.slice(whole.length))
    const more = own === undefined ? {} : { titleStart: start }
    return label(kind, own ?? whole, whole.length, isLoose ? { ...more, isLoose } : more)
  }
  const firstOf = (forms: readonly Form[]) =>
    forms.reduce<VersionLabel | null>((found, form) => found ?? labelBy(form), null)

  // Most begin with a number.
  const isNumber = /^v?\d/i.test(head)
  const unreleased = isNumber ? null : UNRELEASED_LABEL.exec(head)
  if (unreleased !== null) {
    const more = unreleased.groups?.noun === undefined ? {} : { titleStart: start }
    return label('unreleased', UNRELEASED, unreleased[0].length, more)
  }
  const pending = isNumber ? null : PENDING_LABEL.exec(head)
  if (pending !== null) return label('other', pending[0], pending[0].length)
  // All others have digits.
  if (!/\d/.test(head)) return null

  const hasDigits = /^\d{8}\W/.test(rest)
  // In front it begins with a digit, a bracket or a month, behind a day of the week at most.
  const mayBeDate =
    mayBeginWithDate && !NO_DAY.test(head) && (/^\P{L}/u.test(head) || namesMonth(head.slice(0, 30)))
  const date = mayBeDate ? (findDate(rest) ?? (hasDigits ? findDigits(rest) : null)) : null
  const dateEnd = date?.start === 0 ? date.end : 0
  const later = labelBehindDate(rest, dateEnd)
  if (later !== null) return { ...later, end: later.end + start, titleStart: later.titleStart + start, date }

  // No number, unless a date follows.
  const isDay =
    dateEnd > 0 && findDate(rest.slice(dateEnd)) === null && DOTTED_DAY.test(rest.slice(0, dateEnd))
  const version = firstOf(isDay ? NUMBERS.slice(0, 2) : NUMBERS)
  if (version !== null) return version

  if (dateEnd > 0 && !hasDigits) {
    const length = only(rest, date) === null ? dateEnd : rest.length
    const words = rest
      .slice(0, length)
      .replace(/^\(([^()]*)\)$/, '$1')
      .replace(/:\s*$/, '')
    return label('other', words, length, { date, isDate: true })
  }
  return firstOf(NAMES)
}

function isEndOfName(behind: string): boolean {
  if (AFTER_NAMED_LABEL.test(behind)) return true
  const date = findDate(behind.slice(0, MAX_LABEL_LENGTH))
  return date !== null && BEFORE_RELEASE_DATE.test(behind.slice(0, date.start))
}

/** `2024-01-02, Version 1.2.0`, `04-6-2020 (v3.2.0)`, `2013-08-23 - r7`. */
function labelBehindDate(text: string, dateEnd: number): VersionLabel | null {
  const between = dateEnd === 0 ? '' : (BETWEEN_DATE_AND_LABEL.exec(text.slice(dateEnd))?.[0] ?? '')
  const offset = dateEnd + between.length
  const later = between === '' ? null : plainLabel(text.slice(offset), false)
  if (later === null || (later.kind !== 'version' && !/^[abr]\d/i.test(later.text))) return null
  return { ...later, kind: 'version', end: later.end + offset, titleStart: later.titleStart + offset }
}

/** Other brackets may be inside. */
const BRACKETED = /^\[(?:[^[\]\\]|\\.|\[(?:[^[\]\\]|\\.)*\])*\]/

/** `[label]` at the beginning of a heading: any text in an export. `shown` has blanks in place of markup. */
export function bracketedLabel(text: string, shown: string, isStrict: boolean): VersionLabel | null {
  const first = shown.search(/\S/)
  const bracketed = shown[first] === '[' ? BRACKETED.exec(text.slice(first))?.[0] : undefined
  if (bracketed === undefined) return null
  const end = first + bracketed.length
  const inside = isStrict ? decodeString(bracketed.slice(1, -1)) : shown.slice(first + 1, end - 1)
  const words = inside.replace(/\s+/g, ' ').trim()
  if (words === '') return null
  const own = plainLabel(words)
  // `[2020-12-08] Version 3.54.0`; in an export a title may follow that begins with a number.
  const isTitle = isStrict && /^\s+-/.test(shown.slice(end))
  if (own?.isDate && !isTitle && labelBehindDate(shown.slice(first), bracketed.length) !== null) return null
  const isWhole = own !== null && own.end === words.length && own.titleStart === own.end
  if (!isWhole && !isStrict) return null
  const found = { kind: isWhole ? own.kind : 'other', end, titleStart: end } as const
  const date = isWhole && own.date ? { ...own.date, start: first, end } : null
  return {
    ...found,
    text: isWhole && own.kind === 'unreleased' ? UNRELEASED : words,
    date,
    isDate: date !== null,
  }
}
