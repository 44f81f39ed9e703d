import { Refusal } from '../domain/refusal.ts'

const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** The bytes of a backup, decompressed if they begin like zstd. Refuses damaged and incomplete ones by `name`. */
export async function* unpacked(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]()
  try {
    let start = Buffer.alloc(0)
    for (let next = await source.next(); !next.done; next = await source.next()) {
      start = Buffer.concat([start, next.value])
      if (start.length >= ZSTD.length) break
    }
    const all = (async function* () {
      yield start
      yield* { [Symbol.asyncIterator]: () => source }
    })()
    if (!start.subarray(0, ZSTD.length).equals(ZSTD)) return yield* all
    // Unlike a stream of node:zlib, it notices an early end.
    const stream = new Response(all).body?.pipeThrough(new DecompressionStream('zstd'))
    yield* stream?.values({ preventCancel: true }) ?? []
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new Refusal(`${name} is damaged or incomplete: it cannot be decompressed.`, {
      hint: 'Restore another backup.',
      cause: error,
    })
  } finally {
    // Not awaited: a sender may pause, and a refusal does not wait for it.
    void source.return?.().catch(() => {})
  }
}
