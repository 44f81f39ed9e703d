import type { Command } from '@commander-js/extra-typings'
import { bodyOf, publishBody } from '../../../announce/compose.ts'
import { replayed } from '../../../announce/fan-out.ts'
import { sendTo } from '../../../announce/send.ts'
import { announcingFor, checkPublicUrl } from '../../../announce/setup.ts'
import { newId } from '../../../domain/id.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { findHook } from '../../../transfer/find.ts'
import { databaseCommand, writingCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { listed } from '../../record-commands.ts'
import { print, reading, waitingFor, withReadableStore } from '../../session.ts'
import { configFrom, databaseFrom } from '../../settings.ts'
import { deliveryJson } from '../../terminal/record-json.ts'
import { deliveryFields } from '../../terminal/record-tables.ts'
import { plain, plural } from '../../terminal/text.ts'
import { hookArgument, hookText, withBookkeeping } from './hook.ts'

export function addHookDeliveries(context: Context, hook: Command): void {
  hook.addCommand(
    databaseCommand(context, 'deliveries', 'list the last 100 deliveries of a hook', [
      'changelogd hook deliveries acme/example.org',
      'changelogd hook deliveries acme/example.org --json',
    ])
      .addArgument(hookArgument())
      .action((name, options) =>
        reading(context, options, async (records) => {
          const { id } = await findHook(records, name)
          const all = await withBookkeeping(context, options, ({ deliveries }) => deliveries.list(id))
          return listed(context, all, deliveryFields, deliveryJson, 'Nothing was delivered yet.')
        }),
      ),
  )

  hook.addCommand(
    writingCommand(context, 'replay', 'send deliveries again', [
      'changelogd hook replay acme/example.org msg_…',
      'changelogd hook replay acme/example.org --failed',
    ])
      .addArgument(hookArgument())
      .argument('[delivery...]', 'ids of deliveries')
      .option('--failed', 'every one that failed for good')
      .action((name, ids, { failed, ...options }, command) => {
        if (ids.length === 0 && !failed) command.error('error: name deliveries, or give --failed')
        return withReadableStore(context, options, (store) =>
          withBookkeeping(context, options, async ({ deliveries }) => {
            const { id } = await store.snapshot((records) => findHook(records, name))
            const all = await deliveries.list(id)
            const missing = ids.find((each) => !all.some((delivery) => delivery.id === each))
            if (missing !== undefined)
              throw new Refusal(`Hook ${id} has no delivery ${missing}.`, {
                kind: 'not_found',
                hint: `To list them: changelogd hook deliveries ${id}`,
              })
            const chosen = all.filter((each) => ids.includes(each.id) || (failed && each.state === 'failed'))
            const again = chosen.toReversed().map((each) => replayed(each, context.now()))
            for (const delivery of again) await deliveries.add(delivery)
            await print(context, options, {
              json: again.map(deliveryJson),
              text: `${plural(again.length, 'delivery', 'deliveries')} will be sent again by the worker.`,
            })
          }),
        )
      }),
  )

  hook.addCommand(
    databaseCommand(context, 'test', 'send a test message to a hook now, and show what it answers', [
      'changelogd hook test acme/example.org',
      'changelogd hook test acme/example.org --json',
    ])
      .addArgument(hookArgument())
      .action(async (name, options) => {
        const config = configFrom(context, { db: options.db })
        checkPublicUrl(config)
        const found = await withReadableStore(context, options, (store) =>
          store.snapshot((records) => findHook(records, name)),
        )
        const { id } = found
        await withBookkeeping(context, options, async (bookkeeping) => {
          const { now } = context
          const given = { bookkeeping, now, report: () => {}, waiting: waitingFor(context, options) }
          const database = databaseFrom(context, options.db)
          const { links, reach } = announcingFor(database, config, context.version, given)
          const secrets = await bookkeeping.hookSecrets.list(id, now())
          if (secrets.length === 0 && found.kind !== 'websub')
            throw new Refusal(`${hookText(found)} has no secret in this database.`, {
              hint: `To give it one: changelogd hook rotate ${id}`,
            })
          const body =
            found.kind === 'websub'
              ? publishBody(`${config.publicUrl}/`)
              : bodyOf(found.kind, { type: 'hook.test', at: now(), id }, links)
          const { status, answer } = await sendTo(found, secrets, { id: newId('msg'), body }, now(), reach)
          const isDone = status !== null && status >= 200 && status < 300
          const said = [status, plain(answer)].filter((part) => part !== null && part !== '').join(' ')
          if (!isDone) throw new Refusal(`The test message was not accepted: ${said}`)
          await print(context, options, {
            json: { hook: id, status, answer },
            text: `The receiver has accepted the test message: ${said}`,
          })
        })
      }),
  )
}
