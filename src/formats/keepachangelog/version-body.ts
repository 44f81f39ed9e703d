import type { Heading, List, ListItem, Nodes, Paragraph, Parents, RootContent } from 'mdast'
import { type ChangeDraft, LIMITS } from '../../domain/records.ts'
import { cut, DEFAULT_TYPE, typeFromHeading, type Warning } from '../parsed.ts'
import { type FoundDate, onlyDate } from './dates.ts'
import { columnAt, dedent, oneLine, trimBlankLines } from './lines.ts'
import { endOf, type MarkdownSource, startOf, withoutDefinitions } from './markdown-source.ts'
import { asParagraph, DESCRIPTION_ITEM, fromParagraph } from './titles.ts'
import { escapeInline } from './version-heading.ts'
import { VisibleText } from './visible-text.ts'

export interface VersionBody {
  description: string | null
  changes: ChangeDraft[]
  warnings: Warning[]
  /** A date that stood in a line of its own at the top; only looked for on request. */
  date: FoundDate | null
}

/**
 * Reads what stands below a version's heading, or in the body of a release.
 *
 * - Prose before the first list or section is the description, and so is prose after the last list.
 * - Every item of a list is a change; what is nested in it, its description.
 * - A heading gives the changes below it their type. Headings below that one cannot, so they are put in
 *   front of the titles (`**core:** …`), unless theirs is the better known name of the two. A heading too
 *   long for a type, or with links in it, is a change as well.
 * - A section without a list is one change. Other blocks between lists are a change of their own, code and
 *   tables a part of the change they follow.
 */
export function readVersionBody(
  nodes: RootContent[],
  source: MarkdownSource,
  { wantsDate = false } = {},
): VersionBody {
  const reader = new BodyReader(source)
  const first = nodes.find((node) => !isComment(node))
  const date = wantsDate ? lineOfDate(first, source) : null
  reader.read(date === null ? nodes : nodes.filter((node) => node !== first))
  return { ...reader.result(), date }
}

/** Names that say what kind of change stands below them; others may as well be parts of the product. */
const KNOWN_TYPES = new Set([
  ...['added', 'changed', 'deprecated', 'removed', 'fixed', 'security'],
  ...['add', 'additions', 'changes', 'deprecations', 'removals', 'removed-features', 'fix', 'fixes', 'bugs'],
  ...['features', 'feature', 'new-features', 'new-feature', 'enhancements', 'enhancement', 'improvements'],
  ...['bug-fixes', 'bug-fix', 'bugfixes', 'bugfix', 'breaking-changes', 'breaking-change', 'breaking'],
  ...['performance', 'performance-improvements', 'perf', 'documentation', 'docs', 'internal', 'dependencies'],
  ...['refactor', 'refactoring', 'code-refactoring', 'chore', 'chores', 'miscellaneous', 'reverts', 'tests'],
  ...['major-changes', 'minor-changes', 'patch-changes', 'security-fixes', 'deprecated-features', 'polish'],
])

/** Left behind empty by the template of Keep a Changelog. */
const TEMPLATE_SECTIONS = new Set(['added', 'changed', 'deprecated', 'removed', 'fixed', 'security'])

interface Section {
  depth: number
  /** Inline markdown. */
  text: string
  type: string | null
  /** Whether it is too long for a type or holds links: more than the name of a section, and a change by itself. */
  isTitle: boolean
  line: number
}

interface Block {
  heading: Section | null
  /** Whether a rule above the heading ends the sections before it. */
  isApart: boolean
  nodes: RootContent[]
}

class BodyReader {
  readonly #source: MarkdownSource
  readonly #changes: ChangeDraft[] = []
  readonly #description: string[] = []
  readonly #warnings: Warning[] = []
  #path: Section[] = []

  constructor(source: MarkdownSource) {
    this.#source = source
  }

  read(nodes: RootContent[]): void {
    const blocks = this.#splitAtHeadings(nodes)
    for (const [index, block] of blocks.entries()) {
      const next = blocks[index + 1]
      if (block.isApart) this.#path = []
      if (block.heading !== null) this.#enter(block.heading)
      const before = this.#changes.length
      if (block.nodes.length > 0) this.#readBlock(block, next === undefined)
      const isEmpty = this.#changes.length === before
      if (isEmpty && block.heading !== null) this.#readEmpty(block.heading, next?.heading?.depth ?? 0)
    }
  }

  result(): Omit<VersionBody, 'date'> {
    const description =
      this.#description.length === 0 ? null : withoutDefinitions(this.#description.join('\n\n'))
    return { description, changes: this.#changes, warnings: this.#warnings }
  }

  #splitAtHeadings(nodes: RootContent[]): Block[] {
    const blocks: Block[] = [{ heading: null, isApart: false, nodes: [] }]
    for (const [index, node] of nodes.entries()) {
      const heading = this.#headingIn(node, nodes[index + 1])
      if (heading !== null) {
        const isApart = nodes[index - 1]?.type === 'thematicBreak'
        if (heading.text !== '') blocks.push({ heading, isApart, nodes: [] })
      } else if (isComment(node) && (blocks.length > 1 || blocks[0]?.nodes.some(isList))) {
        this.#description.push(this.#source.blocks([node]))
      } else if (node.type !== 'definition' || node.identifier.startsWith('^'))
        blocks.at(-1)?.nodes.push(node)
    }
    for (const block of blocks) trimBreaks(block.nodes)
    return blocks
  }

  /** A heading, or what everybody reads as one above a list: a line in bold, or a few words and a colon. */
  #headingIn(node: RootContent, next: RootContent | undefined): Section | null {
    if (node.type === 'heading') return this.#section(node, node.depth)
    if (node.type !== 'paragraph' || next?.type !== 'list') return null
    if (endOf(node) - startOf(node) > 4 * LIMITS.type) return null
    const visible = VisibleText.of(node, this.#source).text.trim()
    const bold = node.children[0]?.type === 'strong' && /^[\s:]*$/.test(textAfterFirst(node))
    const label = /^\p{Lu}[^\n.]{0,38}:$/u.test(visible) && visible.split(/\s+/).length <= 4
    const section = bold || label ? this.#section(node, 7) : null
    return section?.isTitle ? null : section
  }

  #section(node: Heading | Paragraph, depth: number): Section {
    const visible = VisibleText.of(node, this.#source).text
    const text = oneLine(this.#source.inside(node))
    const type = typeFromHeading(visible)
    const hasLinks = holds(node, ['link', 'linkReference', 'image', 'imageReference', 'html'])
    return {
      depth,
      text: text.replace(/^(\*\*|__)(.*)\1:?$/, '$2'),
      type,
      isTitle: type === null || hasLinks,
      line: this.#source.lineOf(node),
    }
  }

  #enter(heading: Section): void {
    while ((this.#path.at(-1)?.depth ?? 0) >= heading.depth) this.#path.pop()
    this.#path.push(heading)
  }

  /** The heading that names the type: the innermost with a known name, else the outermost. */
  #typeHeading(): Section | undefined {
    const known = this.#path.findLast((one) => KNOWN_TYPES.has(one.type ?? ''))
    return known ?? this.#path.find((one) => one.type !== null)
  }

  #type(): string {
    return this.#typeHeading()?.type ?? DEFAULT_TYPE
  }

  /** The names of sections above that the type leaves unsaid. */
  #context(): string[] {
    const naming = this.#typeHeading()
    return this.#path.filter((one) => one !== naming && !one.isTitle).map((one) => one.text)
  }

  #readEmpty(heading: Section, nextDepth: number): void {
    const isParent = nextDepth > heading.depth
    if (isParent && !heading.isTitle) return
    const context = this.#context()
    if (TEMPLATE_SECTIONS.has(heading.type ?? '') && context.length === 0) {
      this.#warnings.push({ line: heading.line, message: `section "${heading.text}" is empty, left out` })
      return
    }
    if (!isParent) {
      this.#warnings.push({
        line: heading.line,
        message: `section "${heading.text}" is empty, kept as a change`,
      })
    }
    const title = heading.isTitle || context.length === 0 ? heading.text : context.join(' / ')
    this.#addChange(fromParagraph(title), null, '')
  }

  #readBlock(block: Block, isLast: boolean): void {
    const lists = block.nodes.filter(isList).length
    if (lists === 0) {
      if (block.heading === null) this.#describe(block.nodes)
      else this.#readProse(block.nodes)
      return
    }
    if (block.heading?.isTitle) this.#addChange(fromParagraph(block.heading.text), null, '')
    let run: RootContent[] = []
    let seen = 0
    for (const node of block.nodes) {
      if (node.type !== 'list') {
        run.push(node)
        continue
      }
      if (seen === 0 && block.heading === null) this.#describe(run)
      else this.#keepBetween(run, seen === 0)
      run = []
      seen++
      for (const item of node.children) this.#readItem(item)
    }
    const closing = this.#attachToLast(run)
    if (isLast || block.heading === null) this.#describe(closing)
    else this.#keepBetween(closing, false)
  }

  #describe(nodes: RootContent[]): void {
    const run = trimBreaks([...nodes])
    if (run.length > 0) this.#description.push(this.#source.blocks(run))
  }

  /** A section without a list. Its heading is the title if it names more than the type, or if nothing else can be. */
  #readProse(nodes: RootContent[]): void {
    const context = this.#context()
    const own = this.#path.at(-1)
    const names = own?.isTitle ? [...context, own.text] : context
    const title = names.length > 0 ? names.join(' / ') : (own?.text ?? '')
    if (names.length > 0 || (title !== '' && nodes[0]?.type !== 'paragraph')) {
      this.#addChange(fromParagraph(title), this.#source.blocks(nodes), '')
    } else this.#addBlocks(nodes, 0)
  }

  #keepBetween(nodes: RootContent[], isIntroduction: boolean): void {
    const run = trimBreaks(isIntroduction ? [...nodes] : this.#attachToLast(nodes))
    const first = run[0]
    if (first === undefined) return
    if (!isIntroduction) {
      this.#warnings.push({
        line: this.#source.lineOf(first),
        message: 'text between items, kept as a change of its own',
      })
    }
    this.#addBlocks(run, 0)
  }

  /** Code, tables and the like after an item were meant for it and only lack its indentation. */
  #attachToLast(nodes: RootContent[]): RootContent[] {
    const run = trimBreaks([...nodes])
    const rest = run.findIndex((node) => node.type === 'paragraph')
    const attached = trimBreaks(run.slice(0, rest === -1 ? run.length : rest))
    const last = this.#changes.at(-1)
    const first = attached[0]
    if (last === undefined || first === undefined) return run
    const text = this.#source.blocks(attached)
    last.description = last.description === null ? text : `${last.description}\n\n${text}`
    this.#warnings.push({
      line: this.#source.lineOf(first),
      message: `${first.type} after an item, kept in its description`,
    })
    return trimBreaks(run.slice(rest === -1 ? run.length : rest))
  }

  #readItem(item: ListItem): void {
    const first = item.children[0]
    if (first?.type === 'html' && first.value.trim() === DESCRIPTION_ITEM) {
      const column = contentColumn(item, this.#source.text)
      const text = trimBlankLines(dedent(this.#source.slice(endOf(first), endOf(item)), column))
      if (text !== '') this.#description.push(text)
      return
    }
    const before = this.#changes.length
    this.#addBlocks(item.children, contentColumn(item, this.#source.text))
    if (this.#changes.length === before && this.#source.text.slice(startOf(item), endOf(item)).length > 1) {
      this.#warnings.push({ line: this.#source.lineOf(item), message: 'item without text, left out' })
    }
  }

  /** The first block becomes the title if it can, the others the description. */
  #addBlocks(nodes: RootContent[] | ListItem['children'], column: number): void {
    const blocks = nodes.filter((node) => node.type !== 'definition' || node.identifier.startsWith('^'))
    const first = blocks[0]
    const last = blocks.at(-1)
    if (first === undefined || last === undefined) return
    const source = this.#source
    const prefix = this.#prefix()
    const from = (offset: number): string => trimBlankLines(dedent(source.slice(offset, endOf(last)), column))

    if (first.type === 'paragraph' || first.type === 'heading') {
      const pause = first.children.find((child) => child.type === 'break')
      const text = source.slice(
        startOf(first.children[0] ?? first),
        pause === undefined ? endOf(first.children.at(-1) ?? first) : startOf(pause),
      )
      const title = fromParagraph(oneLine(text))
      if (title !== '') {
        // what follows a line break was inside a paragraph, and would open a block now that it begins one
        const rest =
          pause === undefined
            ? from(endOf(first))
            : from(endOf(pause)).replace(/^[ \t]*(.*)/, (_, line: string) => asParagraph(line))
        this.#addChange(title, rest === '' ? null : rest, prefix)
        return
      }
    }
    if (first.type === 'html' && !first.value.includes('\n')) {
      const rest = from(endOf(first))
      this.#addChange(
        fromParagraph(source.slice(startOf(first), endOf(first))),
        rest === '' ? null : rest,
        prefix,
      )
      return
    }
    const whole = from(startOf(first))
    const title = summary(first, source) ?? wordsOf(whole)
    if (title !== null && whole !== '') this.#addChange(title, whole, prefix)
  }

  #prefix(): string {
    const context = this.#context()
    if (context.length === 0) return ''
    const text = context.join(' / ').replace(/\s*:$/, '')
    return /[*_[\]<>`\\]/.test(text) ? `${text}: ` : `**${text}:** `
  }

  #addChange(title: string, description: string | null, prefix: string): void {
    const whole = fromParagraph(prefix + title)
    const shown = fromParagraph(cut(whole, LIMITS.title))
    const parts = shown === whole ? [description] : [whole, description]
    const kept = withoutDefinitions(parts.filter((part) => part !== null).join('\n\n'))
    this.#changes.push({ type: this.#type(), title: shown, description: kept === '' ? null : kept })
  }
}

function lineOfDate(first: RootContent | undefined, source: MarkdownSource): FoundDate | null {
  if (first?.type !== 'paragraph' && first?.type !== 'heading') return null
  const text = VisibleText.of(first, source).text
  return text.length < 80 ? onlyDate(text) : null
}

/** The first line that shows a word, for blocks that have none of their own to offer. */
function wordsOf(markdown: string): string | null {
  const line = markdown.split('\n').find((one) => /[\p{L}\p{N}]/u.test(one))
  return line === undefined ? null : fromParagraph(escapeInline(line))
}

/** The first words of a block that is no paragraph, for a title; null when it shows none. */
function summary(node: Nodes, source: MarkdownSource): string | null {
  if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell') {
    const text = fromParagraph(oneLine(source.inside(node)))
    return text === '' ? null : text
  }
  if (node.type === 'code' || node.type === 'html') {
    const line =
      node.value.split('\n').find((one) => /[\p{L}\p{N}]/u.test(one)) ??
      node.value.split('\n').find((one) => one.trim() !== '')
    if (line === undefined) return null
    return line.includes('`') ? fromParagraph(escapeInline(line.trim())) : `\`${line.trim()}\``
  }
  if (!('children' in node)) return null
  for (const child of node.children) {
    const found = summary(child, source)
    if (found !== null) return found
  }
  return null
}

/** How far an item's lines are indented, so that its description can be moved to the margin. */
function contentColumn(item: ListItem, text: string): number {
  const first = item.children[0]
  if (first === undefined) return 0
  const isSameLine = !text.slice(startOf(item), startOf(first)).includes('\n')
  const isIndentedCode = first.type === 'code' && !/[`~]/.test(text[startOf(first)] ?? '')
  if (isSameLine && !isIndentedCode) return columnAt(text, startOf(first))
  const marker = /^(?:[-+*]|\d+[.)])/.exec(text.slice(startOf(item), startOf(item) + 12))?.[0] ?? '-'
  return columnAt(text, startOf(item)) + marker.length + 1
}

function trimBreaks(nodes: RootContent[]): RootContent[] {
  while (nodes[0]?.type === 'thematicBreak') nodes.shift()
  while (nodes.at(-1)?.type === 'thematicBreak') nodes.pop()
  return nodes
}

function isList(node: RootContent): node is List {
  return node.type === 'list'
}

function isComment(node: RootContent): boolean {
  return node.type === 'html' && /^<!--[\s\S]*-->\s*$/.test(node.value)
}

function holds(node: Parents, types: Nodes['type'][]): boolean {
  return node.children.some(
    (child) => types.includes(child.type) || ('children' in child && holds(child, types)),
  )
}

function textAfterFirst(node: Paragraph): string {
  return node.children
    .slice(1)
    .map((child) => (child.type === 'text' ? child.value : 'x'))
    .join('')
}
