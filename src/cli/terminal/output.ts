import type { Writable } from 'node:stream'

/**
 * Resolves once the stream has passed the text on, so that a caller who awaits it never fills the memory for a slow
 * reader. A failed write is reported by the stream.
 */
export const writerTo =
  (stream: Writable) =>
  (text: string): Promise<void> =>
    new Promise((resolve) => {
      stream.write(text, () => resolve())
    })
