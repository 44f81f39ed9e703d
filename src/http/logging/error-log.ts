/** How often the same error is reported, and how many errors are known. */
const REPEATED_MS = 60_000
const MOST_KNOWN = 100

/** Reports a lasting error, such as a damaged database, once a minute, not once a request. */
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
