import { type Command, Option } from '@commander-js/extra-typings'
import { newSecret } from '../../../announce/send.ts'
import { checkPublicUrl } from '../../../announce/setup.ts'
import { addressOfHook, chatOf, webhookUrl } from '../../../domain/hooks.ts'
import type { Hook, HookKind } from '../../../domain/records.ts'
import { Refusal, taken, toRun } from '../../../domain/refusal.ts'
import { findProduct, findTeam } from '../../../transfer/find.ts'
import { teamArgument } from '../../arguments/arguments.ts'
import { writingCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import type { Outcome } from '../../session.ts'
import { configFrom } from '../../settings.ts'
import type { Message } from '../../terminal/messages.ts'
import { hookJson } from '../../terminal/record-json.ts'
import { reachable, readUrl } from './address.ts'
import { hookText, nameOption, onOption, writingHook } from './shared.ts'

/** `serve` alone does not send. */
export const SENDING = toRun('A worker sends', 'changelogd serve --worker')

const CHATS = ['slack', 'discord', 'teams'] as const

export function addHookAdd(context: Context, hook: Command): void {
  hook.addCommand(
    writingCommand(context, 'add', 'tell a receiver of each release from now on', [
      'changelogd hook add acme https://example.org/hooks/changelog',
      'changelogd hook add acme --product app --slack-url-file slack.txt --name releases',
      'changelogd hook add acme --websub https://hub.example.org',
    ])
      .addArgument(teamArgument())
      .argument('[url]', 'address of a webhook, which gets signed JSON')
      .option('--product <slug>', 'only releases of this product (default: of every product of the team)')
      .addOption(urlFileOption('slack', 'Slack'))
      .addOption(urlFileOption('discord', 'Discord'))
      .addOption(urlFileOption('teams', 'Teams'))
      .option('--websub <url>', 'address of a WebSub hub, which is told of every feed that changes')
      .addOption(nameOption())
      .addOption(onOption())
      .option('--stable', 'tell it of no pre-releases')
      .option('--plain', 'the URL is that of a webhook, although its host is also used for Teams')
      .action(async (slug, url, { product, websub, name, on: events, plain, ...options }, command) => {
        checkPublicUrl(configFrom(context, { db: options.db }))
        const [chat, ...more] = CHATS.filter((chat) => options[`${chat}UrlFile`] !== undefined)
        if ([url, websub, chat, ...more].filter((each) => each !== undefined).length !== 1)
          command.error(
            'error: give one address: a URL, --slack-url-file, --discord-url-file, --teams-url-file or --websub',
          )
        const kind: HookKind = chat ?? (websub === undefined ? 'webhook' : 'websub')
        const file = chat && options[`${chat}UrlFile`]
        const address =
          file === undefined
            ? reachable(context, options, webhookUrl(url ?? websub ?? '', plain === true))
            : await readUrl(context, options, file)
        const other = chatOf(address)
        if (chat && other && other !== chat)
          throw new Refusal(`The address is one of ${other}, not of ${chat}.`, {
            hint: `Give it with --${other}-url-file.`,
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
            `Added ${hookText(added)}. It is told of releases from now on.`,
            kind === 'webhook' ? secret : null,
            SENDING,
          )
        })
      }),
  )
}

const urlFileOption = <Chat extends string>(chat: Chat, name: string) =>
  new Option(
    `--${chat}-url-file <file>` as `--${Chat}-url-file <file>`,
    `file with the address of an incoming webhook of ${name}, or - for standard input`,
  )

/** Only a secret goes to standard output, for scripts. */
export function secretOutcome(hook: Hook, done: string, secret: string | null, next: Message): Outcome {
  const json = hookJson({ ...hook, state: null, needsSecret: false })
  if (secret === null) return { json, text: done, notes: [next] }
  const save = 'Save the secret now: it verifies signatures, and cannot be shown again.'
  return { json: { ...json, secret }, text: secret, once: secret, notes: [done, save, next] }
}
