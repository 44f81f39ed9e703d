import { isBinary } from './build-info.ts'

/** Read by the JavaScript engine before the program begins. */
const SETTINGS = {
  // The memory size that it assumes. With the machine's, its heap grows to several times the need.
  BUN_JSC_forceRAMSize: String(64 * 2 ** 20),
  // How much code must run before its last compiler does. At the engine's own threshold, the first hundreds of pages
  // wait for compilers more than for the code.
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: '1000000',
}

/** Restarts a server or worker in the same process with settings that the environment lacks, if the system can. */
export function setUpEngine({ argv, argv0, env, execPath, execve }: typeof process): void {
  if (!isBinary || !['serve', 'worker'].includes(argv[2] ?? '')) return
  if (Object.keys(SETTINGS).every((name) => env[name] !== undefined)) return
  try {
    execve?.(execPath, [argv0, ...argv.slice(2)], { ...SETTINGS, ...env })
  } catch {}
}
