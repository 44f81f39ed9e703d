import { Notice } from '../domain/notice.ts'
import { Refusal, Unavailable } from '../domain/refusal.ts'
import { jsonText } from '../domain/text/controls.ts'

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
      texts.push(errorText(next))
      next = next.cause
    }
    if (next !== undefined && !(next instanceof Error)) texts.push(String(next))
    if (texts.length > 0) write({ level: 'error', event: eventOf(event), message: texts.join('\n') })
  }
}

/** The entry of an error, without its causes. */
export const errorEntry = (error: Error): LogEntry => ({
  level: 'error',
  event: eventOf(error),
  message: errorText(error),
})

const eventOf = (error: unknown): string => (error instanceof Unavailable ? 'database_unavailable' : 'error')

/** A refusal needs no stack. */
export const errorText = (error: Error): string =>
  error instanceof Refusal
    ? [error.message, error.hint].filter(Boolean).join(' ')
    : (error.stack ?? error.message)

type LogFormat = 'text' | 'json'

export type Level = 'info' | 'warning' | 'error'

/** An entry of a server's own log. `event` names it, for programs. */
export interface LogEntry {
  readonly level: Level
  readonly event: string
  readonly message: string
  readonly url?: string
}

/** Without the last line end. Text may have several lines, the first with the time if `isDated`; JSON has one. */
export const entryLines = (format: LogFormat, entry: LogEntry, now: number, isDated: boolean): string => {
  const { level, event, message, ...rest } = entry
  if (format === 'json') return jsonLine(now, level, event, { message, ...rest })
  return isDated ? `${new Date(now).toISOString()} ${message}` : message
}

export const jsonLine = (now: number, level: Level, event: string, rest: object): string =>
  jsonText({ time: new Date(now).toISOString(), level, event, ...rest })
