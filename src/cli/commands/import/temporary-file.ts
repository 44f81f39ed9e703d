import { closeSync, openSync, readSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reasonOf } from '../../../domain/errors.ts'
import { Refusal } from '../../../domain/refusal.ts'

export interface SpoolFile extends Disposable {
  append(bytes: Uint8Array): void
  /** From the beginning. The memory of a chunk is reused for the next one. */
  chunks(): AsyncIterable<Uint8Array>
}

const CHUNK = 256 * 1024

/**
 * A temporary file, readable by its owner only. It is unlinked once it is open, so the system removes it even if this
 * process is killed. Throws a Refusal if it cannot be written.
 */
export function openSpoolFile(): SpoolFile {
  const path = join(tmpdir(), `changelogd-${crypto.randomUUID()}`)
  const file = orRefuse(() => {
    const opened = openSync(path, 'wx+', 0o600)
    unlinkSync(path)
    return opened
  })
  return {
    // Unlike writeSync, it writes all of it.
    append: (bytes) => orRefuse(() => writeFileSync(file, bytes)),
    chunks: async function* () {
      const memory = new Uint8Array(CHUNK)
      for (let at = 0, length = CHUNK; length > 0; at += length) {
        length = readSync(file, memory, 0, CHUNK, at)
        if (length > 0) yield memory.subarray(0, length)
      }
    },
    [Symbol.dispose]: () => closeSync(file),
  }
}

function orRefuse<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new Refusal(`Cannot write a temporary file in ${tmpdir()}: ${reasonOf(error)}.`, {
      hint: 'To use another directory, set TMPDIR.',
      cause: error,
    })
  }
}
