/** How often the same error is reported, and how many different ones are known. */
const REPEATED_MS = 60_000
const MOST_KNOWN = 100

/** Reports errors of requests. A lasting one, such as a damaged database, is reported once a minute, not once a request. */
export function createErrorLog(report: (error: unknown) => void, now: () => number) {
  const reported = new Map<string, number>()
  return (error: unknown): void => {
    const text = String(error)
    const last = reported.get(text)
    if (last !== undefined && now() - last < REPEATED_MS) return
    if (reported.size >= MOST_KNOWN) reported.clear()
    reported.set(text, now())
    report(error)
  }
}
