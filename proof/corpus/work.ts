import type { Choice } from '../proof.ts'
import type { Share } from './files.ts'

/** What the proofs with real files share. */

export const DOWNLOADING = {
  cache: { type: 'string', says: 'a directory for what is downloaded, which is used the next time' },
  verbose: { type: 'boolean', says: 'says what is missing' },
} as const

export const cacheOf = ({ values }: Choice): string | undefined => values.cache as string | undefined

/** Does the work for each, as many at a time as there are processors, and returns the results in their order. */
export async function inTurn<T, R>(
  all: readonly T[],
  work: (one: T, at: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const queue = all.entries()
  const worker = async (): Promise<void> => {
    for (const [at, one] of queue) results[at] = await work(one, at)
  }
  await Promise.all(Array.from({ length: navigator.hardwareConcurrency }, worker))
  return results
}

export const of = ([found, expected]: Share): string => `${found} / ${expected}`
