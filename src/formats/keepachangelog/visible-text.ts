import type { Nodes, Parents } from 'mdast'
import { endOf, type MarkdownSource, startOf } from './markdown-source.ts'

/** What a reader sees of a heading or a paragraph, each character with its place in the source. */
export class VisibleText {
  text = ''
  readonly #offsets: number[] = []
  readonly #spans = new Map<Nodes, { start: number; end: number }>()

  /** Text from `limit` on is left out. */
  static of(node: Parents, source: MarkdownSource, limit = endOf(node)): VisibleText {
    const first = node.children[0]
    const visible = new VisibleText(first === undefined ? startOf(node) : startOf(first), limit)
    for (const child of node.children) visible.#visit(child, source.text)
    return visible
  }

  private constructor(
    readonly first: number,
    readonly limit: number,
  ) {}

  at(index: number): number {
    return this.#offsets[index] ?? this.limit
  }

  startOf(node: Nodes): number {
    return this.#spans.get(node)?.start ?? this.text.length
  }

  endOf(node: Nodes): number {
    return this.#spans.get(node)?.end ?? this.text.length
  }

  /**
   * The source of a part. Where the part begins or ends inside emphasis or a link, the marks of that are left
   * out, as only half of them could be had.
   */
  source(node: Parents, source: MarkdownSource, start: number, end: number): string {
    const holdsBefore = start === 0 ? undefined : this.#childAt(node, start - 1)
    const holdsAfter = end >= this.text.length ? undefined : this.#childAt(node, end)
    let from = start === 0 ? this.first : this.at(start - 1) + 1
    if (holdsBefore !== undefined && this.endOf(holdsBefore) === start) from = endOf(holdsBefore)
    let to = end >= this.text.length ? this.limit : this.at(end)
    if (holdsAfter !== undefined && this.startOf(holdsAfter) === end) to = startOf(holdsAfter)
    if (from >= to) return ''

    if (
      holdsBefore !== undefined &&
      'children' in holdsBefore &&
      from < endOf(holdsBefore) &&
      to >= endOf(holdsBefore)
    ) {
      const innerEnd = endOf(holdsBefore.children.at(-1) ?? holdsBefore)
      return source.slice(from, innerEnd) + source.slice(endOf(holdsBefore), to)
    }
    if (
      holdsAfter !== undefined &&
      'children' in holdsAfter &&
      to > startOf(holdsAfter) &&
      from <= startOf(holdsAfter)
    ) {
      const innerStart = startOf(holdsAfter.children[0] ?? holdsAfter)
      return source.slice(from, startOf(holdsAfter)) + source.slice(innerStart, to)
    }
    return source.slice(from, to)
  }

  #childAt(node: Parents, index: number): Nodes | undefined {
    return node.children.find((child) => this.startOf(child) <= index && index < this.endOf(child))
  }

  #visit(node: Nodes, source: string): void {
    const start = this.text.length
    if (node.type === 'text') this.#addText(node.value, source, startOf(node))
    else if (node.type === 'inlineCode') {
      const offset = source.indexOf(node.value.charAt(0), startOf(node) + 1)
      for (let i = 0; i < node.value.length; i++) this.#add(node.value.charAt(i), offset + i)
    } else if (node.type === 'break') this.#add(' ', startOf(node))
    else if ('children' in node) for (const child of node.children) this.#visit(child, source)
    this.#spans.set(node, { start, end: this.text.length })
  }

  /** Escapes, character references and blanks around line ends are shorter in the value than in the source. */
  #addText(value: string, source: string, start: number): void {
    let offset = start
    for (let i = 0; i < value.length; i++) {
      const character = value.charAt(i)
      if (source[offset] === '\\' && source[offset + 1] === character) offset++
      if (character === '\n') offset = source.indexOf('\n', offset)
      this.#add(character, offset)
      const reference =
        source[offset] === '&' ? /^&(?:#\w+|\w+);/.exec(source.slice(offset, offset + 40)) : null
      if (reference !== null && !value.startsWith(reference[0], i)) offset += reference[0].length
      else offset++
      if (character === '\n') while (source[offset] === ' ' || source[offset] === '\t') offset++
    }
  }

  #add(character: string, offset: number): void {
    if (offset >= this.limit) return
    this.text += character
    this.#offsets.push(offset)
  }
}
