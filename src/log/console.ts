import { Notice } from '../domain/notice.ts'

const METHODS = ['log', 'info', 'debug', 'warn', 'error'] as const

/** Reports output of the runtime and libraries, so that every line of the log has its format. */
export function reportConsole(
  console: Record<(typeof METHODS)[number], (...values: unknown[]) => void>,
  report: (event: unknown) => void,
): void {
  const print = (...values: unknown[]) => {
    const message = values.map(String).join(' ')
    // The revision watch reports outages, and a lost LISTEN connection does not matter: the revision is polled too.
    if (!message.startsWith('bun:sql LISTEN')) report(new Notice('runtime', message, 'warning'))
  }
  for (const method of METHODS) console[method] = print
}
