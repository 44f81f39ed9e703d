import { CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings'
import { ConfigError } from '../config/config.ts'
import { messageOf } from '../domain/errors.ts'
import { type Hint, hintText, OutcomeUnknown, Refusal, type RefusalKind } from '../domain/refusal.ts'
import { usageError } from './command.ts'
import type { Context } from './context.ts'
import { namesOf } from './help/help.ts'
import { plainLines } from './terminal/text.ts'

type CommandErrorCode = RefusalKind | 'usage' | 'invalid_setting' | 'bug'

export class PrintedError extends Error {
  override readonly name = 'PrintedError'
}

/** Messages for people, with complete commands. Commander has printed the ones about wrong usage. */
export function errorMessages(error: unknown, complete: Context['complete']): readonly Hint[] {
  if (error instanceof CommanderError || error instanceof PrintedError) return []
  if (error instanceof ConfigError) return error.problems.map((problem) => ({ text: prefixed(problem) }))
  if (!(error instanceof Refusal))
    return [{ text: prefixed(`${BUG}: ${error instanceof Error ? error.stack : String(error)}`) }]
  const { message } = error
  const advice = error.advice && complete(error.advice)
  return [{ ...advice, text: prefixed([message, advice?.text].filter(Boolean).join(' ')) }]
}

const prefixed = (text: string): string => `changelogd: ${plainLines(text)}`

const BUG = 'This is a bug in changelogd. Please report it'

/** The JSON for scripts. `complete` completes the command of a hint. */
export function errorJson(error: unknown, command: CommandUnknownOpts, complete: Context['complete']) {
  const [code, message, hint] = partsOf(error, command)
  const result = error instanceof OutcomeUnknown && error.result
  return { error: { code, message, hint: hint && hintText(complete(hint)), ...(result ? { result } : {}) } }
}

function partsOf(error: unknown, command: CommandUnknownOpts): [CommandErrorCode, string, Hint | null] {
  if (error instanceof CommanderError) {
    const help = [...namesOf(command), '--help'].join(' ')
    return ['usage', usageError(error.message), { text: 'To see the usage', command: help }]
  }
  if (error instanceof Refusal) return [error.kind, error.message, error.advice ?? null]
  if (error instanceof ConfigError) return ['invalid_setting', error.problems.join('\n'), null]
  return ['bug', `${BUG}: ${messageOf(error)}`, null]
}

/** The command that has been called, as far as the command line has been parsed. */
export function calledCommand(command: CommandUnknownOpts): CommandUnknownOpts {
  const next = command.commands.find((each) => each.name() === command.args[0])
  return next ? calledCommand(next) : command
}

/** True if a command line asks for JSON, also for unknown commands. */
export function wantsJson(command: CommandUnknownOpts, args: readonly string[]): boolean {
  const end = args.indexOf('--')
  const isAsked = args.slice(0, end === -1 ? args.length : end).includes('--json')
  return isAsked && (command.commands.length > 0 || command.options.some(({ long }) => long === '--json'))
}
