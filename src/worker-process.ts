import { isBinary } from './build-info.ts'
import {
  type Config,
  defaultMirrorDirectory,
  defaultTrashDirectory,
  readBucketSettings,
} from './config/config.ts'
import type { ConfigFile } from './config/file.ts'
import { SETTINGS } from './config/settings.ts'
import { Notice } from './domain/notice.ts'
import { formatDuration } from './domain/time/time.ts'
import { workerDatabase } from './worker/settings.ts'

/** The worker that `serve --worker` starts: a process of its own, because the server cannot write. */

/** The pause before a worker that has died is started again: longer each time, unless it ran for a while. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
const LONG_RUN_MS = 60_000

/** How long a worker may take to end before it is killed. */
const STOP_MS = 20_000

export interface WorkerProcess {
  /** Has it do now what is due later. */
  hurry(): void
  /** Ends it, and resolves once it has ended. */
  stop(): Promise<void>
}

export function startWorker(
  config: Config,
  file: ConfigFile | null,
  report: (event: unknown) => void,
): WorkerProcess {
  const stopping = Promise.withResolvers<void>()
  let isStopping = false
  let child: ReturnType<typeof spawn> | undefined

  const keepRunning = async (): Promise<void> => {
    let pause = FIRST_PAUSE_MS
    while (!isStopping) {
      const start = performance.now()
      child = spawn(config, file)
      const status = await child.exited
      if (isStopping) return
      if (performance.now() - start > LONG_RUN_MS) pause = FIRST_PAUSE_MS
      const how = child.signalCode === null ? `with status ${status}` : `by ${child.signalCode}`
      report(
        new Notice(
          'worker_restarted',
          `The worker ended ${how}. It is started again in ${pause / 1_000} s.`,
          'warning',
        ),
      )
      await Promise.race([Bun.sleep(pause), stopping.promise])
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS)
    }
  }
  const ended = keepRunning().catch(report)

  return {
    // Not a signal, which would end one that has just begun.
    hurry: () => {
      child?.stdin.write('\n')
      child?.stdin.flush()
    },
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

/** It ends with this process, even if that is killed: its standard input does. */
const spawn = (config: Config, file: ConfigFile | null): Bun.Subprocess<'pipe', 'inherit', 'inherit'> =>
  Bun.spawn([process.execPath, ...(isBinary ? [] : [Bun.main]), 'worker', '--child'], {
    env: { ...process.env, ...environmentOf(config, file) },
    stdin: 'pipe',
    stdout: 'inherit',
    stderr: 'inherit',
  })

/** What flags have set must hold for the worker too, and it must find the files of a service where the server does. */
function environmentOf(config: Config, file: ConfigFile | null): Record<string, string | undefined> {
  const database = workerDatabase(config)
  const bucket = readBucketSettings(process.env, file)
  const values: Partial<Record<keyof typeof SETTINGS, string>> = {
    database,
    workerDatabase: '',
    workerMetricsPort: String(config.workerMetricsPort),
    metricsHost: config.metricsHost,
    followPrivate: String(config.followPrivate),
    followKnownHosts: config.followKnownHosts,
    followDirectory: config.followDirectory || defaultMirrorDirectory(database, file),
    trashDirectory: config.trashDirectory || defaultTrashDirectory(database, file),
    logFormat: config.logFormat,
    publicUrl: config.publicUrl,
    pages: config.pages,
    hooksPrivate: String(config.hooksPrivate),
    githubToken: config.githubToken,
    gitlabToken: config.gitlabToken,
    forgejoToken: config.forgejoToken,
    backupTo: config.backupTo,
    backupEvery: formatDuration(config.backupEvery),
    backupKeep: config.backupKeep,
    s3Endpoint: bucket.endpoint,
    s3Region: bucket.region,
    s3AccessKeyId: bucket.accessKeyId,
    s3SecretAccessKey: bucket.secretAccessKey,
    s3SessionToken: bucket.sessionToken,
  }
  const entries = Object.entries(values).flatMap(([key, value]) => {
    const { name } = SETTINGS[key as keyof typeof SETTINGS]
    return [
      [name, value],
      [`${name}_FILE`, undefined],
    ]
  })
  // Everything is said, so no configuration file is read; and only the server speaks to systemd.
  return { ...Object.fromEntries(entries), CHANGELOGD_CONFIG: undefined, NOTIFY_SOCKET: undefined }
}
