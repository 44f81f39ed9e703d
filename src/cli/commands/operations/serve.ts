import { readLogFormat } from '../../../config/config.ts'
import { entryLines, type Level } from '../../../log/lines.ts'
import { command, databaseOption, usageError, waitOption } from '../../command.ts'
import type { Context } from '../../context.ts'
import { errorLines, PrintedError } from '../../errors.ts'
import { waitingFor } from '../../session.ts'
import { configFrom, refuseRemovedFlags, settingOptions } from '../../settings.ts'
import { plainLines } from '../../terminal/text.ts'

export function serveCommand(context: Context) {
  const serve = command(context, 'serve', 'serve the changelogs over HTTP', [
    'changelogd serve',
    'changelogd serve --host 0.0.0.0 --port 8080',
    'changelogd serve --trusted-proxies 10.0.0.0/8 --log-requests',
  ])
    .addOption(databaseOption())
    .addOption(waitOption())
  for (const option of settingOptions()) serve.addOption(option)
  refuseRemovedFlags(serve)

  /** The format of the log, as far as options have been read. */
  const format = () => {
    const { logFormat } = serve.opts() as { logFormat?: string }
    return readLogFormat(logFormat, context.env, context.configFile)
  }
  const lines = (level: Level, event: string, message: string) =>
    `${entryLines(format(), { level, event, message }, context.now(), context.logHasTimes)}\n`
  const refused = (message: string) => lines('error', 'refused', plainLines(message))

  const { outputError: asText } = serve.configureOutput()
  serve.configureOutput({
    outputError: (text, write) =>
      format() === 'text' ? asText?.(text, write) : write(refused(usageError(text, serve))),
  })
  return serve.action(async (options: { wait?: number }) => {
    const stderr = (text: string) => context.stderr(lines('info', 'database_waiting', text.trimEnd()))
    try {
      await context.serve(configFrom(context, options), waitingFor({ ...context, stderr }, options))
    } catch (error) {
      if (format() === 'text') throw error
      for (const line of errorLines(error)) await context.stderr(refused(line))
      throw new PrintedError(error)
    }
  })
}
