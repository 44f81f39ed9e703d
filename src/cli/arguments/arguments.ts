import { Argument, InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { LIST_URL_RULE, listUrlOf } from '../../domain/addresses/mail-address.ts'
import { LATEST } from '../../domain/addresses/paths.ts'
import { NONE, REPOSITORY_RULE, repositoryOf } from '../../domain/addresses/repository.ts'
import { messageOf } from '../../domain/errors.ts'
import { type Instant, LANGUAGES, type ProductName, STATUSES } from '../../domain/records.ts'
import { EVERY_RULE, isInterval } from '../../domain/sources.ts'
import {
  DURATION_RULE,
  LOCAL_RULE,
  parseDuration,
  parseInstant,
  parseLocalInstant,
  wholeSecond,
} from '../../domain/time/time.ts'

/** Arguments of commands, and how text becomes a value. Invalid text is wrong usage. */

/** Parses text, and refuses it by the rule if `parse` gives null. */
export const parser =
  <T>(parse: (text: string) => T | null, rule: string) =>
  (text: string): T => {
    const value = parse(text)
    if (value === null) throw new InvalidArgumentError(`it must be ${rule}.`)
    return value
  }

export const teamArgument = () => new Argument('<team>', 'slug of the team')

export const productArgument = (note = '') =>
  new Argument('<product>', `the product, as team/product${note}`).argParser(productName)

export const versionArgument = (note = '') => new Argument('<version>', `label or id of the version${note}`)

export const shownArgument = () => versionArgument(`, or ${LATEST} for the newest release`)

export const choice = <U extends string, const T extends readonly string[]>(flags: U, about: string, of: T) =>
  new Option(flags, about).choices(of).argParser(word(of))

/** Parses one of a few words. */
export const word = <const T extends readonly string[]>(of: T) =>
  parser(
    (text): T[number] | null => of.find((known) => known === text) ?? null,
    of.length === 2 ? of.join(' or ') : `one of ${of.join(', ')}`,
  )

export const statusOption = () =>
  choice('--status <status>', 'locked content is hidden and cannot be changed', STATUSES)

/** Parses a value that `none` removes, which stays as typed: see `orNone`. */
const removable = (parse: (text: string) => string | null, rule: string) =>
  parser((text) => (text === NONE ? NONE : parse(text)), `${rule}, or ${NONE}`)

export const repositoryOption = () =>
  new Option(
    '--repository <url>',
    `${REPOSITORY_RULE}, for links; ${NONE} removes it (default: set by the first import of releases)`,
  ).argParser(removable(repositoryOf, REPOSITORY_RULE))

export const languageOption = () =>
  choice('--language <code>', `language of its pages; ${NONE} for the language of the site`, [
    ...LANGUAGES,
    NONE,
  ])

/** Null for `none`. */
export const orNone = <T extends string>(text: T | undefined): Exclude<T, typeof NONE> | null | undefined =>
  text === NONE ? null : (text as Exclude<T, typeof NONE> | undefined)

export const listUrlOption = <const Flags extends string>(flags: Flags, about: string) =>
  new Option(flags, `${about}; ${NONE} removes it`).argParser(removable(listUrlOf, LIST_URL_RULE))

export const subscribeOption = (instead: string) =>
  listUrlOption(
    '--subscribe-url <url>',
    `https form of its mailing list, for its pages, in place of that of the ${instead}`,
  )

export const keyArgument = () => new Argument('<key>', 'the key, as team/label, or its id')

const productName = parser((text): ProductName | null => {
  const [team, product, ...rest] = text.split('/')
  return team && product && rest.length === 0 ? { team, product } : null
}, 'team/product, such as acme/app')

export const teamOrProduct = (text: string): string | ProductName =>
  text.includes('/') ? productName(text) : text

/** A time without an offset is local. */
export const date = (text: string): Instant => localInstant(text, LOCAL_RULE)

/** Parses a time as `date` does. Other text stays, for `momentAhead`. */
export const moment = (text: string): Instant | string => (parseInstant(text) === null ? text : date(text))

function localInstant(text: string, rule: string): Instant {
  const instant = parseLocalInstant(text)
  if (instant !== null) return instant
  throw new InvalidArgumentError(
    parseInstant(text) === null ? `it must be ${rule}.` : 'this time does not exist here: clocks skip it.',
  )
}

export const duration = parser(parseDuration, DURATION_RULE)

export const interval = parser((text) => {
  const length = duration(text)
  return isInterval(length) ? length : null
}, `a duration ${EVERY_RULE}`)

/** A time, or a duration from now. */
export function expiry(text: string): (now: Instant) => Instant {
  const length = parseDuration(text)
  if (length !== null) return (now) => wholeSecond(now + length)
  const instant = localInstant(text, `${DURATION_RULE}, or ${LOCAL_RULE}`)
  return () => instant
}

export const seconds = parser(
  (text) => (/^\d{1,9}(\.\d{1,3})?$/.test(text) ? Number(text) : null),
  'a number of seconds, such as 30',
)

export function position(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('positions start at 1.')
  return Number(text)
}

export const collected = (text: string, before: string[] = []): string[] => [...before, text]

/** Parses an argument in the action of a command. Invalid text is wrong usage. */
export function argumentOf<T>(command: Erring, what: string, text: string, parse: (text: string) => T): T {
  try {
    return parse(text)
  } catch (error) {
    return command.error(`error: '${text}' is not a valid ${what}: ${messageOf(error)}`)
  }
}

export const productOf = (command: Erring, text: string): ProductName =>
  argumentOf(command, 'product', text, productName)

export interface Erring {
  error(message: string): never
}
