import { type ChangeWords, KIND_OF, type Kind, kindOf, kindOfChange, saysNothing } from '../kinds.ts'
import { readPrefix } from '../prefix.ts'
import { anyOf, sourceOf, withAny } from './phrases.ts'
import { isMarked, LEAD, lineThatBreaks } from './said.ts'
import * as tables from './tables/breaking.ts'

const { GROUPS } = tables
const MAY_BREAK = withAny(tables.KEYS)
const IS = {
  dropped: anyOf(tables.DROPPED, GROUPS),
  required: anyOf(tables.REQUIRED, GROUPS),
  gone: anyOf(tables.GONE, GROUPS),
  taken: anyOf(tables.TAKEN, GROUPS),
  takes: new RegExp(`^${sourceOf(tables.TAKES)}(?![-\\w])`),
  public: anyOf(tables.PUBLIC),
  internal: anyOf(tables.INTERNAL),
  detail: anyOf(tables.DETAILS),
  empty: anyOf(tables.EMPTY),
  aside: new RegExp(`^${sourceOf(tables.ASIDE)}`),
  housekeeping: new RegExp(`^${sourceOf(tables.HOUSEKEEPING)}`),
  adding: new RegExp(`^${sourceOf(tables.ADDING)}`),
}
const NAMES = new RegExp(sourceOf(tables.NAMES), 'gi')
/** A name of a program: `x`, x(), A::b, a_b, anyCase, --x. */
const NAME = /`[^`]+`|\w\(\)|\w(?:::|_|#)\w|[a-z]{2}[A-Z][a-z]|(?:^|\s)--?[a-z]/

/** True if the author of a change says that it breaks something: by its heading, by a mark, or in its text. */
export const saysBreaking = ({ type, typeLabel, title, description }: ChangeWords): boolean =>
  (kindOf(type, typeLabel) === 'breaking' && !saysNothing(title) && !IS.empty.test(title.toLowerCase())) ||
  (!(description == null && EMPTY.test(title)) && isMarked(title)) ||
  (description != null && lineThatBreaks(description) >= 0)

/** A heading with nothing below it, as templates have. */
const EMPTY = /^\W*breaking changes?\W*$/i

/** True if words of a text may say that something is taken away. */
export const mayTakeAway = (text: string): boolean => MAY_BREAK.test(text.toLowerCase())

/** True if a change takes away what others use, though its author does not say that it breaks something. */
export const mayBreak = (change: ChangeWords): boolean => takesAway(change) && !saysBreaking(change)

/** True if a change removes or renames what others use, drops a platform, or needs a newer one. */
function takesAway(change: ChangeWords): boolean {
  const { type, typeLabel, title } = change
  if (kindOf(type, typeLabel) !== 'removed' && !mayTakeAway(title)) return false
  const { title: words, word } = readPrefix(title)
  const topics = [type.replaceAll('-', ' '), word ?? '']
  const ahead = kindAhead(words)
  if (topics.some((topic) => IS.aside.test(topic)) || ahead === 'added' || /^~|\brevert/i.test(title))
    return false
  const isHousekeeping = topics.some((topic) => IS.housekeeping.test(topic))
  const isFix = kindOf(type, typeLabel) === 'fixed' || isHousekeeping
  return sentencesOf(words).some((sentence) =>
    breaks(sentence, isFix ? 'fixed' : (ahead ?? kindOfChange(change))),
  )
}

/** `Behoben: …`, `Corrigé : …`. */
const kindAhead = (words: string): Kind | null =>
  KIND_OF.get(/^[^\p{L}]*(\p{L}+) ?[:：]/u.exec(words)?.[1]?.toLowerCase() ?? '') ?? null

function breaks(sentence: string, kind: Kind): boolean {
  const text = sentence.toLowerCase()
  if (OF_TESTS.test(text) || IS.adding.test(text)) return false
  if (IS.dropped.test(text) || IS.required.test(text)) return true
  if (kind === 'fixed' || kind === 'deprecated') return false
  if (IS.gone.test(text)) return true
  const said = text.replace(/`[^`]*`/g, '`')
  if (IS.internal.test(said)) return false
  if (kind === 'removed') return true
  const isTaken = IS.takes.test(text) || IS.taken.test(text)
  return isTaken && !IS.detail.test(said) && (IS.public.test(said) || NAME.test(sentence))
}

/** Without emphasis and addresses, and each without what is in front of its words. */
const sentencesOf = (title: string): string[] =>
  title
    .replace(/[*~\\]|&[a-z]+;/g, '')
    .replaceAll('``', '`')
    .replace(/\[([^\]]*)\]\([^)\s]{0,300}\)/g, '$1')
    .replace(NAMES, '')
    .split(/(?<=[.。;；!])\s+|\n|, and |；/)
    .map((sentence) => sentence.slice(LEAD.exec(sentence)?.[0].length ?? 0))

/** About tests, not about running code. */
const OF_TESTS = /\b(?:ci|travis|appveyor|tests?|testing|workflows?|matrix|docs?|readme|samples?|examples?)\b/
