import { Random } from '../../../../test/support/random.ts'
import { killProcess, outputOf } from '../../../../test/support/servers/process.ts'
import { until } from '../../../../test/support/until.ts'
import { mebibytes, processorSeconds } from '../../../bench/usage.ts'
import { type Case, type Row, Tally } from '../../support/case.ts'
import { Place, PROGRAM } from '../../support/place.ts'

const ENV = { PUBLIC_URL: 'https://news.acme.test', HOOKS_PRIVATE: 'true' }
const HOOKS = 20
/** A worker is killed after so many messages or milliseconds at most. */
const MOST_MESSAGES = 100
const LONGEST_LIFE_MS = 600
/** How long what a killed worker has sent may be on its way. */
const ON_ITS_WAY_MS = 50
const ROUND_MS = 2_000

export default {
  name: 'announcing',
  how: 'A worker tells 20 hooks of releases that are published and withdrawn, and is killed with SIGKILL at random moments, again and again. The last one is left alone until every hook knows of everything that is public. Then a worker with 10,000 hooks has nothing to do, and after that compares everything because somebody asked it to.',
  run: async ({ of }) => [
    ...(await killOften(of(200, 6), of(500, 15))),
    await idle(of(10_000, 200), of(5, 1)),
  ],
} satisfies Case

async function killOften(kills: number, releases: number): Promise<Row[]> {
  const random = new Random()
  await using place = new Place()
  using receiver = new Receivers(random)
  const app = place.fill((seed) => seed.product(seed.team('acme'), 'app').changelogId)
  for (let at = 0; at < HOOKS; at++) {
    const args = ['hook', 'add', 'acme', receiver.url(at)]
    const { status, stderr } = await place.run(args, { env: ENV })
    if (status !== 0) throw new Error(stderr)
  }
  const start = async () => {
    const worker = place.start([PROGRAM, 'worker'], ENV)
    const { lines } = outputOf(worker)
    await until(() => lines.length > 0)
    return worker
  }
  const published: string[] = []
  for (let kill = 0; kill < kills; kill++) {
    place.fill((seed) => {
      for (const end = Math.ceil(((kill + 1) * releases) / kills); published.length < end; ) {
        seed.version(app, `1.${published.length}`)
        published.push(`1.${published.length}`)
      }
      seed.version(app, `hidden-${kill}`, { status: 'draft' })
      receiver.hidden.add(`hidden-${kill}`)
      const withdrawn = random.pick(published)
      if (kill % 4 !== 0) return
      receiver.hidden.add(withdrawn)
      seed.db.run(`UPDATE version SET status = 'draft' WHERE label = ?`, [withdrawn])
    })
    const worker = await start()
    const enough = receiver.messages + random.below(MOST_MESSAGES)
    const end = performance.now() + random.next() * LONGEST_LIFE_MS
    await until(() => receiver.messages >= enough || performance.now() >= end)
    await killProcess(worker)
    await Bun.sleep(ON_ITS_WAY_MS)
  }
  const before = receiver.messages
  const last = await start()
  const visible = published.filter((label) => !receiver.hidden.has(label))
  await until(() => receiver.told.every((hook) => isCurrent(hook, visible)))
  await killProcess(last)

  const least = new Tally('Every hook is told of each release at least once, also if workers are killed')
  const order = new Tally('A hook is told of a version in order: published before withdrawn')
  for (const hook of receiver.told) {
    for (const label of visible)
      least.count(hook.get(label)?.includes('p') === true, () => `${label} is missing`)
    for (const [label, told] of hook) order.count(/^p*w*$/.test(told), () => `${label}: ${told}`)
  }
  const hidden = new Tally('Nothing that is hidden is announced')
  for (let at = 0; at < receiver.messages; at++) hidden.count(true, () => '')
  for (const label of receiver.leaked) hidden.count(false, () => `${label} was told while it was hidden`)
  const figure = `${kills} kills, ${HOOKS} hooks, ${published.length} releases`
  return [
    least.row(`${figure}; ${receiver.messages} messages, ${receiver.messages - before} by the last worker`),
    order.row(figure),
    hidden.row(figure),
  ]
}

/** Knows everything that is public, and of what it was told nothing that is not. */
const isCurrent = (hook: ReadonlyMap<string, string>, visible: readonly string[]): boolean =>
  visible.every((label) => hook.get(label)?.endsWith('p')) &&
  hook.entries().every(([label, told]) => visible.includes(label) || told.endsWith('w'))

/** All receivers of messages, in one server. */
class Receivers implements Disposable {
  /** For each hook by label what it was told, in order: `p` is published, `w` withdrawn. */
  readonly told = Array.from({ length: HOOKS }, () => new Map<string, string>())
  readonly hidden = new Set<string>()
  readonly leaked: string[] = []
  messages = 0
  private readonly server

  constructor(random: Random) {
    this.server = Bun.serve({
      ...{ port: 0, hostname: '127.0.0.1', development: false },
      fetch: async (request) => {
        const { type, data } = (await request.json()) as Message
        this.messages++
        const hook = this.told[Number(new URL(request.url).pathname.slice(1))]
        for (const { version } of data.versions ?? [data]) {
          const isWithdrawn = type === 'version.withdrawn'
          hook?.set(version, (hook.get(version) ?? '') + (isWithdrawn ? 'w' : 'p'))
          if (this.hidden.has(version) && !isWithdrawn) this.leaked.push(version)
        }
        await Bun.sleep(random.next() * 5)
        return new Response()
      },
    })
  }

  url(at: number): string {
    return `http://127.0.0.1:${this.server.port}/${at}`
  }

  [Symbol.dispose](): void {
    void this.server.stop(true)
  }
}

interface Message {
  type: string
  data: { version: string; versions?: { version: string }[] }
}

async function idle(hooks: number, rounds: number): Promise<Row> {
  const tally = new Tally('Hooks that have nothing to hear of cost next to nothing')
  await using place = new Place()
  let requests = 0
  using receiver = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1', development: false },
    fetch: () => new Response(`${++requests}`),
  })
  place.fill((seed) => {
    for (let each = 0; each < 10; each++) {
      const team = seed.team(`team-${each}`)
      const { changelogId } = seed.product(team, 'app')
      for (let at = 0; at < 100; at++) seed.version(changelogId, `1.${at}`)
      for (let at = each; at < hooks; at += 10)
        seed.db.run(
          `INSERT INTO hook (id, team_id, kind, url, status, created_at) VALUES (?, ?, 'webhook', ?, 'active', 0)`,
          [`hk_${at}`, team, `http://127.0.0.1:${receiver.port}/`],
        )
    }
  })
  const worker = place.start([PROGRAM, 'worker'], ENV)
  const { lines } = outputOf(worker)
  await until(() => lines.length > 0)
  const states = () => {
    using db = place.bookkeeping()
    return db.query<{ count: number }, []>('SELECT count(*) AS count FROM worker_hook').get()?.count
  }
  await until(async () => states() === hooks)
  await Bun.sleep(ROUND_MS)
  const each = async (before: () => void) => {
    const begin = processorSeconds(worker.pid)
    for (let round = 0; round < rounds; round++) {
      before()
      await Bun.sleep(ROUND_MS)
    }
    return (processorSeconds(worker.pid) - begin) / rounds
  }
  const quiet = await each(() => {})
  const compared = await each(() => worker.kill('SIGUSR2'))
  tally.count(quiet < 1, () => `a round takes ${quiet} s of processor time`)
  tally.count(compared < 1, () => `a comparison takes ${compared} s of processor time`)
  tally.count(requests === 0, () => `${requests} messages`)
  return tally.row(
    `${hooks.toLocaleString('en')} hooks: idle round ${quiet.toFixed(2)} s of processor time, comparison with 1,000 versions ${compared.toFixed(2)} s, ${mebibytes(worker.pid)} MiB`,
  )
}
