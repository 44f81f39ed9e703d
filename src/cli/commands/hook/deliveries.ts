import type { Command } from '@commander-js/extra-typings'
import { bodyFor } from '../../../announce/compose.ts'
import { sendTo } from '../../../announce/send.ts'
import { checkMailServer, checkPublicUrl, linksOf, reachOf } from '../../../announce/setup.ts'
import { addressOfHook, type Delivery, hookCommand } from '../../../domain/hooks.ts'
import { newId } from '../../../domain/id.ts'
import { address, type Hook } from '../../../domain/records.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { plural } from '../../../domain/text/plural.ts'
import type { Bookkeeping } from '../../../store/bookkeeping/bookkeeping.ts'
import type { Records } from '../../../store/records/records.ts'
import { findHook } from '../../../transfer/find.ts'
import { databaseCommand, reads, writingCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { listed, withJson } from '../../record-commands.ts'
import { type Common, print, reading, snapshotOf } from '../../session.ts'
import { configFrom } from '../../settings.ts'
import { deliveryJson, type PlacedDelivery } from '../../terminal/json.ts'
import { deliveryFields } from '../../terminal/records.ts'
import { plain } from '../../terminal/text.ts'
import { hookArgument, withBookkeeping } from './shared.ts'
import { checkSecret } from './states.ts'

export function addHookDeliveries(context: Context, hook: Command): void {
  databaseCommand(
    hook,
    'deliveries',
    'list the last 100 deliveries of a hook, and those that were given up',
    withJson('changelogd hook deliveries acme/example.org'),
  )
    .addArgument(hookArgument())
    .action(
      reads(context, async (records, name, options) => {
        const found = await findHook(records, name)
        const all = await withBookkeeping(context, options, ({ deliveries }) => deliveries.list(found.id))
        const placed = all.map(await placedIn(records, found))
        return listed(context, placed, deliveryFields, deliveryJson, 'No deliveries yet.')
      }),
    )

  writingCommand(hook, 'replay', 'send deliveries again', [
    'changelogd hook replay acme/example.org msg_…',
    'changelogd hook replay acme/example.org --failed',
  ])
    .addArgument(hookArgument())
    .argument('[delivery...]', 'ids of deliveries')
    .option('--failed', 'send all that failed, also those that wait for another try')
    .action((name, ids, { failed, ...options }, command) => {
      if (ids.length === 0 && !failed) command.error('error: give ids of deliveries, or --failed')
      return changing(context, options, name, ids, {
        change: ({ again }, id) => again(id, { ids, failed: failed === true }, context.now()),
        none: 'No delivery has failed. Nothing to send again.',
        done: (count) => `The worker will send ${count} again.`,
      })
    })

  writingCommand(hook, 'dismiss', 'leave deliveries unsent that wait or were given up', [
    'changelogd hook dismiss acme/example.org',
    'changelogd hook dismiss acme/example.org msg_…',
  ])
    .addArgument(hookArgument())
    .argument('[delivery...]', 'ids of deliveries (default: all that were given up)')
    .action((name, ids, options) =>
      changing(context, options, name, ids, {
        change: ({ dismiss }, id) => dismiss(id, ids),
        none: 'No delivery waits or was given up. Nothing to dismiss.',
        done: (count) => `Dismissed ${count}.`,
      }),
    )

  databaseCommand(
    hook,
    'test',
    'send a test message to a hook, and show the response',
    withJson('changelogd hook test acme/example.org'),
  )
    .addArgument(hookArgument())
    .action(async (name, options) => {
      const config = configFrom(context, { db: options.db })
      checkPublicUrl(config)
      const found = await snapshotOf(context, options, (records) => findHook(records, name))
      const { id } = found
      if (found.kind === 'mail') checkMailServer(config)
      await withBookkeeping(context, options, async (bookkeeping) => {
        const { now, version } = context
        const links = linksOf(config)
        await checkSecret(found, bookkeeping, now())
        const secrets = await bookkeeping.hookSecrets.list(id, now())
        const name = addressOfHook(found)
        const body = await bodyFor(found, { type: 'hook.test', at: now(), id, name }, links)
        const message = { id: newId('msg'), body }
        const { status, answer } = await sendTo(found, secrets, message, now(), reachOf(config, version))
        const isDone = status !== null && status >= 200 && status < 300
        const said = [status, plain(answer)].filter((part) => part !== null && part !== '').join(' ')
        const failure = status === null ? 'was not delivered' : 'was rejected by the receiver'
        if (!isDone) throw new Refusal(`The test message ${failure}: ${said}`)
        await print(context, options, {
          json: { hook: id, status, answer },
          text: `The receiver accepted the test message: ${said}`,
        })
      })
    })
}

/** Changes deliveries of a hook, and says how many. Refuses ids that it does not have. */
const changing = (
  context: Context,
  options: Common,
  name: string,
  ids: readonly string[],
  { change, none, done }: Changing,
): Promise<void> =>
  reading(context, options, async (records) => {
    const found = await findHook(records, name)
    return withBookkeeping(context, options, async ({ deliveries }) => {
      const all = await deliveries.list(found.id)
      const missing = ids.find((each) => !all.some(({ id }) => id === each))
      if (missing !== undefined)
        throw new Refusal(`Hook ${addressOfHook(found)} has no delivery ${missing}.`, {
          kind: 'not_found',
          hint: { text: 'To list them', command: hookCommand('deliveries', found) },
        })
      const changed = await change(deliveries, found.id)
      const placed = await placedIn(records, found)
      const count = plural(changed.length, 'delivery', 'deliveries')
      return {
        json: changed.map((each) => deliveryJson(placed(each))),
        text: changed.length === 0 ? none : done(count),
      }
    })
  })

interface Changing {
  change(deliveries: Bookkeeping['deliveries'], hookId: string): Promise<Delivery[]>
  none: string
  done(count: string): string
}

/** Adds the product that a delivery is about. */
async function placedIn(records: Records, { team }: Hook): Promise<(delivery: Delivery) => PlacedDelivery> {
  const products = new Map((await records.products.list(team)).map((each) => [each.id, address(each)]))
  return (delivery) => ({ ...delivery, product: products.get(delivery.productId) ?? null })
}
