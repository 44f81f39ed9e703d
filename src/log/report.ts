import { Notice } from '../domain/notice.ts'
import { Refusal, Unavailable } from '../domain/refusal.ts'
import type { LogEntry } from './lines.ts'

/** Writes notices, and errors with their causes, each once: a lasting one would come with every request. */
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

/** Without its causes. */
export const errorEntry = (error: Error): LogEntry => ({
  level: 'error',
  event: eventOf(error),
  message: textOf(error),
})

const eventOf = (error: unknown): string => (error instanceof Unavailable ? 'database_unavailable' : 'error')

/** A refusal needs no stack. */
export const textOf = (error: Error): string =>
  error instanceof Refusal
    ? [error.message, error.hint].filter(Boolean).join(' ')
    : (error.stack ?? error.message)
