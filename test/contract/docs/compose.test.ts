import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SETTINGS } from '../../../src/config/settings.ts'
import { describeNeeding } from '../../support/needs.ts'
import { Sandbox } from '../../support/sandbox.ts'
import { freePort } from '../../support/servers/free-port.ts'
import { listening } from '../../support/servers/process.ts'
import { publicPath } from '../../support/servers/server.ts'
import { until } from '../../support/until.ts'

interface Service {
  image?: string
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  environment?: Record<string, string>
  command?: string[]
  networks?: { default: { ipv4_address: string } }
}

interface Compose {
  services: Record<string, Service>
  configs: Record<string, { content: string }>
}

const composeOf = async (name: string): Promise<Compose> =>
  Bun.YAML.parse(await Bun.file(join(import.meta.dir, '../../..', name)).text()) as Compose

/** The services that are changelogd, whose settings must exist. */
function nodesOf({ services }: Compose): [name: string, environment: Record<string, string>][] {
  const names = new Set<string>(Object.values(SETTINGS).map(({ name }) => name))
  const ours = Object.entries(services).filter(([, { image }]) => image === 'changelogd')
  for (const [, { environment = {} }] of ours)
    for (const name of Object.keys(environment)) expect(names).toContain(name)
  return ours.map(([name, { environment = {} }]) => [name, environment])
}

test('the nodes of compose.cluster.yaml have settings that exist, and trust the balancer alone', async () => {
  const compose = await composeOf('compose.cluster.yaml')
  const nodes = nodesOf(compose)
  expect(nodes.map(([name]) => name)).toEqual(['migrate', 'admin', 'worker', 'node1', 'node2'])
  for (const [, environment] of nodes) {
    expect(environment.DATABASE_URL).toStartWith('postgres://')
    expect(environment.RATE_LIMIT_URL).toStartWith('redis://')
    // `hook add` and the worker need it.
    expect(environment.PUBLIC_URL).toContain('http://127.0.0.1:8080')
    expect(environment.TRUSTED_PROXIES).toBe(
      compose.services.balancer?.networks?.default.ipv4_address as string,
    )
  }
})

test('the node of compose.yaml has settings that exist, and trusts Caddy alone', async () => {
  const compose = await composeOf('compose.yaml')
  const [[name, environment] = [], ...others] = nodesOf(compose)
  expect([name, others]).toEqual(['changelogd', []])
  expect(environment?.TRUSTED_PROXIES).toBe(compose.services.caddy?.networks?.default.ipv4_address as string)
})

test('every changelogd of both files has a root that is read-only and no capabilities, and other images can be pinned', async () => {
  for (const name of ['compose.yaml', 'compose.cluster.yaml']) {
    const all = Object.values((await composeOf(name)).services)
    const [ours, others] = [true, false].map((is) =>
      all.filter(({ image }) => (image === 'changelogd') === is),
    )
    for (const { image } of others ?? []) expect(image).toMatch(/^\$\{[A-Z]+_IMAGE:-\w+:[\d.]+\}$/)
    expect(ours?.length).toBeGreaterThan(0)
    for (const { read_only, cap_drop, security_opt } of ours ?? [])
      expect({ read_only, cap_drop, security_opt }).toEqual({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      })
  }
})

describeNeeding('caddy', Bun.which('caddy') !== null, 'Caddy as compose.yaml configures it', () => {
  test('serves a node over TLS, does not believe what clients say of their address, and bridges a restart', async () => {
    await using box = new Sandbox()
    const { configs } = await composeOf('compose.yaml')
    const [site, node] = await Promise.all([freePort(), freePort()])
    const caddyfile = (configs.caddy?.content ?? '')
      .replace(/\$\{SITE:\?\}/, `localhost:${site}`)
      .replace('changelogd:3000', `127.0.0.1:${node}`)
      // On a busy machine a start may take any time.
      .replace('lb_try_duration 10s', 'lb_try_duration 60s')
    // What would reach beyond this test: its administration, port 80 and the certificates that the system trusts.
    const options = '{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n'
    writeFileSync(box.at('Caddyfile'), options + caddyfile)
    await box.json('demo')
    const start = () =>
      box.start(['serve', '--port', String(node), '--trusted-proxies', '127.0.0.1,::1'], {
        RATE_LIMIT_BURST: '10',
        RATE_LIMIT_PER_MINUTE: '1',
      })
    const first = start()
    await listening(first)
    box.spawn(['caddy', 'run', '--adapter', 'caddyfile', '--config', box.at('Caddyfile')])
    const get = (path: string, headers: Record<string, string> = {}) =>
      fetch(`https://localhost:${site}${path}`, { headers, tls: { rejectUnauthorized: false } })
    // It listens before it has its certificate, and a probe counts for no limit.
    await until(async () => (await get('/livez').catch(() => null))?.status === 200)

    const read = (forwarded: string) => get(publicPath('acme', 'app'), { 'x-forwarded-for': forwarded })
    const left = async (forwarded: string) => {
      const response = await read(forwarded)
      expect(response.status).toBe(200)
      return /r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]
    }
    expect([await left('192.0.2.1'), await left('192.0.2.2')]).toEqual(['9', '8'])

    first.kill('SIGTERM')
    await first.exited
    const waiting = read('192.0.2.3')
    await listening(start())
    expect((await waiting).status).toBe(200)
  })
})
