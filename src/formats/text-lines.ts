import { firstIndex } from './keepachangelog/markdown/lines.ts'
import { FormatError } from './parsed.ts'

/** The longest line, which bounds the memory of a read. */
const MAX_BYTES = 64 * 1024 * 1024

const NEWLINE = 0x0a

/** The lines of a text, without their ends and without a byte order mark. */
export const linesOf = (text: string): string[] => text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)

/** The lines of a normalised text, sliced on demand: those of a long one would take several times its memory. */
export class TextLines {
  readonly #text: string
  readonly #starts: Uint32Array

  constructor(text: string) {
    this.#text = text
    let count = 1
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) count++
    this.#starts = new Uint32Array(count)
    for (let at = 1, end = -1; at < count; at++) {
      end = text.indexOf('\n', end + 1)
      this.#starts[at] = end + 1
    }
  }

  get length(): number {
    return this.#starts.length
  }

  /** Empty above the first line and below the last. */
  at(index: number): string {
    const start = this.#starts[index]
    const next = this.#starts[index + 1]
    return start === undefined ? '' : this.#text.slice(start, next === undefined ? undefined : next - 1)
  }

  slice(from: number, to: number): string[] {
    const count = Math.min(to, this.length) - from
    return Array.from({ length: Math.max(0, count) }, (_, index) => this.at(from + index))
  }

  /** The line, from 0, that holds an offset. */
  indexAt(offset: number): number {
    return firstIndex(this.length, (line) => (this.#starts[line] as number) > offset) - 1
  }
}

/** The source may reuse the memory of a chunk. Throws a FormatError for a line that is not UTF-8 or over 64 MB. */
export async function* textLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 0
  let begun: Uint8Array[] = []
  let size = 0
  const finish = (rest: Uint8Array): string => {
    const bytes = begun.length === 0 ? rest : Buffer.concat([...begun, rest])
    begun = []
    size = 0
    line++
    try {
      return decoder.decode(bytes)
    } catch {
      throw new FormatError(`line ${line}: not UTF-8`)
    }
  }
  for await (const chunk of chunks) {
    let at = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, at)) {
      yield finish(chunk.subarray(at, end))
      at = end + 1
    }
    if (at === chunk.length) continue
    begun.push(chunk.slice(at))
    size += chunk.length - at
    if (size > MAX_BYTES) throw new FormatError(`line ${line + 1}: larger than ${MAX_BYTES / 1024 / 1024} MB`)
  }
  if (begun.length > 0) yield finish(new Uint8Array(0))
}
