import { expect, test } from 'bun:test'
import { SCHEMA_VERSION } from '../../../../src/store/sqlite/migrations.ts'
import { sandboxForEach } from '../../../support/sandbox.ts'
import { bucketForEach, type TestBucket } from '../../../support/servers/bucket.ts'
import { until } from '../../../support/until.ts'

let bucket = {} as TestBucket
let place = ''
bucketForEach((own, at) => {
  bucket = own
  place = at
})

/** Two databases, each with a team of its own. */
const box = sandboxForEach(async (fresh) => {
  for (const name of ['one', 'other'])
    await fresh.run(['team', 'create', name, '--name', name, '--db', `${name}.db`])
})
const run = (database: string, ...args: string[]) => box.run([...args, '--db', `${database}.db`], bucket.env)
const json = async (database: string, ...args: string[]) =>
  JSON.parse((await run(database, ...args, '--json')).stdout)
const backUp = (database: string, ...args: string[]) => json(database, 'backup', place, ...args)
const teams = async (database: string) =>
  (await json(database, 'team', 'list')).map(({ slug }: { slug: string }) => slug)
const listed = async (database: string): Promise<{ name: string; isOwn: boolean }[]> =>
  json(database, 'backup', 'list', place)

test('a worker makes its copy although another database has a newer one there', async () => {
  await backUp('one')
  const env = { ...bucket.env, DATABASE_URL: 'other.db', BACKUP_TO: place, BACKUP_EVERY: '1h' }
  const worker = box.start(['worker'], env)
  await until(async () => (await listed('other')).length === 2)
  worker.kill()
  await worker.exited
  expect((await listed('other')).map(({ isOwn }) => isOwn)).toEqual([true, false])
})

test('latest is the newest copy of this database, and says that another has a newer one', async () => {
  const { address } = await backUp('one')
  await backUp('other')
  const verified = await run('one', 'backup', 'verify', `${place}latest`)
  expect(verified.stdout).toStartWith(`${address} is good`)
  expect(verified.stderr).toContain('is of another database. This is the newest of this one.')
  await run('one', 'team', 'create', 'later', '--name', 'Later')
  const restored = await run('one', 'restore', `${place}latest`, '--yes')
  expect(restored.stdout).toContain(` from ${address}.`)
  expect(restored.stderr).toContain('is of another database. This is the newest of this one.')
  expect(await teams('one')).toEqual(['one'])
})

test('latest of another database alone is not restored, unless it is named', async () => {
  const { address } = await backUp('one')
  for (const command of [
    ['restore', `${place}latest`, '--yes'],
    ['backup', 'verify', place],
  ]) {
    const refused = await run('other', ...command)
    expect(refused.status).toBe(1)
    expect(refused.stderr).toContain(`No backup at ${place} is of this database.`)
    expect(refused.stderr).toContain(address)
  }
  expect(await teams('other')).toEqual(['other'])
  expect((await run('other', 'restore', address, '--yes')).status).toBe(0)
  expect(await teams('other')).toEqual(['one'])
  // It remains another database: its copies do not replace those of the one it has the content of.
  expect((await listed('other')).map(({ isOwn }) => isOwn)).toEqual([false])
})

test('--keep deletes no copy of another database', async () => {
  const { name } = await backUp('one')
  await backUp('other')
  const { removed } = await backUp('other', '--keep', '1d')
  expect(removed).toHaveLength(1)
  expect(await listed('one')).toMatchObject([{ isOwn: false }, { name, isOwn: true }])
})

test('no database, or an empty one, takes the newest copy, and goes on as that database', async () => {
  await backUp('one')
  await run('empty', 'migrate')
  for (const database of ['new', 'empty']) {
    expect((await run(database, 'restore', `${place}latest`, '--yes')).status).toBe(0)
    expect(await teams(database)).toEqual(['one'])
    expect(await listed(database)).toMatchObject([{ isOwn: true }])
  }
})

test('no database takes none of the copies of several, and is told the newest of each', async () => {
  const { address } = await backUp('one')
  const { address: second } = await backUp('other')
  const refused = await run('new', 'restore', `${place}latest`)
  expect(refused.status).toBe(1)
  expect(refused.stderr).toContain(`The backups at ${place} are of 2 databases.`)
  expect(refused.stderr).toContain(address)
  expect(refused.stderr).toContain(second)
  expect((await run('new', 'backup', 'list', place)).stdout).toContain(address.match(/-([0-9a-f]{12})\./)[1])
  expect((await run('new', 'restore', address)).status).toBe(0)
  expect(await teams('new')).toEqual(['one'])
})

test('a copy whose name tells no database counts as one of this database', async () => {
  const { name } = await backUp('one')
  const client = new Bun.S3Client({
    ...{ bucket: 'copies', endpoint: bucket.env.S3_ENDPOINT },
    ...{ accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
  })
  const directory = place.replace('s3://copies/', '')
  const older = `changelogd-20260101T000000000Z-schema${SCHEMA_VERSION}.db.zst`
  for (const end of ['', '.json']) {
    await client.write(directory + older + end, await client.file(directory + name + end).bytes())
    await client.delete(directory + name + end)
  }
  expect(await listed('other')).toMatchObject([{ name: older, databaseId: null, isOwn: true }])
  expect((await run('other', 'restore', `${place}latest`, '--yes')).status).toBe(0)
  const { removed } = await backUp('other', '--keep', '1d')
  expect(removed).toEqual([place + older])
})
