import { type ChangeWords, kindOf, saysNothing } from './kinds.ts'

/** True if a change breaks something by its heading, by a mark that its author set, or by a platform that it drops. */
export const isBreaking = ({ type, typeLabel, title, description }: ChangeWords): boolean =>
  (kindOf(type, typeLabel) === 'breaking' && !saysNothing(title)) ||
  (MAY_BREAK.test(title) &&
    !(description == null && EMPTY.test(title)) &&
    (isMarked(title) || dropsPlatform(title))) ||
  (description != null && lineThatBreaks(description) >= 0)

/** A heading with nothing below it, as templates have. */
const EMPTY = /^\W*breaking changes?\W*$/i

/** The breaking part of an introduction: a heading or bold line with the text below it, or a paragraph. */
export function breakingIn(introduction: string | null): string | null {
  if (introduction === null) return null
  const line = lineThatBreaks(introduction)
  const at = line >= 0 ? line : introduction.search(HAS_BREAKING)
  if (at < 0) return null
  const part = introduction.slice(introduction.lastIndexOf('\n', at) + 1)
  const level = /^#+(?= )/.exec(part)?.[0].length
  const isHeading = /^[ \t>]*(?:\*\*|[^\n]*:[*\s]*\n)/.test(part)
  const end = level ? new RegExp(`\n#{1,${level}} `) : isHeading ? /\n(?:#|\*\*)/ : /\n\s*\n/
  const length = part.search(end)
  const said = (length < 0 ? part : part.slice(0, length)).trim()
  return saysNothing(said.slice(said.indexOf('\n') + 1)) ? null : said
}

function isMarked(title: string): boolean {
  const text = title.replace(/`[^`]*`/g, '`').replaceAll('\\', '')
  const words = text.replace(/[*_]/g, '')
  return (
    CAPITALS.test(words) ||
    MARK.test(words) ||
    IS_BREAKING.test(words) ||
    MARK_AHEAD.test(withoutLead(words)) ||
    isEmphasised(text)
  )
}

/** `*Breaking*`, `**mildly breaking change**`. */
function isEmphasised(text: string): boolean {
  const found = /\bbreaking(?: changes?)?[:.!]?[*_]/i.exec(text)
  const before = found ? text.slice(Math.max(0, found.index - 34), found.index) : ''
  return /[*_][^*_]*$/.test(before) && !/\b(?:no|non|not)[ -]$/i.test(before)
}

const withoutLead = (words: string): string => words.slice(LEAD.exec(words)?.[0].length ?? 0)

/** A quick look, which nearly every title ends at. */
const MAY_BREAK = /break|compatib|major|!:|💥|:boom:|drop|support|requir|minim/i
const CAPITALS = /(?<!\b(?:NON|NOT|NO)[ -])\bBREAKING\b/
const BREAKING =
  '(?:(?:potentially|potential|possibly|possible|mildly|minor|major|other|some|api) )?breaking(?:[ -](?:api[ -])?changes?)?'
/** `(breaking change)`, `[v5 breaking change]`, `[BC BREAK]`; `Thanks @alice! - Breaking change: …`. */
const MARK = new RegExp(
  `[([]\\s*(?:v\\d+ )?(?:${BREAKING}|bc[ -]?break|semver-major)\\s*[:\\])]|[.!] (?:- )?${BREAKING}:|💥|:boom:`,
  'i',
)
/** In front of the words of a change: a link, a number, the hash of a commit, a scope. */
const LEAD =
  /^(?:\[(?!back)[^\]]*\]|\([^)]*\)|[0-9a-f]{7,40}(?= )|\d+(?= )|(?!breaking|break:|major:|(?:backwards?-)?incompatib)[\p{L}\p{N}][\w./@-]*:(?= )|[^\p{L}\p{N}[(])*/iu
/** `Breaking: …`, `Break: …`, `Major: …`, `Breaking changes / Events: …`, `breaking(pod): …`, or nothing else; `feat!: …`, `feat(core)!: …`. */
const MARK_AHEAD = new RegExp(
  [
    `^${BREAKING}\\s*(?:[:/(]|[-–—] |$)`,
    '(?:^|[.!] )breaking(?: change)? (?:to|in|for|if)\\b(?! \\w+ing)',
    '^(?:backwards?[ -])?incompatib(?:le|ility)\\b(?:[^:[\\]]{0,40}:| changes?$)',
    '^non[ -]backwards?[ -]compatible changes?',
    '^\\[(?:backwards?[ -])?incompatib(?:le|ility)\\b[^:[\\]]{0,40}\\]',
    '^(?:major|break):',
    '^[a-z]{2,16}(?:\\([^()]*\\))?!:',
  ].join('|'),
  'i',
)

const INCOMPATIBLE = '(?:breaking|(?:backwards?[ -])?incompatible) (?:api )?changes?\\b'
/** `This is a breaking change`, `which will be a backwards incompatible change`, `this module is incompatible with 1.x`. */
const IS_BREAKING = new RegExp(
  `\\b(?:this(?: [a-z]+)?|it|which|these)(?:'s| is| are| will be| contains| introduces) (?:(?!not |no )[a-z]+ ){0,3}(?:${INCOMPATIBLE}|incompatible (?:to|with) (?:v?\\d|previous|older|earlier))`,
  'i',
)
/** `This release contains a few important breaking changes`, `See the breaking changes`. */
const HAS_BREAKING = new RegExp(
  `\\b(?:see|refer to|includes?|contains?|has|had|introduces?|brings?|including|bringing|with|there (?:is|are)) (?:(?!not? |any )[\\w,'’&-]+ ){0,8}\\[?${INCOMPATIBLE}`,
  'i',
)

/** Possible beginnings of a line: marks of lists, quotes and headings, emphasis, symbols. */
const LINE = '^[^\\p{L}\\p{N}\\n`(]{0,20}'
const TEXT_LINES = new RegExp(
  [
    `${LINE}BREAKING\\b`,
    `${LINE}[Bb]reaking(?: [Cc]hanges?| [Uu]pdates?)?[*_\\]]*:(?!\\s*(?:none|None|no|No)\\b)`,
    `${LINE}[Bb]reaking [Cc]hanges? (?:if|for|to|in)\\b`,
    `${LINE}(?:[A-Za-z]+ ){0,3}(?:[Bb]reaking|[Ii]ncompatible) [Cc]hanges?[^\\p{L}\\p{N}\\n]{0,12}$`,
    '^(?:#{1,6} |[ \\t>-]{0,8}\\*\\*)[^\\n]{0,60}\\b(?:[Bb]reaking|BREAKING|[Ii]ncompatib[a-z]+)\\b[^\\n]{0,60}$',
    '^[^\\n]{0,40}\\bBREAKING CHANGES?\\b',
  ].join('|'),
  'gmu',
)
const NEGATED =
  /\b(?:no|non|not|without|avoid|isn't|fix\w*)[ -](?:[a-z]+ ){0,2}(?:breaking|(?:backwards?[ -])?incompatib)/i

/** Where a line of a text begins that says that something breaks; -1 if none does. */
function lineThatBreaks(text: string): number {
  if (!/breaking|incompatib/i.test(text)) return -1
  for (const { 0: line, index } of text.matchAll(TEXT_LINES)) if (!NEGATED.test(line)) return index
  return text.search(IS_BREAKING)
}

const PLATFORM =
  '(?:node(?:\\.?js)?|io\\.js|python|perls?|php|ruby|java|typescript|react|vue|angular|django|rails|ie\\d*|internet explorer|edge|safari|chrome|firefox|ios|android|webpack|eslint|browsers?)\\b'
/** `Drop support for Node 18`, `drop node 10 support`, `Python 2 is no longer supported`, `Require Node.js 20`. */
const DROPS = new RegExp(
  [
    `\\b(?<!drag[ -](?:and[ -]|n )?)(?:drop(?:s|ped|ping)?|remov(?:e|es|ed|ing)|end(?:s|ed)?) (?:official )?support (?:for|of|on) [^.;:]{0,30}?\\b${PLATFORM}`,
    `\\bsupport (?:for|of) ${PLATFORM}[ v<>=.,&/\\dx]{0,20}(?:has been|was|is) (?:dropped|removed)`,
    `\\bminim[a-z]+ (?:supported |required )?${PLATFORM}(?: version)? is now\\b`,
    `\\b(?:drop(?:s|ped|ping)?|removes?) (?:support )?(?:old(?:er)? )?${PLATFORM}[ v<>=.,&/\\dx]*(?:(?:and|or) [ \\w.]{1,15})?(?:support\\b|\\.?$|[.(\\[])`,
    `\\b${PLATFORM}[ v<>=.,&/\\dx]{0,20}(?:versions? )?(?:is|are) no longer (?:officially )?supported`,
    `\\bno longer supports? [^.;:]{0,20}\\b${PLATFORM}`,
    `\\b(?:increas|rais|bump|updat)[a-z]* (?:the )?minim[a-z]+ (?:[a-z]+ ){0,4}${PLATFORM}`,
    `^(?:[\\w ]{0,30} )?(?:now )?requires? (?:at least )?${PLATFORM}[ v<>=≥]*\\d`,
  ].join('|'),
  'i',
)
/** About tests, not about running code. */
const IS_OF_TESTS =
  /\b(?:ci|travis|appveyor|tests?|testing|workflows?|matrix|docs?|readme|samples?|examples?)\b/i

function dropsPlatform(title: string): boolean {
  const words = title.replace(/[*_`~\\]|&[a-z]+;/g, '').replace(/\]\([^)\s]{0,300}\)/g, ']')
  return DROPS.test(withoutLead(words)) && !IS_OF_TESTS.test(words) && !/^~|\brevert/i.test(title)
}
