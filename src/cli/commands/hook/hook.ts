import { hookCommand as commandOf, needsSecret } from '../../../domain/hooks.ts'
import { toRun } from '../../../domain/refusal.ts'
import { findHook, findTeam } from '../../../transfer/find.ts'
import { listUrlOption, orNone, teamArgument } from '../../arguments/arguments.ts'
import { commandGroup, namedValues, reads, writingCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { deleteCommand, listCommand, listed, showCommand, shown, withJson } from '../../record-commands.ts'
import { deleting } from '../../session.ts'
import { hookJson, withoutState } from '../../terminal/json.ts'
import { hookFields } from '../../terminal/records.ts'
import { sentence } from '../../terminal/text.ts'
import { addHookDeliveries } from './deliveries.ts'
import { addHookAdd, addHookRotate } from './secrets.ts'
import {
  delayOption,
  hookArgument,
  hookText,
  nameOption,
  onOption,
  withBookkeeping,
  writingHook,
} from './shared.ts'
import { checkSecret, faultLines, withState, withStates } from './states.ts'

export function hookCommand(context: Context) {
  const hook = commandGroup(context, 'hook', 'announce releases to webhooks, chats, mail and WebSub hubs', [
    'changelogd hook add acme https://example.org/hooks/changelog',
    'changelogd hook list acme',
  ])

  addHookAdd(context, hook)

  listCommand(hook, 'list hooks and their state', 'changelogd hook list acme')
    .addArgument(teamArgument().argOptional())
    .action(
      reads(context, async (records, slug, options) => {
        const hooks = await records.hooks.list(slug === undefined ? undefined : await findTeam(records, slug))
        const known = await withStates(context, options, hooks)
        const none = toRun('No hooks yet. To add one', 'hook add', [slug ?? 'acme', 'https://…'])
        const { text, ...list } = listed(context, known, hookFields, hookJson, none)
        return { ...list, text: [text, ...faultLines(context, known)].join('\n') }
      }),
    )

  showCommand(hook, 'show a hook', 'changelogd hook show acme/example.org')
    .addArgument(hookArgument())
    .action(
      reads(context, async (records, name, options) => {
        const known = await withState(context, options, await findHook(records, name))
        const { text, json } = shown(context, known, hookFields, hookJson)
        return { json, text: [text, ...faultLines(context, [known])].join('\n') }
      }),
    )

  addHookDeliveries(context, hook)

  writingCommand(hook, 'update', 'rename a hook, or change its events', [
    'changelogd hook update acme/example.org --name intranet',
    'changelogd hook update acme/example.org --on published,withdrawn',
  ])
    .addArgument(hookArgument())
    .addOption(nameOption())
    .addOption(onOption())
    .addOption(delayOption())
    .option('--stable', 'skip pre-releases')
    .option('--no-stable', 'include pre-releases')
    .addOption(listUrlOption('--unsubscribe-url <url>', 'https page where people leave the list, for mail'))
    .action((given, { name, on, stable, delay, unsubscribeUrl, ...options }, command) => {
      const wanted = { name, on, stable, delay, unsubscribeUrl: orNone(unsubscribeUrl) }
      const { on: events, ...update } = namedValues(command, wanted)
      return writingHook(context, options, async (records) => {
        const found = await findHook(records, given)
        const updated = await records.hooks.update(found, { ...update, ...(events && { events }) })
        const json = hookJson(await withState(context, options, updated))
        return { json, text: `Updated ${hookText(updated)}.` }
      })
    })

  for (const [word, summary, status, done] of [
    ['disable', 'disable a hook; it receives nothing until you enable it', 'disabled', 'Disabled'],
    ['enable', 'enable a hook, and announce what it missed', 'active', 'Enabled'],
  ] as const)
    writingCommand(hook, word, summary, withJson(`changelogd hook ${word} acme/example.org`))
      .addArgument(hookArgument())
      .action((name, options) =>
        writingHook(context, options, async (records, bookkeeping) => {
          const found = await findHook(records, name)
          if (status === 'active') await checkSecret(found, bookkeeping, context.now())
          const known = await withState(context, options, found)
          const again = (text: string, isNeeded: boolean) =>
            status === 'active' && isNeeded
              ? [{ text, command: commandOf('replay', found, { failed: true }) }]
              : []
          const hasFailed = known.givenUp.length > 0
          if (found.status === status && known.state?.stoppedAt == null) {
            const text = sentence(`${hookText(found)} is already ${status}`)
            const isFailing = known.state?.failingSince != null
            const notes = again('To send again what failed', isFailing || hasFailed)
            return { json: hookJson(known), text, notes }
          }
          const updated = await records.hooks.update(found, { status })
          if (status === 'active') await bookkeeping.announced.resume(updated.id)
          const json = hookJson(await withState(context, options, updated))
          const notes = again('What had failed is not sent. To send it', hasFailed)
          return { json, text: `${done} ${hookText(updated)}.`, notes }
        }),
      )

  addHookRotate(context, hook)

  deleteCommand(
    hook,
    'remove a hook, its secret and its deliveries',
    'changelogd hook remove acme/example.org',
    'remove',
  )
    .addArgument(hookArgument())
    .action(async (name, options) => {
      let id = ''
      await deleting(context, options, {
        find: (records) => findHook(records, name),
        name: hookText,
        warning: (found) =>
          `This removes ${hookText(found)}${needsSecret(found) ? ', its secret' : ''} and its deliveries.`,
        json: (found) => hookJson(withoutState(found)),
        delete: (hook) => {
          id = hook.id
          return { hook }
        },
      })
      await withBookkeeping(context, options, ({ hookSecrets }) => hookSecrets.remove(id))
    })
  return hook
}
