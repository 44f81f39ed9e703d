import { Option } from '@commander-js/extra-typings'
import { KEY_KINDS, type Key } from '../../../domain/records.ts'
import { toRun } from '../../../domain/refusal.ts'
import { spelledOut } from '../../../domain/time/time.ts'
import { findKey, findTeam } from '../../../transfer/find.ts'
import { collected, duration, expiry, keyArgument, teamArgument } from '../../arguments/arguments.ts'
import { commandGroup, writingCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { deleteCommand, deleting, listCommand, listed, showCommand } from '../../record-commands.ts'
import { type Outcome, reading, writing } from '../../session.ts'
import { moment } from '../../terminal/moments.ts'
import { keyJson } from '../../terminal/record-json.ts'
import { keyFields, recordPage } from '../../terminal/record-tables.ts'
import { addKeyAccess, keyText, productsOf } from './access.ts'

export function keyCommand(context: Context) {
  const key = commandGroup(context, 'key', 'manage API keys for private and draft reads', [
    'changelogd key create acme --label ci',
    'changelogd key list acme',
  ])

  key.addCommand(
    writingCommand(context, 'create', 'create a key and show its token, once', [
      'changelogd key create acme --label ci --expires 90d',
      'changelogd key create acme --kind SELECT --product app --label docs',
    ])
      .addArgument(teamArgument())
      .addOption(
        new Option(
          '--kind <kind>',
          'FULL reads every product of the team, SELECT only the products attached to it',
        )
          .choices(KEY_KINDS)
          .default(undefined, 'SELECT with --product, else FULL'),
      )
      .option('--product <slug>', 'product that the key can read; repeat it for more', collected)
      .option('--label <text>', 'what the key is for')
      .option(
        '--expires <when>',
        'when it stops working: a duration such as 90d, or a date (default: never)',
        expiry,
      )
      .action((slug, options) =>
        writing(context, options, async (records) => {
          const team = await findTeam(records, slug)
          const products = await productsOf(records, slug, options.product ?? [])
          const draft = {
            kind: options.kind ?? (products.length > 0 ? ('SELECT' as const) : ('FULL' as const)),
            label: options.label ?? '',
            products,
            expiresAt: options.expires?.(context.now()) ?? null,
          }
          const created = await records.keys.create(team, draft, context.now())
          const { expiresAt } = created.key
          const until = expiresAt === null ? '' : `, which expires ${spelledOut(expiresAt)}`
          return tokenOutcome(created, `Created ${keyText(created.key)}${until}.`)
        }),
      ),
  )

  key.addCommand(
    listCommand(context, 'list the keys of a team', 'changelogd key list acme')
      .addArgument(teamArgument())
      .action((slug, options) =>
        reading(context, options, async (records) => {
          const all = await records.keys.list(await findTeam(records, slug))
          const none = toRun('No keys yet. To create one', `changelogd key create ${slug} --label ci`)
          return listed(context, all, keyFields, keyJson, none)
        }),
      ),
  )

  key.addCommand(
    showCommand(context, 'show a key', 'changelogd key show acme/docs')
      .addArgument(keyArgument())
      .action((name, options) =>
        reading(context, options, async (records) => {
          const found = await findKey(records, name)
          return { json: keyJson(found), text: recordPage(context, found, keyFields) }
        }),
      ),
  )

  addKeyAccess(context, key)

  key.addCommand(
    writingCommand(context, 'rotate', 'replace the token of a key and show the new one, once', [
      'changelogd key rotate acme/docs',
      'changelogd key rotate acme/docs --overlap 24h',
    ])
      .addArgument(keyArgument())
      .addOption(
        new Option('--overlap <duration>', 'how long the old token keeps working')
          .argParser(duration)
          .default(0, 'it stops working at once'),
      )
      .action((name, options) =>
        writing(context, options, async (records) => {
          const rotated = await records.keys.rotate(
            await findKey(records, name),
            options.overlap,
            context.now(),
          )
          const old =
            options.overlap === 0
              ? 'no longer works'
              : `works until ${moment(context.now() + options.overlap, context.now())}`
          return tokenOutcome(rotated, `Rotated ${keyText(rotated.key)}. The old token ${old}.`)
        }),
      ),
  )

  key.addCommand(
    deleteCommand(context, 'delete a key', 'changelogd key delete acme/docs')
      .addArgument(keyArgument())
      .action((name, options) =>
        deleting(context, options, {
          find: (records) => findKey(records, name),
          name: keyText,
          warning: (key) => `This deletes ${keyText(key)}. Requests with it will get 401.`,
          json: keyJson,
          delete: (key, { keys }) => keys.delete(key),
        }),
      ),
  )
  return key
}

/** Only the token goes to standard output, for scripts; the rest goes to standard error. */
const tokenOutcome = ({ key, token }: { key: Key; token: string }, done: string): Outcome => ({
  json: { ...keyJson(key), token },
  text: token,
  once: token,
  notes: [
    done,
    'Save the token now: it is not stored and cannot be shown again.',
    ...(key.status === 'disabled'
      ? [toRun('The key is disabled. To enable it', `changelogd key enable ${key.id}`)]
      : []),
  ],
})
