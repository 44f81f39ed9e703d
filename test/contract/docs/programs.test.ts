import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { builtClient, installClient } from '../../support/documents/client-package.ts'
import { describeNeeding } from '../../support/needs.ts'
import { scratch } from '../../support/scratch.ts'
import { startServer, type TestServer, THE_BINARY } from '../../support/servers/server.ts'

const SHOWN = 'https://changelog.example.com'
const root = join(import.meta.dir, '../../..')
const read = (name: string): Promise<string> => Bun.file(join(root, 'docs', `${name}.md`)).text()
const api = await read('reference/api')
/** The first block of a language on the page of the API. */
const block = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(api)?.[1] ?? ''

/** One that lets a client ask once in a second. */
let server: TestServer
beforeAll(async () => {
  server = await startServer(THE_BINARY, { RATE_LIMIT_BURST: '1', RATE_LIMIT_PER_MINUTE: '60' })
  fill(server)
})
afterAll(() => server.stop())

function fill({ seed }: TestServer): void {
  const app = seed.product(seed.team('acme'), 'app')
  const changes = [{ type: 'added', title: 'Search' }]
  for (const [at, label] of ['1.0.0', '2.0.0', '3.0.0'].entries())
    seed.version(app.changelogId, label, {
      publishedAt: Date.UTC(2026, 0, at + 1),
      changes: [...changes, { type: 'removed', title: `BREAKING: what ${label} breaks` }],
    })
}

const PRINTED = '3.0.0 BREAKING: what 3.0.0 breaks\n2.0.0 BREAKING: what 2.0.0 breaks\n'

test('the JavaScript of docs/reference/api.md prints what an upgrade breaks', async () => {
  using directory = scratch()
  installClient(directory.path, await builtClient())
  const file = join(directory.path, 'client.ts')
  await Bun.write(file, block('ts').replace(SHOWN, server.url))
  const { stdout, stderr } = Bun.spawnSync([process.execPath, file])
  expect([String(stdout), String(stderr)]).toEqual([PRINTED, ''])
})

describeNeeding('python3', Bun.which('python3') !== null, 'the Python of docs/reference/api.md', () => {
  test('prints the same, on as many pages as there are, and waits when it is told to', () => {
    const code = block('python').replace(SHOWN, server.url).replace("'limit': 100", "'limit': 1")
    const { stdout, stderr } = Bun.spawnSync(['python3', '-c', code])
    expect([String(stdout), String(stderr)]).toEqual([PRINTED, ''])
  })
})

describeNeeding('curl', Bun.which('curl') !== null, 'the message to /mcp of docs/guides/agents.md', () => {
  let command: string
  const send = (text: string) =>
    String(Bun.spawnSync(['sh', '-c', text.replace(SHOWN, open.url).replace('curl', 'curl -s')]).stdout)
  let open: TestServer
  beforeAll(async () => {
    open = await startServer(THE_BINARY)
    fill(open)
    command = /^```sh\n(curl [^\n]*\/mcp [\s\S]*?)^```$/m.exec(await read('guides/agents'))?.[1] ?? ''
  })
  afterAll(() => open.stop())

  test('gets what an upgrade breaks, and with one type in Accept the 406 that the page names', () => {
    const { id, result } = JSON.parse(send(command))
    expect(id).toBe(1)
    expect(result.structuredContent).toMatchObject({
      from: '1.0.0',
      changes: [{ title: 'BREAKING: what 2.0.0 breaks' }, { title: 'BREAKING: what 3.0.0 breaks' }],
    })
    const status = (accept: string) =>
      send(command.replace('application/json, text/event-stream', accept).replace('curl', 'curl -i')).split(
        ' ',
      )[1]
    for (const accept of ['application/json', 'text/event-stream', '*/*'])
      expect({ accept, status: status(accept) }).toEqual({ accept, status: '406' })
  })
})

test('the workflows of docs/guides/ci.md give the action what it takes, and its table has every input', async () => {
  const text = await Bun.file(join(root, 'action.yml')).text()
  const page = await read('guides/ci')
  const { inputs } = Bun.YAML.parse(text) as { inputs: Record<string, { required?: boolean }> }
  const names = Object.keys(inputs)
  const required = names.filter((name) => inputs[name]?.required)
  const workflows = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, yaml = '']) =>
    Bun.YAML.parse(yaml),
  )
  const steps = workflows.flat() as { uses?: string; with?: Record<string, unknown> }[]
  const given = steps
    .filter(({ uses }) => uses?.includes('/changelogd@'))
    .map((step) => Object.keys(step.with ?? {}))
  expect(given).toHaveLength(4)
  for (const keys of given) {
    expect(keys).toEqual(expect.arrayContaining(required))
    expect(names).toEqual(expect.arrayContaining(keys))
  }
  const table = /\| Input \|[\s\S]*?\n\n/.exec(page)?.[0] ?? ''
  const listed = [...table.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell = '']) =>
    cell.replaceAll('`', '').split(', '),
  )
  expect(listed.toSorted()).toEqual(names.toSorted())
})
