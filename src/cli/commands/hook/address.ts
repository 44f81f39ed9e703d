import { remedyOf } from '../../../announce/send.ts'
import { HOOK_URL_RULE, hookUrlOf } from '../../../domain/hooks.ts'
import { Refusal, withHint } from '../../../domain/refusal.ts'
import { checkDestination } from '../../../outgoing/destination.ts'
import { OutgoingError } from '../../../outgoing/errors.ts'
import type { Context } from '../../context.ts'
import { readText } from '../../files.ts'
import type { Common } from '../../session.ts'
import { configFrom } from '../../settings.ts'

const MOST_BYTES = 10_000

/** The address of a hook. Refuses one that could never be sent to with the settings of this command. */
export function checkedUrl(
  context: Context,
  { db }: Common,
  text: string,
  what = 'The address of a hook',
): string {
  const url = hookUrlOf(text)
  if (url === null) throw new Refusal(`${what} must be ${HOOK_URL_RULE}.`)
  try {
    checkDestination(new URL(url), configFrom(context, { db }).hooksPrivate)
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error
    throw withHint(error, remedyOf(error) ?? '')
  }
  return url
}

/** From a file, because other users can see the arguments of a process. */
export const readUrl = async (context: Context, options: Common, path: string): Promise<string> =>
  checkedUrl(context, options, await readText(context, path, MOST_BYTES), path)
