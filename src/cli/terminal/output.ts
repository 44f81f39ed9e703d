import type { Writable } from 'node:stream'

/**
 * Writes text to a stream. The promise resolves once the stream has passed the text on, so that a caller who
 * awaits it never fills the memory with what a slow reader has not taken yet. A failed write is reported by the stream.
 */
export const writerTo =
  (stream: Writable) =>
  (text: string): Promise<void> =>
    new Promise((resolve) => {
      stream.write(text, () => resolve())
    })
