import { outputOf } from '../../../../test/support/servers/process.ts'
import { until } from '../../../../test/support/until.ts'
import { type Case, Tally } from '../../support/case.ts'
import { Place, PROGRAM } from '../../support/place.ts'

const ENV = { PUBLIC_URL: 'https://news.acme.test', HOOKS_PRIVATE: 'true' }
const YEAR_MS = 365 * 86_400_000
/** Every time that the worker compares with the clock. */
const TIMES = {
  worker_source_check: ['checked_at', 'next_at'],
  worker_delivery: ['next_at', 'claimed_until'],
  worker_lease: ['until'],
}

export default {
  name: 'clock',
  how: 'What a worker has noted is moved a year ahead, as if its clock had been wrong, a lease of another machine included. `doctor` must name the source, and the next worker must begin, check it and try again what had failed.',
  async run({ of }) {
    const [said, done] = [
      new Tally('A source that a wrong clock has put off is named, and is not ok'),
      new Tally('A clock that was ahead stops nothing'),
    ]
    for (let time = of(10, 1); time > 0; time--) {
      await using place = new Place()
      let told = 0
      using receiver = Bun.serve({
        ...{ port: 0, hostname: '127.0.0.1', development: false },
        fetch: () => new Response('', { status: ++told === 1 ? 500 : 200 }),
      })
      const app = place.fill((seed) => seed.product(seed.team('acme'), 'app').changelogId)
      const run = async (...args: string[]) => (await place.run(args, { env: ENV })).stdout
      await Bun.write(place.at('log.md'), '## 1.0.0 - 2026-01-02\n\n- A change\n')
      await run('follow', 'acme/web', 'log.md', '--create')
      await run('hook', 'add', 'acme', `http://127.0.0.1:${receiver.port}/`)
      await run('worker', '--once')
      place.fill((seed) => seed.version(app, '1.0'))
      await run('worker', '--once')
      {
        using db = place.bookkeeping()
        db.run(`INSERT INTO worker_lease VALUES ('worker', '00000000-1-00000000', ${Date.now()})`)
        for (const [table, columns] of Object.entries(TIMES))
          for (const column of columns) db.run(`UPDATE ${table} SET ${column} = ${column} + ${YEAR_MS}`)
      }
      const doctor = await run('doctor')
      said.count(/acme\/web is due, but was scheduled for .* the clock was wrong/.test(doctor), () => doctor)
      const list = await run('follow', 'list')
      said.count(list.includes('needs a worker'), () => list)
      await Bun.write(
        place.at('log.md'),
        '## 1.1.0 - 2026-01-03\n\n- News\n\n## 1.0.0 - 2026-01-02\n\n- A change\n',
      )
      const worker = place.start([PROGRAM, 'worker'], ENV)
      const { lines } = outputOf(worker)
      await until(() => lines.length > 0)
      await until(() => told === 2)
      await until(async () => (await run('version', 'list', 'acme/web')).includes('1.1.0'))
      done.count(true, () => '')
    }
    return [said.row('a year ahead, and back'), done.row('following, retries and the lease of a worker')]
  },
} satisfies Case
