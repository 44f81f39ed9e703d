import { readConfig } from '../config/config.ts'
import { createWaiting } from '../store/engines/wait.ts'
import { configFileOf } from './config-file.ts'
import type { Context, Surroundings } from './context.ts'

/**
 * Runs `serve` without arguments, as services do, and returns the exit status. It does not load the command line,
 * which takes longer than everything else at the start. `run` loads it to print messages, such as errors.
 */
export async function servePlain(context: Surroundings): Promise<number> {
  const run = async (serve: Context['serve']) =>
    (await import('./program.ts')).run({ ...context, serve }, ['serve'])
  const waiting = createWaiting(undefined, async (what) => {
    await run((_, { announce }) => announce(what))
  })
  try {
    const file = configFileOf(() => ({}), context)()
    await context.serve(readConfig({}, context.env, file), waiting, file)
    return 0
  } catch (error) {
    return run(() => Promise.reject(error))
  }
}
