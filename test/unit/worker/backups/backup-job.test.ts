import { expect, test } from 'bun:test'
import { listBackups } from '../../../../src/backups/backups.ts'
import { bucketAddressOf } from '../../../../src/domain/backups.ts'
import { Notice } from '../../../../src/domain/notice.ts'
import { openBookkeeping } from '../../../../src/store/bookkeeping/open.ts'
import { BackupJob } from '../../../../src/worker/backups/backup-job.ts'
import { Sandbox } from '../../../support/sandbox.ts'
import { bucketAt, s3Error, startBucket } from '../../../support/servers/bucket.ts'

const DAY_MS = 86_400_000
const patient = { untilFree: async <T>(work: () => T | Promise<T>) => work() }

test('a copy is made when the newest is old enough, by whichever worker, and old ones are deleted', async () => {
  await using server = await startBucket()
  await using box = new Sandbox()
  await box.json('demo')
  const bucket = bucketAt(server.env.S3_ENDPOINT)
  const place = bucketAddressOf('s3://copies/by-itself/')
  const { backups: notes, close } = await openBookkeeping(box.database)
  if (!notes) throw new Error('SQLite has notes of copies')
  const noted = async () => {
    const [note] = await notes.all()
    return { newest: note?.newestAt, failure: note?.failure, revision: await box.state() }
  }
  let now = Date.parse('2026-11-16T12:00:00Z')
  const told: string[] = []
  const worker = () =>
    new BackupJob(
      {
        ...{ notes, database: box.database, bucket, place, every: DAY_MS, waiting: patient as never },
        keep: [{ count: 2, unit: 'd' as const }],
        now: () => now,
      },
      (event) => void told.push(event instanceof Notice ? `${event.event}: ${event.message}` : String(event)),
    )
  const times = async () =>
    (await listBackups({ bucket, place })).map(({ at }) => (at - Date.parse('2026-11-16T12:00:00Z')) / DAY_MS)

  const revision = await box.state()
  const first = worker()
  expect(await first.round()).toBe(now + DAY_MS)
  expect(await worker().round()).toBe(now + DAY_MS)
  expect(await times()).toEqual([0])
  expect(await noted()).toEqual({ newest: now, failure: null, revision })
  for (let day = 1; day <= 3; day++) {
    now += DAY_MS
    await first.round()
  }
  expect(await times()).toEqual([3, 2])
  expect(told).toHaveLength(4)

  now += DAY_MS
  server.failWith(() => s3Error(403, 'ExpiredToken'))
  expect(await first.round()).toBe(now + 60_000)
  expect(await first.round()).toBe(now + 120_000)
  expect(told.at(-1)).toStartWith('copy_failed: Backup failed: The bucket copies at ')
  const since = now
  now += 120_000
  await first.round()
  expect(await noted()).toMatchObject({
    newest: since - DAY_MS,
    failure: { since, reason: expect.stringContaining('expired'), remedy: 'Get new credentials.' },
  })
  // The bucket can be looked at, but not written to.
  server.failWith(({ method }, forward) => (method === 'GET' ? forward() : s3Error(403, 'AccessDenied')))
  await first.round()
  expect(await noted()).toMatchObject({ newest: since - DAY_MS, failure: { since } })
  expect(await first.stats()).toMatchObject({ results: { made: 4, failed: 4 }, newestAt: since - DAY_MS })
  server.failWith(null)
  expect(await first.round()).toBe(now + DAY_MS)
  expect(await noted()).toMatchObject({ newest: now, failure: null })
  expect(await times()).toHaveLength(2)

  first.hurry()
  now += 1_000
  await first.round()
  expect(await times()).toHaveLength(2)
  close()
})
