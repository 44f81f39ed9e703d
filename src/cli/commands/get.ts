import { orNull } from '../../domain/errors.ts'
import { type Hint, Refusal, toRun } from '../../domain/refusal.ts'
import { withoutControls } from '../../domain/text/controls.ts'
import { isToken } from '../../domain/token.ts'
import { databaseCommand } from '../command.ts'
import type { Context } from '../context.ts'
import { readText } from '../files.ts'
import { print, waitingFor } from '../session.ts'
import { configFrom } from '../settings.ts'

export const getCommand = (context: Context) =>
  databaseCommand(context, 'get', 'send one request to the API without a running server', [
    'changelogd get /api/v1/public/teams/acme/products/app/changelog',
    'changelogd key create acme | changelogd get /api/v1/teams/acme/products/app/changelog --key -',
    'changelogd get /healthz --json',
  ])
    .argument('<path>', 'path of the request, such as /healthz')
    .option('--key <source>', `use - to read an API key from standard input (default: ${KEY_VARIABLE})`)
    .action(async (path, options, command) => {
      if (options.key !== undefined && options.key !== '-')
        command.error(
          `error: --key takes no token, because other users could see it. Set ${KEY_VARIABLE}, or use --key - and standard input`,
        )
      const token =
        options.key === undefined
          ? context.env[KEY_VARIABLE] || undefined
          : await readText(context, '-', MOST_KEY_BYTES)
      if (token !== undefined && !isToken(token.trim()))
        throw new Refusal('The API key is incomplete or has a typo.', { hint: 'Copy it again.' })
      const target = path.startsWith('/') ? path : `/${path}`
      const waiting = waitingFor(context, options)
      const response = await context.get(configFrom(context, options), waiting, target, token?.trim())
      const { status, headers, body } = response
      const parsed = orNull(() => ({ value: JSON.parse(body) as unknown }))
      const indented = parsed ? JSON.stringify(parsed.value, null, 2) : body
      await print(context, options, {
        json: { status, headers: Object.fromEntries(headers), body: parsed?.value ?? body },
        text: context.terminal.output ? withoutControls(indented) : body,
      })
      if (status >= 200 && status <= 299) return
      const { location } = Object.fromEntries(headers)
      const hint = location === undefined ? hintOf(status, token) : `Request ${location} instead.`
      throw new Refusal(`The response has status ${status}.`, { hint })
    })

/** More than any token, with blanks around it. */
const MOST_KEY_BYTES = 1_000

/** The key comes from a variable: other users can see the arguments of a process. */
const KEY_VARIABLE = 'CHANGELOGD_KEY'

function hintOf(status: number, token: string | undefined): string | Hint | undefined {
  if (status === 404) return toRun('To see what is hidden and why', 'status')
  if (status !== 401) return undefined
  return token === undefined
    ? `To send an API key, set ${KEY_VARIABLE}, or use --key - and standard input.`
    : toRun('Check that the key is active', 'key list', ['TEAM'])
}
