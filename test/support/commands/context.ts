import { emptyContext } from '../../../release/manual/context.ts'
import type { Context } from '../../../src/cli/context.ts'

/** A command's surroundings within this process: no terminal and no database unless `parts` says otherwise. */
export const contextWith = (parts: Partial<Context> = {}): Context => ({ ...emptyContext('0'), ...parts })

/** The same at a terminal of so many columns. */
export const terminalWith = (width: number): Context =>
  contextWith({ env: { NO_COLOR: '1' }, terminal: { input: true, output: true, width } })
