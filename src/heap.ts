import { isBinary } from './build-info.ts'

/** What the JavaScript engine reads of its environment before the program begins, by command. */
const SETTINGS: Record<string, Readonly<Record<string, string>>> = {
  // With the machine's memory, its heap grows to several times the need.
  serve: { BUN_JSC_forceRAMSize: String(64 * 2 ** 20) },
  worker: { BUN_JSC_forceRAMSize: String(64 * 2 ** 20) },
  // Its last compiler takes more time than it saves in a command that soon ends.
  import: { BUN_JSC_forceRAMSize: String(512 * 2 ** 20), BUN_JSC_useFTLJIT: '0' },
}

/** Restarts a command in the same process with its settings, unless the environment has one, or the system cannot. */
export function fitEngine({ argv, argv0, env, execPath, execve }: typeof process): void {
  const settings = SETTINGS[argv[2] ?? '']
  if (!isBinary || !settings || Object.keys(settings).some((name) => env[name] !== undefined)) return
  try {
    execve?.(execPath, [argv0, ...argv.slice(2)], { ...env, ...settings })
  } catch {}
}
