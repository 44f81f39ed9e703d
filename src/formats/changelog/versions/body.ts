import { type ChangeDraft, LIMITS } from '../../../domain/records.ts'
import { cut } from '../../../domain/text/cut.ts'
import { dedent, trimBlankLines } from '../../markdown/lines.ts'
import { isComment, isList, isNumbered, type Node, withoutRules } from '../../markdown/nodes.ts'
import type { MarkdownSource } from '../../markdown/source.ts'
import { append, DEFAULT_TYPE, type Warning } from '../../parsed.ts'
import { changeFromBlocks, contentColumn, createChange } from '../changes.ts'
import { CLOSING_COMMENT, DESCRIPTION_COMMENT } from '../comments.ts'
import { isDetails, joinDetails, summaryOf } from '../details.ts'
import { nameAbove, type Section, type SectionHeading, SectionPath, splitIntoSections } from '../sections.ts'
import { TEMPLATE_TYPES } from '../vocabulary.ts'
import { splitAfterword } from './afterword.ts'
import { dateAtTop } from './date-lines.ts'
import type { FoundDate } from './dates.ts'
import { paragraphsOf } from './paragraphs.ts'

export interface VersionBody {
  description: string | null
  /** The text below the last section or list. */
  closing: string | null
  changes: ChangeDraft[]
  /** A date on its own line at the top, or below all changes, if it was asked for. */
  date: FoundDate | null
  warnings: Warning[]
}

/**
 * Reads the text below a version's heading, or the body of a release.
 *
 * - Prose before the first list or section is the description. What follows the last list is the closing text, and so are
 *   sections at the end that list no changes: see afterword.ts.
 * - Every list item is a change; nested content is its description. Below a heading, a numbered list (unless all lists of the
 *   file are numbered), a table or `<details>` stays as it is: it is the description of a change that has the name of the section.
 * - A heading gives the changes below it their type. Of nested headings only one can: the innermost with a known name,
 *   else the outermost. The others precede the titles (`**core:** …`). A heading too long for a type, or with links, is
 *   also a change.
 * - In a file without lists (`isProse`), each paragraph before the first section is a change.
 * - A section without a list is one change. Between lists, code and tables belong to the change above; other blocks are
 *   changes.
 */
export function readVersionBody(
  nodes: readonly Node[],
  source: MarkdownSource,
  { line = 1, lookForDate = false, mayEndWithDate = false, isRelease = false, isProse = false } = {},
): VersionBody {
  const { kept, afterword } = splitAfterword(joinDetails(nodes, source), source, isRelease)
  const first = kept.find((node) => !isComment(node))
  const last = kept.at(-1)
  const atTop = lookForDate ? dateAtTop(first, source) : null
  const below = mayEndWithDate && lookForDate && atTop === null ? dateAtTop(last, source) : null
  const found = below?.rest === '' ? below : atTop
  const dated = found === null ? undefined : found === atTop ? first : last
  const reader = new BodyReader(source, line, found?.rest ?? '', isProse)
  reader.read(kept.filter((node) => node !== dated))
  reader.close(afterword)
  return { ...reader.result(), date: found?.date ?? null }
}

/** The warning about a text that lost its end. */
export const WAS_CUT = `a text is longer than ${LIMITS.description} characters, cut`

/** Takes the blocks of a version's text apart. */
class BodyReader {
  readonly #source: MarkdownSource
  readonly #changes: ChangeDraft[] = []
  readonly #description: string[] = []
  readonly #closing: string[] = []
  readonly #warnings: Warning[] = []
  readonly #path = new SectionPath()

  constructor(
    source: MarkdownSource,
    /** That of the heading. */
    private readonly line: number,
    description: string,
    private readonly isProse: boolean,
  ) {
    this.#source = source
    if (description !== '') this.#description.push(description)
  }

  read(nodes: readonly Node[]): void {
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

  result(): Omit<VersionBody, 'date'> {
    const textOf = (parts: string[]) => (parts.length === 0 ? null : this.#fitted(parts.join('\n\n')))
    const [description, closing] = [textOf(this.#description), textOf(this.#closing)]
    for (const change of this.#changes)
      if (change.description !== null) change.description = this.#fitted(change.description)
    return { description, closing, changes: this.#changes, warnings: this.#warnings }
  }

  #fitted(text: string): string {
    if (text.length <= LIMITS.description) return text
    this.#report(this.line, WAS_CUT)
    return cut(text, LIMITS.description)
  }

  #readEmpty(heading: SectionHeading, nextDepth: number): void {
    const isParent = nextDepth > heading.depth
    if (isParent && !heading.isTitle) return
    const names = this.#path.otherNames
    const isLeftOut = TEMPLATE_TYPES.has(heading.type ?? '') && names.length === 0
    const fate = `is empty, ${isLeftOut ? 'skipped' : 'kept as a change'}`
    if (isLeftOut || !isParent)
      this.#report(heading.line, `section "${heading.text}" ${fate}`, `a section ${fate}`)
    if (isLeftOut) return
    const isOwn = heading.isTitle || names.length === 0
    // Without a type of its own, or the heading would be there twice.
    const kind = isOwn && !heading.isTitle ? { type: DEFAULT_TYPE } : this.#path.kind
    this.#changes.push(createChange(kind, isOwn ? heading.text : names.join(' / '), null))
  }

  #readSection({ heading, nodes }: Section, isLast: boolean): void {
    const mayBePoints = heading === null || this.#source.document.isNumbered
    const isChanges = (node: Node) => isList(node) && (mayBePoints || !isNumbered(node))
    const first = nodes.findIndex(isChanges)
    if (first === -1) {
      if (heading !== null) this.#readProse(nodes)
      else if (!this.isProse) this.#keep(this.#description, nodes)
      else
        for (const { isChange, run } of paragraphsOf(nodes))
          if (isChange) this.#addBlocks(run)
          else this.#keep(this.#description, run)
      return
    }
    if (heading?.isTitle) this.#addChange(heading.text)
    const above = nodes.slice(0, first)
    if (heading === null) this.#keep(this.#description, above)
    else this.#addRun(withoutRules(above))
    let run: Node[] = []
    for (const node of nodes.slice(first)) {
      if (isChanges(node)) {
        this.#keepBetween(run)
        run = []
        this.#readItems(node.children)
      } else run.push(node)
    }
    const rest = this.#attachToLast(run)
    if (isLast) this.close(rest)
    else if (heading === null) this.#keep(this.#description, rest)
    else this.#keepBetween(rest)
  }

  close(nodes: readonly Node[]): void {
    this.#keep(this.#closing, nodes)
  }

  #keep(texts: string[], nodes: readonly Node[]): void {
    const run = withoutRules(nodes)
    if (run.length > 0) texts.push(this.#source.blocks(run))
  }

  /** A section without a list. Its heading is the title if it says more than the type, or if the text cannot be. */
  #readProse(nodes: readonly Node[]): void {
    const own = this.#path.innermost
    const names = this.#path.otherNames
    if (own?.isTitle) names.push(own.text)
    if (nodes[0]?.type !== 'paragraph' && names.length === 0) names.push(own?.text ?? '')
    const title = names.join(' / ')
    for (const node of nodes) this.#reportText(node)
    if (title !== '') this.#addChange(title, this.#source.blocks(nodes))
    else this.#addBlocks(nodes)
  }

  #keepBetween(nodes: readonly Node[]): void {
    const run = withoutRules(this.#attachToLast(nodes, true))
    const first = run[0]
    if (first === undefined) return
    this.#report(this.#source.document.lineOf(first), 'text between list items, kept as a separate change')
    this.#addRun(run)
  }

  /** Blocks beside the lists of a section as one change. What is no sentence has the name of the section. */
  #addRun(nodes: readonly Node[]): void {
    const [first] = nodes
    if (first === undefined) return
    for (const node of nodes) this.#reportText(node)
    const name = first.type === 'table' || isList(first) ? this.#path.innermost?.text : undefined
    const title = isDetails(first) ? summaryOf(first) : name
    if (title !== undefined) this.#addChange(title, this.#source.blocks(nodes))
    else this.#addBlocks(nodes)
  }

  #reportText(node: Node): void {
    const what = node.type === 'table' ? 'table' : isList(node) ? 'numbered list' : null
    const name = this.#path.innermost?.text
    if (what !== null && name !== undefined)
      this.#report(
        this.#source.document.lineOf(node),
        `${what} under "${name}", kept as text`,
        `${what} in a section, kept as text`,
      )
  }

  /**
   * Code and tables after an item belong to it, and only lack its indentation. So do sentences about what breaks, between
   * items or around code, and between items those that refer to what is above. Returns the rest.
   */
  #attachToLast(nodes: readonly Node[], isBetween = false): Node[] {
    const run = withoutRules(nodes)
    const isAbout =
      (isBetween || run.some(({ type }) => type === 'code')) && BREAKING.test(this.#path.kind.type)
    const refers = ({ start }: Node) => isBetween && REFERS.test(this.#source.text.slice(start, start + 20))
    const paragraph = run.findIndex((node) => (node.type === 'paragraph' && !refers(node)) || isDetails(node))
    const split = isAbout || paragraph === -1 ? run.length : paragraph
    const attached = withoutRules(run.slice(0, split))
    const last = this.#changes.at(-1)
    const first = attached[0]
    if (last === undefined || first === undefined) return run
    append(last, this.#source.blocks(attached))
    this.#report(this.#source.document.lineOf(first), `${first.type} after an item, kept in its description`)
    return withoutRules(run.slice(split))
  }

  #readItems(items: readonly Node[]): void {
    for (const item of items) this.#readItem(item)
  }

  #readItem(item: Node): void {
    const { text } = this.#source
    const [first] = item.children
    const named = nameAbove(item, this.#source)
    const column = contentColumn(item, text)
    const comment = first?.type === 'html' ? first.value.trim() : ''
    // `- - a`, `- 1. a`
    if (first && isList(first) && item.children.length === 1) this.#readItems(first.children)
    else if (named !== null) this.#path.within(named.name, () => this.#readItems(named.items))
    else if (first && (comment === DESCRIPTION_COMMENT || comment === CLOSING_COMMENT)) {
      const words = trimBlankLines(dedent(this.#source.slice(first.end, item.end), column))
      if (words !== '') (comment === CLOSING_COMMENT ? this.#closing : this.#description).push(words)
    } else if (!this.#addBlocks(item.children, column) && item.end - item.start > 1) {
      this.#report(this.#source.document.lineOf(item), 'item without text, skipped')
    }
  }

  #addChange(title: string, description: string | null = null): void {
    this.#changes.push(createChange(this.#path.kind, title, description))
  }

  /** Returns false if there was no change. */
  #addBlocks(nodes: readonly Node[], column = 0): boolean {
    const change = changeFromBlocks(nodes, column, this.#path, this.#source)
    if (change !== null) this.#changes.push(change)
    return change !== null
  }

  #report(line: number, message: string, cause = message): void {
    this.#warnings.push(cause === message ? { line, message } : { line, message, cause })
  }
}

const BREAKING = /^breaking/
/** How a sentence about what is above it begins, or a signature below it. */
const REFERS =
  /^(?:https?:|-- [A-Z]|(?:See|Refer|For (?:more|details)|This|These|Both|It|They|To migrate|Before|After|Example)\b)/
