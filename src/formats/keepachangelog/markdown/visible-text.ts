import type { Nodes, Parents } from 'mdast'
import { endOf, startOf } from './nodes.ts'
import type { MarkdownSource } from './source.ts'

/** The text that a reader sees of a heading or a paragraph, with the source offset of each character. */
export class VisibleText {
  text = ''
  readonly #offsets: number[] = []
  readonly #spans = new Map<Nodes, { start: number; end: number }>()

  /** Text at or after the source offset `limit` is left out. */
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

  /** The source offset of a visible character. */
  offsetAt(index: number): number {
    return this.#offsets[index] ?? this.limit
  }

  /** Where the visible text of a node begins. */
  startOf(node: Nodes): number {
    return this.#spans.get(node)?.start ?? this.text.length
  }

  /** Where the visible text of a node ends. */
  endOf(node: Nodes): number {
    return this.#spans.get(node)?.end ?? this.text.length
  }

  /**
   * The source of a part of the visible text. Where the part begins or ends inside emphasis or a link, that
   * markup is left out, because only half of it would be in the part.
   */
  source(node: Parents, source: MarkdownSource, start: number, end: number): string {
    const childBefore = start === 0 ? undefined : this.#childAt(node, start - 1)
    const childAfter = end >= this.text.length ? undefined : this.#childAt(node, end)
    let from = start === 0 ? this.first : this.offsetAt(start - 1) + 1
    if (childBefore !== undefined && this.endOf(childBefore) === start) from = endOf(childBefore)
    let to = end >= this.text.length ? this.limit : this.offsetAt(end)
    if (childAfter !== undefined && this.startOf(childAfter) === end) to = startOf(childAfter)
    if (from >= to) return ''

    if (
      childBefore !== undefined &&
      'children' in childBefore &&
      from < endOf(childBefore) &&
      to >= endOf(childBefore)
    ) {
      const innerEnd = endOf(childBefore.children.at(-1) ?? childBefore)
      return source.slice(from, innerEnd) + source.slice(endOf(childBefore), to)
    }
    if (
      childAfter !== undefined &&
      'children' in childAfter &&
      to > startOf(childAfter) &&
      from <= startOf(childAfter)
    ) {
      const innerStart = startOf(childAfter.children[0] ?? childAfter)
      return source.slice(from, startOf(childAfter)) + source.slice(innerStart, to)
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

  /** Escapes, character references and blanks around line ends are longer in the source than in the value. */
  #addText(value: string, source: string, start: number): void {
    if (start + value.length <= this.limit && !/[&\\\n]/.test(value) && source.startsWith(value, start)) {
      this.text += value
      for (let i = 0; i < value.length; i++) this.#offsets.push(start + i)
      return
    }
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
