import { LATEST } from './addresses/paths.ts'
import { type Hint, Refusal, type RefusalKind } from './refusal.ts'
import { size } from './text/size.ts'
import { spelledOut } from './time/time.ts'

/** Why content is refused: sentences for a terminal. The desk has each of them in every language. */
export const REASONS = {
  notSlug:
    '{name} is not a slug. A slug is at most {most} lowercase letters and digits, with single hyphens between them.',
  empty: 'The {what} is empty.',
  notLabel: '{label} is not a version label. A label is not empty, and does not start or end with a space.',
  likeId: '{label} looks like the id of a version.',
  latest: `${LATEST} cannot be a label. It always means the newest published version.`,
  notType:
    '{type} is not a type of change. A type is a lowercase word such as added or fixed, with hyphens between words, at most {most} characters.',
  typeLabel: 'The heading of the type must not be empty, nor start or end with a space.',
  tooLong: 'The {what} has {count} characters. The limit is {most}.',
  notText: 'The {what} contains characters that are not text.',
  notOneLine: 'The {what} must be one line of text.',
  locked: 'The {what} is locked.',
  changed: 'It changed in the meantime. Nothing was done.',
  nothingKept: 'Nothing to undo.',
  mayNot: 'Only people who may publish can do this.',
  years: '{what} {when}.',
  before1000: 'The version would be published before the year 1000.',
  unnamedSchedule: 'The draft Unreleased of {product} has no version to be published under.',
  alreadyPublished: 'Version {label} of {product} is already published.',
  past: '{time} is in the past.',
  scheduledUnnamed: 'Version {label} of {product} is scheduled and cannot be Unreleased.',
  dateAhead: 'Version {label} of {product} is published and cannot have a date in the future ({time}).',
  renamed: 'There is no {noun} {name}: it was renamed.',
  pictures: 'The pictures of {product} would take {size}. The limit is {limit}.',
  noVersion: 'No version found. A version starts with a heading such as ## [1.2.0] - 2026-01-02.',
  versions: 'The text has {count} versions ({labels}). Keep one.',
  aboveHeading: 'This text is above the heading of the version: {text}.',
  longText: 'A text of the version is longer than {most} characters. Shorten it.',
  nested: 'The text is nested too deeply.',
  falseDate: '{why}.',
  unreadable: '{why}',
  notDate: '{day} is not a date such as 2026-01-02.',
  items: 'The text has {count} list items. The limit is {most}.',
  notEditable: '{label} cannot be edited: {why}',
  /** In the words of whoever asked, as the desk writes them. */
  said: '{words}',
} as const

export type ReasonCode = keyof typeof REASONS

type Names<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never

/** `size` and `limit` are bytes, and `time` is an instant. */
type ValueOf<Name> = Name extends 'size' | 'limit' | 'time' | 'count' | 'most' ? number : string

export type ReasonValues<Code extends ReasonCode> = {
  readonly [Name in Names<(typeof REASONS)[Code]>]: ValueOf<Name>
}

export type Reason = {
  [Code in ReasonCode]: { readonly code: Code; readonly values: ReasonValues<Code> }
}[ReasonCode]

/** A refusal as data, for a surface that has its own words for it: see `Reason`. */
export class Refused<Code extends ReasonCode = ReasonCode> extends Refusal {
  constructor(
    readonly code: Code,
    readonly values: ReasonValues<Code>,
    options: { hint?: string | Hint | undefined; kind?: RefusalKind; cause?: unknown } = {},
  ) {
    super(sentence({ code, values } as unknown as Reason), options)
  }
}

/** A refusal that is written already, in the language of the reader. */
export const said = (words: string): Refused => new Refused('said', { words })

/** For a terminal. */
const sentence = ({ code, values }: Reason): string =>
  REASONS[code].replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = (values as Readonly<Record<string, string | number>>)[name]
    return typeof value === 'number' ? (WRITTEN[name] ?? number)(value) : String(value)
  })

const number = (value: number): string => value.toLocaleString('en')
const WRITTEN: Readonly<Record<string, (value: number) => string>> = { size, limit: size, time: spelledOut }
