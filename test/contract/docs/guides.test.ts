import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseConfigFile } from '../../../src/config/file.ts'
import { SETTINGS } from '../../../src/config/settings.ts'
import { describeNeeding } from '../../support/needs.ts'
import { PROGRAM, Sandbox } from '../../support/sandbox.ts'

const read = (name: string): Promise<string> =>
  Bun.file(join(import.meta.dir, '../../../docs', `${name}.md`)).text()

/** The blocks of a page in a language. */
const blocks = async (name: string, language: string): Promise<string[]> =>
  [...(await read(name)).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  )

interface Probe {
  httpGet: { path: string; port: string }
}

interface Container {
  env: { name: string; value: string }[]
  ports: { name: string; containerPort: number }[]
  startupProbe: Probe
  livenessProbe: Probe
  readinessProbe: Probe
}

test('the manifest for Kubernetes has settings and probes that exist', async () => {
  const manifests = (await blocks('guides/install', 'yaml'))
    .flatMap((block) => Bun.YAML.parse(block) as { kind?: string }[])
    .filter(({ kind }) => kind !== undefined)
  expect(manifests.map(({ kind }) => kind)).toEqual(['StatefulSet', 'Service'])
  const [set] = manifests as unknown as { spec: { template: { spec: { containers: Container[] } } } }[]
  const [container] = set?.spec.template.spec.containers ?? []
  if (!container) throw new Error('no container')
  const names = Object.values(SETTINGS).map(({ name }) => name as string)
  for (const { name } of container.env) expect(names).toContain(name)
  expect(container.ports).toEqual([{ name: 'http', containerPort: 3000 }])

  await using box = new Sandbox()
  const url = await box.serve()
  const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe]
  expect(probes.map(({ httpGet }) => httpGet.port)).toEqual(['http', 'http', 'http'])
  for (const { httpGet } of probes) expect((await fetch(url + httpGet.path)).status).toBe(200)
})

test('kubectl is shown with the kind and the name that the manifest has', async () => {
  const named = [...(await read('guides/ci')).matchAll(/kubectl exec -i (\S+)/g)].map(([, name]) => name)
  expect(named).toEqual(['statefulset/changelogd'])
})

test('doctor finds nothing wrong with the example of a configuration file', async () => {
  await using box = new Sandbox()
  const [example = ''] = await blocks('reference/settings', 'sh')
  writeFileSync(box.at('password'), 'secret\n', { mode: 0o600 })
  writeFileSync(
    box.at('changelogd.env'),
    example
      .replace('/var/lib/changelogd/changelogd.db', box.database)
      .replace('/etc/changelogd/password', box.at('password')),
    { mode: 0o600 },
  )
  const config = ['--config', box.at('changelogd.env')]
  expect((await box.run(['migrate', ...config])).status).toBe(0)
  expect((await box.run(['doctor', ...config])).stdout).toMatch(/^ok +settings +no problems$/m)
})

describeNeeding('systemd-analyze', Bun.which('systemd-analyze') !== null, 'the units for systemd', () => {
  test('that check the health of the server are valid', async () => {
    await using box = new Sandbox()
    const units = (await blocks('guides/monitor', 'ini')).flatMap((block) => {
      const path = /^# (\/etc\/systemd\/system\/\S+)\n/.exec(block)?.[1]
      return path === undefined ? [] : [{ name: basename(path), block }]
    })
    expect(units.map(({ name }) => name)).toEqual(['changelogd-check.service', 'changelogd-check.timer'])
    for (const { name, block } of units)
      writeFileSync(box.at(name), block.replace('/usr/bin/changelogd', PROGRAM.join(' ')))
    const { status, stdout, stderr } = await box.runProgram([
      ...['systemd-analyze', 'verify', '--man=no', '--recursive-errors=no'],
      ...units.map(({ name }) => box.at(name)),
    ])
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
  })
})

describeNeeding('caddy', Bun.which('caddy') !== null, 'the Caddyfile', () => {
  test('leads to the socket on which the settings beside it have a server listen, which trusts Caddy', async () => {
    await using box = new Sandbox()
    const [caddyfile = ''] = await blocks('guides/proxy', 'caddyfile')
    writeFileSync(box.at('Caddyfile'), caddyfile)
    const { status, stdout } = await box.runProgram([
      ...['caddy', 'adapt', '--adapter', 'caddyfile', '--config', box.at('Caddyfile')],
    ])
    const socket = /"dial":"unix\/([^"]+)"/.exec(stdout)?.[1]
    const [, settings = ''] = /<!-- caddy -->\n```sh\n(.*?)```/s.exec(await read('guides/proxy')) ?? []
    const { entries, problems } = parseConfigFile('caddy.env', settings)
    expect([status, problems]).toEqual([0, []])
    expect(entries.get('HOST')?.text).toBe(`unix:${socket}`)
    expect(entries.get('TRUSTED_PROXIES')?.text).toBe('unix')
  })
})
