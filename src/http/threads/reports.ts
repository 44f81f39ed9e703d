import type { LogEntry } from '../../log/report.ts'

/** How long equal events of several threads count as one, and how many are known. */
const SAME_MS = 60_000
const MOST_KNOWN = 100

/** Reports once what every thread notices, such as a lost database; two reports of one thread are two events. */
export function createReports(report: (entry: LogEntry) => void, now: () => number) {
  const known = new Map<string, { at: number; owners: Set<number> }>()
  return (entry: LogEntry, owner: number): void => {
    const key = keyOf(entry)
    const event = known.get(key)
    if (event && now() - event.at < SAME_MS && !event.owners.has(owner)) {
      event.owners.add(owner)
      return
    }
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(key, { at: now(), owners: new Set([owner]) })
    report(entry)
  }
}

/** Threads lose the database for one reason, but may notice it in several ways. */
const keyOf = ({ event, message }: LogEntry): string => (event === 'error' ? message : event)
