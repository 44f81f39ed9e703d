import { reasonOf } from '../../../announce/deliver.ts'
import { nullIf } from '../../../domain/errors.ts'
import { type Result, warn, wrong } from '../../../domain/finding.ts'
import { chatOf, kindName } from '../../../domain/hook-kinds.ts'
import { hookCommand, needsSecret, rotateCommand } from '../../../domain/hooks.ts'
import type { Hook, Instant } from '../../../domain/records.ts'
import { type Hint, Refusal } from '../../../domain/refusal.ts'
import { plural } from '../../../domain/text/plural.ts'
import { commandLine } from '../../../domain/text/shell.ts'
import type { Bookkeeping } from '../../../store/bookkeeping/bookkeeping.ts'
import { openExistingBookkeeping } from '../../../store/bookkeeping/open.ts'
import type { Context } from '../../context.ts'
import type { Common } from '../../session.ts'
import { databaseFrom } from '../../settings.ts'
import { type KnownHook, withoutState } from '../../terminal/json.ts'
import { moment } from '../../terminal/moments.ts'
import { plain, remedyText, sentence } from '../../terminal/text.ts'
import { hookText } from './shared.ts'

/** Hooks with what the worker knows of them, if it has ever run. */
export async function withStates(context: Context, { db }: Common, hooks: readonly Hook[]) {
  if (hooks.length === 0) return []
  using bookkeeping = await openExistingBookkeeping(databaseFrom(context, db), { clock: context.now })
  const failing = new Map((await bookkeeping?.announced.failing())?.map((state) => [state.hookId, state]))
  const givenUp = Map.groupBy((await bookkeeping?.deliveries.givenUp()) ?? [], ({ hookId }) => hookId)
  const holders = bookkeeping ? await holdersOf(bookkeeping) : new Set<string>()
  return hooks.map((hook) => ({
    ...hook,
    state: failing.get(hook.id) ?? null,
    givenUp: givenUp.get(hook.id) ?? [],
    needsSecret: needsSecret(hook) && holders !== null && !holders.has(hook.id),
  }))
}

export async function withState(context: Context, options: Common, hook: Hook): Promise<KnownHook> {
  const [known] = await withStates(context, options, [hook])
  return known ?? withoutState(hook)
}

/** Null for a role of PostgreSQL that may not read secrets. */
const holdersOf = ({ hookSecrets }: Bookkeeping): Promise<ReadonlySet<string> | null> =>
  hookSecrets.holders().catch(nullIf((error) => error instanceof Refusal && error.kind === 'refused'))

/** The problems of a hook, with a remedy for each. */
export const faultsOf = (hook: KnownHook, now: Instant): Result[] =>
  [faultOf(hook, now), givenUpBy(hook, now)].filter((fault) => fault !== null)

function givenUpBy(hook: KnownHook, now: Instant): Result | null {
  const [newest] = hook.givenUp
  if (!newest?.last) return null
  const { label, last } = newest
  const count = plural(hook.givenUp.length, 'delivery', 'deliveries')
  const what = `${hookText(hook)} gave up ${count}, lastly of ${plain(label)} at ${moment(last.at, now)}`
  return wrong(`${what}: ${plain(reasonOf(last))}`, {
    text: 'To send again what was given up',
    command: hookCommand('replay', hook, { failed: true }),
    or: { text: 'To leave it unsent', command: hookCommand('dismiss', hook) },
  })
}

function faultOf(hook: KnownHook, now: Instant): Result | null {
  const { status, needsSecret } = hook
  const { stoppedAt = null, failingSince = null, reason = null } = hook.state ?? {}
  const name = hookText(hook)
  const why = reason === null ? '' : `: ${plain(reason)}`
  const chat = chatOf(hook.url)
  if (chat)
    return wrong(
      `${name} has a ${kindName(chat)} address. It is a secret, but lists and exports show it`,
      `Create a new address, save it to a file, and run: changelogd hook add ${hook.team.slug} --${chat}-url-file FILE. Then run: ${commandLine(hookCommand('remove', hook))}`,
    )
  if (needsSecret)
    return (status === 'active' ? wrong : warn)(lackOf(hook), {
      text: 'To create one',
      command: rotateCommand(hook),
    })
  if (stoppedAt !== null)
    return wrong(`${name} has been disabled since ${moment(stoppedAt, now)}${why}`, {
      text: 'Fix the receiver, then run',
      command: hookCommand('enable', hook),
    })
  if (status !== 'active' || failingSince === null) return null
  return warn(`${name} has been failing since ${moment(failingSince, now)}${why}`, {
    text: 'To see the responses',
    command: hookCommand('deliveries', hook),
  })
}

export const faultLines = (context: Context, hooks: readonly KnownHook[]): string[] =>
  hooks.flatMap((hook) =>
    faultsOf(hook, context.now()).map(
      ({ message, remedy = '' }) => `${sentence(message)} ${remedyText(context, remedy)}`,
    ),
  )

/** Refuses what needs the secret of a hook that has none. */
export async function checkSecret(hook: Hook, { hookSecrets }: Bookkeeping, now: Instant): Promise<void> {
  if (!needsSecret(hook) || (await hookSecrets.list(hook.id, now)).length > 0) return
  throw new Refusal(sentence(lackOf(hook)), { hint: { text: 'To create one', command: rotateCommand(hook) } })
}

export const lackNote = (hook: Hook): Hint => ({
  text: `${sentence(lackOf(hook))} To create one`,
  command: rotateCommand(hook),
})

const lackOf = (hook: Hook): string => `${hookText(hook)} has no ${hook.url === null ? 'address' : 'secret'}`
