import { jsonText } from '../domain/text/controls.ts'

/** How the log is written: lines of text for people, or one JSON object a line. */
export const LOG_FORMATS = ['text', 'json'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

export type Level = 'info' | 'warning' | 'error'

/** What a server says of itself. `event` names what happened, for programs. */
export interface LogEntry {
  readonly level: Level
  readonly event: string
  readonly message: string
  /** The address it is about, if it is about one. */
  readonly url?: string
}

/**
 * The lines of an entry, without the end of the last one. An error as text may take several lines, of which the first has
 * the time if `isDated`; as JSON it takes one.
 */
export const entryLines = (format: LogFormat, entry: LogEntry, now: number, isDated: boolean): string => {
  const { level, event, message, ...rest } = entry
  if (format === 'json') return jsonLine(now, level, event, { message, ...rest })
  return isDated ? `${new Date(now).toISOString()} ${message}` : message
}

/** A line of JSON. All of them begin with the same three fields. */
export const jsonLine = (now: number, level: Level, event: string, rest: object): string =>
  jsonText({ time: new Date(now).toISOString(), level, event, ...rest })
