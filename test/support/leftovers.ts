/**
 * What a test created and did not remove itself, because it failed or timed out: `preload.ts` removes it when
 * the run ends.
 */
const leftovers = new Set<() => void>()

/** Registers how something is removed. The returned function removes it, once, before the run ends. */
export function removedAtEnd(remove: () => void): () => void {
  const once = () => {
    if (leftovers.delete(once)) remove()
  }
  leftovers.add(once)
  return once
}

/** Newest first: a process ends before its directory is removed. */
export function removeLeftovers(): void {
  for (const remove of [...leftovers].reverse()) remove()
}
