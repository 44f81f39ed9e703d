import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { wholeSecond } from '../../../src/domain/time/time.ts'
import { type Sandbox, withProduct } from '../../support/sandbox.ts'

const PUBLIC = '/public/teams/acme/products/app/changelog'
const AT = '2099-12-01T09:00:00.000Z'

let box: Sandbox
const labels = async () => (await box.seenByApi(PUBLIC)).data?.versions?.map(({ version }) => version)
const shown = () => box.json('version', 'show', 'acme/app', '2.0.0')
const schedule = () => box.json('version', 'schedule', 'acme/app', '2.0.0', '--at', AT)
/** As if the clock had passed the moment. */
const pass = () => box.write("UPDATE version SET published_at = 1000000 WHERE label = '2.0.0'")

beforeAll(async () => {
  box = await withProduct()
  await box.json('version', 'create', 'acme/app', '1.0.0', '--status', 'published')
  await box.seenByApi(PUBLIC)
})
afterAll(() => box.close())
beforeEach(() => box.json('version', 'create', 'acme/app', '2.0.0', '--title', 'Two'))
afterEach(async () => {
  await box.words('product update acme/app --status published')
  await box.words('version delete acme/app 2.0.0 --yes')
})

test('a scheduled version is a draft with its moment for keys, and hidden from the public until it has come', async () => {
  await schedule()
  expect(await labels()).toEqual(['1.0.0'])
  const { token } = await box.json<{ token: string }>('key', 'create', 'acme')
  const { data } = await box.seenByApi('/teams/acme/products/app/changelog', token)
  expect(data?.versions?.[0]).toEqual({
    id: expect.any(String),
    ...{ object: 'changelog.version', version: '2.0.0', title: 'Two' },
    ...{ status: 'draft', publishedAt: AT, changeCount: 0 },
  })
  pass()
  expect(await labels()).toEqual(['1.0.0', '2.0.0'])
  await box.json('version', 'draft', 'acme/app', '2.0.0')
  expect(await labels()).toEqual(['1.0.0'])
})

test('it appears on time on a server that nobody touches, on open connections and on new ones', async () => {
  const url = `${await box.serve()}/api/v1${PUBLIC}`
  // Long enough for the command, however slow the machine is: it refuses a time that has come.
  let moment = 0
  for (let aheadMs = 1_000, status: number | null = 1; status !== 0; aheadMs *= 2) {
    moment = Date.now() + aheadMs
    const at = new Date(moment).toISOString()
    ;({ status } = await box.run(['version', 'schedule', 'acme/app', '2.0.0', '--at', at]))
  }
  const shown = new Set<string>()
  for (; shown.size < 2; await Bun.sleep(20))
    for (const connection of ['keep-alive', 'close']) {
      const sentAt = Date.now()
      const isShown = (await (await fetch(url, { headers: { connection } })).text()).includes('2.0.0')
      // By the clock that both processes have.
      expect(isShown ? Date.now() >= moment : sentAt < moment).toBe(true)
      if (isShown) shown.add(connection)
    }
})

test('publishing it earlier dates it now, and so does publishing an unscheduled one', async () => {
  for (const before of [[], ['unschedule']]) {
    await schedule()
    for (const verb of before) await box.json('version', verb, 'acme/app', '2.0.0')
    const start = Date.now()
    await box.json('version', 'publish', 'acme/app', '2.0.0')
    const { publishedAt, ...version } = await shown()
    expect(version).toMatchObject({ status: 'published', scheduled: false })
    expect(Date.parse(String(publishedAt))).toBeWithin(start, Date.now() + 1)
    expect(await labels()).toEqual(['2.0.0', '1.0.0'])
    await box.json('version', 'draft', 'acme/app', '2.0.0')
  }
})

test('a moment in words is read', async () => {
  const start = Date.now()
  await box.json('version', 'schedule', 'acme/app', '2.0.0', '--at', '+2h')
  const ahead = Date.parse(String((await shown()).publishedAt)) - 7_200_000
  expect(ahead).toBeWithin(wholeSecond(start), wholeSecond(Date.now()) + 1)
})
