import { newToken } from '../../../../src/domain/token.ts'
import { Random } from '../../../../test/support/random.ts'
import { bearer, keyedPath } from '../../../../test/support/servers/server.ts'
import { type Case, type Effort, type Row, Tally } from '../../support/case.ts'
import { Place } from '../../support/place.ts'
import { RawConnection, request } from '../../support/socket.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PRINTABLE = Array.from({ length: 95 }, (_, n) => String.fromCharCode(32 + n)).join('')
const [USER, PASSWORD] = ['vera', 'correct horse battery staple']

export default {
  name: 'credentials',
  how: 'Tokens that are random, differ from a valid one in one place, or are malformed are sent as API keys, and wrong passwords to a protected server, in every form an Authorization header can have.',
  run: async (effort) => [await tokens(effort), await passwords(effort)],
} satisfies Case

async function tokens({ of }: Effort): Promise<Row> {
  const tally = new Tally('No wrong API key is ever accepted: 401, or 400 for what is not valid HTTP')
  await using place = new Place()
  const { valid, disabled, expired } = place.fill((seed) => {
    const team = seed.team('acme')
    seed.product(team, 'app')
    return {
      valid: seed.key(team).token,
      disabled: seed.key(team, { status: 'disabled' }).token,
      expired: seed.key(team, { expiresAt: 1 }).token,
    }
  })
  const server = await place.serve()
  const random = new Random()
  const near = nearMisses(valid, random)
  await tryAll(server.port, tally, of(60_000, 3_000), {
    accepted: bearer(valid).authorization,
    wrong: (n) =>
      [
        () => `Bearer ${newToken()}`,
        () => `Bearer ${random.pick(near)}`,
        () => `Bearer clk_${random.text(36, BASE62)}`,
        () => `Bearer ${random.text(random.below(80), PRINTABLE)}`,
        () => random.text(random.below(120), PRINTABLE),
        () => random.pick(misplaced(valid)),
        () => `Bearer ${random.pick([disabled, expired])}`,
      ][n % 7]?.() ?? '',
    header: 'Authorization',
  })
  return tally.row('random, near misses, malformed, disabled and expired')
}

async function passwords({ of }: Effort): Promise<Row> {
  const tally = new Tally(
    'No wrong password passes the site-wide protection: 401, or 400 for what is not valid HTTP',
  )
  await using place = new Place()
  place.fill((seed) => seed.product(seed.team('acme'), 'app'))
  const server = await place.serve({
    PASSWORD_PROTECTION: 'true',
    PASSWORD_PROTECTION_USER: USER,
    PASSWORD_PROTECTION_PASSWORD: PASSWORD,
  })
  const random = new Random()
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
  const near = nearMisses(`${USER}:${PASSWORD}`, random)
  const right = basic(`${USER}:${PASSWORD}`)
  for (const header of ['Authorization', 'X-Site-Authorization'])
    await tryAll(server.port, tally, of(10_000, 500), {
      accepted: right,
      wrong: (n) =>
        [
          () => basic(`${USER}:${random.text(random.below(30), PRINTABLE)}`),
          () => basic(random.pick(near)),
          () => basic(random.text(random.below(60), PRINTABLE)),
          () => `Basic ${random.text(random.below(60), PRINTABLE)}`,
          () => `Bearer ${right.slice(6)}`,
          () => random.text(random.below(90), PRINTABLE),
        ][n % 6]?.() ?? '',
      header,
      path: '/api/v1/public/teams/acme/products/app/changelog',
    })
  return tally.row('in both headers')
}

interface Tries {
  /** A value that must be accepted, before and after the wrong ones. */
  accepted: string
  wrong(n: number): string
  header: string
  path?: string
}

/** Sends the wrong values over several connections, and the right one first and last. */
async function tryAll(port: number, tally: Tally, count: number, tries: Tries): Promise<void> {
  const { accepted, wrong, header, path = keyedPath('acme', 'app') } = tries
  const ask = (connection: RawConnection, value: string) =>
    connection.send(request(path, { [header]: value })).then(
      ({ status }) => status,
      () => 'no response',
    )
  const sendRight = async () => {
    using connection = await RawConnection.open(port)
    const status = await ask(connection, accepted)
    tally.count(status === 200, () => `the right credential got ${status}`)
  }
  const work = async (from: number) => {
    let connection = await RawConnection.open(port)
    for (let n = from; n < count; n += 4) {
      const value = wrong(n)
      // Spaces around a value are not part of it.
      if (value.trim() === accepted) continue
      const status = await ask(connection, value)
      tally.count(status === 401 || status === 400, () => `${status} for ${JSON.stringify(value)}`)
      if (status === 401) continue
      // The server closes a connection on which something is not valid HTTP.
      connection.close()
      connection = await RawConnection.open(port)
    }
    connection.close()
  }
  await sendRight()
  await Promise.all([0, 1, 2, 3].map(work))
  await sendRight()
}

/** The valid text with one thing wrong with it. */
function nearMisses(valid: string, random: Random): string[] {
  const changed = [...valid].flatMap((letter, at) =>
    [random.pick([...BASE62]), letter.toUpperCase(), letter.toLowerCase(), ''].map(
      (other) => valid.slice(0, at) + other + valid.slice(at + 1),
    ),
  )
  return [...changed, valid.slice(1), `${valid}0`, valid + valid, valid.split('').reverse().join('')].filter(
    (text) => text !== valid,
  )
}

/** The valid token where or how it does not count. */
const misplaced = (valid: string): string[] => [
  valid,
  `Bearer  ${valid}`,
  `Bearer\t${valid}`,
  `Bearer${valid}`,
  `Bearer ${valid} ${valid}`,
  `Bearer "${valid}"`,
  `Bearer ${valid},`,
  `Token ${valid}`,
  `Basic ${valid}`,
  `Basic ${Buffer.from(`x:${valid}`).toString('base64')}`,
  `Bearer: ${valid}`,
  `Bearer ${valid}; x`,
  `Bearer ${encodeURIComponent(`${valid}%`)}`,
]
