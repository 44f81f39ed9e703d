import { isBinary } from './build-info.ts'

/** The memory size that the JavaScript engine assumes. With the machine's, its heap grows to several times the need. */
const HEAP_RAM_BYTES = 64 * 2 ** 20

/** Read by the engine before the program begins. */
const SETTING = 'BUN_JSC_forceRAMSize'

/** Restarts a server or worker in the same process with a small heap, unless the environment sets it, or the system cannot. */
export function keepHeapSmall({ argv, argv0, env, execPath, execve }: typeof process): void {
  if (!isBinary || !['serve', 'worker'].includes(argv[2] ?? '') || env[SETTING] !== undefined) return
  try {
    execve?.(execPath, [argv0, ...argv.slice(2)], { ...env, [SETTING]: String(HEAP_RAM_BYTES) })
  } catch {}
}
