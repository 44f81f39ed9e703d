import { Refusal } from '../domain/refusal.ts'

const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
const SQLITE = Buffer.from('SQLite format 3\0')

/**
 * The bytes of a backup, decompressed if they begin like zstd. Refuses, by `name`, damaged and incomplete ones, and what
 * does not begin like a SQLite file, before the rest is read.
 */
export async function* unpacked(bytes: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const source = bytes[Symbol.asyncIterator]()
  try {
    let start = Buffer.alloc(0)
    for (let next = await source.next(); !next.done; next = await source.next()) {
      start = Buffer.concat([start, next.value])
      if (start.length >= (isPartOf(start, SQLITE) ? SQLITE : ZSTD).length) break
    }
    const all = (async function* () {
      yield start
      yield* { [Symbol.asyncIterator]: () => source }
    })()
    if (isPartOf(start, SQLITE)) return yield* all
    if (!isPartOf(start, ZSTD)) throw new Refusal(`${name} is not a SQLite database, so it is not a backup.`)
    // Unlike a stream of node:zlib, it notices an early end.
    const stream = new Response(all).body?.pipeThrough(new DecompressionStream('zstd'))
    if (stream) yield* unpacked(stream.values({ preventCancel: true }), name)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new Refusal(`${name} is damaged or incomplete: it cannot be decompressed.`, {
      hint: 'Restore another backup.',
      cause: error,
    })
  } finally {
    // Nobody awaits this: a sender may pause, and a refusal does not wait for it.
    void source.return?.().catch(() => {})
  }
}

const isPartOf = (start: Buffer, magic: Buffer): boolean =>
  start.subarray(0, magic.length).equals(magic.subarray(0, start.length))
