import { type ChangeDraft, LIMITS } from '../../domain/records.ts'
import { headingFromType, typeFromHeading } from '../../domain/slug.ts'
import { isAside, kindOf, namesKind } from '../../domain/versions/kinds.ts'
import { oneLine } from '../markdown/lines.ts'
import { holds, isComment, isList, type Node, textOf, withoutRules } from '../markdown/nodes.ts'
import type { MarkdownSource } from '../markdown/source.ts'
import { DEFAULT_TYPE } from '../parsed.ts'
import { readTypeComment } from './comments.ts'
import { KNOWN_TYPES } from './vocabulary.ts'

export interface Section {
  /** Null above the first heading. */
  heading: SectionHeading | null
  /** A rule above the heading ends the sections before it, as auto writes it. */
  isBelowRule: boolean
  nodes: Node[]
}

export interface SectionHeading {
  depth: number
  /** Inline markdown. */
  text: string
  type: string | null
  /** Too long for a type, or with links and no known type: it is a change. */
  isTitle: boolean
  line: number
}

export type ChangeKind = Pick<ChangeDraft, 'type' | 'typeLabel'>

/** Splits the text of a version at its headings. Comments below the first heading or list are kept apart. */
export function splitIntoSections(
  nodes: readonly Node[],
  source: MarkdownSource,
): { sections: Section[]; comments: Node[] } {
  const sections: Section[] = [{ heading: null, isBelowRule: false, nodes: [] }]
  const comments: Node[] = []
  const firstList = nodes.findIndex(isList)
  for (const [index, node] of nodes.entries()) {
    const heading = readSectionHeading(node, nodes[index + 1], source)
    if (heading !== null) {
      // `# - - -` is a rule, unless its type is told.
      if (heading.type !== null || /[^\s*_=~#-]/.test(heading.text))
        sections.push({ heading, isBelowRule: nodes[index - 1]?.type === 'thematicBreak', nodes: [] })
    } else if (isComment(node) && (sections.length > 1 || (firstList !== -1 && firstList < index))) {
      comments.push(node)
    } else if (node.type !== 'definition') sections.at(-1)?.nodes.push(node)
  }
  for (const section of sections) section.nodes = withoutRules(section.nodes)
  return { sections, comments }
}

/**
 * The name and the changes of an item that only names packages or a part of the product, `- \`core\`, \`cli\``,
 * `- **core:**`, `- core:` or `- Core`, above a list. Null for other items. In an export, an empty line is above each description.
 */
export function nameAbove(
  item: Node,
  source: MarkdownSource,
): { name: SectionHeading; items: readonly Node[] } | null {
  const [name, inner, ...others] = item.children
  if (name?.type !== 'paragraph' || !inner || !isList(inner) || others.length > 0) return null
  if (source.document.isStrict && /\n[ \t]*\n/.test(source.text.slice(name.end, inner.start))) return null
  const text = oneLine(source.inside(name))
  const isBold = isBoldLine(name)
  const isCode = name.children.every((one) => one.type === 'inlineCode' || isJoin(one))
  if (!isCode && !(isBold && BOLD_NAME.test(text)) && !NAME.test(text)) return null
  const plain = (isBold ? textOf(name).trim() : text).replace(COLON, '')
  const type = typeFromHeading(plain.replace(/^\d+ (?:major |minor |tiny )?/, ''))
  // `Updated dependencies:` is one change.
  if (type !== null && isAside(type)) return null
  const known = type !== null && KNOWN_TYPES.has(type) ? type : null
  const line = source.document.lineOf(name)
  const heading = { depth: LINE_DEPTH + 1, text: plain, type: known, isTitle: false, line }
  return { name: heading, items: inner.children }
}

/** Two words, or four with a colon: a sentence is a change. */
const BOLD_NAME = /^(?:\S{1,40}(?: \S{1,20})?|[^\s:]{1,40}(?: [^\s:]{1,20}){0,3}:\S{0,2})$/
/** One word, or two with a colon, or a number of changes: `2 minor enhancements:`. */
const NAME =
  /^(?:\p{Lu}\p{L}{2,20}|\p{L}[\w/.@-]{1,30}(?: \p{L}[\w/.-]{1,20})?[:：]|\d{1,2}(?: [a-z]{2,20}){1,3}:)$/u

const isJoin = ({ type, value }: Node): boolean => type === 'text' && /^[\s,&]*$/.test(value)

/** The headings above a place in the text, outermost first, and what they mean for the changes there. */
export class SectionPath {
  #headings: SectionHeading[] = []

  enter({ heading, isBelowRule }: Section): void {
    if (isBelowRule) this.#headings = []
    if (heading === null) return
    const isInside = (above: SectionHeading) =>
      above.depth < heading.depth && !(isBesideBreaking(heading) && kindOf(above.type ?? '') === 'breaking')
    this.#headings = [...this.#headings.filter(isInside), heading]
  }

  /** Reads what is below a name inside of the section. */
  within(name: SectionHeading, read: () => void): void {
    this.#headings.push(name)
    read()
    this.#headings.pop()
  }

  get innermost(): SectionHeading | undefined {
    return this.#headings.at(-1)
  }

  get kind(): ChangeKind {
    const { type, text } = this.#typeHeading() ?? { type: null, text: '' }
    if (type === null) return { type: DEFAULT_TYPE }
    const label = text.replace(/\p{Cc}/gu, ' ').trim()
    const isUsual = label === '' || label === headingFromType(type)
    return isUsual || label.length > LIMITS.typeLabel ? { type } : { type, typeLabel: label }
  }

  /** The names of sections that the type does not express. */
  get otherNames(): string[] {
    const typeHeading = this.#typeHeading()
    return this.#headings.filter((one) => one !== typeHeading && !one.isTitle).map((one) => one.text)
  }

  /** The same names as the prefix of a title: `**core:** `. */
  get titlePrefix(): string {
    const names = this.otherNames
    if (names.length === 0) return ''
    const text = names.join(' / ').replace(COLON, '')
    return /[*_[\]<>`\\]/.test(text) ? `${text}: ` : `**${text}:** `
  }

  /** The innermost heading with a known name, else the outermost with any. */
  #typeHeading(): SectionHeading | undefined {
    const known = this.#headings.findLast((one) => KNOWN_TYPES.has(one.type ?? '') && !one.isTitle)
    return known ?? this.#headings.find((one) => one.type !== null && !one.isTitle)
  }
}

/** `Bug fixes`, `Features` or `Docs`: some authors write it a level below `Breaking changes`, and mean it beside that. */
function isBesideBreaking({ type }: SectionHeading): boolean {
  const kind = kindOf(type ?? '')
  return kind === 'fixed' || (KNOWN_TYPES.has(type ?? '') && (kind === 'added' || kind === 'other'))
}

/** Deeper than `######`: a line of bold text or a label that is used as a heading. */
const LINE_DEPTH = 7

/**
 * A heading, or a line above a list that is used as one: in bold, a few words and a colon, words for a kind of change,
 * or one word.
 */
function readSectionHeading(
  node: Node,
  next: Node | undefined,
  source: MarkdownSource,
): SectionHeading | null {
  if (node.type === 'heading') return sectionHeading(node, node.depth, source)
  if (node.type !== 'paragraph' || next?.type !== 'list') return null
  if (node.end - node.start > 4 * LIMITS.type) return null
  const visible = textOf(node).trim()
  const words = visible.split(/\s+/).length
  const isLabel = (LABEL.test(visible) && words <= 4) || (BREAKS.test(visible) && words <= 10)
  const names = namesKind(typeFromHeading(visible) ?? '') || ONE_WORD.test(visible)
  const isKind = KIND.test(visible) && words <= 3 && names
  const heading = isBoldLine(node) || isLabel || isKind ? sectionHeading(node, LINE_DEPTH, source) : null
  return heading?.isTitle ? null : heading
}

const COLON = /\s{0,2}[:：]$/
/** Letters without case need fewer for a name. */
const LABEL = /^(?:\p{Lu}[^\n.]{0,38}|\p{Ll}[\p{L}\p{N}_-]{1,20}|\p{Lo}[^\n。]{0,20})[:：]$/u
/** `(POSSIBLY) BREAKING CHANGES:`, `And some non-breaking changes:` */
const BREAKS = /\bbreaking changes?\s?[:：]$/i
const ONE_WORD = /^\p{Lu}\p{L}{2,20}$/u
const KIND = /^(?:\p{Lu}[^\n.:,;!?]{0,38}|\p{Lo}[^\n。：，；！？、]{0,5})$/u

/** `Added (2 changes)`, as GitLab writes it. */
const GITLAB_COUNT = / \(\d+ changes?\)$/

function sectionHeading(node: Node, depth: number, source: MarkdownSource): SectionHeading {
  const inside = oneLine(source.inside(node))
  const comment = node.type === 'heading' ? readTypeComment(inside) : null
  if (comment !== null) return { depth, ...comment, isTitle: false, line: source.document.lineOf(node) }
  const visible = textOf(node).trim()
  const type = typeFromHeading(visible.replace(GITLAB_COUNT, ''))
  const text = inside.replace(/^(\*\*|__)(.*)\1[:：]?$/, '$2').trim()
  const hasLinks = holds(node, ['link', 'image', 'html'])
  return {
    depth,
    text: node.type === 'heading' ? text : text.replace(COLON, ''),
    type,
    isTitle: type === null || (hasLinks && !(KNOWN_TYPES.has(type) && text.length <= LIMITS.typeLabel)),
    line: source.document.lineOf(node),
  }
}

const isBoldLine = ({ children: [first, ...others] }: Node): boolean =>
  first?.type === 'strong' && others.every((one) => one.type === 'text' && /^[\s:：]*$/.test(one.value))
