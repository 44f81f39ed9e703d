import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import { join } from 'node:path'
import { readConfig } from '../../../src/config/config.ts'
import { startServer } from '../../../src/http/server.ts'
import { openNow } from '../../../src/store/sqlite/serve.ts'
import { scratch } from '../../support/scratch.ts'

/** Longer than any run: a stop that waits this long fails by the runner's timeout. */
const NO_END_MS = 2 ** 31 - 1

test('stopping waits neither for an idle connection nor for a request that is not complete', async () => {
  using directory = scratch()
  const config = readConfig({}, { PORT: '0', DATABASE_URL: join(directory.path, 'x.db') })
  const server = await startServer(
    config,
    openNow(config.database),
    { log: () => {}, report: () => {} },
    { graceMs: NO_END_MS },
  )
  const sockets = ['', 'GET /heal'].map((text) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.write(text)
    return socket
  })
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.on('connect', resolve))))
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  await server.stop()
  for (const socket of sockets) socket.destroy()
})
