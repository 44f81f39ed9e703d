import { Database } from 'bun:sqlite'
import { readdirSync, readlinkSync } from 'node:fs'
import { orNull } from '../../../../src/domain/errors.ts'
import { outputOf } from '../../../../test/support/servers/process.ts'
import { until } from '../../../../test/support/until.ts'
import { type Case, Tally } from '../../support/case.ts'
import { Place, PROGRAM } from '../../support/place.ts'

const SOURCES = 24

/** Busy loops: on a quiet machine, a process that loses its locks is almost never seen. */
const LOOPS = 16

class Tallies {
  readonly done = new Tally('No command beside them fails')
  readonly kept = new Tally('What a command, a sync or a worker has reported is there')
  readonly whole = new Tally('The database and every copy of it are whole')
  readonly open = new Tally('No process works with a removed log')
}

export default {
  name: 'connections',
  how: `On a machine with ${LOOPS} busy loops, commands write to a database that no server has open, one after another, first beside \`sync\`, then beside a worker, each over ${SOURCES} sources that have a new version at every check, and beside \`backup\`. Then the database is checked, and everything that was reported as written is looked for.`,
  async run({ of }) {
    const commands = of(250, 10)
    const tallies = new Tallies()
    const counts = []
    for (const beside of [besideSync, besideWorker]) counts.push(await round(beside, commands, tallies))
    const figure = `${commands * 2} commands, ${counts.map(({ rounds, versions }) => `${rounds} rounds with ${versions} versions`).join(', ')}`
    return [tallies.done.row(figure), tallies.kept.row(''), tallies.whole.row(''), tallies.open.row('')]
  },
} satisfies Case

/** Checks all sources until `ended`, and returns how often. Tells the host which of its answers have been written. */
type Beside = (place: Place, host: Host, ended: () => boolean, tallies: Tallies) => Promise<number>

const besideSync: Beside = async (place, host, ended, tallies) => {
  let rounds = 0
  while (!ended()) {
    const served = host.served()
    const child = place.start([PROGRAM, 'sync', '--json'], { FOLLOW_PRIVATE: 'true' })
    const looking = look(child.pid, tallies)
    const outputs = [child.stdout, child.stderr].map((output) => new Response(output).text())
    const [, stderr] = await Promise.all(outputs)
    const status = await child.exited
    looking.stop()
    tallies.done.count(status === 0, () => `sync ended with ${status}: ${stderr}`)
    if (status === 0) host.acknowledge(served)
    rounds++
  }
  return rounds
}

const besideWorker: Beside = async (place, host, ended, tallies) => {
  const worker = place.start([PROGRAM, 'worker'], { FOLLOW_PRIVATE: 'true' })
  const { lines } = outputOf(worker)
  await until(() => lines.length > 0)
  const looking = look(worker.pid, tallies)
  let rounds = 0
  while (!ended()) {
    const [before, asked] = [host.served(), host.asked()]
    worker.kill('SIGUSR2')
    await until(() => host.asked() - asked >= SOURCES || ended())
    if (rounds++ > 0) host.acknowledge(before.map((count) => count - 1))
  }
  looking.stop()
  worker.kill()
  tallies.done.count((await worker.exited) === 0, () => `the worker ended with ${worker.exitCode}`)
  return rounds
}

async function round(beside: Beside, commands: number, tallies: Tallies) {
  await using place = new Place()
  using host = playHost()
  place.fill((seed) => {
    const team = seed.team('acme')
    seed.version(seed.product(team, 'app').changelogId, '1.0.0')
    for (let n = 0; n < SOURCES; n++) {
      const { id } = seed.product(team, `p${n}`)
      seed.db.run(
        `INSERT INTO source (id, product_id, url, kind, tag_dates, every, prune, paused, created_at)
          VALUES (?, ?, ?, 'auto', 0, 900000, 0, 0, 0)`,
        [`src_${n}`, id, `http://127.0.0.1:${host.port}/${n}/CHANGELOG.md`],
      )
    }
  })
  for (let n = 0; n < LOOPS; n++) place.start(['sh', '-c', 'while :; do :; done'])
  let isEnded = false
  const working = beside(place, host, () => isEnded, tallies)
  const copying = (async () => {
    for (let n = 0; !isEnded; n++) {
      const { status, stderr } = await place.run(['backup', place.at(`copy-${n}.db`)])
      tallies.done.count(status === 0, () => `backup: ${stderr}`)
      if (status === 0) tallies.whole.count(place.isWhole(place.at(`copy-${n}.db`)), () => `copy ${n}`)
      await Bun.sleep(500)
    }
  })()
  const written: string[] = []
  for (let n = 0; n < commands; n++) {
    const title = `change ${n}`
    const { status, stderr } = await place.run([
      'change',
      'add',
      'acme/app',
      '1.0.0',
      title,
      '--type',
      'added',
    ])
    tallies.done.count(status === 0, () => `${title}: ${stderr}`)
    if (status === 0) written.push(title)
  }
  isEnded = true
  const [rounds] = await Promise.all([working, copying])
  tallies.whole.count(place.isWhole(), () => 'the database is damaged')
  using db = new Database(place.database)
  const there = new Set(
    db
      .query<{ title: string }, []>('SELECT title FROM "change"')
      .all()
      .map(({ title }) => title),
  )
  for (const title of written) tallies.kept.count(there.has(title), () => `"${title}" is lost`)
  const versionsOf = db.query<{ count: number }, [string]>(
    'SELECT count(*) AS count FROM version v JOIN changelog c ON c.id = v.changelog_id JOIN product p ON p.id = c.product_id WHERE p.slug = ?',
  )
  let versions = 0
  for (const [n, least] of host.acknowledged.entries()) {
    const found = versionsOf.get(`p${n}`)?.count ?? 0
    versions += found
    tallies.kept.count(found >= least, () => `p${n}: ${found} versions of ${least}`)
  }
  return { rounds, versions }
}

type Host = ReturnType<typeof playHost>

/** Every answer for a source has one version more. */
function playHost() {
  const counts = Array.from({ length: SOURCES }, () => 0)
  const acknowledged = counts.slice()
  let asked = 0
  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1', development: false },
    fetch: (request) => {
      const at = Number(new URL(request.url).pathname.split('/')[1])
      asked++
      const count = (counts[at] ?? 0) + 1
      counts[at] = count
      const versions = Array.from(
        { length: count },
        (_, n) => `## 1.${count - n}.0 - 2026-01-02\n\n- A change\n`,
      )
      return new Response(versions.join('\n'))
    },
  })
  return {
    port: server.port,
    acknowledged,
    asked: () => asked,
    served: () => counts.slice(),
    acknowledge: (served: readonly number[]) => {
      for (const [at, count] of served.entries()) acknowledged[at] = Math.max(acknowledged[at] ?? 0, count)
    },
    [Symbol.dispose]: () => void server.stop(true),
  }
}

/**
 * Looks whether a process has a removed log open, until it is stopped. Not its index: the last one to close a database removes that before
 * it closes it, the log afterwards.
 */
function look(pid: number, { open }: Tallies) {
  const timer = setInterval(() => {
    const files = orNull(() => readdirSync(`/proc/${pid}/fd`)) ?? []
    const removed = files
      .map((file) => orNull(() => readlinkSync(`/proc/${pid}/fd/${file}`)) ?? '')
      .find((path) => /-wal \(deleted\)$/.test(path))
    open.count(removed === undefined, () => `${removed}`)
  }, 20)
  return { stop: () => clearInterval(timer) }
}
