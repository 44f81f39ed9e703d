import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { SETTINGS } from '../../src/settings.ts'

interface Service {
  image?: string
  environment?: Record<string, string>
  command?: string[]
  networks?: { default: { ipv4_address: string } }
}

const file = join(import.meta.dir, '../../compose.cluster.yaml')

test('the nodes of compose.cluster.yaml have settings that exist, and trust the balancer alone', async () => {
  const { services } = Bun.YAML.parse(await Bun.file(file).text()) as { services: Record<string, Service> }
  const names = new Set<string>(Object.values(SETTINGS).map(({ name }) => name))
  const ours = Object.entries(services).filter(([, { image }]) => image === 'changelogd')
  expect(ours.map(([name]) => name)).toEqual(['migrate', 'admin', 'node1', 'node2'])
  for (const [, { environment = {} }] of ours) {
    for (const name of Object.keys(environment)) expect(names).toContain(name)
    expect(environment.DATABASE_URL).toStartWith('postgres://')
    expect(environment.RATE_LIMIT_URL).toStartWith('redis://')
    expect(environment.TRUSTED_PROXIES).toBe(services.balancer?.networks?.default.ipv4_address as string)
  }
})
