/** The longest pause between two questions to another process that answers at once. */
const LONGEST_PAUSE_MS = 16

/**
 * Resolves once the condition holds. Only the runner's timeout ends the wait for one that never does. A condition that has
 * to ask another process is asked less and less often, and one that takes long as rarely as it takes: it would keep the machine busy.
 */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  let pauseMs = 1
  for (;;) {
    const from = performance.now()
    const answer = condition()
    if (await answer) return
    await Bun.sleep(Math.max(pauseMs, performance.now() - from))
    if (answer instanceof Promise) pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
  }
}
