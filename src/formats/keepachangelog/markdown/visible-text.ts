import type { Node, Phrase, Phrases } from './nodes.ts'
import type { MarkdownSource } from './source.ts'

/** The visible text of a heading or paragraph, with the source offset of each character. */
export class VisibleText {
  text = ''
  /** Parts of the text that are consecutive in the source too. */
  readonly #runs: { at: number; offset: number; length: number }[] = []
  readonly #spans = new Map<Node, { start: number; end: number }>()

  /** Text at or after the source offset `limit` is left out. */
  static of(node: Phrases, source: MarkdownSource, limit = node.end): VisibleText {
    const first = node.children[0]
    const visible = new VisibleText(first === undefined ? node.start : first.start, limit)
    for (const child of node.children) visible.#visit(child, source.text)
    return visible
  }

  private constructor(
    readonly first: number,
    readonly limit: number,
  ) {}

  offsetAt(index: number): number {
    const run = this.#runs.findLast(({ at }) => at <= index)
    return run && index < run.at + run.length ? run.offset + index - run.at : this.limit
  }

  startOf(node: Node): number {
    return this.#spans.get(node)?.start ?? this.text.length
  }

  endOf(node: Node): number {
    return this.#spans.get(node)?.end ?? this.text.length
  }

  /** The source of a part of the visible text, without markup of which only half would be in the part. */
  source(node: Phrases, source: MarkdownSource, start: number, end: number): string {
    const childBefore = start === 0 ? undefined : this.#childAt(node, start - 1)
    const childAfter = end >= this.text.length ? undefined : this.#childAt(node, end)
    let from = start === 0 ? this.first : this.offsetAt(start - 1) + 1
    if (childBefore !== undefined && this.endOf(childBefore) === start) from = childBefore.end
    let to = end >= this.text.length ? this.limit : this.offsetAt(end)
    if (childAfter !== undefined && this.startOf(childAfter) === end) to = childAfter.start
    if (from >= to) return ''

    if (
      childBefore !== undefined &&
      'children' in childBefore &&
      from < childBefore.end &&
      to >= childBefore.end
    ) {
      const innerEnd = (childBefore.children.at(-1) ?? childBefore).end
      return source.slice(from, innerEnd) + source.slice(childBefore.end, to)
    }
    if (
      childAfter !== undefined &&
      'children' in childAfter &&
      to > childAfter.start &&
      from <= childAfter.start
    ) {
      const innerStart = (childAfter.children[0] ?? childAfter).start
      return source.slice(from, childAfter.start) + source.slice(innerStart, to)
    }
    return source.slice(from, to)
  }

  #childAt(node: Phrases, index: number): Phrase | undefined {
    return node.children.find((child) => this.startOf(child) <= index && index < this.endOf(child))
  }

  #visit(node: Phrase, source: string): void {
    const start = this.text.length
    if (node.type === 'text') this.#addText(node.value, source, node)
    else if (node.type === 'inlineCode') {
      const offset = source.indexOf(node.value.charAt(0), node.start + 1)
      for (let i = 0; i < node.value.length; i++) this.#add(node.value.charAt(i), offset + i)
    } else if (node.type === 'break') this.#add(' ', node.start)
    else if ('children' in node) for (const child of node.children) this.#visit(child, source)
    this.#spans.set(node, { start, end: this.text.length })
  }

  #addText(value: string, source: string, { start, end }: Phrase): void {
    // An escape or a character reference.
    if (!source.startsWith(value, start)) {
      for (const character of value.split('')) this.#add(character, end - 1)
      return
    }
    if (!value.includes('\n')) {
      this.#addRun(value.slice(0, Math.max(0, this.limit - start)), start)
      return
    }
    for (let i = 0; i < value.length; i++) {
      const character = value.charAt(i)
      // Blanks around line ends are not visible.
      if ((character === ' ' || character === '\t') && LINE_END.test(value.slice(i, i + 100))) continue
      this.#add(character, start + i)
      if (character === '\n') while (value[i + 1] === ' ' || value[i + 1] === '\t') i++
    }
  }

  #add(character: string, offset: number): void {
    if (offset < this.limit) this.#addRun(character, offset)
  }

  #addRun(text: string, offset: number): void {
    const last = this.#runs.at(-1)
    if (last && last.offset + last.length === offset) last.length += text.length
    else this.#runs.push({ at: this.text.length, offset, length: text.length })
    this.text += text
  }
}

const LINE_END = /^[ \t]*\n/
