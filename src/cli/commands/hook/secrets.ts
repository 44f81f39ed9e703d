import { type Command, Option } from '@commander-js/extra-typings'
import { newSecret } from '../../../announce/send.ts'
import { checkMailServer, checkPublicUrl } from '../../../announce/setup.ts'
import { addressText, CHAT_KINDS, type HookKind } from '../../../domain/hook-kinds.ts'
import {
  addressOfHook,
  checkKind,
  hookCommand,
  isUrl,
  mailUrl,
  urlNotes,
  webhookUrl,
} from '../../../domain/hooks.ts'
import type { Hook, Instant } from '../../../domain/records.ts'
import { Refusal, taken, toRun } from '../../../domain/refusal.ts'
import { endOfOverlap } from '../../../domain/rules.ts'
import { DAY_MS } from '../../../domain/time/time.ts'
import type { Bookkeeping } from '../../../store/bookkeeping/bookkeeping.ts'
import type { Records } from '../../../store/records/records.ts'
import { findHook, findProduct, findTeam } from '../../../transfer/find.ts'
import { duration, listUrlOption, orNone, teamArgument } from '../../arguments/arguments.ts'
import { writingCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import type { Outcome } from '../../session.ts'
import { configFrom } from '../../settings.ts'
import { hookJson, withoutState } from '../../terminal/json.ts'
import { moment } from '../../terminal/moments.ts'
import type { Message } from '../../terminal/text.ts'
import {
  delayOption,
  hookArgument,
  hookText,
  nameOption,
  onOption,
  reachable,
  readUrl,
  writingHook,
} from './shared.ts'

/** Commands that give a hook its secrets: one that signs, or its address. */

/** `serve` alone does not send. */
const SENDING = toRun('To send messages, run a worker', 'serve', [], { worker: true })

const SECRET_KINDS = [...CHAT_KINDS, 'websub'] as const

export function addHookAdd(context: Context, hook: Command): void {
  const add = writingCommand(hook, 'add', 'announce each new release to a webhook, a chat or by mail', [
    'changelogd hook add acme https://example.org/hooks/changelog',
    'changelogd hook add acme --product app --slack-url-file slack.txt --name releases',
    'changelogd hook add acme --mail changelog@lists.example.com --stable',
  ])
    .addArgument(teamArgument())
    .argument('[url]', 'address of a webhook; it gets signed JSON')
    .option('--product <slug>', 'only releases of this product (default: all products of the team)')
    .option('--url-file <file>', 'file with a secret address of a webhook, or - for standard input')
  for (const kind of CHAT_KINDS) add.addOption(urlFileOption(kind))
  add
    .option('--mail <address>', 'address to send mail to, such as that of a mailing list')
    .addOption(listUrlOption('--unsubscribe-url <url>', 'https page where people leave the list, for mail'))
    .option('--websub <url>', 'address of a WebSub hub to notify of feed changes')
    .addOption(urlFileOption('websub'))
    .addOption(nameOption())
    .addOption(onOption())
    .addOption(delayOption())
    .option('--stable', 'skip pre-releases')
    .option('--plain', 'treat the URL as a webhook, even if it looks like one of a chat')
    .action(
      async (
        slug,
        url,
        { product, websub, mail, name, on: events, plain, stable, delay, ...options },
        command,
      ) => {
        const config = configFrom(context, { db: options.db })
        checkPublicUrl(config)
        if (mail !== undefined) checkMailServer(config)
        const fileOf = (kind: HookKind) => command.getOptionValue(`${kind}UrlFile`) as string | undefined
        const [secretKind, ...more] = SECRET_KINDS.filter((kind) => fileOf(kind) !== undefined)
        const given = [url, websub, mail, options.urlFile, secretKind, ...more].filter(
          (each) => each !== undefined,
        )
        if (given.length !== 1)
          command.error(
            `error: give one of URL, --url-file, ${CHAT_KINDS.map((kind) => `--${kind}-url-file`).join(', ')}, --mail, --websub or --websub-url-file`,
          )
        const openKind = websub === undefined ? 'webhook' : 'websub'
        const kind: HookKind = secretKind ?? (mail === undefined ? openKind : 'mail')
        const file = secretKind ? fileOf(secretKind) : options.urlFile
        const address =
          mail !== undefined
            ? mailUrl(mail)
            : file === undefined
              ? reachable(context, options, webhookUrl(url ?? websub ?? '', plain === true))
              : await readUrl(context, options, file)
        if (file !== undefined) checkKind(kind, address, plain === true)
        await writingHook(context, options, async (records, { hookSecrets }) => {
          const now = context.now()
          const team = await findTeam(records, slug)
          const about = product === undefined ? null : await findProduct(records, { team: slug, product })
          await checkFree(records, hookSecrets, { team, product: about, kind }, address, now)
          const draft = { product: about, kind, url: file === undefined ? address : null }
          const naming = { name, events, stable, delay, unsubscribeUrl: orNone(options.unsubscribeUrl) }
          const added = await records.hooks.create(team, { ...draft, ...naming }, now)
          const secret = kind === 'webhook' ? newSecret() : null
          if (secret !== null) await hookSecrets.put(added.id, secret, now, now)
          if (file !== undefined) await hookSecrets.put(added.id, address, now, now)
          const done = `Added ${hookText(added)}. ${whatItAnnounces(added)}`
          return secretOutcome(added, done, secret, ...urlNotes(added), ...leavingNotes(added), SENDING)
        })
      },
    )
}

export function addHookRotate(context: Context, hook: Command): void {
  writingCommand(hook, 'rotate', 'replace the secret of a webhook, or a secret address', [
    'changelogd hook rotate acme/example.org',
    'changelogd hook rotate acme/example.org --overlap 1h',
  ])
    .addArgument(hookArgument())
    .addOption(
      new Option('--overlap <duration>', 'how long to sign messages with both secrets')
        .argParser((text) => (text === '0' ? 0 : duration(text)))
        .default(DAY_MS, '24h'),
    )
    .option('--url-file <file>', 'file with a new address, to be kept secret, or - for standard input')
    .action(async (name, { overlap, urlFile, ...options }) => {
      const url = urlFile === undefined ? null : await readUrl(context, options, urlFile)
      await writingHook(context, options, async (records, { announced, hookSecrets }) => {
        const found = await findHook(records, name)
        const { id } = found
        const now = context.now()
        const before = await hookSecrets.list(id, now)
        const stoppedAt = (await announced.hook(id))?.stoppedAt ?? null
        const next =
          found.status === 'active' && stoppedAt === null
            ? SENDING
            : { text: 'The hook is disabled. To enable it', command: hookCommand('enable', found) }
        const isSigned = found.kind === 'webhook'
        if (found.kind === 'mail')
          throw new Refusal(`Hook ${addressOfHook(found)} sends mail, and has no secret to replace.`, {
            hint: toRun('To mail another address', 'hook add', [found.team.slug], { mail: 'ADDRESS' }),
          })
        if (url === null && !(isSigned && (found.url !== null || before.some(isUrl))))
          throw new Refusal(`${hookText(found)} needs its new address.`, {
            hint: {
              text: 'Save it to a file, and run',
              command: hookCommand('rotate', found, { 'url-file': 'FILE' }),
            },
          })
        const isNew = url !== null && !before.includes(url)
        if (isNew) {
          checkKind(found.kind, url, true)
          await checkFree(records, hookSecrets, found, url, now)
          await hookSecrets.put(id, url, now, now)
        }
        const hook = isNew ? await records.hooks.update(found, { url: null }) : found
        const what = hookText(hook)
        const same = url === null ? `Rotated ${what}.` : `${what} already has this address.`
        const done = isNew ? `Replaced the address of ${what}.` : same
        if (!isSigned) return secretOutcome(hook, done, null, next)
        const secret = newSecret()
        const end = endOfOverlap(overlap, now, 'secret')
        await hookSecrets.put(id, secret, now, end)
        const until = overlap === 0 ? 'no longer works' : `works until ${moment(end, now)}`
        const old = before.every(isUrl) ? '' : ` The old secret ${until}.`
        return secretOutcome(hook, `${done}${old}`, secret, next)
      })
    })
}

/** `It announces every new release. Releases that are public already are not announced.` */
function whatItAnnounces({ events, stable }: Hook): string {
  const isNew = events.includes('published')
  const releases = isNew ? 'every new release' : `${events.join(' and ')} releases`
  const but = stable ? ', but no pre-releases' : ''
  return `It announces ${releases}${but}.${isNew ? ' Releases that are public already are not announced.' : ''}`
}

const leavingNotes = (hook: Hook): Message[] =>
  hook.kind === 'mail' && hook.unsubscribeUrl === null
    ? [{ text: NO_LINK, command: hookCommand('update', hook, { 'unsubscribe-url': 'URL' }) }]
    : []

const NO_LINK = 'Messages have no link to unsubscribe. To add one'

/** Refuses a second hook of one kind, address and product. */
async function checkFree(
  records: Records,
  secrets: Bookkeeping['hookSecrets'],
  { team, product, kind, id }: Pick<Hook, 'team' | 'product' | 'kind'> & { id?: string },
  address: string,
  now: Instant,
): Promise<void> {
  for (const other of await records.hooks.list(team))
    if (
      other.id !== id &&
      other.kind === kind &&
      other.product?.id === product?.id &&
      address === (other.url ?? (await secrets.list(other.id, now)).find(isUrl))
    )
      throw taken('hook of this kind, address and product', ['hook show', addressOfHook(other)])
}

const urlFileOption = (kind: HookKind) =>
  new Option(`--${kind}-url-file <file>`, `file with ${addressText(kind)}, or - for standard input`)

/** Writes only a secret to standard output, for scripts. */
function secretOutcome(hook: Hook, done: string, secret: string | null, ...next: Message[]): Outcome {
  const json = hookJson(withoutState(hook))
  if (secret === null) return { json, text: done, notes: next }
  const save = 'Save the secret now: you need it to verify signatures. It cannot be shown again.'
  return { json: { ...json, secret }, text: secret, once: secret, notes: [done, save, ...next] }
}
