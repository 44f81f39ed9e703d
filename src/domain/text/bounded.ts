/** Throws after more than `most` bytes. */
export async function* bounded(
  chunks: AsyncIterable<Uint8Array>,
  most: number,
  tooLarge: () => Error,
): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > most) throw tooLarge()
    yield chunk
  }
}
