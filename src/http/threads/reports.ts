/** For how long the same text of several threads is about one event, and how many different ones are known. */
const SAME_MS = 60_000
const MOST_KNOWN = 100

/**
 * Reports what threads say. What happens to the database, every thread notices and says by itself: that is reported once.
 * What one thread says twice, has happened twice.
 */
export function createReports(report: (text: string) => void, now: () => number) {
  const known = new Map<string, { at: number; owners: Set<number> }>()
  return (text: string, owner: number): void => {
    const event = known.get(text)
    if (event && now() - event.at < SAME_MS && !event.owners.has(owner)) {
      event.owners.add(owner)
      return
    }
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(text, { at: now(), owners: new Set([owner]) })
    report(text)
  }
}
