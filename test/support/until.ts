/** Resolves once the condition holds. Only the runner's timeout ends the wait for one that never does. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await Bun.sleep(1)
}
