import { Refusal } from '../../domain/refusal.ts'
import { databaseCommand } from '../command.ts'
import type { Context } from '../context.ts'
import { print } from '../session.ts'
import { configFrom, reachable, settingOptions } from '../settings.ts'

const PATIENCE_MS = 5_000

export function healthcheckCommand(context: Context) {
  const healthcheck = databaseCommand(context, 'healthcheck', 'ask a running server whether it is healthy', [
    'changelogd healthcheck',
    'changelogd healthcheck --port 8080',
  ])
  const meanings = { host: 'address of the server to check', port: 'port of the server to check' }
  for (const option of settingOptions(['host', 'port'], meanings)) healthcheck.addOption(option)
  return healthcheck.action(async (options) => {
    const address = `${reachable(configFrom(context, options))}/healthz`
    const status = await healthOf(address)
    if (status !== 200) throw new Refusal(`The server is not healthy: ${address} answers ${status}.`)
    await print(context, options, { json: { healthy: true, address }, text: `Healthy: ${address}` })
  })
}

async function healthOf(address: string): Promise<number> {
  try {
    const answer = await fetch(address, {
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: 'manual',
    })
    return answer.status
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'no answer in time'
    throw new Refusal(`No server answers at ${address} (${reason}). To start one: changelogd serve`)
  }
}
