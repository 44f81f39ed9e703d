import { describe, expect, test } from 'bun:test'
import { newToken } from '../../../src/domain/token.ts'
import { serverForAll } from '../../support/servers/for-all.ts'
import {
  bearer,
  keyedPath,
  publicPath,
  type Subject,
  THE_BINARY,
  TWO_THREADS,
} from '../../support/servers/server.ts'

const OBSERVED: Subject = {
  ...TWO_THREADS,
  name: 'two threads, which log and count them',
  env: { ...TWO_THREADS.env, LOG_REQUESTS: 'all', METRICS_PORT: '0' },
}
const PATH = publicPath('acme', 'app')
const KEYED = keyedPath('acme', 'app')

const get = (target: string, headers: Record<string, string> = {}) => {
  const lines = Object.entries({ host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `GET ${target} HTTP/1.1\r\n${lines.join('')}\r\n`
}

// Bun closes a connection on which a request comes before the one before it is answered: these are answered at once.
describe.each([THE_BINARY, OBSERVED])('requests in one write to $name', (subject) => {
  const site = serverForAll(subject, (seed) => {
    const team = seed.team('acme')
    const id = seed.version(seed.product(team, 'app').changelogId, '1.0.0')
    return { id, key: bearer(seed.key(team).token) }
  })

  test('are all answered, in their order, whether they are cached, read for the first time or refused', async () => {
    const { id, key } = site.filled
    const expected = [
      [get(publicPath('nobody', 'app')), 404],
      [get(PATH), 200],
      [get(PATH, { 'accept-encoding': 'gzip' }), 200],
      [get(PATH, { 'if-none-match': '*' }), 304],
      [get(`${PATH}/versions/${id}`), 200],
      [get(`${PATH}/versions/nothing`), 404],
      [get(`${PATH}?limit=0`), 400],
      [get('/openapi.json', { 'accept-encoding': 'zstd' }), 200],
      [get('/nowhere'), 404],
      [get(KEYED), 401],
      [get(KEYED, bearer(newToken())), 401],
      [get(keyedPath('rival', 'app'), key), 403],
      [get(KEYED, key), 200],
      [get(keyedPath('acme', 'nothing'), key), 404],
      [get('/livez'), 200],
      [`OPTIONS ${PATH} HTTP/1.1\r\nhost: x\r\n\r\n`, 204],
      [`POST ${PATH} HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n`, 405],
      [get(PATH, { host: 'a, b' }), 400],
      [get(PATH), 200],
    ] as const
    for (let time = 0; time < 2; time++)
      expect(await site.server.pipelined(expected.map(([request]) => request))).toEqual(
        expected.map(([, status]) => status),
      )
  })
})
