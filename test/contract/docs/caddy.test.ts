import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { describeNeeding } from '../../support/needs.ts'
import { Sandbox } from '../../support/sandbox.ts'
import { createCertificate } from '../../support/servers/certificates.ts'
import { freePort } from '../../support/servers/free-port.ts'
import { listening } from '../../support/servers/process.ts'
import { publicPath } from '../../support/servers/server.ts'
import { until } from '../../support/until.ts'

const page = readFileSync(join(import.meta.dir, '../../../docs/operating.md'), 'utf8')
const [, caddyfile = ''] = /```caddyfile\n(.*?)```/s.exec(page) ?? []
const [, settings = ''] = /<!-- caddy -->\n```sh\n(.*?)```/s.exec(page) ?? []

/** Keeps Caddy from asking an authority for a certificate, from port 80, and from its usual places. */
const LOCAL = '{\n\tadmin off\n\tauto_https disable_redirects\n}\n'

interface Received {
  status: number | undefined
  left: number
}

/** A request from an address of this machine. */
const get = (port: number, ca: string, localAddress: string, headers: Record<string, string> = {}) =>
  new Promise<Received>((resolve, reject) => {
    const path = publicPath('acme', 'app')
    const sent = request(
      { host: 'localhost', family: 4, port, path, ca, localAddress, headers },
      (response) => {
        response.resume()
        const left = Number(/r=(\d+)/.exec(String(response.headers.ratelimit))?.[1])
        resolve({ status: response.statusCode, left })
      },
    )
    sent.on('error', reject).end()
  })

const isInstalled = Bun.which('caddy') !== null && Bun.which('openssl') !== null
describeNeeding('caddy', isInstalled, 'the Caddyfile of docs/operating.md', () => {
  test('serves HTTPS in front of a unix socket, and each client has a limit of its own', async () => {
    await using box = await Sandbox.on('SQLite')
    await box.json('demo')
    const socket = box.at('changelogd.sock')
    const at = (text: string) => text.replaceAll('/run/changelogd/changelogd.sock', socket)
    writeFileSync(box.at('changelogd.env'), at(settings))
    expect(
      await listening(
        box.start(['serve', '--config', box.at('changelogd.env')], { RATE_LIMIT_PER_MINUTE: '1' }),
      ),
    ).toBe(`unix:${socket}`)

    const { certificate, key } = createCertificate(box.directory, 'server')
    const port = await freePort()
    const site = at(caddyfile).replace(
      'changelog.example.com {',
      `https://localhost:${port} {\n\ttls ${certificate} ${key}`,
    )
    writeFileSync(box.at('Caddyfile'), LOCAL + site)
    box.spawn(['caddy', 'run', '--config', box.at('Caddyfile'), '--adapter', 'caddyfile'])
    const ca = readFileSync(certificate, 'utf8')
    await until(() =>
      get(port, ca, '127.0.0.9').then(
        () => true,
        () => false,
      ),
    )

    expect(await get(port, ca, '127.0.0.1')).toEqual({ status: 200, left: 59 })
    expect(await get(port, ca, '127.0.0.2')).toEqual({ status: 200, left: 59 })
    // Caddy does not pass on what a client says of its address.
    const spoofed = { 'x-forwarded-for': '192.0.2.1' }
    expect(await get(port, ca, '127.0.0.1', spoofed)).toEqual({ status: 200, left: 58 })
  })
})
