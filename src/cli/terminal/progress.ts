import type { WriteStream } from 'node:tty'
import type { Instant } from '../../domain/records.ts'
import type { Progress } from '../context.ts'

/** Shorter work shows no bar. */
const DELAY_MS = 500

/** Shows a progress bar on a terminal, after a delay; elsewhere nothing. */
export const progressOn =
  (open: () => WriteStream, now: () => Instant) =>
  async (total: number): Promise<Progress> => {
    const stream = open()
    if (!stream.isTTY) return { update: () => {}, end: () => {} }
    const { SingleBar } = await import('cli-progress')
    const bar = new SingleBar({ stream, clearOnComplete: true, format: '{bar} {percentage}%' })
    const start = now()
    let isShown = false
    return {
      update: (done) => {
        if (!isShown && now() - start > DELAY_MS) {
          bar.start(total, done)
          isShown = true
        }
        if (isShown) bar.update(done)
      },
      end: () => bar.stop(),
    }
  }
