import { readFileSync, writeFileSync } from 'node:fs'
import { newToken } from '../../../../src/domain/token.ts'
import { keyedPath, publicPath } from '../../../../test/support/servers/server.ts'
import { median } from '../../../bench/figures.ts'
import { processorSeconds } from '../../../bench/usage.ts'
import { type Case, type Row, Tally } from '../../support/case.ts'
import { Place } from '../../support/place.ts'
import { getOnce, RawConnection, request } from '../../support/socket.ts'

const [USER, PASSWORD] = ['vera', 'Tr0ub4dor+horse']
const BASIC = Buffer.from(`${USER}:${PASSWORD}`).toString('base64')

const HEADERS = [
  'Authorization',
  'X-Site-Authorization',
  'Cookie',
  'User-Agent',
  'Referer',
  'Origin',
  'X-Request-Id',
  'X-Forwarded-For',
]

export default {
  name: 'secrets',
  how: 'API keys and the password of the site are sent in every header, in paths and in queries, plain, escaped up to four times and in base64, to a server that logs requests. Its output, the output of commands and the process list are searched for each of these forms. What logging costs is the processor time of the server for requests of paths that are new each time; the median of several tries counts.',
  run: async ({ of }) => [await logged(), await cost(of(5, 1)), await inArguments()],
} satisfies Case

async function logged(): Promise<Row> {
  const tally = new Tally(
    'No API key and not the password of the site is written to the log or to standard error, plain, escaped or in base64, or seen in the process list',
  )
  await using place = new Place()
  const token = place.fill((seed) => {
    const team = seed.team('acme')
    seed.product(team, 'app')
    return seed.key(team).token
  })
  writeFileSync(place.at('password'), PASSWORD)
  const env = {
    LOG_REQUESTS: 'true',
    PASSWORD_PROTECTION: 'true',
    PASSWORD_PROTECTION_USER: USER,
    PASSWORD_PROTECTION_PASSWORD_FILE: place.at('password'),
  }
  const server = await place.serve(env)
  const processList = readFileSync(`/proc/${server.child.pid}/cmdline`, 'utf8')
  const secrets = [token, PASSWORD]
  let requests = 0
  const send = async (target: string, headers: Record<string, string>) => {
    await getOnce(server.port, target.replaceAll(' ', '%20'), headers)
    requests++
  }
  for (const secret of secrets)
    for (const form of formsOf(secret)) {
      for (const header of HEADERS)
        for (const value of [form, `Bearer ${form}`, `Basic ${form}`, `x ${form}`])
          await send(keyedPath('acme', 'app'), { [header]: value })
      for (const target of [
        `${keyedPath('acme', 'app')}?access_token=${form}`,
        `/${form}`,
        keyedPath(form, 'app'),
        `/x/Basic ${form}`,
      ])
        for (const authorization of ['x', `Basic ${BASIC}, Bearer ${token}`])
          await send(target, { Authorization: authorization })
    }
  const outputs = [
    processList,
    ...(await Promise.all(
      [['doctor'], ['status'], ['key', 'list', 'acme'], ['export', '--all'], ['serve', '--port', 'x']].map(
        async (args) => {
          const { stdout, stderr } = await place.run(args, { env })
          return stdout + stderr
        },
      ),
    )),
  ]
  await server.stop()
  for (const line of [...server.lines, ...server.errors, ...outputs])
    tally.count(!reveals(line, secrets), () => line)
  return tally.row(`${requests} requests, ${server.lines.length} lines`)
}

const REQUESTS = 4_000
const AGENT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

async function cost(tries: number): Promise<Row> {
  const tally = new Tally(
    'A request for what is not cached takes no more than twice the processor time if it is logged',
  )
  await using place = new Place()
  place.fill((seed) => seed.team('acme'))
  let serial = 0
  const spent = async (LOG_REQUESTS: string): Promise<number> => {
    const server = await place.serve({ LOG_REQUESTS })
    const connection = await RawConnection.open(server.port)
    const send = async (count: number) => {
      for (let n = 0; n < count; n++)
        await connection.send(request(publicPath('acme', `fast-uri-${++serial}`), { 'User-Agent': AGENT }))
    }
    await send(REQUESTS / 4)
    const before = processorSeconds(server.child.pid)
    await send(REQUESTS)
    const seconds = processorSeconds(server.child.pid) - before
    connection.close()
    await server.stop()
    return (seconds / REQUESTS) * 1e6
  }
  const [plain, logged]: [number[], number[]] = [[], []]
  for (let n = 0; n < tries; n++) {
    plain.push(await spent('off'))
    logged.push(await spent('all'))
  }
  const [without, withLog] = [median(plain), median(logged)]
  const figure = `${without.toFixed(0)} µs without, ${withLog.toFixed(0)} µs with`
  tally.count(withLog <= 2 * without, () => figure)
  return tally.row(figure)
}

async function inArguments(): Promise<Row> {
  const tally = new Tally(
    'Commands take no secret as an argument, and do not repeat it; `get` names what to use',
  )
  await using place = new Place()
  place.fill((seed) => seed.team('acme'))
  const tries: [string[], RegExp][] = [
    [['serve', '--port', '0', '--password-protection-password', PASSWORD], /Unknown option/],
    [['doctor', `--password-protection-password=${PASSWORD}`], /Unknown option/],
    [['get', '/healthz', '--key', newToken()], /CHANGELOGD_KEY/],
  ]
  for (const [args, reason] of tries) {
    const { status, stderr } = await place.run(args, { killAfter: 5_000 })
    tally.count(
      status !== 0 && status !== null && reason.test(stderr) && !reveals(stderr, [PASSWORD]),
      () => `${args.slice(0, -1).join(' ')}: status ${status}: ${stderr}`,
    )
  }
  return tally.row('')
}

/** The ways to write a secret. */
function formsOf(secret: string): string[] {
  const every = (text: string) => [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')
  const forms = [
    secret,
    Buffer.from(secret).toString('base64'),
    Buffer.from(`x:${secret}`).toString('base64url'),
  ]
  let escaped = every(secret)
  for (let time = 0; time < 4; time++) {
    forms.push(escaped)
    escaped = escaped.replaceAll('%', '%25')
  }
  return forms
}

/** Whether a text contains one of the secrets, in base64 too, unescaped as often as it can be. */
function reveals(text: string, secrets: readonly string[]): boolean {
  if (secrets.some((secret) => text.includes(secret))) return true
  // With and without the slashes of a path, which are letters of base64 as well.
  const words = [
    ...(text.match(/[A-Za-z0-9+/_-]{12,}/g) ?? []),
    ...(text.match(/[A-Za-z0-9+_-]{12,}/g) ?? []),
  ]
  const decoded = words.map((word) => Buffer.from(word, 'base64').toString('latin1'))
  if (decoded.some((inner) => secrets.some((secret) => inner.includes(secret)))) return true
  const unescaped = text.replace(/%([0-9a-f]{2})/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  return unescaped !== text && reveals(unescaped, secrets)
}
