import { jsonText } from '../domain/text/controls.ts'

export type LogFormat = 'text' | 'json'

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
