import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { readLogFormat } from '../../../config/config.ts'
import { hintText } from '../../../domain/refusal.ts'
import { entryLines, type Level } from '../../../log/report.ts'
import type { Waiting } from '../../../store/wait.ts'
import { usageError } from '../../command.ts'
import type { Context } from '../../context.ts'
import { errorMessages, PrintedError } from '../../errors.ts'
import { waitingFor } from '../../session.ts'
import { plainLines } from '../../terminal/text.ts'

/** Lets a command that keeps running print its errors, also those of usage, as entries of its log. */
export function withServerLog(
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
      throw new PrintedError(error)
    }
  }
}
