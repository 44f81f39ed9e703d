import { Option } from '@commander-js/extra-typings'
import { command, databaseOption, waitOption } from '../../command.ts'
import type { Context } from '../../context.ts'
import { configFrom } from '../../settings.ts'
import { withServerLog } from './server-log.ts'

/** The settings that it uses beside the database. */
const FLAGS = [
  ...['worker-metrics-port', 'metrics-host', 'follow-private', 'follow-known-hosts', 'log-format'],
  ...['public-url', 'hooks-private'],
]

export function workerCommand(context: Context) {
  const worker = command(
    context,
    'worker',
    'follow sources, tell hooks of releases, and copy the database to a bucket',
    ['changelogd worker', 'changelogd worker --once', 'changelogd worker --worker-metrics-port 9101'],
    DETAILS,
  )
    .addOption(databaseOption())
    .addOption(waitOption())
    .option('--once', 'do what is due, and end: for cron')
    .addOption(new Option('--child', 'take the settings from standard input, and end with it').hideHelp())
    .settings(FLAGS)
  const logged = withServerLog(context, worker)
  return worker.action((options: { wait?: number; db?: string; once?: true; child?: true }) =>
    logged(options, async (waiting) => {
      if (options.child) {
        const handed = await context.handedOver()
        worker.setOptionValue('logFormat', handed.config.logFormat)
        return context.work(handed, waiting, 'child')
      }
      const config = configFrom(context, options)
      // A database that is named here is the worker's.
      const workerDatabase = options.db === undefined ? config.workerDatabase : ''
      const handed = { config: { ...config, workerDatabase }, file: context.configFile() }
      return context.work(handed, waiting, options.once ? 'once' : 'forever')
    }),
  )
}

const DETAILS = `It checks sources when they are due and imports what is
new, sends what hooks are told, which needs PUBLIC_URL,
and makes copies if BACKUP_TO is set.

Signals:
  SIGUSR2           check everything now
  SIGTERM, SIGINT   end; what is not finished is done again
  and SIGHUP        at the next start

With SQLite one worker runs at a time, and a second one
waits. With PostgreSQL several share the work.

`
