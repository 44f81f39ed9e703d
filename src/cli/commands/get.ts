import { Refusal } from '../../domain/refusal.ts'
import { databaseCommand } from '../command.ts'
import type { Context } from '../context.ts'
import { print } from '../session.ts'
import { configFrom } from '../settings.ts'

export const getCommand = (context: Context) =>
  databaseCommand(context, 'get', 'send one request to the API without a running server', [
    'changelogd get /api/v1/public/teams/acme/products/app/changelog',
    'changelogd get /api/v1/teams/acme/products/app/changelog --key "$(changelogd key create acme)"',
    'changelogd get /healthz --json',
  ])
    .argument('<path>', 'path of the request, such as /healthz')
    .option('--key <token>', 'token of an API key, sent as Authorization: Bearer')
    .action(async (path, options) => {
      if (options.key !== undefined && !/^[!-~]+$/.test(options.key))
        throw new Refusal('The value of --key contains characters that no token has.', {
          hint: 'Copy it again.',
        })
      const target = path.startsWith('/') ? path : `/${path}`
      const response = await context.get(configFrom(context, options), target, options.key)
      const { status, headers, body } = response
      await print(context, options, {
        json: { status, headers: Object.fromEntries(headers), body: asJson(body) ?? body },
        text: context.terminal.output ? indented(body) : body,
      })
      if (status < 200 || status > 299)
        throw new Refusal(`The response has status ${status}.`, HINTS[status] ? { hint: HINTS[status] } : {})
    })

const HINTS: Readonly<Record<number, string>> = {
  401: 'To send an API key, add --key TOKEN.',
  404: 'To see what is hidden and why: changelogd status',
}

const indented = (body: string): string => {
  const value = asJson(body)
  return value === undefined ? body : JSON.stringify(value, null, 2)
}

function asJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
