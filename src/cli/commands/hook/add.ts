import { type Command, Option } from '@commander-js/extra-typings'
import { checkPublicUrl } from '../../../announce/setup.ts'
import { newSecret } from '../../../announce/signature.ts'
import { HOOK_URL_RULE, type HookKind, hookUrlOf } from '../../../domain/hooks.ts'
import type { Hook } from '../../../domain/records.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { findProduct, findTeam } from '../../../transfer/find.ts'
import { teamArgument } from '../../arguments/arguments.ts'
import { writingCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { readText } from '../../files.ts'
import type { Outcome } from '../../session.ts'
import { configFrom } from '../../settings.ts'
import { hookJson } from '../../terminal/record-json.ts'
import { hookText, writingHook } from './hook.ts'

const CHATS = ['slack', 'discord', 'teams'] as const
const MOST_BYTES = 10_000

export function addHookAdd(context: Context, hook: Command): void {
  hook.addCommand(
    writingCommand(context, 'add', 'tell a receiver of each release from now on', [
      'changelogd hook add acme https://example.org/hooks/changelog',
      'changelogd hook add acme --product app --slack-url-file slack.txt',
      'changelogd hook add acme --websub https://hub.example.org',
    ])
      .addArgument(teamArgument())
      .argument('[url]', 'address of a webhook, which gets signed JSON')
      .option('--product <slug>', 'only releases of this product (default: of every product of the team)')
      .addOption(urlFileOption('slack', 'Slack'))
      .addOption(urlFileOption('discord', 'Discord'))
      .addOption(urlFileOption('teams', 'Teams'))
      .option('--websub <url>', 'address of a WebSub hub, which is told of every feed that changes')
      .action(async (slug, url, { product, websub, ...options }, command) => {
        checkPublicUrl(configFrom(context, { db: options.db }))
        const chats = CHATS.filter((chat) => options[`${chat}UrlFile`] !== undefined)
        const [chat] = chats
        if ([url, websub, ...chats].filter((each) => each !== undefined).length !== 1)
          command.error(
            'error: give one address: a URL, --slack-url-file, --discord-url-file, --teams-url-file or --websub',
          )
        const kind: HookKind = chat ?? (websub === undefined ? 'webhook' : 'websub')
        const file = chat && options[`${chat}UrlFile`]
        const address = file === undefined ? checkedUrl(url ?? websub ?? '') : await readUrl(context, file)
        await writingHook(context, options, async (records, { hookSecrets }) => {
          const now = context.now()
          const team = await findTeam(records, slug)
          const own = product === undefined ? null : await findProduct(records, { team: slug, product })
          const added = await records.hooks.create(
            team,
            { product: own, kind, url: chat ? null : address },
            now,
          )
          const secret = chat ? address : newSecret()
          if (kind !== 'websub') await hookSecrets.put(added.id, secret, now, now)
          return secretOutcome(
            added,
            `Added ${hookText(added)}. It is told of releases from now on.`,
            kind === 'webhook' ? secret : null,
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

/** From a file, because other users can see the arguments of a process. */
export async function readUrl(context: Context, path: string): Promise<string> {
  const url = hookUrlOf(await readText(context, path, MOST_BYTES))
  if (url === null) throw new Refusal(`${path} must contain ${HOOK_URL_RULE}.`)
  return url
}

function checkedUrl(text: string): string {
  const url = hookUrlOf(text)
  if (url === null) throw new Refusal(`The address of a hook must be ${HOOK_URL_RULE}.`)
  return url
}

/** Only a secret goes to standard output, for scripts. */
export const secretOutcome = (hook: Hook, done: string, secret: string | null): Outcome =>
  secret === null
    ? { json: hookJson({ ...hook, state: null }), text: done }
    : {
        json: { ...hookJson({ ...hook, state: null }), secret },
        text: secret,
        once: secret,
        notes: [done, 'Save the secret now: it verifies signatures, and cannot be shown again.'],
      }
