import { Database } from 'bun:sqlite'
import { type Case, type Effort, type Row, Tally } from '../../support/case.ts'
import { Place } from '../../support/place.ts'

/** Longer than commands once waited. */
const HELD_MS = 13_000

export default {
  name: 'writers',
  how: 'Many commands that write to the same database are started at once; each waits for its turn. Another one is started while a program holds the database for longer than ten seconds.',
  run: async (effort) => [...(await together(effort)), await waiting()],
} satisfies Case

async function together({ of }: Effort): Promise<Row[]> {
  const writers = of(200, 30)
  const done = new Tally('Commands that write at the same time wait for each other: none fails')
  const there = new Tally('What each of them wrote is there, and the database is whole')
  await using place = new Place()
  place.fill((seed) => seed.product(seed.team('acme'), 'app'))
  const began = performance.now()
  const labels = Array.from({ length: writers }, (_, n) => `1.${n}.0`)
  const results = await Promise.all(
    labels.map((label) => place.run(['version', 'create', 'acme/app', label, '--title', 'A release'])),
  )
  const seconds = (performance.now() - began) / 1000
  for (const { status, stderr } of results) done.count(status === 0, () => `status ${status}: ${stderr}`)
  const exported = await place.export()
  for (const [n, label] of labels.entries()) {
    const written = exported.split(`"version":"${label}"`).length - 1
    there.count(written === (results[n]?.status === 0 ? 1 : 0), () => `${label} is there ${written} times`)
  }
  there.count(place.isWhole(), () => 'the database is damaged')
  return [done.row(`${writers} at once, ${seconds.toFixed(1)} s`), there.row('')]
}

/** The lock of SQLite has no owner to be asked, so any program that holds it stands for a command that works. */
async function waiting(): Promise<Row> {
  const tally = new Tally('A command waits as long as another one works and says so; `--wait` bounds it')
  await using place = new Place()
  place.fill((seed) => seed.team('acme'))
  const holder = new Database(place.database)
  holder.run('BEGIN IMMEDIATE')
  const update = ['team', 'update', 'acme', '--name', 'New']
  const began = performance.now()
  const waited = place.run(update)
  const bounded = await place.run([...update, '--wait', '1'])
  const gaveUp = (performance.now() - began) / 1000
  tally.count(
    bounded.status === 1 && gaveUp < 5,
    () => `--wait 1: status ${bounded.status} after ${gaveUp} s: ${bounded.stderr}`,
  )
  await Bun.sleep(HELD_MS - gaveUp * 1000)
  holder.run('ROLLBACK')
  holder.close()
  const { status, stderr } = await waited
  tally.count(status === 0 && stderr !== '', () => `status ${status}: ${stderr}`)
  return tally.row(`held for ${HELD_MS / 1000} s; --wait 1 ended after ${gaveUp.toFixed(1)} s`)
}
