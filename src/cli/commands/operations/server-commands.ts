import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import { readLogFormat } from '../../../config/config.ts'
import { hintText } from '../../../domain/refusal.ts'
import { entryLines, type Level } from '../../../log/report.ts'
import type { Waiting } from '../../../store/engines/wait.ts'
import { command, databaseOption, usageError, waitOption, withSettings } from '../../command.ts'
import type { Context } from '../../context.ts'
import { errorMessages, PrintedError } from '../../errors.ts'
import { waitingFor } from '../../session.ts'
import { configFrom } from '../../settings.ts'
import { plainLines } from '../../terminal/text.ts'

export function serveCommand(context: Context) {
  const serve = withSettings(
    command(context, 'serve', 'serve the changelogs over HTTP', [
      'changelogd serve',
      'changelogd serve --worker',
      'changelogd serve --trusted-proxies 10.0.0.0/8 --log-requests',
    ])
      .addOption(databaseOption())
      .addOption(waitOption()),
  )
  const logged = withServerLog(context, serve)
  return serve.action((options: { wait?: number }) =>
    logged(options, (waiting) => context.serve(configFrom(context, options), waiting, context.configFile())),
  )
}

/** The settings of a worker, besides the database. */
const FLAGS = [
  ...['worker-metrics-port', 'metrics-host', 'follow-private', 'follow-known-hosts', 'log-format'],
  ...['public-url', 'hooks-private'],
]

export function workerCommand(context: Context) {
  const worker = withSettings(
    command(
      context,
      'worker',
      'follow sources, send hook messages and back up to a bucket',
      ['changelogd worker', 'changelogd worker --once', 'changelogd worker --worker-metrics-port 9101'],
      DETAILS,
    )
      .addOption(databaseOption())
      .addOption(waitOption())
      .option('--once', 'run due work, then exit (for cron)')
      .addOption(
        new Option('--child', 'read the settings from standard input, and exit when it closes').hideHelp(),
      ),
    FLAGS,
  )
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

const DETAILS = `Checks sources and imports new releases, sends hook
messages (needs PUBLIC_URL), and backs up if BACKUP_TO is
set.

Signals:
  SIGUSR2           check everything now
  SIGTERM, SIGINT   exit; the next start resumes
                    unfinished work

With SQLite, one worker runs at a time and others wait.
With PostgreSQL, several workers share the work.

`

/** Lets a command that keeps running print its errors, also those of usage, as entries of its log. */
function withServerLog(
  context: Context,
  command: CommandUnknownOpts,
): (options: { wait?: number }, run: (waiting: Waiting) => Promise<void>) => Promise<void> {
  /** The format of the log, as far as options have been read. */
  const format = () => {
    const { logFormat } = command.opts() as { logFormat?: string }
    return readLogFormat(logFormat, context.env, context.configFile)
  }
  const lines = (level: Level, event: string, message: string) =>
    `${entryLines(format(), { level, event, message }, context.now(), context.logHasTimes)}\n`
  const refused = (message: string) => lines('error', 'refused', plainLines(message))

  const { outputError: asText } = command.configureOutput()
  command.configureOutput({
    outputError: (text, write) =>
      format() === 'text' ? asText?.(text, write) : write(refused(usageError(text))),
  })
  return async (options, run) => {
    const stderr = (text: string) => context.stderr(lines('info', 'database_waiting', text.trimEnd()))
    try {
      await run(waitingFor({ ...context, stderr }, options))
    } catch (error) {
      if (format() === 'text') throw error
      for (const message of errorMessages(error, context.complete))
        await context.stderr(refused(hintText(message)))
      throw new PrintedError('', { cause: error })
    }
  }
}
