import { closeSync, openSync, writeFileSync } from 'node:fs'

/** Writes texts or bytes to a file that exists. */
export async function fill(path: string, chunks: AsyncIterable<string | Uint8Array>): Promise<void> {
  const file = openSync(path, 'w')
  try {
    // Unlike writeSync, it writes the whole chunk.
    for await (const chunk of chunks) writeFileSync(file, chunk)
  } finally {
    closeSync(file)
  }
}

/** Characters written at a time. */
const PIECE = 64 * 1024

/** Joins short texts. */
export async function* inPieces(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = ''
  for await (const line of lines) {
    piece += line
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  yield piece
}
