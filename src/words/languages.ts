import { mapRows, namesOf } from '../domain/objects.ts'
import { type Instant, LANGUAGES, type Language } from '../domain/records.ts'
import type { Span } from '../domain/versions/verdict.ts'
import * as authored from './authored.ts'
import * as lists from './lists.ts'
import * as mail from './mail.ts'
import * as release from './release.ts'
import * as site from './site.ts'
import * as standing from './standing.ts'
import * as updates from './updates.ts'
import * as verdict from './verdict.ts'
import * as widget from './widget.ts'
import type { Plural, WordsOf } from './words.ts'

/** The texts of the files beside this one, in every language. */
const SECTIONS = { ...site, ...lists, ...mail, ...release, ...authored, ...standing, ...verdict, ...widget }

/** Everything that pages and the widget say in a language, and how it is written. */
export interface Words extends Texts {
  /** For `Intl`. */
  readonly locale: string
  readonly direction: 'ltr' | 'rtl'
}
type Texts = { readonly [Section in keyof typeof SECTIONS]: WordsOf<(typeof SECTIONS)[Section]> }

export type AuthoredWords = Words['authored']

/** The texts of some sections by language. */
export const inLanguages = <Sections extends Readonly<Record<string, object>>>(sections: Sections) =>
  Object.fromEntries(
    LANGUAGES.map((code, at) => {
      const texts = mapRows(sections, (section) =>
        mapRows(section as Record<string, readonly unknown[]>, (row) => row[at]),
      )
      return [code, texts]
    }),
  ) as unknown as Readonly<Record<Language, { readonly [Name in keyof Sections]: WordsOf<Sections[Name]> }>>

/** Those that speak of updates instead of releases. */
const UPDATES = inLanguages(updates)

export const WORDS = mapRows(inLanguages(SECTIONS), (texts, code) => ({
  ...texts,
  // Dates as in 12 November 2026.
  locale: code === 'en' ? 'en-GB' : code,
  direction: code === 'ar' ? 'rtl' : 'ltr',
})) as Readonly<Record<Language, Words>>

/** The words of a language, and functions that write with them. */
export type PageLanguage = ReturnType<typeof createLanguage>

/** The order of the plurals of a text. */
const PLURALS = ['one', 'two', 'few', 'many', 'other']

type Values<Value> = Readonly<Record<string, Value>>

const made: Record<string, PageLanguage> = {}

/** `ofEntries` speaks of updates: see `areEntries`. */
export const pageLanguage = (code: Language, ofEntries = false): PageLanguage =>
  (made[`${code}${ofEntries}`] ??= createLanguage(code, ofEntries))

function createLanguage(code: Language, ofEntries: boolean) {
  const own = WORDS[code]
  const instead = ofEntries ? UPDATES[code] : {}
  const words: Words = {
    ...own,
    ...mapRows(instead, (texts, section) => ({ ...own[section as keyof Texts], ...(texts as object) })),
  }
  const { locale, direction } = words
  const dates = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
    // French counts the first day, and `Intl` does not.
    return (instant: Instant) =>
      code === 'fr' ? format.format(instant).replace(/^1 /, '1er ') : format.format(instant)
  }
  const numbers = new Intl.NumberFormat(locale)
  const plurals = new Intl.PluralRules(locale)
  const lists = new Intl.ListFormat(locale)
  const [ahead, behind] = direction === 'ltr' ? ['→', '←'] : ['←', '→']
  return {
    code,
    words,
    ofEntries,
    /** 12 November 2026 */
    day: dates({ day: 'numeric', month: 'long', year: 'numeric' }),
    /** 12 Nov */
    shortDay: dates({ day: 'numeric', month: 'short' }),
    /** Nov */
    shortMonth: dates({ month: 'short' }),
    /** November 2026 */
    month: dates({ month: 'long', year: 'numeric' }),
    number: (value: number): string => numbers.format(value),
    /** The word for a unit of time, beside a number. */
    unit: ({ count, unit }: Span): string =>
      new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' })
        .formatToParts(count)
        .find(({ type }) => type === 'unit')?.value ?? unit,
    /** One, two and three */
    list: (items: readonly string[]): string => lists.format(items),
    /** The text for this many, with `{count}` and other values in it. */
    counted: (forms: Plural, count: number, values: Values<string> = {}): string => {
      const all = typeof forms === 'string' ? [forms] : forms
      const text = all[PLURALS.indexOf(plurals.select(count))] ?? all.at(-1) ?? ''
      return fillText(text, { ...values, count: numbers.format(count) })
    },
    /** The name of a changelog: the word that most names end with is a part of its own, in this language. */
    changelogName: (name: string): string[] => {
      const [, own, word] = /^(.*\S)\s+(changelog)$/i.exec(name) ?? []
      return own && word ? [own, code === 'en' ? word : words.badge.name] : [name]
    },
    /** A text that leads on, or back, with an arrow. */
    onward: (text: string): string => `${text} ${ahead}`,
    back: (text: string): string => `${behind} ${text}`,
  }
}

/** A text with values in place of `{name}`. */
export const fillText = (text: string, values: Values<string>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')

/** The texts of the widget in every language, each at the place of its name, which is shorter. */
export function widgetLanguages() {
  const all = mapRows(WORDS, ({ locale, direction, site, changelog, kinds, standing, widget }) => {
    const shared = { button: site.whatsNew, all: changelog.showAll, nothing: changelog.noReleases }
    const { stable: _, ...marks } = standing
    return { locale, direction, ...shared, ...kinds, ...marks, ...widget }
  })
  const names = namesOf(all.en)
  return { names, languages: mapRows(all, (texts) => names.map((name) => texts[name])) }
}
