import http from 'node:http'
import https from 'node:https'
import { reachableUrl, socketPath } from '../../../domain/addresses/paths.ts'
import { Refusal, toRun } from '../../../domain/refusal.ts'
import { command, jsonOption, withSettings } from '../../command.ts'
import type { Context } from '../../context.ts'
import { print } from '../../session.ts'
import { configFrom } from '../../settings.ts'

const TIMEOUT_MS = 5_000

const FLAGS = ['host', 'port', 'tls-cert', 'tls-key']

export const healthcheckCommand = (context: Context) =>
  withSettings(
    command(context, 'healthcheck', 'check that a running server is healthy', [
      'changelogd healthcheck',
      'changelogd healthcheck --port 8080',
    ]).addOption(jsonOption()),
    FLAGS,
  ).action(async (options) => {
    const config = configFrom(context, options)
    const url = `${reachableUrl(config)}/healthz`
    const path = socketPath(config.host)
    const address = path === null ? url : config.host
    const status = await healthOf(url, path, address)
    if (status !== 200) throw new Refusal(`The server is not healthy: ${address} returned status ${status}.`)
    await print(context, options, { json: { healthy: true, address }, text: `Healthy: ${address}` })
  })

/** Requests without `fetch`, which would use a proxy such as HTTP_PROXY. */
async function healthOf(url: string, socket: string | null, address: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const { get } = url.startsWith('https:') ? https : http
  get(url, {
    signal,
    ...(socket !== null && { socketPath: socket }),
    // The certificate is for the public name of the server.
    rejectUnauthorized: false,
  })
    .on('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    .on('error', (error: NodeJS.ErrnoException) => {
      const reason = signal.aborted ? 'no response in time' : error.code
      const hint = toRun('To start one', 'serve')
      reject(new Refusal(`No server responds at ${address} (${reason}).`, { hint, cause: error }))
    })
  return promise
}
