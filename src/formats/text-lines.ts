import { FormatError } from './parsed.ts'

/** The longest line, which bounds the memory of a read. */
const MAX_BYTES = 64 * 1024 * 1024

const NEWLINE = 0x0a

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
