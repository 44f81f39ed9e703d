import type { LogEntry } from '../../log/lines.ts'

/** For how long the same text of several threads is about one event, and how many different ones are known. */
const SAME_MS = 60_000
const MOST_KNOWN = 100

/**
 * Reports what threads say. What happens to the database, every thread notices and says by itself: that is reported once.
 * What one thread says twice, has happened twice.
 */
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
