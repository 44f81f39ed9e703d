import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { newToken } from '../../src/domain/token.ts'
import {
  bearer,
  keyedPath,
  publicPath,
  SUBJECTS,
  type Subject,
  startServer,
  type TestServer,
  THE_BINARY,
} from '../support/servers/server.ts'
import { until } from '../support/until.ts'

// Bun closes a connection on which a request comes before the one before it is answered, and PostgreSQL is awaited.
const OBSERVED: Subject = {
  ...THE_BINARY,
  name: 'the binary, which logs and counts them',
  env: { LOG_REQUESTS: 'all', METRICS_PORT: '0' },
}
const AT_ONCE = [...SUBJECTS.filter(({ engine }) => engine === 'SQLite'), OBSERVED]

describe.each(AT_ONCE)('requests in one write to $name', (subject) => {
  let server: TestServer
  let token: string
  let versionId: string
  const path = publicPath('acme', 'app')
  const keyed = keyedPath('acme', 'app')

  beforeAll(async () => {
    server = await startServer(subject)
    const { seed } = server
    const team = seed.team('acme')
    const { changelogId } = seed.product(team, 'app')
    for (let at = 0; at < 150; at++)
      versionId = seed.version(changelogId, `1.${at}`, {
        publishedAt: Date.UTC(2026, 0, 1) + at,
        changes: [{ type: 'added', title: `Something new, number ${at}` }],
      })
    token = seed.key(team).token
  })
  afterAll(() => server.stop())

  const get = (target: string, headers: Record<string, string> = {}) => {
    const lines = Object.entries({ host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
    return `GET ${target} HTTP/1.1\r\n${lines.join('')}\r\n`
  }

  test.each(['zstd', 'br', 'gzip', 'identity'])('are all answered, encoded as %s', async (encoding) => {
    const headers = { 'accept-encoding': encoding }
    const targets = [
      '/openapi.json',
      '/openapi.json',
      path,
      `${path}?include=changes`,
      `${path}?limit=100`,
      `${path}/versions/${versionId}`,
      '/openapi.json',
    ]
    expect(await server.pipelined(targets.map((target) => get(target, headers)))).toEqual(
      targets.map(() => 200),
    )
    expect(
      await server.pipelined(targets.map((target) => get(target, { ...headers, 'if-none-match': '*' }))),
    ).toEqual(targets.map(() => 304))
  })

  test.each(['zstd', 'br', 'gzip'])(
    'are all answered, encoded as %s or not at all, however many there are',
    async (encoding) => {
      const targets = Array.from({ length: 40 }, (_, at) => `${path}?limit=${100 - at}`)
      const requests = targets.map((target) => get(target, { 'accept-encoding': encoding }))
      expect(await server.pipelined(requests)).toEqual(targets.map(() => 200))
      // What was not encoded for lack of time is encoded in a later turn of the event loop.
      await until(async () => {
        const again = await server.get(`${path}?limit=100`, { 'accept-encoding': encoding })
        return again.headers.get('content-encoding') === encoding
      })
    },
  )

  test('are all answered, refused or not', async () => {
    const key = bearer(token)
    const expected = [
      [get(publicPath('nobody', 'app')), 404],
      [get(path), 200],
      [get(`${path}/versions/nothing`), 404],
      [get(`${path}?limit=0`), 400],
      [get('/nowhere'), 404],
      [get(keyed), 401],
      [get(keyed, bearer(newToken())), 401],
      [get(keyedPath('rival', 'app'), key), 403],
      [get(keyed, key), 200],
      [get(keyedPath('acme', 'nothing'), key), 404],
      // One of several threads asks the main thread about the files first, so it cannot answer at once.
      [get('THREADS' in subject.env ? '/livez' : '/healthz'), 200],
      [`OPTIONS ${path} HTTP/1.1\r\nhost: x\r\n\r\n`, 204],
      [`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n`, 405],
      [get(path, { host: 'a, b' }), 400],
      [get(path), 200],
    ] as const
    for (let time = 0; time < 2; time++)
      expect(await server.pipelined(expected.map(([request]) => request))).toEqual(
        expected.map(([, status]) => status),
      )
  })
})
