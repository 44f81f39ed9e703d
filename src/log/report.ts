import { Notice } from '../domain/notice.ts'
import { Refusal, Unavailable } from '../domain/refusal.ts'
import type { LogEntry } from './lines.ts'

/**
 * Gives `write` a notice, or an error and its causes, as an entry of the log. An error that lasts, such as a database that
 * was removed, meets requests too, and is written once. console.error would print lines of the source as well.
 */
export function createReport(write: (entry: LogEntry) => void): (event: unknown) => void {
  const written = new WeakSet<Error>()
  return (event) => {
    if (event instanceof Notice) {
      write({ level: event.level, event: event.event, message: event.message })
      return
    }
    const texts: string[] = []
    let next = event
    while (next instanceof Error && !written.has(next)) {
      written.add(next)
      texts.push(textOf(next))
      next = next.cause
    }
    if (next !== undefined && !(next instanceof Error)) texts.push(String(next))
    if (texts.length > 0) write({ level: 'error', event: eventOf(event), message: texts.join('\n') })
  }
}

/** An error as an entry of the log, without its causes. */
export const errorEntry = (error: Error): LogEntry => ({
  level: 'error',
  event: eventOf(error),
  message: textOf(error),
})

const eventOf = (error: unknown): string => (error instanceof Unavailable ? 'database_unavailable' : 'error')

/** A refusal says by itself what is wrong; where in the program it was noticed would not help. */
export const textOf = (error: Error): string =>
  error instanceof Refusal
    ? [error.message, error.hint].filter(Boolean).join(' ')
    : (error.stack ?? error.message)
