import type { Context, WorkMode } from '../cli/context.ts'
import { databaseName, isPostgres } from '../domain/addresses/database.ts'
import { Notice } from '../domain/notice.ts'
import { pause } from '../domain/time/waiting.ts'
import type { Leases } from '../store/bookkeeping/leases.ts'
import type { Waiting } from '../store/engines/wait.ts'
import { hurry, onHurry } from './hurry.ts'
import { startLog, untilStopped } from './serving.ts'

type Surroundings = Pick<Context, 'logHasTimes' | 'version'>
type Report = (event: unknown) => void

export const workingFor = (surroundings: Surroundings): Pick<Context, 'work' | 'handedOver'> => ({
  work: (...given) => work(surroundings, ...given),
  handedOver: async () => {
    const { value, done } = await serverLines.next()
    return done ? process.exit() : (await import('node:v8')).deserialize(Buffer.from(value, 'base64'))
  },
})

/** How long a worker that ends waits for work in progress: the longest is the answer of a mail server. */
const STOP_MS = 35_000

/** Works until a signal ends it. Loads its modules only here. */
async function work(
  { logHasTimes, version }: Surroundings,
  ...[{ config, file }, waiting, mode]: Parameters<Context['work']>
): Promise<void> {
  const { say, report } = startLog(config, logHasTimes)
  const stopped = Promise.race([untilStopped(), ...(mode === 'child' ? [untilInputEnds()] : [])])

  const { workerDatabase } = await import('../worker/settings.ts')
  const { backupSettingsFor, followingFor } = await import('../worker/contexts.ts')
  const { FollowJob } = await import('../worker/following/follow-job.ts')
  const { logChecks } = await import('../worker/following/report.ts')
  const { runOnce, startLoop } = await import('../worker/loop.ts')
  const { BackupJob } = await import('../worker/backups/backup-job.ts')
  const { createPicturesJob } = await import('../worker/pictures-job.ts')
  const { openBookkeeping } = await import('../store/bookkeeping/open.ts')
  const { announcingFor, createUnannounced } = await import('../announce/setup.ts')
  const { createAnnouncer } = await import('../announce/job.ts')
  const database = workerDatabase(config)
  await migrate(database, waiting, report)
  const bookkeeping = await openBookkeeping(database)
  const { leases } = bookkeeping
  const isAlone = !isPostgres(database)
  if (isAlone) {
    if (!(await takeTurn(leases, mode, stopped, report))) process.exit()
    // Deliveries begun by a killed worker are sent at once.
    await bookkeeping.deliveries.releaseAll()
  }
  const settings = { config, env: process.env, file, waiting, now: Date.now }
  const following = new FollowJob(followingFor(settings, bookkeeping), logChecks(report))
  const announcing = announcingFor(database, config, version, { bookkeeping, waiting, now: Date.now, report })
  const announcer = createAnnouncer(announcing)
  const copying = backupSettingsFor(settings, bookkeeping)
  const copier = copying && new BackupJob(copying, report)
  const jobs = [
    following,
    createPicturesJob(settings, report),
    config.publicUrl === '' ? createUnannounced(announcing) : announcer,
    ...(copier ? [copier] : []),
  ]

  if (mode === 'once') {
    const stopping = new AbortController()
    void stopped.then(() => stopping.abort())
    await runOnce(jobs, Date.now, stopping.signal)
  } else {
    const stats = async () => ({
      ...following.stats,
      ...(await announcer.stats()),
      copies: (await copier?.stats()) ?? null,
    })
    const { workerMetricsPort: port, metricsHost } = config
    const startMetrics = async (port: number) => {
      const { listenForMetrics } = await import('../http/metrics/listener.ts')
      const { workerMetricsText } = await import('../worker/metrics.ts')
      const text = async () => workerMetricsText(await stats())
      return listenForMetrics(metricsHost, port, 'worker-metrics-port', text, report)
    }
    const metrics = port === 'off' ? null : await startMetrics(port)
    const loop = startLoop(jobs, Date.now, report)
    onHurry(loop.hurry)
    say('working', `Worker started, database ${databaseName(database)}`)
    if (metrics) say('metrics', `The worker has metrics on ${metrics.url}`, { url: metrics.url })
    await stopped
    say('stopping', 'The worker is stopping')
    loop.stop()
    await Promise.race([loop.ended, pause(STOP_MS)])
  }
  if (isAlone) await leases.release(WORKER)
  bookkeeping.close()
  process.exit()
}

/** Upgrades the schema, as a server does at its start. Refuses where there is no database: an empty one has no work. */
async function migrate(database: string, waiting: Waiting, report: Report): Promise<void> {
  const { open } = await import('../store/open.ts')
  const { upgradeNotice } = await import('../store/upkeep/migration.ts')
  using store = await open(database, 'write', waiting)
  const notice = upgradeNotice(database, store.migration)
  if (notice !== null) report(new Notice('database_upgraded', notice))
}

/** The lease of the one worker on SQLite. */
const WORKER = 'worker'
const TURN_MS = 1_000
const RENEWAL_MS = 20_000

/** Waits until no other worker uses the database. False if this one is to end first. */
async function takeTurn(leases: Leases, mode: WorkMode, stopped: Promise<null>, report: Report) {
  for (let isFirst = true; !(await leases.take(WORKER)); isFirst = false) {
    const then = mode === 'once' ? 'so this one exits' : 'so this one waits'
    if (isFirst) report(new Notice('worker_waiting', `Another worker is running, ${then}.`))
    if (mode === 'once') return false
    if ((await Promise.race([pause(TURN_MS), stopped])) === null) return false
  }
  const renewal = setInterval(async () => {
    if (await leases.take(WORKER).catch(() => true)) return
    report(new Notice('worker_waiting', 'Another worker has taken over, so this one exits.', 'warning'))
    process.exit(1)
  }, RENEWAL_MS)
  renewal.unref()
  return true
}

/** Lines from the server of a `child`: the settings, then one to hurry it. Ends with the server, even if killed. */
const serverLines = console[Symbol.asyncIterator]()

async function untilInputEnds(): Promise<null> {
  while (!(await serverLines.next()).done) hurry()
  return null
}
