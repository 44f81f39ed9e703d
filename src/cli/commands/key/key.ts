import { Option } from '@commander-js/extra-typings'
import { KEY_KINDS, type Key } from '../../../domain/records.ts'
import { spelledOut } from '../../../domain/time/time.ts'
import { findKey, findTeam } from '../../../transfer/find.ts'
import { collected, duration, expiry, keyArgument, teamArgument } from '../../arguments/arguments.ts'
import { commandGroup, databaseCommand, writingCommand, yesOption } from '../../command.ts'
import type { Context } from '../../context.ts'
import { type Outcome, reading, writing, writingConfirmed } from '../../session.ts'
import { moment } from '../../terminal/moments.ts'
import { keyJson } from '../../terminal/record-json.ts'
import { keyPage, keyTable } from '../../terminal/record-tables.ts'
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
    databaseCommand(context, 'list', 'list the keys of a team', [
      'changelogd key list acme',
      'changelogd key list acme --json',
    ])
      .addArgument(teamArgument())
      .action((slug, options) =>
        reading(context, options, async (records) => {
          const all = await records.keys.list(await findTeam(records, slug))
          return {
            json: all.map(keyJson),
            text: keyTable(context, all),
            notes:
              all.length > 0 ? [] : [`No keys yet. To create one: changelogd key create ${slug} --label ci`],
          }
        }),
      ),
  )

  key.addCommand(
    databaseCommand(context, 'show', 'show a key', [
      'changelogd key show acme/docs',
      'changelogd key show acme/docs --json',
    ])
      .addArgument(keyArgument())
      .action((name, options) =>
        reading(context, options, async (records) => {
          const found = await findKey(records, name)
          return { json: keyJson(found), text: keyPage(context, found) }
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
    writingCommand(context, 'delete', 'delete a key', [
      'changelogd key delete acme/docs --yes',
      'changelogd key delete acme/docs --yes --json',
    ])
      .addArgument(keyArgument())
      .addOption(yesOption())
      .action((name, options) =>
        writingConfirmed(
          context,
          options,
          async (records) =>
            `This deletes ${keyText(await findKey(records, name))}. Requests with it will get 401.`,
          async (records) => {
            const found = await findKey(records, name)
            await records.keys.delete(found)
            return { json: { ...keyJson(found), deleted: true }, text: `Deleted ${keyText(found)}.` }
          },
        ),
      ),
  )
  return key
}

/** Only the token goes to standard output, so that a script can use it; the rest goes to standard error. */
const tokenOutcome = ({ key, token }: { key: Key; token: string }, done: string): Outcome => ({
  json: { ...keyJson(key), token },
  text: token,
  once: token,
  notes: [
    done,
    'Save the token now: it is not stored and cannot be shown again.',
    ...(key.status === 'disabled'
      ? [`The key is disabled. To enable it: changelogd key enable ${key.id}`]
      : []),
  ],
})
