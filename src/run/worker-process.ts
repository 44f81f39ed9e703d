import { serialize } from 'node:v8'
import { isBinary } from '../build-info.ts'
import type { Config } from '../config/config.ts'
import type { ConfigFile } from '../config/file.ts'
import { Notice } from '../domain/notice.ts'
import { backOff } from '../domain/time/waiting.ts'
import type { HandedOver } from '../worker/settings.ts'

/** The worker that `serve --worker` starts: a process of its own, because the server cannot write. */

/** The pause before a worker that has died is started again: longer each time, unless it ran for a while. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
const LONG_RUN_MS = 60_000

/** How long a worker may take to end before it is killed. */
const STOP_MS = 20_000

export function startWorker(config: Config, file: ConfigFile | null, report: (event: unknown) => void) {
  const stopping = Promise.withResolvers<void>()
  let isStopping = false
  let child: ReturnType<typeof spawn> | undefined
  const tell = (line: string) => {
    child?.stdin.write(`${line}\n`)
    child?.stdin.flush()
  }

  const keepRunning = async (): Promise<void> => {
    let failures = 0
    while (!isStopping) {
      const start = performance.now()
      child = spawn()
      tell(serialize({ config, file } satisfies HandedOver).toString('base64'))
      const status = await child.exited
      if (isStopping) return
      failures = performance.now() - start > LONG_RUN_MS ? 1 : failures + 1
      const pause = backOff(failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS)
      const how = child.signalCode === null ? `with status ${status}` : `by ${child.signalCode}`
      const notice = `The worker ended ${how}. It restarts in ${pause / 1_000} s.`
      report(new Notice('worker_restarted', notice, 'warning'))
      await Promise.race([Bun.sleep(pause), stopping.promise])
    }
  }
  const ended = keepRunning().catch(report)

  return {
    /** Makes everything due now. Not by a signal, which would end one that has just begun. */
    hurry: () => tell('hurry'),
    /** Ends it, and resolves once it has ended. */
    stop: async () => {
      isStopping = true
      stopping.resolve()
      child?.kill('SIGTERM')
      const timer = setTimeout(() => child?.kill('SIGKILL'), STOP_MS)
      await ended
      clearTimeout(timer)
    },
  }
}

/**
 * The first line that it reads has its settings, so that none can be forgotten, and no argument shows one. It ends with
 * this process, even if that is killed: its standard input does.
 */
const spawn = (): Bun.Subprocess<'pipe', 'inherit', 'inherit'> =>
  Bun.spawn([process.execPath, ...(isBinary ? [] : [Bun.main]), 'worker', '--child'], {
    // Only the server speaks to systemd.
    env: { ...process.env, NOTIFY_SOCKET: undefined },
    stdin: 'pipe',
    stdout: 'inherit',
    stderr: 'inherit',
  })
