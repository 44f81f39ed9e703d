/**
 * Phrases of one meaning, by language, and groups of words for them. In a phrase, a blank also stands for a hyphen, `*` for the rest of
 * a word, `…` for up to 50 characters of the same sentence, `%` for a name with a number, `#` for a number, `(a|b)` for either,
 * `(a )?` for what may be left out, and `{verb}` for a word of the group `verb`.
 */
export type Phrases = Readonly<Partial<Record<Language, readonly string[]>>>
export type Language = 'any' | 'en' | 'de' | 'fr' | 'es' | 'pt' | 'ja' | 'zh' | 'ru'
export type Groups = Readonly<Record<string, Phrases>>

const LETTER = '\\wÀ-ɏЀ-ӿ'
const NUMBER = 'v?\\d{1,4}(?:\\.[\\dx]+)*(?![\\w-])'
/** `Node.js 20`, `PHP >= 7.1`, `Go version 1.19`, `js-controller ≥ 6`. */
const NAMED_NUMBER = `(?:(?!(?:after|to|of|from|in|by|than|for|at|with|and|or|on|the|an?) )[${LETTER}@][${LETTER}.+#/@-]{0,40}(?:[ -]|(?=[<>=≥]))){1,3}?(?:(?:>|<|=|≥|≤|\\^|~|\\\\<|\\\\>|is|to|of|&gt;|&lt;)+ ?)*${NUMBER}`
const SIGNS: Record<string, string> = {
  ' ': '[ -]',
  '*': `[${LETTER}]*`,
  '…': '(?:[^.;:。，；\\n]|[.:](?=\\S)){0,50}?',
  '%': NAMED_NUMBER,
  '#': NUMBER,
  '(': '(?:',
}

/** One expression for all phrases of a table, for texts in lower case: without regard to case it would take five times as long. */
export const anyOf = (table: Phrases, groups: Groups = {}): RegExp => new RegExp(sourceOf(table, groups))

/** Where no blanks part words, a phrase may stand within others. */
export function sourceOf(table: Phrases, groups: Groups = {}): string {
  const [whole = [], within = []] = [false, true].map((isWithin) =>
    Object.entries(table)
      .filter(([language]) => (language === 'ja' || language === 'zh') === isWithin)
      .flatMap(([language, all]) => all.map((one) => expression(one, language as Language, groups))),
  )
  const bounded = `(?<![${LETTER}])(?:${whole.join('|')})(?![${LETTER}])`
  return `(?:${[...(whole.length > 0 ? [bounded] : []), ...within].join('|')})`
}

const expression = (phrase: string, language: Language, groups: Groups): string =>
  filled(phrase, language, groups).replace(/[ *…%#(]/g, (sign) => SIGNS[sign] ?? sign)

/** True of a text in lower case with any of these words, in which a hyphen is a blank or a hyphen. */
export const withAny = (words: Readonly<Record<string, string>>): RegExp =>
  new RegExp(
    Object.values(words)
      .flatMap((all) => all.split(/\s+/))
      .join('|')
      .replaceAll('-', '[ -]'),
  )

const filled = (phrase: string, language: Language, groups: Groups): string =>
  phrase.replace(/\{(\w+)\}/g, (_, name: string) => `(${(groups[name]?.[language] ?? []).join('|')})`)
