import { publicPath } from '../../../../test/support/servers/server.ts'
import { residentBytes } from '../../../bench/usage.ts'
import { type Case, type Effort, type Row, Tally } from '../../support/case.ts'
import { Place } from '../../support/place.ts'
import { RawConnection, request } from '../../support/socket.ts'

const BURST = 50
const path = publicPath('acme', 'app')
/** One request a minute comes back, so none does while a case runs. */
const STRICT = { RATE_LIMIT_BURST: String(BURST), RATE_LIMIT_PER_MINUTE: '1', TRUSTED_PROXIES: '127.0.0.1' }
/** How much a million addresses may grow the process. */
const GROWTH_MIB = 32

/** Each list is one client in several notations. */
const CLIENTS: [name: string, notations: string[]][] = [
  ['one IPv4 address', ['203.0.113.7']],
  [
    'an IPv4 address, mapped to IPv6 or not',
    ['198.51.100.1', '::ffff:198.51.100.1', '::FFFF:c633:6401', '0:0:0:0:0:ffff:198.51.100.1'],
  ],
  ['an IPv6 /64', ['2001:db8:1:2::1', '2001:DB8:1:2:0:0:0:5', '2001:0db8:0001:0002:ffff:ffff:ffff:ffff']],
  ['the /64 beside it', ['2001:db8:1:3::1']],
]

export default {
  name: 'limiter',
  how: `Far more requests than the limit allows are sent at once over many connections, from one client in several notations of its address. Then requests come from a great many addresses, and the memory of the server is read.`,
  run: async (effort) => [await exact(effort), await preflights(), await memory(effort)],
} satisfies Case

async function exact({ of }: Effort): Promise<Row> {
  const tally = new Tally(
    `A client with a limit of ${BURST} gets exactly ${BURST} responses, however it writes its address`,
  )
  for (let round = 0; round < of(5, 1); round++) {
    await using place = new Place()
    place.fill((seed) => seed.product(seed.team('acme'), 'app'))
    const server = await place.serve(STRICT)
    for (const [name, notations] of CLIENTS) {
      const statuses = await Promise.all(
        Array.from({ length: BURST * 4 }, async (_, n) => {
          using connection = await RawConnection.open(server.port)
          const address = notations[n % notations.length] as string
          // Missing content costs as much as what is there.
          const target = n % 3 === 0 ? publicPath('ghosts', 'app') : path
          return (await connection.get(target, { 'X-Forwarded-For': address })).status
        }),
      )
      const allowed = statuses.filter((status) => status !== 429).length
      tally.count(allowed === BURST, () => `${name}: ${allowed} of ${statuses.length}`)
    }
  }
  return tally.row(`${BURST * 4} requests at once from each of ${CLIENTS.length} clients`)
}

const [USER, PASSWORD] = ['vera', 'secret']
const PROTECTED = {
  ...STRICT,
  PASSWORD_PROTECTION: 'true',
  PASSWORD_PROTECTION_USER: USER,
  PASSWORD_PROTECTION_PASSWORD: PASSWORD,
}

async function preflights(): Promise<Row> {
  const tally = new Tally('CORS preflights cost nothing, with and without a password')
  await preflightsTo(STRICT, [200, 204], tally)
  // Browsers send no password with them.
  await preflightsTo(PROTECTED, [401], tally)
  return tally.row('')
}

async function preflightsTo(
  settings: Record<string, string>,
  expected: readonly number[],
  tally: Tally,
): Promise<void> {
  await using place = new Place()
  place.fill((seed) => seed.product(seed.team('acme'), 'app'))
  const server = await place.serve(settings)
  using connection = await RawConnection.open(server.port)
  const preflight = request(path, { Origin: 'https://example.com', 'Access-Control-Request-Method': 'GET' })
  for (let n = 0; n < BURST * 2; n++) {
    const { status } = await connection.send(preflight.replace('GET', 'OPTIONS'))
    tally.count(expected.includes(status), () => `preflight ${n}: ${status}`)
  }
  for (let n = 0; n < BURST; n++) {
    const { status } = await connection.get(path, {
      'X-Site-Authorization': `Basic ${btoa(`${USER}:${PASSWORD}`)}`,
    })
    tally.count(status === 200, () => `request ${n} after them: ${status}`)
  }
}

async function memory({ of }: Effort): Promise<Row> {
  const addresses = of(1_000_000, 40_000)
  const warmUp = of(100_000, 20_000)
  const tally = new Tally(
    `Requests from a million addresses grow the server by no more than ${GROWTH_MIB} MiB`,
  )
  await using place = new Place()
  place.fill((seed) => seed.product(seed.team('acme'), 'app'))
  const server = await place.serve(STRICT)
  const send = async (from: number, to: number) => {
    const AT_ONCE = 50
    using connection = await RawConnection.open(server.port)
    for (let n = from; n < to; n += AT_ONCE) {
      const texts = Array.from({ length: Math.min(AT_ONCE, to - n) }, (_, k) =>
        request(path, { 'X-Forwarded-For': addressOf(n + k) }),
      )
      const responses = texts.map(() => connection.response())
      connection.write(texts.join(''))
      for (const { status } of await Promise.all(responses))
        tally.count(status === 200, () => `status ${status}`)
    }
  }
  await send(0, warmUp)
  const before = residentBytes(server.child.pid)
  const quarter = (addresses - warmUp) / 4
  await Promise.all([0, 1, 2, 3].map((n) => send(warmUp + n * quarter, warmUp + (n + 1) * quarter)))
  const growth = (residentBytes(server.child.pid) - before) / 2 ** 20
  tally.count(growth <= GROWTH_MIB, () => `${growth.toFixed(1)} MiB`)
  return tally.row(
    `${growth.toFixed(1)} MiB after ${addresses} addresses, ${(before / 2 ** 20).toFixed(0)} MiB before`,
  )
}

/** Half of them IPv4, half IPv6 networks. */
const addressOf = (n: number): string =>
  n % 2 === 0
    ? `${11 + (n >>> 24)}.${(n >>> 16) & 255}.${(n >>> 8) & 255}.${n & 255}`
    : `2001:db8:${(n >>> 16).toString(16)}:${(n & 0xffff).toString(16)}::1`
