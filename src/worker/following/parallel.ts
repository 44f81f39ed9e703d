/** The most sources that are checked at a time. */
export const AT_ONCE = 4

/** Throws once all are done, or have given up. */
export async function inParallel<T>(
  atOnce: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values()
  const results = await Promise.allSettled(
    Array.from({ length: Math.min(atOnce, items.length) }, async () => {
      for (const item of rest) await work(item)
    }),
  )
  for (const result of results) if (result.status === 'rejected') throw result.reason
}
