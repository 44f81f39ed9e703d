import { expect, test } from 'bun:test'
import { openBookkeeping } from '../../../../src/store/bookkeeping/open.ts'
import { Sandbox, sandboxForEach } from '../../../support/sandbox.ts'
import { bucketForEach, type TestBucket } from '../../../support/servers/bucket.ts'
import { samplesOf } from '../../../support/servers/exposition.ts'
import { outputOf } from '../../../support/servers/process.ts'
import { until } from '../../../support/until.ts'

const HOUR_MS = 3_600_000

let bucket = {} as TestBucket
bucketForEach((own) => {
  bucket = own
})

const box = sandboxForEach((fresh) => fresh.demo())
const run = (args: string[], env: Record<string, string> = {}) => box.run(args, { ...bucket.env, ...env })
const known = async (env: Record<string, string> = {}) =>
  JSON.parse((await run(['status', '--json'], env)).stdout).copies
const finding = async (env: Record<string, string> = {}) => {
  const { findings } = JSON.parse((await run(['doctor', '--json'], env)).stdout)
  return findings.filter(({ check }: { check: string }) => check === 'copies')
}

test('status and doctor know when a copy in a bucket was made and verified, whoever made it', async () => {
  expect(await known()).toBeNull()
  expect(await finding()).toEqual([])
  expect((await run(['status'])).stdout).not.toContain('s3:')

  await run(['backup', 's3://copies/by-hand/'])
  expect(await known()).toMatchObject({ place: 's3://copies/by-hand/', isOld: false, verifiedAt: null })
  expect((await run(['status'])).stdout).toEndWith('\n\nBacked up to s3://copies/by-hand/ just now\n')
  expect(await finding()).toMatchObject([
    { state: 'ok', message: expect.stringContaining('not verified yet') },
  ])

  await run(['backup', 'verify', 's3://copies/by-hand/latest'])
  expect(Date.parse((await known()).verifiedAt)).toBeGreaterThan(0)
  expect(await finding()).toMatchObject([{ state: 'ok', message: expect.stringContaining('verified just') }])

  bucket.failWith(async ({ url }, forward) => {
    const response = await forward()
    return /zst$/.test(new URL(url).pathname) ? new Response('something else') : response
  })
  expect((await run(['backup', 'verify', 's3://copies/by-hand/latest'])).status).toBe(1)
  expect(await finding()).toMatchObject([
    {
      state: 'wrong',
      message: expect.stringContaining('verifying the newest backup failed: s3://copies/by-hand/changelogd-'),
    },
  ])
  expect((await run(['status'])).stdout).toContain(
    '\n  Verifying the newest backup failed: s3://copies/by-hand/changelogd-',
  )
})

test('doctor names copies that are older than twice the interval, and what keeps the worker from another', async () => {
  const place = 's3://copies/by-itself/'
  const env = { BACKUP_TO: place, BACKUP_EVERY: '6h' }
  const note = async (hours: number | null, failure: string | null) => {
    const bookkeeping = await openBookkeeping(box.database)
    const newestAt = hours === null ? null : Date.now() - hours * HOUR_MS
    await bookkeeping.backups?.found(place, newestAt)
    const since = Date.now() - HOUR_MS
    if (failure)
      await bookkeeping.backups?.failed(place, { since, reason: failure, remedy: 'Mend it.' }, undefined)
    bookkeeping.close()
    const [found] = await finding(env)
    return found
  }
  expect(await finding(env)).toMatchObject([
    {
      state: 'wrong',
      message: `there is no backup at ${place}`,
      remedy: expect.stringContaining('Run a worker'),
    },
  ])
  expect((await run(['status'], env)).stdout).toContain(`No backup at ${place} yet`)
  expect(await note(11, null)).toMatchObject({ state: 'ok' })
  expect(await note(13, null)).toMatchObject({
    state: 'wrong',
    message: `the newest backup at ${place} was made 13 hours ago`,
  })
  expect(await note(7, 'It is full.')).toMatchObject({
    state: 'warn',
    message: expect.stringMatching(
      /^the newest backup at s3:\/\/copies\/by-itself\/ was made 7 hours ago; backups have been failing since [\d-]{10} [\d:]{5} UTC \(1 hour ago\): It is full$/,
    ),
    remedy: 'Mend it.',
  })
  expect(await note(13, 'It is full.')).toMatchObject({ state: 'wrong', remedy: 'Mend it.' })
  expect((await run(['doctor'], env)).status).toBe(1)
  expect(await known(env)).toMatchObject({ isOld: true, failing: { reason: 'It is full.' } })
})

test('after a restore to a new place, status and doctor ask the bucket what backup verify asks it', async () => {
  const place = 's3://copies/moved/'
  await run(['backup', place])
  const env = { BACKUP_TO: place, DATABASE_URL: 'new/changelogd.db' }
  await run(['restore', `${place}latest`], env)
  expect((await run(['backup', 'verify'], env)).stdout).toContain('is good')
  expect(await known(env)).toMatchObject({ place, isOld: false, newestAt: expect.any(String) })
  expect((await run(['status'], env)).stdout).toContain(`Backed up to ${place} just now`)
  expect(await finding(env)).toMatchObject([{ state: 'ok' }])

  bucket.failWith(() => new Response('', { status: 500 }))
  expect(await finding(env)).toMatchObject([
    { state: 'wrong', message: expect.stringMatching(/^no backup at s3:\/\/copies\/moved\/ is known: /) },
  ])
  expect((await run(['status'], env)).stdout).toContain(`No backup at ${place} is known`)
})

test('a worker tells Prometheus of copies, those made and verified by others too', async () => {
  const place = 's3://copies/metrics/'
  const worker = box.start(['worker'], { ...bucket.env, BACKUP_TO: place, WORKER_METRICS_PORT: '0' })
  const { lines } = outputOf(worker)
  await until(() => lines.some((line) => line.includes('metrics')))
  const address = /http:\S+/.exec(lines.join('\n'))?.[0] ?? ''
  const samples = async () => samplesOf(await (await fetch(address)).text())
  await until(async () => (await samples()).get('changelogd_copies_total{result="made"}') === 1)
  const first = await samples()
  const newest = Date.parse((await known({ BACKUP_TO: place })).newestAt) / 1_000
  expect(first.get('changelogd_copy_newest_timestamp_seconds')).toBe(newest)
  expect(first.get('changelogd_copy_interval_seconds')).toBe(86_400)
  expect(first.get('changelogd_copy_verified_timestamp_seconds')).toBe(0)
  expect(first.get('changelogd_copies_total{result="failed"}')).toBe(0)

  await run(['backup', place])
  await run(['backup', 'verify', `${place}latest`])
  const then = await samples()
  expect(then.get('changelogd_copy_newest_timestamp_seconds')).toBeGreaterThan(newest)
  expect(then.get('changelogd_copy_verified_timestamp_seconds')).toBeGreaterThan(newest)
  expect(then.get('changelogd_copy_faulty')).toBe(0)
})

test('on PostgreSQL, doctor says that BACKUP_TO does nothing', async () => {
  await using other = await Sandbox.on('PostgreSQL')
  const { stdout } = await other.run(['doctor', '--json'], { BACKUP_TO: 's3://copies/x/' })
  expect(stdout).toContain('BACKUP_TO is set, but works with SQLite only')
  expect(
    JSON.parse((await other.run(['status', '--json'], { BACKUP_TO: 's3://copies/x/' })).stdout).copies,
  ).toBeNull()
})
