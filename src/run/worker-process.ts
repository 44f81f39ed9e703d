import { serialize } from 'node:v8'
import type { Config } from '../config/config.ts'
import type { ConfigFile } from '../config/file.ts'
import { reasonOf } from '../domain/errors.ts'
import { Notice } from '../domain/notice.ts'
import { backOff, inTime, pause } from '../domain/time/waiting.ts'
import { ownCommand } from '../files/own-program.ts'
import type { HandedOver } from '../worker/settings.ts'

/** The worker that `serve --worker` starts: a process of its own, because the server cannot write. */

/** The pause before a worker that has died is started again: longer each time, unless it ran for a while. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
const LONG_RUN_MS = 60_000

/** How long a worker may take to end before it is killed. */
const STOP_MS = 40_000

export function startWorker(config: Config, file: ConfigFile | null, report: (event: unknown) => void) {
  const stopping = new AbortController()
  let child: ReturnType<typeof spawn> | undefined
  const tell = async (line: string): Promise<void> => {
    await child?.stdin.write(`${line}\n`)
    await child?.stdin.flush()
  }

  /** Runs a worker until it ends, and says how that was. */
  const run = async (): Promise<string> => {
    child = spawn()
    // The worker may have ended.
    tell(serialize({ config, file } satisfies HandedOver).toString('base64')).catch(() => {})
    const status = await child.exited
    return `ended ${child.signalCode === null ? `with status ${status}` : `by ${child.signalCode}`}`
  }

  const keepRunning = async (): Promise<void> => {
    let failures = 0
    while (!stopping.signal.aborted) {
      const start = performance.now()
      const end = await run().catch((error: unknown) => `cannot start: ${reasonOf(error)}`)
      if (stopping.signal.aborted) return
      failures = performance.now() - start > LONG_RUN_MS ? 1 : failures + 1
      const ms = backOff(failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS)
      report(new Notice('worker_restarted', `The worker ${end}. It restarts in ${ms / 1_000} s.`, 'warning'))
      await pause(ms, stopping.signal)
    }
  }
  const ended = keepRunning()

  return {
    /** Makes everything due now. Not by a signal, which would end one that has just begun. */
    hurry: () => void tell('hurry').catch(() => {}),
    stop: async () => {
      stopping.abort()
      child?.kill('SIGTERM')
      await inTime(STOP_MS, ended, () => new Error('late')).catch(() => child?.kill('SIGKILL'))
      await ended
    },
  }
}

/**
 * The first line that it reads has its settings, so that none can be forgotten, and no argument shows one. It ends with
 * this process, even if that is killed: its standard input does.
 */
const spawn = (): Bun.Subprocess<'pipe', 'inherit', 'inherit'> =>
  Bun.spawn([...ownCommand(), 'worker', '--child'], {
    argv0: process.execPath,
    // Only the server speaks to systemd.
    env: { ...process.env, NOTIFY_SOCKET: undefined },
    stdin: 'pipe',
    stdout: 'inherit',
    stderr: 'inherit',
  })
