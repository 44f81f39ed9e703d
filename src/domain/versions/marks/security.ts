import { withoutFenced } from '../../text/fences.ts'
import { type ChangeWords, kindOf, saysNothing } from '../kinds.ts'
import { readPrefix } from '../prefix.ts'
import { ADVISORY } from './advisories.ts'
import { anyOf, sourceOf, withAny } from './phrases.ts'
import * as tables from './tables/security.ts'

const MAY_MEND = withAny(tables.KEYS)
const IS = {
  only: anyOf(tables.ONLY),
  weakness: anyOf(tables.WEAKNESSES),
  related: anyOf(tables.RELATED),
  mended: anyOf(tables.MENDING),
  prevented: anyOf(tables.PREVENTING),
  aside: anyOf(tables.ASIDE),
  topic: new RegExp(`^${sourceOf(tables.TOPICS)}`),
  feature: new RegExp(`^[^\\p{L}\`]*${sourceOf(tables.FEATURES)}`, 'u'),
  /** `security: …`, `fix(security): …`, `[Security] …`, `**sec:** …`, `security (in depth): …`. */
  told: new RegExp(
    `^[^\\p{L}]{0,8}${sourceOf(tables.TOLD)}(?: \\([^)]*\\))?(?:[*\\]: -]*[:：]|\\]|\\*\\*| [-–—] )|(?:^|\\W)\\p{L}{2,12}\\(sec(?:urity)?\\)!?:|\\[security\\]`,
    'u',
  ),
}
const NAMES = new RegExp(sourceOf(tables.NAMES), 'g')
/** Characters of a title, which further on may only mention what was mended before, and of a text. */
const OPENING = 80
const MOST_READ = 30_000

/** True if a change is about security: by its heading, by the id of an advisory, or by words for a weakness that it mends. */
export function isSecurity({ type, typeLabel, title, description }: ChangeWords): boolean {
  const kind = kindOf(type, typeLabel)
  if (kind === 'security') return !saysNothing(title)
  const text = description?.slice(0, MOST_READ).toLowerCase() ?? ''
  if (!MAY_MEND.test(title.toLowerCase()) && !MAY_MEND.test(text)) return false
  const { title: words, word } = readPrefix(title)
  const said = words.toLowerCase()
  if ([type.replaceAll('-', ' '), word ?? ''].some((topic) => IS.topic.test(topic))) return false
  if (word === 'security' || IS.told.test(title.toLowerCase()) || IS.told.test(said)) return true
  if (IS.feature.test(said)) return mends(words, false, IS.prevented, 0) || mends(text, false, IS.mended, 0)
  const isFix = kind === 'fixed' || word?.startsWith('fix') === true
  return mends(words, isFix, IS.mended, OPENING) || mends(text, false, IS.mended, 0)
}

/** True if a sentence mends a weakness. A word for one is enough if the heading says so, or within the opening. */
function mends(text: string, isFix: boolean, verbs: RegExp, opening: number): boolean {
  let at = 0
  return sentencesOf(text).some((sentence) => {
    const beginning = sentence.slice(0, Math.max(0, opening - at))
    at += sentence.length
    if (!MAY_MEND.test(sentence) || IS.aside.test(sentence)) return false
    if (ADVISORY.test(sentence) || IS.only.test(beginning) || IS.weakness.test(beginning)) return true
    const isWeak = IS.only.test(sentence) || IS.weakness.test(sentence) || IS.related.test(sentence)
    return isWeak && (isFix || verbs.test(sentence))
  })
}

/** In lower case, without code and addresses. In capitals, DoS is no word of another meaning. */
const sentencesOf = (text: string): string[] =>
  withoutFenced(text)
    .replace(/```[\s\S]*?(?:```|$)|`(?!__proto__`)[^`\n]*`/g, '`')
    .replace(/\bhttps?:[^\s)]*/gi, (address) => ADVISORY.exec(address)?.[0] ?? '')
    .replace(/\bDoS\b/g, 'ddos')
    .toLowerCase()
    .replace(NAMES, '')
    .split(/\n|\. /)
