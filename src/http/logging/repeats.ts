/** How long equal events count as one, and how many are known. */
const SAME_MS = 60_000
const MOST_KNOWN = 100

/**
 * Reports a lasting event, such as a damaged database, once a minute, not with every request. With owners, it reports once what
 * every thread notices: two events of one owner are two.
 */
export function createRepeats<Event>(
  report: (event: Event) => void,
  keyOf: (event: Event) => string,
  now: () => number,
) {
  const known = new Map<string, { at: number; owners: Set<number | undefined> }>()
  return (event: Event, owner?: number): void => {
    const key = keyOf(event)
    const last = known.get(key)
    const isOwn = owner !== undefined && last?.owners.has(owner)
    if (last && !isOwn && now() - last.at < SAME_MS) {
      last.owners.add(owner)
      return
    }
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(key, { at: now(), owners: new Set([owner]) })
    report(event)
  }
}
