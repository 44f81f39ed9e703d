import { Random } from '../../../../test/support/random.ts'
import { publicPath } from '../../../../test/support/servers/server.ts'
import { type Case, type Row, Tally } from '../../support/case.ts'
import { Place } from '../../support/place.ts'
import { getOnce, once, RawConnection, request } from '../../support/socket.ts'

const path = publicPath('acme', 'app')
const missing = publicPath('ghosts', 'app')
/** How long to wait for a response that may not come. */
const PATIENCE_MS = 1_500

const host = (...lines: string[]): string =>
  `GET ${path} HTTP/1.1\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`

/** Requests with a `Host` that is missing, repeated or invalid. */
const HOSTS = [
  host('Host: a', 'Host: b'),
  host('Host: a', 'Host: a'),
  host('host: a', 'HOST: b'),
  host('Host: a b'),
  host('Host: a/b'),
  host('Host: a@b'),
  host('Host: a?b'),
  host('Host: a#b'),
  host('Host: [::1'),
  host('Host: a:b'),
  host('Host: a\\b'),
  host(),
]

/** Bytes that are not a valid request: none may be answered as one. */
const MALFORMED = [
  '\r\n\r\n\r\n\r\n',
  'GET\r\n\r\n',
  `GET ${path}\r\n\r\n`,
  `GET ${path} HTTP/1.1\r\nHost\r\n\r\n`,
  `GET ${path} HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n`,
  `GET ${path} HTTP/1.1\r\nHost: a\r\nX Y: z\r\n\r\n`,
  `GET ${path} HTTP/1.1\r\nHost: a\r\nX: \0\r\n\r\n`,
  `GET ${path} HTTP/9.9\r\nHost: a\r\n\r\n`,
  `GET ${path} HTTQ/1.1\r\nHost: a\r\n\r\n`,
  `GET  ${path}  HTTP/1.1\r\nHost: a\r\n\r\n`,
  `GET ${path}\tHTTP/1.1\r\nHost: a\r\n\r\n`,
  `GET ${path} x HTTP/1.1\r\nHost: a\r\n\r\n`,
  `BREW ${path} HTTP/1.1\r\nHost: a\r\n\r\n`,
  `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${'x'.repeat(400)}\r\n\r\n`,
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  `GET ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n`,
  `GET ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
  `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
  `GET ${path}?${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  `GET ${path} HTTP/1.1\r\nHost: a\r\n${'X: y\r\n'.repeat(5_000)}\r\n`,
]

/** Requests that are written at once on one connection, and the statuses that must come back in this order. */
const PIPELINES: [name: string, texts: string[], statuses: number[]][] = [
  ['a 404 and a 200', [request(missing), request(path)], [404, 200]],
  ['a 200 and a 404', [request(path), request(missing)], [200, 404]],
  ['a 401 and a 200', [request('/api/v1/teams/acme/products/app/changelog'), request(path)], [401, 200]],
  [
    'the document, compressed, twice',
    [
      request('/openapi.json', { 'Accept-Encoding': 'gzip' }),
      request('/openapi.json', { 'Accept-Encoding': 'gzip' }),
    ],
    [200, 200],
  ],
  ...['gzip', 'br', 'zstd'].map((encoding): [string, string[], number[]] => [
    `three compressed with ${encoding} and a 404`,
    [
      ...[1, 2, 3].map((n) => request(`${path}?limit=${n}`, { 'Accept-Encoding': encoding })),
      request(missing),
    ],
    [200, 200, 200, 404],
  ]),
  [
    'a list, three releases, a feed and a missing release as pages',
    [
      request('/changelog/acme/app'),
      ...[1, 2, 3].map((n) => request(`/changelog/acme/app/1.${n}`)),
      request('/changelog/acme/app/feed.atom'),
      request('/changelog/acme/app/0.1'),
    ],
    [200, 200, 200, 200, 200, 404],
  ],
  [
    '50 in turns',
    Array.from({ length: 50 }, (_, n) => request(n % 2 ? path : missing)),
    Array.from({ length: 50 }, (_, n) => (n % 2 ? 200 : 404)),
  ],
]

export default {
  name: 'raw-sockets',
  how: 'Malformed requests, mutated requests, several requests in one write, repeated and invalid Host headers, huge headers and half-closed connections are sent over plain sockets. After each, another client reads.',
  async run({ of }) {
    await using place = new Place()
    place.fill((seed) => {
      const { changelogId } = seed.product(seed.team('acme'), 'app')
      for (let n = 0; n < 30; n++) seed.version(changelogId, `1.${n}`)
    })
    const { port } = await place.serve()
    return [
      await malformed(port),
      await hosts(port),
      await pipelines(port, of(20, 3)),
      await halfClosed(port, of(20, 3)),
      await mutated(port, of(1_500, 100)),
    ]
  },
} satisfies Case

async function malformed(port: number): Promise<Row> {
  const tally = new Tally(
    'What is not valid HTTP gets a 4xx or 505 or a closed connection, and others are served',
  )
  for (const text of MALFORMED) {
    const status = (await once(port, text, PATIENCE_MS))?.status ?? 0
    tally.count(
      status === 0 || status === 505 || (status >= 400 && status < 500),
      () => `${status} for ${shown(text)}`,
    )
    const other = (await getOnce(port, path))?.status
    tally.count(other === 200, () => `another client got ${other} after ${shown(text)}`)
  }
  return tally.row(`${MALFORMED.length} forms`)
}

async function hosts(port: number): Promise<Row> {
  const tally = new Tally('A missing, repeated or invalid Host is a 400')
  for (const text of HOSTS) {
    const status = (await once(port, text, PATIENCE_MS))?.status ?? 0
    tally.count(status === 400, () => `${status} for ${shown(text)}`)
  }
  return tally.row('')
}

async function pipelines(port: number, rounds: number): Promise<Row> {
  const tally = new Tally(
    'Requests written at once get whole responses in order. Where the connection ends before the last, the rest gets theirs on the next one',
  )
  // What makes pages is loaded with the first of them.
  for (const target of ['', '/1.9', '/feed.atom', '/0.2']) await getOnce(port, `/changelog/acme/app${target}`)
  let connections = 0
  const statusesOf = async (texts: readonly string[]): Promise<number[]> => {
    connections++
    using connection = await RawConnection.open(port)
    const responses = texts.map(() => connection.response({ timeout: 5_000 }).catch(() => null))
    connection.write(texts.join(''))
    const got = (await Promise.all(responses)).filter((response) => response !== null)
    const statuses = got.map(({ status }) => status)
    // Pipelining is not supported: a client asks again for what a closed connection leaves.
    const isToGoOn = got.length > 0 && got.length < texts.length && connection.rest === ''
    return isToGoOn ? [...statuses, ...(await statusesOf(texts.slice(got.length)))] : statuses
  }
  for (let round = 0; round < rounds; round++)
    for (const [name, texts, expected] of PIPELINES) {
      const statuses = await statusesOf(texts)
      tally.count(statuses.join() === expected.join(), () => `${name}: ${statuses}`)
    }
  const closed = connections - rounds * PIPELINES.length
  return tally.row(
    `${PIPELINES.length} forms, up to 50 requests in one write; ${closed} of ${connections} connections were closed before the last`,
  )
}

async function halfClosed(port: number, rounds: number): Promise<Row> {
  const tally = new Tally(
    'A half-closed connection does no harm: a complete response or none, and others are served',
  )
  let answered = 0
  for (let round = 0; round < rounds; round++) {
    using connection = await RawConnection.open(port, true)
    const response = connection.response({ timeout: PATIENCE_MS }).catch(() => null)
    connection.socket.end(request(path))
    if ((await response) !== null) answered++
    tally.count(connection.rest === '', () => `${connection.rest.length} bytes of a response`)
    const other = (await getOnce(port, path))?.status
    tally.count(other === 200, () => `another client got ${other}`)
  }
  return tally.row(`${answered} of ${rounds} got their response`)
}

async function mutated(port: number, count: number): Promise<Row> {
  const tally = new Tally('Random changes to a request never give a 500, and others are served')
  const random = new Random()
  const bases = [
    request(path),
    request(missing, { Authorization: 'Bearer x', 'If-None-Match': '"x"' }),
    request('/healthz'),
  ]
  for (let n = 0; n < count; n++) {
    let text = random.pick(bases)
    for (let change = 0; change <= random.below(4); change++) {
      const at = random.below(text.length)
      const letter = String.fromCharCode(random.below(256))
      text = text.slice(0, at) + random.pick(['', letter, letter + letter]) + text.slice(at + random.below(2))
    }
    // Whatever it became, it has an end.
    const status = (await once(port, `${text}\r\n\r\n`, 200))?.status ?? 0
    tally.count(status !== 500, () => `500 for ${shown(text)}`)
    if (n % 50 === 0) {
      const other = (await getOnce(port, path))?.status
      tally.count(other === 200, () => `another client got ${other} after ${shown(text)}`)
    }
  }
  return tally.row('')
}

const shown = (text: string): string => JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text)
