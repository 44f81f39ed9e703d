import { type ChangeDraft, LIMITS } from '../../../domain/records.ts'
import { cut } from '../../../domain/text/cut.ts'
import { kindOf } from '../../../domain/versions/kinds.ts'
import { append, DEFAULT_TYPE, type Warning } from '../../parsed.ts'
import { changeFromBlocks, contentColumn, createChange } from '../changes.ts'
import { CLOSING_COMMENT, DESCRIPTION_COMMENT } from '../comments.ts'
import { isDetails, summaryOf } from '../details.ts'
import { dedent, trimBlankLines } from '../markdown/lines.ts'
import { type Block, isList, isNumbered, type List, type ListItem, withoutRules } from '../markdown/nodes.ts'
import type { MarkdownSource } from '../markdown/source.ts'
import { nameAbove, type Section, type SectionHeading, SectionPath, splitIntoSections } from '../sections.ts'
import { TEMPLATE_TYPES } from '../vocabulary.ts'
import { paragraphsOf } from './paragraphs.ts'

export interface BodyText {
  description: string | null
  /** What follows the last section or list. */
  closing: string | null
  changes: ChangeDraft[]
  warnings: Warning[]
}

/** Takes the blocks of a version's text apart: see `readVersionBody`. */
export class BodyReader {
  readonly #source: MarkdownSource
  readonly #changes: ChangeDraft[] = []
  readonly #description: string[] = []
  readonly #closing: string[] = []
  readonly #warnings: Warning[] = []
  readonly #path = new SectionPath()

  constructor(
    source: MarkdownSource,
    description: string,
    private readonly isProse: boolean,
  ) {
    this.#source = source
    if (description !== '') this.#description.push(description)
  }

  read(nodes: Block[]): void {
    const { sections, comments } = splitIntoSections(nodes, this.#source)
    for (const comment of comments) this.#description.push(this.#source.blocks([comment]))
    for (const [index, section] of sections.entries()) {
      const next = sections[index + 1]
      this.#path.enter(section)
      const before = this.#changes.length
      if (section.nodes.length > 0) this.#readSection(section, next === undefined)
      const isEmpty = this.#changes.length === before
      if (isEmpty && section.heading !== null) this.#readEmpty(section.heading, next?.heading?.depth ?? 0)
    }
  }

  result(): BodyText {
    const textOf = (parts: string[]) =>
      parts.length === 0 ? null : this.#fitted(this.#source.escapeDefinitions(parts.join('\n\n')))
    for (const change of this.#changes)
      if (change.description !== null) change.description = this.#fitted(change.description)
    return {
      description: textOf(this.#description),
      closing: textOf(this.#closing),
      changes: this.#changes,
      warnings: this.#warnings,
    }
  }

  #fitted(text: string): string {
    if (text.length <= LIMITS.description) return text
    const line = this.#source.nodes[0] ? this.#source.lineOf(this.#source.nodes[0]) : 1
    this.#report(line, `a text has more than ${LIMITS.description} characters, cut`)
    return cut(text, LIMITS.description)
  }

  #readEmpty(heading: SectionHeading, nextDepth: number): void {
    const isParent = nextDepth > heading.depth
    if (isParent && !heading.isTitle) return
    const names = this.#path.otherNames
    if (TEMPLATE_TYPES.has(heading.type ?? '') && names.length === 0) {
      this.#report(
        heading.line,
        `section "${heading.text}" is empty, left out`,
        'a section is empty, left out',
      )
      return
    }
    if (!isParent)
      this.#report(
        heading.line,
        `section "${heading.text}" is empty, kept as a change`,
        'a section is empty, kept as a change',
      )
    const isOwn = heading.isTitle || names.length === 0
    // Without a type of its own, or the heading would be there twice.
    const kind = isOwn && !heading.isTitle ? { type: DEFAULT_TYPE } : this.#path.kind
    this.#changes.push(createChange(kind, isOwn ? heading.text : names.join(' / '), null, this.#source))
  }

  #readSection({ heading, nodes }: Section, isLast: boolean): void {
    const isPoints = (node: Block) => isList(node) && isNumbered(node, this.#source.text)
    const hasOther = nodes.some((node) => isList(node) && !isPoints(node))
    const mayBePoints =
      heading === null || this.#source.document.isNumbered || (tellsKind(heading) && !hasOther)
    const isChanges = (node: Block): node is List => isList(node) && (mayBePoints || !isPoints(node))
    if (!nodes.some(isChanges)) {
      if (heading !== null) this.#readProse(nodes)
      else
        for (const { isChange, run } of this.isProse
          ? paragraphsOf(nodes)
          : [{ isChange: false, run: nodes }])
          if (isChange) this.#addBlocks(run)
          else this.#describe(run)
      return
    }
    if (heading?.isTitle) this.#addChange(heading.text)
    let run: Block[] = []
    let isFirstList = true
    for (const node of nodes) {
      if (!isChanges(node)) {
        run.push(node)
        continue
      }
      if (isFirstList && heading === null) this.#describe(run)
      else if (isFirstList) this.#addRun(withoutRules(run))
      else this.#keepBetween(run)
      run = []
      isFirstList = false
      this.#readItems(node.children)
    }
    const rest = this.#attachToLast(run)
    if (isLast) this.close(rest)
    else if (heading === null) this.#describe(rest)
    else this.#keepBetween(rest)
  }

  close(nodes: Block[]): void {
    const run = withoutRules(nodes)
    if (run.length > 0) this.#closing.push(this.#source.blocks(run))
  }

  #describe(nodes: Block[]): void {
    const run = withoutRules(nodes)
    if (run.length > 0) this.#description.push(this.#source.blocks(run))
  }

  /** A section without a list. Its heading is the title if it says more than the type, or if the text cannot be. */
  #readProse(nodes: Block[]): void {
    const own = this.#path.innermost
    const names = this.#path.otherNames
    if (own?.isTitle) names.push(own.text)
    const title = names.length > 0 ? names.join(' / ') : (own?.text ?? '')
    const isTitle = names.length > 0 || (title !== '' && nodes[0]?.type !== 'paragraph')
    for (const node of nodes) this.#reportText(node)
    if (isTitle) this.#addChange(title, this.#source.blocks(nodes))
    else if (this.isProse && own && tellsKind(own) && kindOf(own.type ?? '') !== 'breaking')
      for (const { run } of paragraphsOf(nodes)) this.#addBlocks(run)
    else this.#addBlocks(nodes)
  }

  #keepBetween(nodes: Block[]): void {
    const run = withoutRules(this.#attachToLast(nodes, true))
    const first = run[0]
    if (first === undefined) return
    this.#report(this.#source.lineOf(first), 'text between list items, kept as a separate change')
    this.#addRun(run)
  }

  /** Blocks beside the lists of a section as one change. What is no sentence has the name of the section. */
  #addRun(nodes: Block[]): void {
    const [first] = nodes
    if (first === undefined) return
    for (const node of nodes) this.#reportText(node)
    const name = first.type === 'table' || isList(first) ? this.#path.innermost?.text : undefined
    const title = isDetails(first) ? summaryOf(first) : name
    if (title !== undefined) this.#addChange(title, this.#source.blocks(nodes))
    else this.#addBlocks(nodes)
  }

  #reportText(node: Block): void {
    const what = node.type === 'table' ? 'table' : isList(node) ? 'numbered list' : null
    const name = this.#path.innermost?.text
    if (what !== null && name !== undefined)
      this.#report(
        this.#source.lineOf(node),
        `${what} under "${name}", kept as text`,
        `${what} in a section, kept as text`,
      )
  }

  /**
   * Code and tables after an item belong to it, and only lack its indentation. So do sentences about what breaks, between
   * items or around code, and between items those that refer to what is above. Returns the rest.
   */
  #attachToLast(nodes: Block[], isBetween = false): Block[] {
    const run = withoutRules(nodes)
    const isAbout =
      BREAKING.test(this.#path.kind.type) && (isBetween || run.some(({ type }) => type === 'code'))
    const refers = (node: Block) =>
      isBetween && REFERS.test(this.#source.text.slice(node.start, node.start + 20))
    const paragraph = isAbout
      ? -1
      : run.findIndex((node) => (node.type === 'paragraph' && !refers(node)) || isDetails(node))
    const split = paragraph === -1 ? run.length : paragraph
    const attached = withoutRules(run.slice(0, split))
    const last = this.#changes.at(-1)
    const first = attached[0]
    if (last === undefined || first === undefined) return run
    const text = this.#source.blocks(attached)
    append(last, text)
    this.#report(this.#source.lineOf(first), `${first.type} after an item, kept in its description`)
    return withoutRules(run.slice(split))
  }

  #readItems(items: ListItem[]): void {
    for (const item of items) this.#readItem(item)
  }

  /** With the name in front of the titles, or behind the descriptions if it is long. */
  #readNamed(name: SectionHeading, items: ListItem[]): void {
    if (name.text.length <= MOST_NAMES) {
      this.#path.within(name, () => this.#readItems(items))
      return
    }
    const before = this.#changes.length
    this.#readItems(items)
    for (const change of this.#changes.slice(before)) append(change, name.text)
  }

  #readItem(item: ListItem): void {
    const { text } = this.#source
    const [first] = item.children
    const named = nameAbove(item, this.#source)
    const column = contentColumn(item, text)
    const comment = first?.type === 'html' ? first.value.trim() : ''
    // `- - a`, `- 1. a`
    if (first && isList(first) && item.children.length === 1) this.#readItems(first.children)
    else if (named !== null) this.#readNamed(named.name, named.items)
    else if (first && (comment === DESCRIPTION_COMMENT || comment === CLOSING_COMMENT)) {
      const words = trimBlankLines(dedent(this.#source.slice(first.end, item.end), column))
      if (words !== '') (comment === CLOSING_COMMENT ? this.#closing : this.#description).push(words)
    } else if (!this.#addBlocks(item.children, column) && item.end - item.start > 1) {
      this.#report(this.#source.lineOf(item), 'item without text, left out')
    }
  }

  #addChange(title: string, description: string | null = null): void {
    this.#changes.push(createChange(this.#path.kind, title, description, this.#source))
  }

  /** Whether there was a change. */
  #addBlocks(nodes: Block[], column = 0): boolean {
    const change = changeFromBlocks(nodes, column, this.#path, this.#source)
    if (change !== null) this.#changes.push(change)
    return change !== null
  }

  #report(line: number, message: string, cause = message): void {
    this.#warnings.push(cause === message ? { line, message } : { line, message, cause })
  }
}

/** Longer names are not put in front of a title. */
const MOST_NAMES = 60
const BREAKING = /^breaking/
const tellsKind = ({ type, isTitle }: SectionHeading): boolean => !isTitle && kindOf(type ?? '') !== 'other'
/** How a sentence about what is above it begins, or a signature below it. */
const REFERS =
  /^(?:https?:|-- [A-Z]|(?:See|Refer|For (?:more|details)|This|These|Both|It|They|To migrate|Before|After|Example)\b)/
