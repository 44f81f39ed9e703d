import { join } from 'node:path'
import { linesOf } from '../../../../test/support/servers/process.ts'
import { until } from '../../../../test/support/until.ts'
import { type Case, type Effort, type Row, Tally } from '../../support/case.ts'
import { startLoad } from '../../support/load.ts'
import { Place } from '../../support/place.ts'
import { getOnce } from '../../support/socket.ts'
import { startWriter, stateOf, WRITTEN } from '../../support/written.ts'

const PLAYED = join(import.meta.dir, '../../support/litestream-process.ts')

export default {
  name: 'litestream',
  how: 'A program does to the database what Litestream 0.3 and 0.5 do, without their pauses: a read transaction that is held, checkpoints of each kind, and writes to its own tables; then Litestream itself replicates, if it is installed. Meanwhile a program commits, clients read, commands run, and a backup is restored.',
  run: async (effort) => [
    ...(await beside('0.3', effort)),
    ...(await beside('0.5', effort)),
    await replicated(effort),
  ],
} satisfies Case

async function beside(version: string, { of }: Effort): Promise<Row[]> {
  const fresh = new Tally(`Beside Litestream ${version} no response fails or is older than the last commit`)
  const commands = new Tally(`Beside Litestream ${version} no command fails, and a restore is served at once`)
  await using place = new Place()
  const writer = await startWriter(place, 3)
  const litestream = linesOf(place.start([process.execPath, PLAYED, version, place.database]).stdout)
  const server = await place.serve()
  const loads = [false, true].map((renew) =>
    startLoad(
      server.port,
      WRITTEN,
      2,
      (response, before) => {
        const state = response.status === 200 ? stateOf(response) : null
        fresh.count(
          state !== null && state >= before,
          () => `status ${response.status}: ${state}, not ${before}`,
        )
      },
      { before: () => writer.committed, renew, onLost: (error) => fresh.count(false, () => error.message) },
    ),
  )
  for (let n = 0; n < of(40, 4); n++) {
    const { status, stderr } = await place.run(['team', 'create', `team-${n}`, '--name', `Team ${n}`])
    commands.count(status === 0, () => stderr)
  }
  const backup = place.at('backup.db')
  await place.must('backup', backup)
  await Promise.all(loads.map((load) => load.stop()))
  await writer.kill()
  const kept = await place.export(backup)

  for (let n = 0; n < of(10, 2); n++) {
    await place.must('team', 'create', `later-${n}`, '--name', 'Later', '--visibility', 'public')
    const { status, stderr } = await place.run(['restore', backup, '--yes'])
    commands.count(status === 0 && (await place.export()) === kept, () => stderr)
    const page = await getOnce(server.port, `/changelog/later-${n}`)
    commands.count(page?.status === 404, () => `what was restored away is a ${page?.status}`)
    const { length } = litestream.lines
    await until(() => litestream.lines.length > length + 8)
  }
  const rounds = litestream.lines.length
  const refused = litestream.lines.filter((line) => line !== 'round ').length
  await server.stop()
  commands.count(server.errors.length === 0, () => server.errors.join(' '))
  return [
    fresh.row(`${writer.committed} commits, ${rounds} checkpoints, ${refused} of them had to wait`),
    commands.row(''),
  ]
}

/** With Litestream itself. */
async function replicated({ of }: Effort): Promise<Row> {
  const tally = new Tally('What Litestream restores is what was committed, a restore included')
  if (Bun.which('litestream') === null) return tally.leftOut('litestream is not installed')
  await using place = new Place()
  const replica = `file://${place.at('replica')}`
  const writer = await startWriter(place, 3)
  const server = await place.serve()
  const litestream = place.start(['litestream', 'replicate', place.database, replica])
  const stale = startLoad(
    server.port,
    WRITTEN,
    2,
    (response, before) => {
      const state = response.status === 200 ? stateOf(response) : null
      tally.count(
        state !== null && state >= before,
        () => `status ${response.status}: ${state}, not ${before}`,
      )
    },
    { before: () => writer.committed, onLost: (error) => tally.count(false, () => error.message) },
  )
  await Bun.sleep(of(20_000, 3_000))
  await place.must('backup', place.at('backup.db'))
  await stale.stop()
  await writer.kill()
  await place.must('team', 'create', 'later', '--name', 'Later')
  await place.must('restore', place.at('backup.db'), '--yes')
  await place.must('team', 'create', 'last', '--name', 'Last')
  await Bun.sleep(3_000)
  litestream.kill('SIGTERM')
  await litestream.exited
  const restored = place.start(['litestream', 'restore', '-o', place.at('restored.db'), replica])
  tally.count((await restored.exited) === 0, () => 'Litestream cannot restore')
  tally.count((await place.export(place.at('restored.db'))) === (await place.export()), () => 'it differs')
  await server.stop()
  return tally.row(`${writer.committed} commits under ${stale.responses} reads`)
}
