import { decodeString } from 'micromark-util-decode-string'

/** The form in which labels of link definitions are compared. */
export function identifier(label: string): string {
  return label
    .replace(/\n[ \t>]*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
}

/** Address and title of a link or definition, unescaped. */
export function targetOf(destination: string, title: string | null): { url: string; title: string | null } {
  const url = destination.startsWith('<') ? destination.slice(1, -1) : destination
  return { url: decodeString(url), title: title === null ? null : decodeString(title.slice(1, -1)) }
}

/** Whether a text has one of these labels in brackets, and so may have a reference link. */
export function mayRefer(text: string, labels: ReadonlySet<string>): boolean {
  if (labels.size === 0 || !text.includes('[')) return false
  for (const [, label = ''] of text.matchAll(/\[((?:[^[\]\\]|\\[\s\S])+)\]/g))
    if (labels.has(identifier(label))) return true
  return false
}

/** A code span, or brackets as a link with an address or a reference; or a mark by itself, which needs the parser. */
const CODE = '`[^`[\\]]*`'
const TOKEN = new RegExp(
  `${CODE}|\\[((?:[^[\\]\`]|${CODE})+)\\](?:(\\()[^\\s()<>\`[\\]]+\\)|(\\[([^[\\]\`]*)\\]))?(?![([])|[[\\]\`]`,
  'g',
)
/** What may make brackets something else, and lines that may begin a block. */
const NEEDS_PARSER = /[\\<]|!\[|``|\n(?![ \t]*[A-Za-z[(`])/
/** Longer ones may have too many marks for phrases, or too long a label. */
const MAX_LENGTH = 999

/**
 * The references of a text to these labels, and where the address goes, as the parser of phrases would find them, in a
 * fraction of its time. Null if only that can tell.
 */
export function referencesIn(
  text: string,
  labels: ReadonlySet<string>,
): { identifier: string; tail: number; end: number }[] | null {
  if (text.length > MAX_LENGTH || NEEDS_PARSER.test(text)) return null
  const references = []
  for (const { 0: token, 1: own, 2: isLink, 3: tail = '', 4: label, index } of text.matchAll(TOKEN)) {
    if (token.length === 1) return null
    if (own === undefined || isLink !== undefined) continue
    const name = identifier(label || own)
    const end = index + token.length
    if (labels.has(name)) references.push({ identifier: name, tail: end - tail.length, end })
  }
  return references
}
