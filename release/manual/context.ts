import type { Context } from '../../src/cli/context.ts'

/** A context for printing help; its effects reject. */
export function emptyContext(version: string): Context {
  const unused = () => Promise.reject(new Error('not used here'))
  return {
    version,
    env: {},
    isPackaged: false,
    logHasTimes: true,
    configFile: () => null,
    complete: (hint) => hint,
    stdin: new Blob(),
    stdout: async () => {},
    stderr: async () => {},
    terminal: { input: false, output: false, width: Number.POSITIVE_INFINITY },
    messageWidth: () => Number.POSITIVE_INFINITY,
    now: () => 0,
    confirm: unused,
    runEditor: unused,
    serve: unused,
    work: unused,
    handedOver: unused,
    desk: unused,
    preview: unused,
    get: unused,
  }
}
