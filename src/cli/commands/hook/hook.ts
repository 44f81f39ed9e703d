import { toRun } from '../../../domain/refusal.ts'
import { findHook, findTeam } from '../../../transfer/find.ts'
import { teamArgument } from '../../arguments/arguments.ts'
import { commandGroup, namedValues, writingCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { deleteCommand, deleting, listCommand, listed, showCommand } from '../../record-commands.ts'
import { reading } from '../../session.ts'
import { hookJson } from '../../terminal/record-json.ts'
import { hookFields, recordPage } from '../../terminal/record-tables.ts'
import { addHookAdd } from './add.ts'
import { addHookDeliveries } from './deliveries.ts'
import { addHookRotate } from './rotate.ts'
import { hookArgument, hookText, nameOption, onOption, withBookkeeping, writingHook } from './shared.ts'
import { checkSecret, faultLines, withStates } from './states.ts'

export function hookCommand(context: Context) {
  const hook = commandGroup(context, 'hook', 'tell others of releases: webhooks, chats, feed hubs', [
    'changelogd hook add acme https://example.org/hooks/changelog',
    'changelogd hook list acme',
  ])

  addHookAdd(context, hook)

  hook.addCommand(
    listCommand(context, 'list hooks, and which of them fail', 'changelogd hook list acme')
      .addArgument(teamArgument().argOptional())
      .action((slug, options) =>
        reading(context, options, async (records) => {
          const hooks = await records.hooks.list(
            slug === undefined ? undefined : await findTeam(records, slug),
          )
          const known = await withStates(context, options, hooks)
          const none = toRun('No hooks yet. To add one', `changelogd hook add ${slug ?? 'acme'} https://…`)
          const { text, ...list } = listed(context, known, hookFields, hookJson, none)
          return { ...list, text: [text, ...faultLines(known, context.now())].join('\n') }
        }),
      ),
  )

  hook.addCommand(
    showCommand(context, 'show a hook', 'changelogd hook show acme/example.org')
      .addArgument(hookArgument())
      .action((name, options) =>
        reading(context, options, async (records) => {
          const known = await withStates(context, options, [await findHook(records, name)])
          const pages = known.map((found) => recordPage(context, found, hookFields))
          return {
            json: known.map(hookJson)[0],
            text: [...pages, ...faultLines(known, context.now())].join('\n'),
          }
        }),
      ),
  )

  addHookDeliveries(context, hook)

  hook.addCommand(
    writingCommand(context, 'update', 'rename a hook, or change what it is told of', [
      'changelogd hook update acme/example.org --name intranet',
      'changelogd hook update acme/example.org --on published,withdrawn',
    ])
      .addArgument(hookArgument())
      .addOption(nameOption())
      .addOption(onOption())
      .option('--stable', 'tell it of no pre-releases')
      .option('--no-stable', 'tell it of pre-releases too')
      .action((given, { name, on, stable, ...options }, command) => {
        const { on: events, ...update } = namedValues(command, { name, on, stable })
        return writingHook(context, options, async (records) => {
          const found = await findHook(records, given)
          const updated = await records.hooks.update(found, { ...update, ...(events && { events }) })
          const known = await withStates(context, options, [updated])
          return { json: known.map(hookJson)[0], text: `Updated ${hookText(updated)}.` }
        })
      }),
  )

  for (const [word, summary, status, done] of [
    ['disable', 'send nothing to a hook until it is enabled', 'disabled', 'Disabled'],
    ['enable', 'send to a hook again, beginning with what it missed', 'active', 'Enabled'],
  ] as const)
    hook.addCommand(
      writingCommand(context, word, summary, [
        `changelogd hook ${word} acme/example.org`,
        `changelogd hook ${word} acme/example.org --json`,
      ])
        .addArgument(hookArgument())
        .action((name, options) =>
          writingHook(context, options, async (records, bookkeeping) => {
            const found = await findHook(records, name)
            if (status === 'active') await checkSecret(found, bookkeeping, context.now())
            const updated = await records.hooks.update(found, { status })
            if (status === 'active') await bookkeeping.announced.resume(updated.id)
            const known = await withStates(context, options, [updated])
            return { json: known.map(hookJson)[0], text: `${done} ${hookText(updated)}.` }
          }),
        ),
    )

  addHookRotate(context, hook)

  hook.addCommand(
    deleteCommand(
      context,
      'remove a hook, its secret and its deliveries',
      'changelogd hook remove acme/example.org',
    )
      .name('remove')
      .addArgument(hookArgument())
      .action(async (name, options) => {
        let id = ''
        await deleting(context, options, {
          find: (records) => findHook(records, name),
          name: hookText,
          warning: (found) => `This removes ${hookText(found)}, its secret and its deliveries.`,
          kept: (hook) => ({ hook }),
          json: (found) => hookJson({ ...found, state: null, needsSecret: false }),
          delete: async (found, { hooks }) => {
            id = found.id
            await hooks.delete(found)
          },
        })
        await withBookkeeping(context, options, ({ hookSecrets }) => hookSecrets.remove(id))
      }),
  )
  return hook
}
