import { expect, test } from 'bun:test'
import { readConfig } from '../../../src/config/config.ts'
import { createHandler } from '../../../src/http/handler.ts'
import { createWaiting } from '../../../src/store/engines/wait.ts'
import { openForServing } from '../../../src/store/open.ts'
import { prepareCommands, WRITING } from '../../support/commands/writing-commands.ts'
import { Sandbox } from '../../support/sandbox.ts'
import { fingerprint, PLENTY, publicPath } from '../../support/servers/server.ts'

const TARGETS = ['app', 'beta', 'changelogd'].flatMap((product) => [
  publicPath('acme', product, '?include=changes'),
  publicPath('acme', product, '/versions/0.1.0'),
  `/changelog/acme/${product}`,
  `/changelog/acme/${product}/0.1.0`,
  `/changelog/acme/${product}/feed.atom`,
  `/changelog/acme/${product}/CHANGELOG.md`,
])

/** What deletes a product or a team leaves nothing to see of what comes after it. */
const STORY = [
  ...WRITING.filter(({ isWhole }) => !isWhole),
  ...WRITING.filter(({ isWhole }) => isWhole).toReversed(),
]

/** What each table and trigger of either engine does for that is in `test/unit/http/answers/stamps.test.ts`. */
test('what every command wrote is seen at once, by a server that keeps responses as by one that does not', async () => {
  await using box = await Sandbox.on('SQLite')
  await prepareCommands(box.directory, (...args) => box.json(...args))
  const store = await openForServing(box.database, { waiting: createWaiting(), report: () => {} })
  const serve = (settings: Record<string, string>) => {
    const config = readConfig({}, { ...PLENTY, ...settings, DATABASE_URL: box.database })
    const handle = createHandler({ config, store, logger: { log: () => {}, report: () => {} } })
    const peer = () => ({ address: '127.0.0.1', port: 1 })
    return async (target: string) => fingerprint(await handle(new Request(`http://localhost${target}`), peer))
  }
  const [kept, made] = [serve({}), serve({ CACHE_MAX_BYTES: '0' })]
  let written = 0
  for (const line of ['migrate', ...STORY.map(({ line }) => line), 'undo --last']) {
    const { status } = await box.run(line.split(' '), { EDITOR: box.at('editor.sh') })
    if (status === 0) written++
    await store.ping()
    for (const target of TARGETS)
      expect([line, target, await kept(target)]).toEqual([line, target, await made(target)])
  }
  expect(written).toBeGreaterThan(25)
  store.close()
})
