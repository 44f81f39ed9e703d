import type { Writable } from 'node:stream'

/** Resolves once the stream has passed the text on: a slow reader slows the caller down instead of filling memory. */
export const writerTo =
  (stream: Writable) =>
  (text: string | Uint8Array): Promise<void> =>
    new Promise((resolve) => {
      stream.write(text, () => resolve())
    })
