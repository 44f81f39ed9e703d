import { lexer, type Token, type Tokens } from 'marked'
import { type DayOrder, dayOrderOf, findDay, isCalendarLabel, onlyDay } from './days.ts'

/** What a changelog holds, by another markdown parser than the importer's and rules of its own. */
export interface Expected {
  versions: ExpectedVersion[]
  /** The text of every item of a list that is in no other item, below the first version. */
  items: string[]
  /** Numbers of the lines that headings are on, from 0. */
  headingLines: Set<number>
}

export interface ExpectedVersion {
  line: number
  text: string
  /** What identifies it: the number without `v`, or `unreleased`. */
  number: string
  /** As `2024-01-02`; null if the file gives none. */
  day: string | null
  /** The headings below it that are no versions, as they are written, each once. */
  headings: string[]
}

/**
 * Counts by these rules:
 * - A version is a heading that holds a number such as 1.2, 1.2.3-rc.1 or name@1.2.3, with at most three words in front
 *   that are neither a preposition nor a verb of upgrading, and behind it the end, a date, a bracket or a separator; or
 *   anything, if the number is the first word and has three parts. Or one that says `Unreleased`, or only a date. Below
 *   another version, deeper than it and than any version without a name, words in front make it a section:
 *   `### Apollo Utilities 1.3.1`, `### @acme/door@1.3.1`.
 * - A paragraph of one line is a version if it is such a number, perhaps with a date, and nothing else; where headings
 *   are versions, only with a date or above a list.
 * - A heading that begins with a year, dots and no other number (`2024.3.14`) has that number and no day.
 * - A version's day is in its heading, or else in the first line below it, if that says nothing else.
 * - A heading below a version that is neither a version nor its date is the heading of a section, unless that is empty.
 * - An item is an item of a list at the margin below the first version, outside of `<details>`, which is one piece. If all items of a list right below a version are words
 *   such as `Added`, or most of them and the others names with a colon, with a list inside, the items are in these. Below the last version, a heading as high as its own begins
 *   something else, unless a version above has one, or one of them has a number.
 */
export function countChangelog(text: string): Expected {
  const blocks = blocksOf(text)
  const order = dayOrderOf(text.split('\n'))
  const headings = blocks.filter(({ token }) => token.type === 'heading')
  const headingLines = new Set<number>()
  for (const { token, line } of headings)
    for (let at = 0; at < token.raw.trimEnd().split('\n').length; at++) headingLines.add(line + at)

  const versions: ExpectedVersion[] = []
  const collect = (candidates: Block[], accept: (block: Block, plain: string) => boolean) => {
    for (const block of candidates) {
      const plain = plainText(block.token)
      const number = versionIn(plain)
      if (number === null || !accept(block, plain)) continue
      const day = dayOf(block, plain, blocks, order)
      versions.push({ line: block.line, text: plain, number, day, headings: [] })
    }
  }
  const plainDepths = new Set(
    headings
      .filter(({ token }) => versionIn(plainText(token)) !== null && !isNamed(plainText(token)))
      .map(({ token }) => (token as Tokens.Heading).depth),
  )
  let outer = 7
  collect(headings, (block, plain) => {
    if (isOnlyDay(plain, order) && isBelowVersion(block, blocks)) return false
    const { depth } = block.token as Tokens.Heading
    if (depth > outer && !plainDepths.has(depth) && isNamed(plain) && !isOnlyDay(plain, order)) return false
    outer = Math.min(outer, depth)
    return true
  })
  const hasHeadings = versions.length > 0
  const lines = blocks.filter(({ token }) => token.type === 'paragraph' && !token.raw.trim().includes('\n'))
  collect(lines, ({ index }, plain) => {
    if (!isVersionLine(plain, order)) return false
    return !hasHeadings || findDay(plain, order) !== null || blocks[index + 1]?.token.type === 'list'
  })
  for (const { line } of versions) headingLines.add(line)
  versions.sort((a, b) => a.line - b.line)
  addHeadings(versions, blocks, order)

  const first = versions[0]?.line ?? Number.POSITIVE_INFINITY
  const end = endOf(versions, blocks)
  const isExported = /^## \[[^\]\n]+\](?!\()/m.test(text)
  const folded = foldedIn(blocks)
  const items = blocks
    .filter(
      ({ token, line, index }) => token.type === 'list' && line > first && line < end && !folded.has(index),
    )
    .flatMap(({ token, index }) => {
      const { items } = token as Tokens.List
      const isBelowHeading = !versions.some(({ line }) => line === blocks[index - 1]?.line)
      return isBelowHeading ? items : (itemsOfKinds(items) ?? items)
    })
    .flatMap((item) => itemsOfName(item, isExported))
    .map(firstWords)
    .filter((item) => /[\p{L}\p{N}]/u.test(item))
  return { versions, items, headingLines }
}

/** The blocks between `<details>` and its end. */
function foldedIn(blocks: readonly Block[]): Set<number> {
  let depth = 0
  return new Set(
    blocks.flatMap(({ token, index }) => {
      if (token.type === 'html')
        depth += (token.raw.match(/<details/g)?.length ?? 0) - (token.raw.match(/<\/details/g)?.length ?? 0)
      return depth > 0 ? index : []
    }),
  )
}

const KIND =
  /^(?:new |bug ?|breaking )?(?:add(?:ed)?|change[sd]?|modified|deprecat\w+|removed?|fix(?:es|ed)?|security|features?|improvements?|enhancements?|polish|internal|docs|documentation):?$/i

/** Null unless each of them is a word for a kind of change, or a name and a colon among more such words, with a list inside. */
function itemsOfKinds(items: Tokens.ListItem[]): Tokens.ListItem[] | null {
  const lists = items.map(
    ({ tokens }) => tokens.find(({ type }) => type === 'list') as Tokens.List | undefined,
  )
  const names = items.map((item) => firstWords(item).replace(/[*_`]/g, '').trim())
  const isGroup = (name: string) => KIND.test(name) || (name.length <= 40 && name.endsWith(':'))
  const ofKinds = names.filter((name) => KIND.test(name) || KIND.test(name.split(' ').at(-1) ?? ''))
  const areGroups = names.every((name, at) => lists[at] !== undefined && isGroup(name))
  return areGroups && ofKinds.length * 2 > names.length ? lists.flatMap((list) => list?.items ?? []) : null
}

/** Those inside of an item that only names packages or a part of the product. In an export, a description is below an empty line. */
function itemsOfName(item: Tokens.ListItem, isExported: boolean): Tokens.ListItem[] {
  const list = item.tokens.find(({ type }) => type === 'list') as Tokens.List | undefined
  if (list === undefined || item.tokens.length !== 2 || (isExported && item.loose)) return [item]
  const name = firstWords(item).trim()
  const isName = NAMES.some((form) => form.test(name)) && !/depend|deps|contributors|thanks/i.test(name)
  return isName ? list.items.flatMap((inner) => itemsOfName(inner, isExported)) : [item]
}

/** In code, in bold, one word, or two with a colon. */
const NAMES = [
  /^(?:`[^`]+`[\s,&]*)+$/,
  /^(?:\*\*|__)(?:[^\s*]{1,40}(?: [^\s*]{1,20})?|[^\s*:]{1,40}(?: [^\s*:]{1,20}){0,3}:)(?:\*\*|__)[\s:：]*$/,
  /^(?:\p{Lu}\p{L}{2,20}|\p{L}[\w/.@-]{1,30}(?: \p{L}[\w/.-]{1,20})?[:：])$/u,
]

/** The line of the heading below the last version that is as high as its own, if no version has one. */
function endOf(versions: ExpectedVersion[], blocks: Block[]): number {
  const lines = new Set(versions.map(({ line }) => line))
  const depthAt = (line: number) =>
    blocks.find((block) => block.line === line && block.token.type === 'heading')?.token as
      | Tokens.Heading
      | undefined
  const last = versions.at(-1)?.line ?? 0
  const depth = depthAt(last)?.depth ?? 0
  const outer = blocks.filter(
    ({ token, line }) =>
      token.type === 'heading' &&
      !lines.has(line) &&
      line > (versions[0]?.line ?? 0) &&
      token.depth <= depth &&
      !KIND.test(plainText(token).trim()),
  )
  const isEnd = versions.length > 2 && (outer[0]?.line ?? 0) > last
  const isNumbered = outer.some(({ token }) => /\d/.test(plainText(token)))
  return isEnd && !isNumbered ? (outer[0]?.line ?? 0) : Number.POSITIVE_INFINITY
}

/** Gives each version the headings of its sections: those that are neither a version nor its date, and hold something. */
function addHeadings(versions: ExpectedVersion[], blocks: Block[], order: DayOrder): void {
  const lines = new Set(versions.map(({ line }) => line))
  for (const { token, line, index } of blocks) {
    const version = versions.findLast((one) => one.line < line)
    if (token.type !== 'heading' || version === undefined || lines.has(line)) continue
    const { text, depth } = token as Tokens.Heading
    const below = blocks.slice(index + 1, index + 4).find((one) => one.token.type !== 'hr')
    const isInside = below?.token.type !== 'heading' || (below.token as Tokens.Heading).depth > depth
    if (below === undefined || lines.has(below.line) || !isInside) continue
    const plain = plainText(token)
    if (plain === '' || isOnlyDay(plain, order) || version.headings.includes(text)) continue
    version.headings.push(text)
  }
}

interface Block {
  token: Token
  line: number
  index: number
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  let line = 0
  for (const token of lexer(text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n'))) {
    if (token.type !== 'space' && token.type !== 'def') blocks.push({ token, line, index: blocks.length })
    line += token.raw.split('\n').length - 1
  }
  return blocks
}

/** The first line or paragraph of an item. */
function firstWords(item: Tokens.ListItem): string {
  const block = item.tokens.find(({ type }) => type !== 'checkbox' && type !== 'space')
  const inline = block !== undefined && 'tokens' in block ? (block.tokens ?? []) : []
  const end = inline.findIndex(({ type }) => type === 'br')
  const first = end === -1 ? inline : inline.slice(0, end)
  const text = first.map(({ raw }) => raw).join('')
  return (text === '' ? (block?.raw ?? '') : text).trim()
}

/** What a reader sees. */
function plainText(token: Token): string {
  const visit = (one: Token): string => {
    if ('tokens' in one && one.tokens) return one.tokens.map(visit).join('')
    if (one.type === 'html' || one.type === 'image') return ''
    if (one.type === 'br') return '\n'
    return 'text' in one ? unescapeHtml(one.text as string) : one.raw
  }
  return visit(token).trim()
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

const NUMBER = /(?<![\d.])(\d+(?:\.(?:\d+|x\b))+(?:[-+._]?[0-9A-Za-z]+)*)/g
const NOT_IN_FRONT =
  /^(since|beyond|from|to|before|after|until|with|for|and|or|of|on|the|is|as|at|by|about|between|than|migrat\w*|upgrad\w*|updat\w*|bump\w*|node(?:\.?js)?|npm|typescript|support\w*|requires?|notes?|differences|what.?s|drop\w*|deprecat\w*)$/i

function versionIn(plain: string): string | null {
  const text = plain
    .replace(/^[^\p{L}\p{N}@]+/u, '')
    .replace(/^v\.(?=\d)/i, 'v')
    .trim()
  if (/^unreleased\b[^\p{L}\p{N}]*$/iu.test(text)) return 'unreleased'
  const withoutDay = isCalendarLabel(text) ? text : (findDay(text, 'day-first')?.rest ?? text)
  if (text !== withoutDay && !/\p{L}|\d/u.test(withoutDay)) return findDay(text, 'day-first')?.day ?? null
  for (const match of withoutDay.matchAll(NUMBER)) {
    const front = withoutDay.slice(0, match.index).replace(/(^|[\W_])v$/i, '$1')
    const behind = withoutDay.slice(match.index + match[0].length)
    const words = front
      .split(/[\s:,()[\]–—-]+/)
      .filter((word) => /[\p{L}\p{N}]/u.test(word) && !/^(?:version|release)$/i.test(word))
    if (words.length > 3 || words.some((word) => NOT_IN_FRONT.test(word))) return null
    const isThreeParts = /^\d+\.\d+\.\d+/.test(match[1] ?? '')
    if (words.length === 0 && isThreeParts) return match[1] ?? null
    if (/^\W*$|^\s*[-–—,:/|([<"“«']/.test(behind)) return match[1] ?? null
    if (words.length === 0 && /^\s+(alpha|beta|rc|final|release)/i.test(behind)) return match[1] ?? null
    return null
  }
  return null
}

/** Whether a word or the name of a package is in front of the number, other than `version` and what is part of a label. */
function isNamed(plain: string): boolean {
  return /^@?\p{L}[^\s\d]*(?:\s|@(?=v?\d))/u.test(
    plain.replace(/^[^\p{L}\p{N}@]+/u, '').replace(/^(?:version|release)\s/i, ''),
  )
}

function isOnlyDay(plain: string, order: DayOrder): boolean {
  return onlyDay(plain, order) !== null
}

function isBelowVersion({ index }: Block, blocks: Block[]): boolean {
  const above = blocks[index - 1]?.token
  if (above?.type !== 'heading') return false
  const number = versionIn(plainText(above))
  return number !== null && !/^\d{4}-/.test(number)
}

function isVersionLine(plain: string, order: DayOrder): boolean {
  const found = isCalendarLabel(plain) ? null : findDay(plain, order)
  const rest = (found?.rest ?? plain).replace(/^[^\p{L}\p{N}]+/u, '').replace(/^(?:version|release)\s+/i, '')
  const behind = /^v?\d+(?:\.\d+)+(?:[-+.]?\w+)*([\s\S]*)$/i.exec(rest)?.[1]
  return (
    behind !== undefined && /^[^\p{L}\p{N}]*(?:(?:released?|diff|\([^)]*\))[^\p{L}\p{N}]*)?$/iu.test(behind)
  )
}

function dayOf({ token, index }: Block, plain: string, blocks: Block[], order: DayOrder): string | null {
  const inHeading = isCalendarLabel(plain) ? null : findDay(plain, order)
  if (inHeading !== null) return inHeading.day
  const below = blocks[index + 1]?.token
  if (below === undefined || token.type === 'list') return null
  if (!['paragraph', 'blockquote', 'heading', 'html'].includes(below.type)) return null
  const shown = below.type === 'html' ? below.raw.replace(/<[^>]*>/g, '') : plainText(below)
  return onlyDay(shown.trim().split('\n')[0] ?? '', order)
}
