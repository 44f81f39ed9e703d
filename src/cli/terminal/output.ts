import type { Writable } from 'node:stream'

/**
 * Resolves once the stream has passed the text on: a slow reader slows the caller down instead of filling memory. It is opened
 * for the first text.
 */
export const writerTo =
  (open: () => Writable) =>
  (text: string | Uint8Array): Promise<void> =>
    new Promise((resolve) => {
      open().write(text, () => resolve())
    })
