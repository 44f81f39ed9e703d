import type { Heading, Html, ListItem, Nodes, Paragraph, PhrasingContent, RootContent, Text } from 'mdast'
import { type Excess, mayBeDeep } from './bounds.ts'
import { type Chunk, DEFINITION, linesBetween } from './chunks.ts'
import { definitionsOf, identifier, labelsIn } from './labels.ts'
import { isBlank, trimEndBlanks } from './lines.ts'
import { shift } from './nodes.ts'
import { type ParserContext, parse } from './parser.ts'

/**
 * The blocks of a chunk that is so plain that it needs no parser, which would take many times as long; changelogs
 * consist of little else. Null for any other chunk. The nodes are those of the parser, except that a paragraph has its
 * inline nodes parsed when they are asked for, and that all that is below the first block of an item is one block.
 */
export function plainBlocks(chunk: Chunk, place: Place, context: ParserContext): RootContent[] | null {
  const { kind, start, end } = chunk
  if (kind === 'paragraph') return [new PlainParagraph(place, start, end, context)]
  if (kind === 'heading') return plainHeading(chunk, place, context.labels)
  if (kind === 'underlined') return underlinedHeading(chunk, place, context.labels)
  if (kind === 'item') return plainItem(chunk, place, context)
  if (kind === 'rule')
    return [{ type: 'thematicBreak', position: place.position(indented(chunk, place), end) }]
  if (kind === 'definition') {
    DEFINITION.lastIndex = start
    const [, label = '', bracketed, bare = '', title = null] = DEFINITION.exec(place.text) ?? []
    const url = bracketed ?? bare
    const position = place.position(start, DEFINITION.lastIndex)
    return [{ type: 'definition', identifier: identifier(label), label, title, url, position }]
  }
  if (kind !== 'verbatim') return null
  if (place.text[start] === '<') return [place.html(start, end)]
  return /[`~]/.test(place.text[start] ?? '') ? plainCode(chunk, place) : null
}

/** A chunk beyond the bounds of the parser, kept as it is written. An item is still an item, and a heading a heading. */
export function blocksKeptAsText(chunk: Chunk, place: Place, { budget }: ParserContext): RootContent[] {
  const { kind, start, end, textStart, textEnd } = chunk
  if (kind === 'item')
    return [list(chunk, place, itemBlocks(place, textStart, textEnd, end, { labels: NO_LABELS, budget }))]
  if (kind === 'underlined') {
    const value = trimEndBlanks(place.text.slice(start, textEnd))
    return [heading(chunk, place, underlineDepth(chunk, place), [place.textNode(start, value)])]
  }
  if (kind !== 'heading') return [place.html(start, end)]
  const [, marks = '', blanks = '', value = ''] =
    /^(#+)([ \t]*)(.*?)(?:(?:^|[ \t]+)#*[ \t]*)?$/.exec(place.text.slice(start, end)) ?? []
  const text = place.textNode(start + marks.length + blanks.length, value)
  return [heading(chunk, place, marks.length, value === '' ? [] : [text])]
}

const NO_LABELS: ReadonlySet<string> = new Set()

type Position = NonNullable<Nodes['position']>

/** Where a chunk is in its text, and where its nodes are in the text to which lines are added. */
export class Place {
  constructor(
    readonly text: string,
    /** The beginning of the chunk. */
    readonly start: number,
    /** The number of its first line among the nodes. */
    readonly line: number,
    /** How many characters are added above it. */
    readonly added: number,
  ) {}

  position(start: number, end: number): Position {
    return { start: this.#point(start), end: this.#point(end) }
  }

  textNode(start: number, value: string): Text {
    return { type: 'text', value, position: this.position(start, start + value.length) }
  }

  /** Also for text in whose structure nobody is interested. */
  html(start: number, end: number): Html {
    return { type: 'html', value: this.text.slice(start, end), position: this.position(start, end) }
  }

  #point(offset: number): Position['start'] {
    const lineStart = offset === this.start ? offset : this.text.lastIndexOf('\n', offset - 1) + 1
    const line = this.line + linesBetween(this.text, this.start, offset)
    return { line, column: offset - lineStart + 1, offset: offset + this.added }
  }
}

/** A paragraph whose inline nodes are parsed when they are asked for; most are not. */
export class PlainParagraph implements Paragraph {
  readonly type = 'paragraph'
  readonly position: Position
  readonly source: string
  readonly #place: Place
  readonly #start: number
  readonly #context: ParserContext
  #children: PhrasingContent[] | undefined
  #excess: Excess | null = null

  constructor(place: Place, start: number, end: number, context: ParserContext) {
    this.position = place.position(start, end)
    this.source = place.text.slice(start, end)
    this.#place = place
    this.#start = start
    this.#context = context
  }

  /** Whether a link in it may refer to a definition. */
  get hasReferences(): boolean {
    return labelsIn(this.source, this.#context.labels).length > 0
  }

  get children(): PhrasingContent[] {
    this.#children ??= this.#parse()
    return this.#children
  }

  /** Why its inline nodes are one text. Null if they are not. */
  get excess(): Excess | null {
    return this.children && this.#excess
  }

  #parse(): PhrasingContent[] {
    const { labels, budget } = this.#context
    const source = trimEndBlanks(this.source)
    const plain = plainPhrases(this.#place, this.#start, source, labels)
    if (plain !== null) return plain
    const text = this.#place.textNode(this.#start, source)
    this.#excess = budget.spend(source)
    if (this.#excess !== null) return [text]
    const prefix = definitionsOf(labelsIn(source, labels))
    const last = parse(prefix + source).at(-1)
    if (last?.type !== 'paragraph') return [text]
    const { start } = this.position
    const lines = start.line - (last.position?.start.line ?? 0)
    for (const child of last.children) shift(child, (start.offset ?? 0) - prefix.length, lines)
    return last.children
  }
}

const MARKUP = /[\\`*_<&\n]|!\[/
/** A label in brackets, and the address or the second label behind it. */
const BRACKETS = /\[([^\s[\]](?:[^[\]]*[^\s[\]])?)\](?:\(([^\s<>()]+)\)|(\[[^[\]]*\])|(?![[(]))/g

/** The nodes of text that has no markup but simple links. Null for any other. */
function plainPhrases(
  place: Place,
  start: number,
  source: string,
  labels: ReadonlySet<string>,
): PhrasingContent[] | null {
  if (MARKUP.test(source)) return null
  const nodes: PhrasingContent[] = []
  let end = 0
  const addText = (to: number) => {
    if (end < to) nodes.push(place.textNode(start + end, source.slice(end, to)))
  }
  let known = 0
  for (const { 0: whole, 1: text = '', 2: url, 3: second, index } of source.matchAll(BRACKETS)) {
    if (/[[\]]/.test(source.slice(known, index))) return null
    known = index + whole.length
    const children = [place.textNode(start + index + 1, text)]
    const position = place.position(start + index, start + known)
    const label = second === undefined || second === '[]' ? text : second.slice(1, -1)
    if (url !== undefined) {
      addText(index)
      nodes.push({ type: 'link', url, title: null, children, position })
    } else if (labels.has(identifier(label))) {
      addText(index)
      const referenceType = second === undefined ? 'shortcut' : second === '[]' ? 'collapsed' : 'full'
      const reference = { identifier: identifier(label), label, referenceType } as const
      nodes.push({ type: 'linkReference', ...reference, children, position })
    } else if (label !== text && labels.has(identifier(text))) return null
    else continue
    end = known
  }
  if (/[[\]]/.test(source.slice(known))) return null
  addText(source.length)
  return nodes
}

function plainHeading(chunk: Chunk, place: Place, labels: ReadonlySet<string>): [Heading] | null {
  const { start, end } = chunk
  const line = place.text.slice(start, end)
  const marks = /[ \t#]$/.test(line) ? undefined : /^(#{1,6}) +/.exec(line)
  if (!marks) return null
  const children = plainPhrases(place, start + marks[0].length, line.slice(marks[0].length), labels)
  return children && [heading(chunk, place, marks[1]?.length ?? 1, children)]
}

function underlinedHeading(chunk: Chunk, place: Place, labels: ReadonlySet<string>): [Heading] | null {
  const { start, textEnd } = chunk
  const children = plainPhrases(place, start, trimEndBlanks(place.text.slice(start, textEnd)), labels)
  return children && [heading(chunk, place, underlineDepth(chunk, place), children)]
}

function underlineDepth({ textEnd }: Chunk, { text }: Place): number {
  return text[textEnd + 1] === '=' ? 1 : 2
}

function heading({ start, end }: Chunk, place: Place, depth: number, children: PhrasingContent[]): Heading {
  return { type: 'heading', depth: depth as Heading['depth'], children, position: place.position(start, end) }
}

/** What matters below the first block of an item: definitions and references, tabs, and anchors above headings. */
const MATTERS = /\]:|\t|<a\b/i

function plainItem(chunk: Chunk, place: Place, context: ParserContext): RootContent[] | null {
  const { end, textStart, textEnd } = chunk
  if (textStart === textEnd)
    return isBlank(place.text.slice(textStart, end)) ? [list(chunk, place, [])] : null
  if (textEnd < end) {
    const below = place.text.slice(textEnd, end)
    if (MATTERS.test(below) || mayBeDeep(below) || labelsIn(below, context.labels).length > 0) return null
  }
  return [list(chunk, place, itemBlocks(place, textStart, textEnd, end, context))]
}

function list(chunk: Chunk, place: Place, children: ListItem['children']): RootContent {
  const position = place.position(indented(chunk, place), chunk.end)
  return { type: 'list', children: [{ type: 'listItem', children, position }], position }
}

/** The paragraph or comment with which an item begins, if there is one, and all that is below it. */
function itemBlocks(
  place: Place,
  textStart: number,
  textEnd: number,
  end: number,
  context: ParserContext,
): ListItem['children'] {
  const blocks: ListItem['children'] = []
  if (textStart < textEnd) {
    const isComment = place.text[textStart] === '<'
    blocks.push(
      isComment ? place.html(textStart, textEnd) : new PlainParagraph(place, textStart, textEnd, context),
    )
  }
  if (textEnd < end) blocks.push(place.html(textEnd + place.text.slice(textEnd, end).search(/\S/), end))
  return blocks
}

function plainCode({ start, end }: Chunk, place: Place): RootContent[] {
  const lines = place.text.slice(start, end).split('\n')
  return [{ type: 'code', value: lines.slice(1).join('\n'), position: place.position(start, end) }]
}

/** Where the text of a chunk's first line begins. */
function indented({ start }: Chunk, { text }: Place): number {
  let at = start
  while (text[at] === ' ') at++
  return at
}
