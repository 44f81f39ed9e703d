import type { LogEntry } from '../../log/lines.ts'

/** How long equal texts of several threads count as one event, and how many events are known. */
const SAME_MS = 60_000
const MOST_KNOWN = 100

/** Reports once what every thread notices, such as a lost database; two reports of one thread are two events. */
export function createReports(report: (entry: LogEntry) => void, now: () => number) {
  const known = new Map<string, { at: number; owners: Set<number> }>()
  return (entry: LogEntry, owner: number): void => {
    const event = known.get(entry.message)
    if (event && now() - event.at < SAME_MS && !event.owners.has(owner)) {
      event.owners.add(owner)
      return
    }
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(entry.message, { at: now(), owners: new Set([owner]) })
    report(entry)
  }
}
