import { type Command, Option } from '@commander-js/extra-typings'
import { newSecret } from '../../../announce/send.ts'
import { hookCommand, rotateCommand } from '../../../domain/hooks.ts'
import { Refusal, toRun } from '../../../domain/refusal.ts'
import { DAY_MS } from '../../../domain/time/time.ts'
import { findHook } from '../../../transfer/find.ts'
import { duration } from '../../arguments/arguments.ts'
import { writingCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { moment } from '../../terminal/moments.ts'
import { SENDING, secretOutcome } from './add.ts'
import { readUrl } from './address.ts'
import { hookArgument, hookText, writingHook } from './shared.ts'

export function addHookRotate(context: Context, hook: Command): void {
  hook.addCommand(
    writingCommand(context, 'rotate', 'replace the secret of a webhook, or the address of a chat', [
      'changelogd hook rotate acme/example.org',
      'changelogd hook rotate acme/example.org --overlap 1h',
    ])
      .addArgument(hookArgument())
      .addOption(
        new Option('--overlap <duration>', 'how long messages are signed with both secrets')
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
          if (found.kind === 'websub') throw new Refusal('A hub has no secret.')
          if (found.kind === 'webhook' && url !== null)
            command.error(`error: --url-file is for chats; ${hookText(found)} gets a new secret without it`)
          const before = await hookSecrets.list(id, now)
          const stoppedAt = (await announced.hook(id))?.stoppedAt ?? null
          const next =
            found.status === 'active' && stoppedAt === null
              ? SENDING
              : toRun('It is disabled. To send to it', hookCommand('enable', found))
          if (found.kind !== 'webhook') {
            if (url === null)
              throw new Refusal(`${hookText(found)} needs its new address.`, {
                hint: toRun('Give it in a file', rotateCommand(found)),
              })
            if (before.includes(url))
              return secretOutcome(found, `${hookText(found)} has this address already.`, null, next)
            await hookSecrets.put(id, url, now, now)
            return secretOutcome(found, `Replaced the address of ${hookText(found)}.`, null, next)
          }
          const secret = newSecret()
          await hookSecrets.put(id, secret, now, now + overlap)
          const until =
            overlap === 0 ? 'is not used any more' : `is used too until ${moment(now + overlap, now)}`
          const old = before.length === 0 ? '' : ` The old secret ${until}.`
          return secretOutcome(found, `Rotated ${hookText(found)}.${old}`, secret, next)
        })
      }),
  )
}
