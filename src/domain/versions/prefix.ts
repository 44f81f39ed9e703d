/** Prefixes of the title of a change. A part of the widget, so it is small. */

export interface Prefixed {
  /** The title as it is read: without its prefix, and with a capital in place of it. */
  title: string
  /** The word for its kind, such as `fix`; null if there is none. */
  word: string | null
  /** The origin of the change, such as `#4001 · a1b2c3d · @mira`: markdown, empty if that is not in front of it. */
  tail: string
}

/** Outside a link, eight digits are a date, and seven letters a word. */
export const REFERENCE =
  '(?:\\[`?(?:#\\d+|[\\da-f]{7,40})`?\\]\\([^\\s()]*\\)|#\\d+\\b|(?=[a-f]*\\d)(?=\\d*[a-f])[\\da-f]{7,40}\\b)'
const PERSON = '(?:\\[@[\\w-]+\\]\\([^\\s()]*\\)|@[\\w-]+)'
/** Letters or digits alone, in front of a prefix: `2324570 Breaking: `, `0560977: fix (core): `. */
const HASH = '(?:\\d{7}|[a-f]{7,12})(?=:? +(?:#+ +)?[A-Za-z]+(?: ?\\([^()]*\\))?!?:)'
/** `a1b2c3d: `, `#4001 a1b2c3d Thanks @mira! - `, `a1b2c3d: ### `; not `#12 and …`. */
const SOURCE = new RegExp(
  `^(?<refs>(?:(?:${REFERENCE}|${HASH})[,:]? +)*)(?:Thanks (?<people>${PERSON}(?:(?:,| and|, and) ${PERSON})*)! *)?(?:- +|#{1,6} +)?(?=\\S)(?!(?:and|or|is|are|was|to|in|by|from)\\b)`,
)
const WORDS =
  'feat|features?|new|add(?:ed)?|(?:bug|hot)?fix(?:e[sd])?|bug|chang(?:e|ed)|updated?|improve(?:d|ment)?|enhancement|perf|refactor(?:ing)?|chore|docs?|tests?|ci|build|style|deps|removed?|deprecated?|security|internal|misc|meta|readme|website|examples?'
const BREAKING = 'breaking(?: changes?)?'
/** `fix: `, `feat(core)!: `, `chore (ai): `, `[new] `, `**Fix:** `, `[**breaking**] `; after a scope, perhaps: `**core:** [Breaking] `. */
const WORD = new RegExp(
  [
    '^(?<before>(?:\\*\\([^()*]*\\)\\*|\\*\\*[^*]*:\\*\\*) )?(?:',
    `(?<plain>${WORDS}|${BREAKING})(?: ?\\((?<scope>[^()]{1,60})\\))?!?:`,
    `|\\\\?\\[\\**(?<bracketed>${WORDS}|${BREAKING})\\**\\\\?\\]:?`,
    `|\\*\\*(?<bold>${WORDS}|${BREAKING})(?::\\*\\*|\\*\\*:)`,
    ')\\s+(?=\\S)',
  ].join(''),
  'i',
)

export function readPrefix(given: string): Prefixed {
  const source = SOURCE.exec(given)
  const { refs = '', people = '' } = source?.groups ?? {}
  const isSourced = refs !== '' || people !== ''
  const rest = isSourced ? given.slice(source?.[0].length) : given
  const found = WORD.exec(rest)
  const { before = '', plain, scope, bracketed, bold } = found?.groups ?? {}
  const word = plain ?? bracketed ?? bold ?? null
  if (!isSourced && word === null) return { title: given, word, tail: '' }
  const words = capitalised(rest.slice(found?.[0].length ?? 0))
  return {
    title: `${before}${scope === undefined ? '' : `${scope}: `}${words}`,
    word: word?.toLowerCase() ?? null,
    tail: [...refs.replaceAll('`', '').split(/[,:]? +/), ...people.split(/,? and |, /)]
      .filter(Boolean)
      .join(' · '),
  }
}

/** A word with capitals, digits or marks in it is a name, and stays as it is. */
const capitalised = (text: string): string =>
  text.replace(/^\p{Ll}(?=[\p{Ll}'’-]*(?:[\s,.:;!?)]|$))/u, (letter) => letter.toUpperCase())
