import type { Context } from '../../src/cli/context.ts'

/** A command's surroundings within this process: no terminal and no database unless `parts` says otherwise. */
export function contextWith(parts: Partial<Context> = {}): Context {
  const unused = () => Promise.reject(new Error('not used here'))
  return {
    version: '0',
    env: {},
    configFile: () => null,
    stdout: async () => {},
    stderr: async () => {},
    terminal: { input: false, output: false, width: Number.POSITIVE_INFINITY },
    now: () => 0,
    confirm: unused,
    progress: unused,
    runEditor: unused,
    serve: unused,
    preview: unused,
    get: unused,
    ...parts,
  }
}

/** The same at a terminal of so many columns. */
export const terminalWith = (width: number): Context =>
  contextWith({ env: { NO_COLOR: '1' }, terminal: { input: true, output: true, width } })
