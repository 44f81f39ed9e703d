import { Option } from '@commander-js/extra-typings'
import { type Instant, KEY_KINDS, type Key, type Product } from '../../../domain/records.ts'
import { toRun } from '../../../domain/refusal.ts'
import { spelledOut } from '../../../domain/time/time.ts'
import type { Records } from '../../../store/records/records.ts'
import { findKey, findProduct, findTeam } from '../../../transfer/find.ts'
import { choice, collected, duration, expiry, keyArgument, teamArgument } from '../../arguments/arguments.ts'
import { commandGroup, deletes, reads, writes, writingCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { deleteCommand, listCommand, listed, showCommand, shown, withJson } from '../../record-commands.ts'
import type { Outcome } from '../../session.ts'
import { keyJson } from '../../terminal/json.ts'
import { moment } from '../../terminal/moments.ts'
import { keyFields } from '../../terminal/records.ts'
import { plain } from '../../terminal/text.ts'

const KINDS = 'FULL reads every product of the team, SELECT only attached products'

export function keyCommand(context: Context) {
  const key = commandGroup(context, 'key', 'manage API keys for reading private changelogs and drafts', [
    'changelogd key create acme --label ci',
    'changelogd key list acme',
  ])
  const json = (one: Key) => keyJson(one, context.now())

  writingCommand(key, 'create', 'create a key and show its token once', [
    'changelogd key create acme --label ci --expires 90d',
    'changelogd key create acme --kind SELECT --product app --label docs',
  ])
    .addArgument(teamArgument())
    .addOption(
      choice('--kind <kind>', KINDS, KEY_KINDS).default(undefined, 'SELECT with --product, else FULL'),
    )
    .option('--product <slug>', 'product the key can read; repeat for more', collected)
    .option('--label <text>', 'what the key is for')
    .option(
      '--expires <when>',
      'when the key expires: a duration such as 90d, or a date (default: never)',
      expiry,
    )
    .action(
      writes(context, async (records, slug, { product = [], label = '', expires, ...options }) => {
        const team = await findTeam(records, slug)
        const products = await productsOf(records, slug, product)
        const kind = options.kind ?? (products.length > 0 ? 'SELECT' : 'FULL')
        const draft = { kind, label, products, expiresAt: expires?.(context.now()) ?? null }
        const created = await records.keys.create(team, draft, context.now())
        const { expiresAt } = created.key
        const until = expiresAt === null ? '' : ` It expires ${spelledOut(expiresAt)}.`
        return tokenOutcome(created, context.now(), `Created ${keyText(created.key)}.${until}`)
      }),
    )

  listCommand(key, 'list the keys of a team', 'changelogd key list acme')
    .addArgument(teamArgument())
    .action(
      reads(context, async (records, slug) => {
        const all = await records.keys.list(await findTeam(records, slug))
        const none = toRun('No keys yet. To create one', 'key create', [slug], { label: 'ci' })
        return listed(context, all, keyFields, json, none)
      }),
    )

  showCommand(key, 'show a key', 'changelogd key show acme/docs')
    .addArgument(keyArgument())
    .action(
      reads(context, async (records, name) => shown(context, await findKey(records, name), keyFields, json)),
    )

  for (const [word, summary, status, done] of [
    ['disable', 'disable a key; requests with it fail with 401', 'disabled', 'Disabled'],
    ['enable', 'enable a disabled key', 'active', 'Enabled'],
  ] as const)
    writingCommand(key, word, summary, withJson(`changelogd key ${word} acme/docs`))
      .addArgument(keyArgument())
      .action(
        writes(context, async (records, name) => {
          const updated = await records.keys.update(await findKey(records, name), { status }, context.now())
          const expired = json(updated).status === 'expired' ? ' It has expired.' : ''
          return { json: json(updated), text: `${done} ${keyText(updated)}.${expired}` }
        }),
      )

  for (const [word, summary, done, preposition] of [
    ['attach', 'let a SELECT key read more products', 'Attached', 'to'],
    ['detach', 'let a SELECT key read fewer products', 'Detached', 'from'],
  ] as const)
    writingCommand(key, word, summary, [
      `changelogd key ${word} acme/docs ${word === 'attach' ? 'app' : 'beta'}`,
      `changelogd key ${word} acme/docs ${word === 'attach' ? 'app beta' : 'beta'} --json`,
    ])
      .addArgument(keyArgument())
      .argument('<slug...>', "slugs of products of the key's team")
      .action(
        writes(context, async (records, name, slugs) => {
          const found = await findKey(records, name)
          const updated = await records.keys[word](found, await productsOf(records, found.team.slug, slugs))
          const text = `${done} ${slugs.join(' ')} ${preposition} ${keyText(updated)}.`
          return { json: json(updated), text }
        }),
      )

  writingCommand(key, 'rotate', 'replace the token of a key and show the new one once', [
    'changelogd key rotate acme/docs',
    'changelogd key rotate acme/docs --overlap 24h',
  ])
    .addArgument(keyArgument())
    .addOption(
      new Option('--overlap <duration>', 'how long the old token keeps working')
        .argParser(duration)
        .default(0, 'it stops working immediately'),
    )
    .action(
      writes(context, async (records, name, { overlap }) => {
        const now = context.now()
        const rotated = await records.keys.rotate(await findKey(records, name), overlap, now)
        const old = overlap === 0 ? 'no longer works' : `works until ${moment(now + overlap, now)}`
        return tokenOutcome(rotated, now, `Rotated ${keyText(rotated.key)}. The old token ${old}.`)
      }),
    )

  deleteCommand(key, 'delete a key', 'changelogd key delete acme/docs')
    .addArgument(keyArgument())
    .action(
      deletes(context, {
        find: findKey,
        name: keyText,
        warning: (key) => `This deletes ${keyText(key)}. Requests with it will fail with 401.`,
        json,
        delete: async (key, { keys }) => {
          await keys.delete(key)
        },
      }),
    )
  return key
}

/** Writes only the token to standard output, for scripts. The rest goes to standard error. */
const tokenOutcome = ({ key, token }: { key: Key; token: string }, now: Instant, done: string): Outcome => ({
  json: { ...keyJson(key, now), token },
  text: token,
  once: token,
  notes: [
    done,
    'Save the token now. It is not stored and cannot be shown again.',
    ...(key.status === 'disabled'
      ? [toRun('The key is disabled. To enable it', 'key enable', [key.id])]
      : []),
  ],
})

/** Refuses unknown slugs. */
export async function productsOf(records: Records, team: string, slugs: readonly string[]) {
  const products: Product[] = []
  for (const slug of new Set(slugs)) products.push(await findProduct(records, { team, product: slug }))
  return products
}

const keyText = (key: Key): string =>
  key.label === ''
    ? `${key.kind} key ${key.id} of team ${key.team.slug}`
    : `key ${plain(key.label)} (${key.kind}, ${key.id}) of team ${key.team.slug}`
