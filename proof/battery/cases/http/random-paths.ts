import { Random } from '../../../../test/support/random.ts'
import { type Case, Tally } from '../../support/case.ts'
import { Place } from '../../support/place.ts'
import { json, RawConnection, type Response, request } from '../../support/socket.ts'

/** What may be in a request target: the HTTP layer refuses the rest. */
const VISIBLE = Array.from({ length: 94 }, (_, n) => String.fromCharCode(33 + n)).join('')
const PARTS = [
  'api',
  'v1',
  'public',
  'teams',
  'acme',
  'products',
  'app',
  'changelog',
  'versions',
  'ver_0',
  'healthz',
  'openapi.json',
  '',
  '.',
  '..',
  '%2e%2e',
  '%2F',
  '%00',
  '%zz',
  '%',
  '%C3%28',
  '%F0%9F%92%A9',
  '%E0%A4%A',
  'a'.repeat(300),
  '__proto__',
  'constructor',
  'toString',
  '*',
  ':teamSlug',
  "'--",
  '%0d%0aX:1',
  '~',
  '+',
  '%2B',
  '%61cme',
  'ACME',
  ';',
  '..;',
]
const QUERIES = [
  '',
  '?',
  '?limit=1',
  '?limit=0',
  '?limit=1e9',
  '?limit=-1',
  '?limit=%00',
  '?cursor=x',
  '?cursor=%FF',
  '?since=2020-01-01',
  '?after=1.0.0',
  '?after=%00',
  '?include=changes&type=fixed',
  '?type=,',
  '?since=',
  '?since=9999999999999999',
  '?include=changes',
  '?include=',
  '?limit=1&limit=2',
  '?__proto__[x]=1',
  '?a[]=1',
  '?%',
  '?&&&===',
  '#x',
]
const METHODS = [
  'GET',
  'GET',
  'GET',
  'GET',
  'GET',
  'GET',
  'HEAD',
  'OPTIONS',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
]
const STATUSES = [200, 204, 304, 400, 401, 403, 404, 405]

export default {
  name: 'random-paths',
  how: 'Random paths, made of the parts of real ones and of hostile ones, with random queries and methods.',
  async run({ of }) {
    const paths = of(100_000, 5_000)
    const known = new Tally('Every path gets a documented status: never 500')
    const errors = new Tally('Every error under /api is JSON with a code and a message')
    const random = new Random()
    await using place = new Place()
    place.fill((seed) => seed.version(seed.product(seed.team('acme'), 'app').changelogId, '1.0'))
    const server = await place.serve()
    const statuses = new Map<number, number>()
    const began = performance.now()
    const work = async () => {
      let connection = await RawConnection.open(server.port)
      for (let n = 0; n < paths / 4; n++) {
        if (!connection.isOpen) connection = await RawConnection.open(server.port)
        const path = randomPath(random)
        const method = random.pick(METHODS)
        const response = await connection.send(request(path).replace('GET', method)).catch(() => null)
        const status = response?.status ?? 0
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        known.count(STATUSES.includes(status), () => `${status} for ${method} ${path}`)
        if (response && status >= 400 && method !== 'HEAD' && isOfApi(path))
          errors.count(isError(response), () => `${method} ${path}: ${status} ${response.body}`)
      }
      connection.close()
    }
    await Promise.all([work(), work(), work(), work()])
    const perSecond = Math.round(paths / ((performance.now() - began) / 1000))
    const seen = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`)
    return [known.row(`${seen.join(', ')}; ${perSecond} a second`), errors.row('')]
  },
} satisfies Case

/** Whether a path is one of the API, as written and once its dots are resolved, as the server does first. */
const isOfApi = (path: string): boolean =>
  [path, URL.parse(path, 'http://localhost')?.pathname ?? ''].every((each) => /^\/api(?:\/|$)/.test(each))

function randomPath(random: Random): string {
  const parts = Array.from({ length: random.below(10) }, () => random.pick(PARTS))
  const real = ['api', 'v1', 'public', 'teams', 'acme', 'products', 'app', 'changelog']
  if (random.below(2) === 0) parts.unshift(...real.slice(0, random.below(real.length + 1)))
  if (random.below(6) === 0) parts.push(random.text(random.below(40), VISIBLE.replaceAll('#', '')))
  return `/${parts.join('/')}${random.pick(QUERIES)}`
}

function isError(response: Response): boolean {
  try {
    const { error } = json<{ error: { code: unknown; message: unknown } }>(response)
    return (
      typeof error.code === 'string' &&
      typeof error.message === 'string' &&
      (response.headers.get('content-type') ?? '').startsWith('application/json')
    )
  } catch {
    return false
  }
}
