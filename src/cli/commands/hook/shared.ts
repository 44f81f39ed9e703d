import { Argument, Option } from '@commander-js/extra-typings'
import { observe } from '../../../announce/observe.ts'
import { remedyOf } from '../../../announce/send.ts'
import { kindName } from '../../../domain/hook-kinds.ts'
import {
  addressOfHook,
  CHAT_URL_RULE,
  chatUrlOf,
  DELAY_RULE,
  HOOK_NAME_RULE,
  hookDelayOf,
  hookEventsOf,
  isForPeople,
} from '../../../domain/hooks.ts'
import { HOOK_EVENTS, type Hook } from '../../../domain/records.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { refuseDestination } from '../../../outgoing/destination.ts'
import type { Bookkeeping } from '../../../store/bookkeeping/bookkeeping.ts'
import { openBookkeeping } from '../../../store/bookkeeping/open.ts'
import type { Records } from '../../../store/records/records.ts'
import { parser } from '../../arguments/arguments.ts'
import type { Context } from '../../context.ts'
import { readText } from '../../files.ts'
import { type Common, committed, type Outcome, print, withStore } from '../../session.ts'
import { configFrom, databaseFrom } from '../../settings.ts'

export const hookArgument = () => new Argument('<hook>', 'the hook, as team/name, or its id')

export const nameOption = () => new Option('--name <name>', `name of the hook: ${HOOK_NAME_RULE}`)

export const onOption = () =>
  new Option(
    '--on <published|updated|withdrawn>',
    'events to send, separated by commas (default: all; for chats: published,withdrawn; for mail: published)',
  ).argParser(parser(hookEventsOf, `${HOOK_EVENTS.join(', ')}, or several separated by commas`))

export const delayOption = () =>
  new Option(
    '--delay <duration>',
    `how long mail waits after publishing, ${DELAY_RULE} (default: 2m)`,
  ).argParser(parser(hookDelayOf, `a duration ${DELAY_RULE}`))

export const hookText = (hook: Hook): string =>
  `${kindName(hook.kind)}${isForPeople(hook.kind) ? ' hook' : ''} ${addressOfHook(hook)}${hook.product ? ` of product ${hook.product.slug}` : ''}`

export async function withBookkeeping<T>(
  context: Context,
  { db }: Common,
  work: (bookkeeping: Bookkeeping) => Promise<T>,
): Promise<T> {
  using bookkeeping = await openBookkeeping(databaseFrom(context, db), { clock: context.now })
  return await work(bookkeeping)
}

/**
 * Writes in one transaction, then compares public versions with announced ones, as the worker would. So a new hook skips
 * versions that are already public, even if no worker runs.
 */
export const writingHook = (
  context: Context,
  options: Common,
  work: (records: Records, bookkeeping: Bookkeeping) => Promise<Outcome>,
): Promise<void> =>
  withStore(context, options, (store) =>
    withBookkeeping(context, options, async (bookkeeping) => {
      const outcome = await committed(context, options, store, (records) => work(records, bookkeeping))
      await observe((read) => store.snapshot(read), bookkeeping, context.now())
      await print(context, options, outcome)
    }),
  )

const MOST_ADDRESS_BYTES = 10_000

/** Refuses an address that could never be sent to with the settings of this command. */
export function reachable(context: Context, { db }: Common, url: string): string {
  refuseDestination(new URL(url), configFrom(context, { db }).hooksPrivate, remedyOf)
  return url
}

/** A secret address, from a file, because other users can see the arguments of a process. */
export async function readUrl(context: Context, options: Common, path: string): Promise<string> {
  if (path.includes('://'))
    throw new Refusal('The address is a secret, and other users can see arguments.', {
      hint: 'Save the address to a file, and give the file.',
    })
  const url = chatUrlOf((await readText(context, path, MOST_ADDRESS_BYTES)).trim())
  if (url === null) throw new Refusal(`${path} must contain ${CHAT_URL_RULE}.`)
  return reachable(context, options, url)
}
