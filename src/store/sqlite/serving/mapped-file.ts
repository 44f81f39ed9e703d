/** The beginning of an open file, as memory. */
export interface MappedFile {
  readonly words: Uint32Array
  /** After this, `words` must not be read. */
  unmap(): void
}

/** glibc. With other C libraries the file is read instead. */
const LIBRARY = 'libc.so.6'

/** From `mman.h`: readable; shared with other processes; and the result of a failed `mmap`. */
const READABLE = 1
const SHARED = 1
const FAILED = 2n ** 64n - 1n

/** Maps the first words of a file into memory. Null if the system cannot. */
export function mapFile(file: number, words: number): MappedFile | null {
  const bytes = words * Uint32Array.BYTES_PER_ELEMENT
  try {
    // Not with `import`: a server would wait for it at its start.
    const { dlopen, toArrayBuffer } = require('bun:ffi') as typeof import('bun:ffi')
    const { mmap, munmap } = dlopen(LIBRARY, {
      mmap: { args: ['ptr', 'u64', 'i32', 'i32', 'i32', 'i64'], returns: 'ptr' },
      munmap: { args: ['ptr', 'u64'], returns: 'i32' },
    }).symbols
    const start = mmap(null, bytes, READABLE, SHARED, file, 0)
    if (start === null || BigInt(start) === FAILED) return null
    return { words: new Uint32Array(toArrayBuffer(start, 0, bytes)), unmap: () => munmap(start, bytes) }
  } catch {
    return null
  }
}
