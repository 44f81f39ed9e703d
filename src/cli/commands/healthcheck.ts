import { reachableUrl } from '../../domain/reachable-url.ts'
import { Refusal } from '../../domain/refusal.ts'
import { command, jsonOption } from '../command.ts'
import type { Context } from '../context.ts'
import { print } from '../session.ts'
import { configFrom, settingOptions } from '../settings.ts'

const TIMEOUT_MS = 5_000

export function healthcheckCommand(context: Context) {
  const healthcheck = command(context, 'healthcheck', 'check that a running server is healthy', [
    'changelogd healthcheck',
    'changelogd healthcheck --port 8080',
  ]).addOption(jsonOption())
  const meanings = { host: 'address of the server to check', port: 'port of the server to check' }
  for (const option of settingOptions(['host', 'port'], meanings)) healthcheck.addOption(option)
  return healthcheck.action(async (options) => {
    const address = `${reachableUrl(configFrom(context, options))}/healthz`
    const status = await healthOf(address)
    if (status !== 200) throw new Refusal(`The server is not healthy: ${address} returned status ${status}.`)
    await print(context, options, { json: { healthy: true, address }, text: `Healthy: ${address}` })
  })
}

async function healthOf(address: string): Promise<number> {
  try {
    const response = await fetch(address, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'manual',
    })
    return response.status
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'no response in time'
    throw new Refusal(`No server responds at ${address} (${reason}).`, {
      hint: 'To start one: changelogd serve',
    })
  }
}
