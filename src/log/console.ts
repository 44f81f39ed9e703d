import { Notice } from '../domain/notice.ts'

const METHODS = ['log', 'info', 'debug', 'warn', 'error'] as const

/** Reports what the runtime and libraries print by themselves: the log has no other lines than ours. */
export function reportConsole(
  console: Record<(typeof METHODS)[number], (...values: unknown[]) => void>,
  report: (event: unknown) => void,
): void {
  const print = (...values: unknown[]) => {
    const message = values.map(String).join(' ')
    // Of an outage the watch of the revision tells, and a connection that only listens is not missed: it is polled as well.
    if (!message.startsWith('bun:sql LISTEN')) report(new Notice('runtime', message, 'warning'))
  }
  for (const method of METHODS) console[method] = print
}
