import { expect, test } from 'bun:test'
import { readConfig } from '../../../src/config/config.ts'
import { createTurn, type Turn } from '../../../src/http/cache/turn.ts'
import { startServer } from '../../../src/http/server.ts'
import { openNow } from '../../../src/store/sqlite/serve.ts'
import type { Store } from '../../../src/store/store.ts'
import { scratch } from '../../support/scratch.ts'
import { seeder } from '../../support/seed.ts'
import { pipelined } from '../../support/servers/raw-request.ts'
import { PLENTY } from '../../support/servers/server.ts'

/** A server that caches nothing, and calls `before` before each read. */
async function serverWith(before: () => void, turn: Turn) {
  await using undo = new AsyncDisposableStack()
  const database = `${undo.use(scratch()).path}/changelogd.db`
  const seed = seeder(database)
  const { changelogId } = seed.product(seed.team('acme'), 'app')
  for (let at = 0; at < 30; at++) seed.version(changelogId, `1.${at}`)
  seed.db.close()
  const store = new Proxy<Store>(openNow(database), {
    get(target, name) {
      if (String(name).startsWith('read')) before()
      return Reflect.get(target, name)
    },
  })
  const server = await startServer(
    readConfig({}, { ...PLENTY, PORT: '0', DATABASE_URL: database, CACHE_MAX_BYTES: '0' }),
    store,
    { log: () => {}, report: () => {} },
    { turn },
  )
  undo.defer(() => server.stop())
  const running = undo.move()
  return {
    pipelined: (targets: readonly string[]) =>
      pipelined(
        Number(new URL(server.url).port),
        targets.map((target) => `GET ${target} HTTP/1.1\r\nhost: x\r\n\r\n`),
      ),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

test('requests in one write are all answered, or the last response says that the connection ends', async () => {
  let worked = 0
  const turn = createTurn(() => worked)
  await using server = await serverWith(() => {
    worked += 0.9
  }, turn)
  const targets = Array.from({ length: 20 }, (_, at) => `/changelog/acme/app${at % 2 ? `/1.${at}` : ''}`)
  expect(await server.pipelined(targets)).toEqual(targets.map(() => 200))
})
