import { Option } from '@commander-js/extra-typings'
import { KEY_KINDS, type Key } from '../../../domain/records.ts'
import { collected, duration, expiry, keyArgument, teamArgument } from '../../arguments.ts'
import { commandGroup, databaseCommand, yesOption } from '../../command.ts'
import type { Context } from '../../context.ts'
import { findKey, findTeam } from '../../lookup.ts'
import { type Outcome, reading, writing, writingConfirmed } from '../../session.ts'
import { moment } from '../../terminal/moments.ts'
import { keyJson } from '../../terminal/record-json.ts'
import { keyPage, keyTable } from '../../terminal/record-text.ts'
import { addKeyAccess, described, productsOf, SELECT } from './access.ts'

export function keyCommand(context: Context) {
  const key = commandGroup(context, 'key', 'API keys, which read what is not public', [
    'changelogd key create acme --label ci',
    'changelogd key list acme',
  ])

  key.addCommand(
    databaseCommand(context, 'create', 'make a key; its token is shown this once', [
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
      .option('--product <slug>', 'a product of the team that it may read; repeat it for several', collected)
      .option('--label <text>', 'what the key is for')
      .option('--expires <when>', 'a duration such as 90d, or a date', expiry)
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
          const made = await records.keys.create(team, draft, context.now())
          return tokenOutcome(made, `Made the ${described(made.key)}.`)
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
              all.length > 0 ? [] : [`No keys yet. To make one: changelogd key create ${slug} --label ci`],
          }
        }),
      ),
  )

  key.addCommand(
    databaseCommand(context, 'show', 'show a key', [
      `changelogd key show ${SELECT}`,
      `changelogd key show ${SELECT} --json`,
    ])
      .addArgument(keyArgument())
      .action((id, options) =>
        reading(context, options, async (records) => {
          const found = await findKey(records, id)
          return { json: keyJson(found), text: keyPage(context, found) }
        }),
      ),
  )

  addKeyAccess(context, key)

  key.addCommand(
    databaseCommand(context, 'rotate', 'give a key a new token, shown this once', [
      `changelogd key rotate ${SELECT}`,
      `changelogd key rotate ${SELECT} --overlap 24h`,
    ])
      .addArgument(keyArgument())
      .addOption(
        new Option('--overlap <duration>', 'how long the old token keeps working')
          .argParser(duration)
          .default(0, 'it stops working at once'),
      )
      .action((id, options) =>
        writing(context, options, async (records) => {
          const rotated = await records.keys.rotate(
            await findKey(records, id),
            options.overlap,
            context.now(),
          )
          const old =
            options.overlap === 0
              ? 'no longer works'
              : `works until ${moment(context.now() + options.overlap, context.now())}`
          return tokenOutcome(rotated, `Rotated the ${described(rotated.key)}. The old token ${old}.`)
        }),
      ),
  )

  key.addCommand(
    databaseCommand(context, 'delete', 'delete a key', [
      `changelogd key delete ${SELECT} --yes`,
      `changelogd key delete ${SELECT} --yes --json`,
    ])
      .addArgument(keyArgument())
      .addOption(yesOption())
      .action((id, options) =>
        writingConfirmed(
          context,
          options,
          async (records) => `Deleting the ${described(await findKey(records, id))}: its readers get 401.`,
          async (records) => {
            const found = await findKey(records, id)
            await records.keys.delete(found)
            return { json: { ...keyJson(found), deleted: true }, text: `Deleted the ${described(found)}.` }
          },
        ),
      ),
  )
  return key
}

/** The token alone on standard output, so that a script can take it, and all else beside it. */
const tokenOutcome = ({ key, token }: { key: Key; token: string }, done: string): Outcome => ({
  json: { ...keyJson(key), token },
  text: token,
  notes: [
    done,
    'Keep the token: it is stored nowhere and never shown again.',
    ...(key.status === 'disabled' ? [`The key is disabled: changelogd key enable ${key.id}`] : []),
  ],
})
