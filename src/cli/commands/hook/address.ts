import { remedyOf } from '../../../announce/send.ts'
import { CHAT_URL_RULE, chatUrlOf } from '../../../domain/hooks.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { refuseDestination } from '../../../outgoing/destination.ts'
import type { Context } from '../../context.ts'
import { readText } from '../../files.ts'
import type { Common } from '../../session.ts'
import { configFrom } from '../../settings.ts'

const MOST_ADDRESS_BYTES = 10_000

/** Refuses an address that could never be sent to with the settings of this command. */
export function reachable(context: Context, { db }: Common, url: string): string {
  refuseDestination(new URL(url), configFrom(context, { db }).hooksPrivate, remedyOf)
  return url
}

/** That of a chat, from a file, because other users can see the arguments of a process. */
export async function readUrl(context: Context, options: Common, path: string): Promise<string> {
  if (path.includes('://'))
    throw new Refusal('The address of a chat is a secret, and other users see the arguments of a command.', {
      hint: 'Save the address to a file, and name the file.',
    })
  const url = chatUrlOf(await readText(context, path, MOST_ADDRESS_BYTES))
  if (url === null) throw new Refusal(`${path} must contain ${CHAT_URL_RULE}.`)
  return reachable(context, options, url)
}
