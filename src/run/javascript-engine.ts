import { statSync } from 'node:fs'
import { constants } from 'node:os'
import { isBinary } from '../build-info.ts'
import { cFunctions } from '../files/c-library.ts'
import { isServer } from './hurry.ts'

/** Settings that the JavaScript engine and its allocator read before the program begins. */
type Settings = Record<`BUN_JSC_${string}` | `MIMALLOC_${string}`, string>

/**
 * How much code must run before its last compiler does. At the engine's own threshold, the first hundreds of pages, and
 * imports, wait for compilers more than for the code.
 */
const LATE_LAST_COMPILER = { BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: '1000000' }

const FOR_SERVERS: Settings = {
  // The memory size that it assumes. With the machine's, its heap grows to several times the need. A busy server has
  // 18 MiB in use. From a quarter of the assumed memory on, the heap hardly grows, and is collected whole every second time.
  BUN_JSC_forceRAMSize: String(96 * 2 ** 20),
  // Freed memory goes back to the system at once. Under load, the peak is lower by 20 MiB.
  MIMALLOC_PURGE_DELAY: '0',
  ...LATE_LAST_COMPILER,
}

/** The import of a smaller file takes less than a second start of the program. */
const SHORT_FILE = 50_000

/** Restarts the program in the same process with settings that the environment lacks, if it needs any and the system can. */
export function setUpEngine({ argv, argv0, env, execPath, execve }: typeof process): void {
  if (!isBinary) return
  try {
    const settings = settingsFor(argv.slice(2))
    if (Object.keys(settings).every((name) => env[name] !== undefined)) return
    // Ignored signals stay ignored after `execve`. Otherwise an early SIGUSR2 would end the program.
    if (isServer(argv[2])) cFunctions(SIGNAL)?.signal(constants.signals.SIGUSR2, SIG_IGN)
    execve?.(execPath, [argv0, ...argv.slice(2)], { ...settings, ...env })
  } catch {}
}

const SIGNAL = { signal: { args: ['int', 'i64'], returns: 'i64' } } as const
const SIG_IGN = 1

function settingsFor([command = '', ...others]: string[]): Settings {
  if (isServer(command)) return FOR_SERVERS
  if (command !== 'import') return {}
  const size = Math.max(...others.map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0))
  return size < SHORT_FILE ? {} : LATE_LAST_COMPILER
}
