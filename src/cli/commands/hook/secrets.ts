import { type Command, Option } from '@commander-js/extra-typings'
import { newSecret } from '../../../announce/send.ts'
import { checkPublicUrl } from '../../../announce/setup.ts'
import {
  addressOfHook,
  chatOf,
  hookCommand,
  KIND_NAMES,
  rotateCommand,
  webhookUrl,
} from '../../../domain/hooks.ts'
import type { Hook, HookKind } from '../../../domain/records.ts'
import { Refusal, taken, toRun } from '../../../domain/refusal.ts'
import { DAY_MS } from '../../../domain/time/time.ts'
import { findHook, findProduct, findTeam } from '../../../transfer/find.ts'
import { duration, teamArgument } from '../../arguments/arguments.ts'
import { writingCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import type { Outcome } from '../../session.ts'
import { configFrom } from '../../settings.ts'
import { moment } from '../../terminal/moments.ts'
import { hookJson, withoutState } from '../../terminal/records.ts'
import type { Message } from '../../terminal/text.ts'
import { hookArgument, hookText, nameOption, onOption, reachable, readUrl, writingHook } from './shared.ts'

/** Commands that give a hook its secret: that of a webhook, or the address of a chat. */

/** `serve` alone does not send. */
const SENDING = toRun('To send messages, run a worker', 'changelogd serve --worker')

const CHATS = ['slack', 'discord', 'teams'] as const

export function addHookAdd(context: Context, hook: Command): void {
  writingCommand(hook, 'add', 'announce each new release to a webhook or chat', [
    'changelogd hook add acme https://example.org/hooks/changelog',
    'changelogd hook add acme --product app --slack-url-file slack.txt --name releases',
    'changelogd hook add acme --websub https://hub.example.org',
  ])
    .addArgument(teamArgument())
    .argument('[url]', 'address of a webhook; it gets signed JSON')
    .option('--product <slug>', 'only releases of this product (default: all products of the team)')
    .addOption(urlFileOption('slack', 'Slack'))
    .addOption(urlFileOption('discord', 'Discord'))
    .addOption(urlFileOption('teams', 'Teams'))
    .option('--websub <url>', 'address of a WebSub hub to notify of feed changes')
    .addOption(nameOption())
    .addOption(onOption())
    .option('--stable', 'skip pre-releases')
    .option('--plain', 'treat the URL as a webhook, even if it looks like Teams')
    .action(async (slug, url, { product, websub, name, on: events, plain, ...options }, command) => {
      checkPublicUrl(configFrom(context, { db: options.db }))
      const [chat, ...more] = CHATS.filter((chat) => options[`${chat}UrlFile`] !== undefined)
      if ([url, websub, chat, ...more].filter((each) => each !== undefined).length !== 1)
        command.error(
          'error: give one of URL, --slack-url-file, --discord-url-file, --teams-url-file or --websub',
        )
      const kind: HookKind = chat ?? (websub === undefined ? 'webhook' : 'websub')
      const file = chat && options[`${chat}UrlFile`]
      const address =
        file === undefined
          ? reachable(context, options, webhookUrl(url ?? websub ?? '', plain === true))
          : await readUrl(context, options, file)
      const other = chatOf(address)
      if (chat && other && other !== chat)
        throw new Refusal(`This is a ${KIND_NAMES[other]} address, not a ${KIND_NAMES[chat]} address.`, {
          hint: `Use --${other}-url-file instead.`,
        })
      await writingHook(context, options, async (records, { hookSecrets }) => {
        const now = context.now()
        const team = await findTeam(records, slug)
        const own = product === undefined ? null : await findProduct(records, { team: slug, product })
        const same = (await records.hooks.list(team)).filter(
          (each) => each.kind === kind && (each.product?.id ?? null) === (own?.id ?? null),
        )
        for (const each of same)
          if (address === (each.url ?? (await hookSecrets.list(each.id, now))[0]))
            throw taken('hook of this kind, address and product', `hook show ${addressOfHook(each)}`)
        const added = await records.hooks.create(
          team,
          { product: own, kind, url: chat ? null : address, name, events, stable: options.stable },
          now,
        )
        const secret = chat ? address : newSecret()
        if (kind !== 'websub') await hookSecrets.put(added.id, secret, now, now)
        return secretOutcome(
          added,
          `Added ${hookText(added)}. It announces every new release.`,
          kind === 'webhook' ? secret : null,
          SENDING,
        )
      })
    })
}

export function addHookRotate(context: Context, hook: Command): void {
  writingCommand(hook, 'rotate', 'replace the secret of a webhook, or the address of a chat', [
    'changelogd hook rotate acme/example.org',
    'changelogd hook rotate acme/example.org --overlap 1h',
  ])
    .addArgument(hookArgument())
    .addOption(
      new Option('--overlap <duration>', 'how long to sign messages with both secrets')
        .argParser((text) => (text === '0' ? 0 : duration(text)))
        .default(DAY_MS, '24h'),
    )
    .option('--url-file <file>', 'file with the new address of a chat, or - for standard input')
    .action(async (name, { overlap, urlFile, ...options }, command) => {
      const url = urlFile === undefined ? null : await readUrl(context, options, urlFile)
      await writingHook(context, options, async (records, { announced, hookSecrets }) => {
        const found = await findHook(records, name)
        const { id } = found
        const now = context.now()
        if (found.kind === 'websub') throw new Refusal('A WebSub hub has no secret.')
        if (found.kind === 'webhook' && url !== null)
          command.error(`error: --url-file is for chats; ${hookText(found)} gets a new secret without it`)
        const before = await hookSecrets.list(id, now)
        const stoppedAt = (await announced.hook(id))?.stoppedAt ?? null
        const next =
          found.status === 'active' && stoppedAt === null
            ? SENDING
            : toRun('The hook is disabled. To enable it', hookCommand('enable', found))
        if (found.kind !== 'webhook') {
          if (url === null)
            throw new Refusal(`${hookText(found)} needs its new address.`, {
              hint: toRun('Save it to a file, and run', rotateCommand(found)),
            })
          if (before.includes(url))
            return secretOutcome(found, `${hookText(found)} already has this address.`, null, next)
          await hookSecrets.put(id, url, now, now)
          return secretOutcome(found, `Replaced the address of ${hookText(found)}.`, null, next)
        }
        const secret = newSecret()
        await hookSecrets.put(id, secret, now, now + overlap)
        const until = overlap === 0 ? 'no longer works' : `works until ${moment(now + overlap, now)}`
        const old = before.length === 0 ? '' : ` The old secret ${until}.`
        return secretOutcome(found, `Rotated ${hookText(found)}.${old}`, secret, next)
      })
    })
}

const urlFileOption = <Chat extends string>(chat: Chat, name: string) =>
  new Option(
    `--${chat}-url-file <file>` as `--${Chat}-url-file <file>`,
    `file with the address of a ${name} incoming webhook, or - for standard input`,
  )

/** Only a secret goes to standard output, for scripts. */
function secretOutcome(hook: Hook, done: string, secret: string | null, next: Message): Outcome {
  const json = hookJson(withoutState(hook))
  if (secret === null) return { json, text: done, notes: [next] }
  const save = 'Save the secret now: you need it to verify signatures. It cannot be shown again.'
  return { json: { ...json, secret }, text: secret, once: secret, notes: [done, save, next] }
}
