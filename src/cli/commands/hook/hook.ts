import { Argument } from '@commander-js/extra-typings'
import { observe } from '../../../announce/observe.ts'
import type { Hook } from '../../../domain/records.ts'
import type { Bookkeeping } from '../../../store/bookkeeping/bookkeeping.ts'
import { openBookkeeping } from '../../../store/bookkeeping/open.ts'
import type { Records } from '../../../store/records/types.ts'
import type { WritableStore } from '../../../store/store.ts'
import { findHook, findTeam } from '../../../transfer/find.ts'
import { teamArgument } from '../../arguments/arguments.ts'
import { commandGroup, writingCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { deleteCommand, deleting, listCommand, listed, showCommand } from '../../record-commands.ts'
import { type Common, committed, type Outcome, print, reading, withStore } from '../../session.ts'
import { databaseFrom } from '../../settings.ts'
import { hookJson } from '../../terminal/record-json.ts'
import { hookFields, recordPage } from '../../terminal/record-tables.ts'
import { addHookAdd } from './add.ts'
import { addHookDeliveries } from './deliveries.ts'
import { addHookRotate } from './rotate.ts'
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
          const none = `No hooks yet. To add one: changelogd hook add ${slug ?? 'acme'} https://…`
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

export const hookArgument = () => new Argument('<hook>', 'the hook, as team/host or team/chat, or its id')

export const hookText = ({ id, kind, team, product }: Hook): string =>
  `${kind} ${id} of ${product ? `product ${team.slug}/${product.slug}` : `team ${team.slug}`}`

export async function withBookkeeping<T>(
  context: Context,
  { db }: Common,
  work: (bookkeeping: Bookkeeping) => Promise<T>,
): Promise<T> {
  using bookkeeping = await openBookkeeping(databaseFrom(context, db), { clock: context.now })
  return await work(bookkeeping)
}

/**
 * Writes in one transaction; then compares what is public with what was announced, as the worker would: so a new hook begins
 * with what is public now, also if no worker runs.
 */
export const writingHook = (
  context: Context,
  options: Common,
  work: (records: Records, bookkeeping: Bookkeeping, store: WritableStore) => Promise<Outcome>,
): Promise<void> =>
  withStore(context, options, (store) =>
    withBookkeeping(context, options, async (bookkeeping) => {
      const outcome = await committed(context, options, store, (records) => work(records, bookkeeping, store))
      await observe((read) => store.snapshot(read), bookkeeping, context.now())
      await print(context, options, outcome)
    }),
  )
