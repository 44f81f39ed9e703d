/** The result of `work`, or what `late` makes if it takes longer. What becomes of it after that is ignored. */
export async function inTime<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  const deadline = Promise.withResolvers<never>()
  const timer = setTimeout(() => deadline.reject(late()), ms)
  work.catch(() => {})
  try {
    return await Promise.race([work, deadline.promise])
  } finally {
    clearTimeout(timer)
  }
}
