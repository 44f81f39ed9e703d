import { readLogFormat } from '../../config.ts'
import { entryLines, type Level } from '../../log-lines.ts'
import { command, databaseOption, waitOption } from '../command.ts'
import type { Context } from '../context.ts'
import { errorLines, PrintedError } from '../errors.ts'
import { waitingFor } from '../session.ts'
import { configFrom, refuseRemovedFlags, settingOptions } from '../settings.ts'
import { plainLines } from '../terminal/text.ts'

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
  return serve.action(async (options: object) => {
    const { wait, logFormat } = options as { wait?: number; logFormat?: string }
    const format = readLogFormat(logFormat, context.env, context.configFile())
    const print = (level: Level, event: string, message: string) =>
      context.stderr(`${entryLines(format, { level, event, message }, context.now())}\n`)
    const stderr = (text: string) => print('info', 'database_waiting', text.trimEnd())
    try {
      await context.serve(configFrom(context, options), waitingFor({ ...context, stderr }, { wait }))
    } catch (error) {
      if (format === 'text') throw error
      for (const line of errorLines(error)) await print('error', 'refused', plainLines(line))
      throw new PrintedError(error)
    }
  })
}
