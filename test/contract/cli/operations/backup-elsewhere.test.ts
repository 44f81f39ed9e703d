import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, statSync, watch, writeFileSync } from 'node:fs'
import { constants, zstdCompressSync } from 'node:zlib'
import type { Note } from '../../../../src/backups/choose.ts'
import { SCHEMA_VERSION } from '../../../../src/store/sqlite/migrations.ts'
import { contents } from '../../../support/database/contents.ts'
import { sandboxForEach } from '../../../support/sandbox.ts'
import { bucketAt, bucketForEach, s3Error, type TestBucket } from '../../../support/servers/bucket.ts'
import { until } from '../../../support/until.ts'

let bucket = {} as TestBucket
let place = ''
bucketForEach((own, at) => {
  bucket = own
  place = at
})

const box = sandboxForEach((fresh) => fresh.demo())
const run = (...args: string[]) => box.run(args, bucket.env)
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout)
const names = async () => (await json('backup', 'list', place)).map(({ name }: { name: string }) => name)

describe('a copy in a bucket', () => {
  test('is read back and compared, and brings everything back', async () => {
    const told = await json('backup', place)
    expect(told).toMatchObject({ schema: SCHEMA_VERSION, removed: [] })
    expect(told.address).toMatch(
      /^s3:\/\/copies\/\d+\/changelogd-\d{8}T\d{9}Z-schema\d+-[0-9a-f]{12}\.db\.zst$/,
    )
    expect(await names()).toEqual([told.name])
    const before = (await run('export', '--all')).stdout
    for (const [at, from] of [told.address, `${place}latest`, place].entries()) {
      // To a machine that has nothing yet, not even a directory.
      const restored = await run('restore', from, '--db', `new-${at}/data/x.db`)
      expect(restored.stderr).toContain('is a new file')
      expect((await run('export', '--all', '--db', `new-${at}/data/x.db`)).stdout).toBe(before)
    }
    const verified = await run('backup', 'verify', `${place}latest`, '--db', 'none/x.db')
    expect(existsSync(box.at('none'))).toBe(false)
    expect(verified.stdout).toStartWith(`${told.address} is good. It has `)
    expect(box.files().filter((name) => name.includes('tmp'))).toEqual([])
  })

  test('goes to BACKUP_TO if no place is named, and is deleted once there are enough newer ones', async () => {
    expect((await box.run(['backup'], { ...bucket.env, BACKUP_TO: place })).status).toBe(0)
    const { removed } = await json('backup', place, '--keep', '1d')
    expect(removed).toHaveLength(1)
    expect(await names()).toHaveLength(1)
    expect((await run('backup', place, '--keep', '7')).stderr).toContain('such as 7d,4w,12m')
  })

  test('is good although older ones cannot be deleted, and the refusal says so', async () => {
    await run('backup', place)
    bucket.failWith(({ method }, forward) => (method === 'DELETE' ? s3Error(403, 'AccessDenied') : forward()))
    const refused = await run('backup', place, '--keep', '1d')
    expect(refused.status).toBe(1)
    expect(refused.stderr).toContain(
      '.zst is good, but older backups could not be deleted. The bucket copies at ',
    )
    expect(await names()).toHaveLength(2)
  })

  test.each([
    ['teams', (note: Note) => ({ ...note, contents: { ...note.contents, teams: 999 } })],
    ['bytes', (note: Note) => ({ ...note, bytes: note.bytes + 1 })],
    ['its hash', (note: Note) => ({ ...note, sha256: '0'.repeat(64) })],
    ['the schema', (note: Note) => ({ ...note, schema: 3 })],
    ['everything', () => null],
    ['the kind of a value', (note: Note) => ({ ...note, contents: { teams: 'many' } })],
  ])('whose note is wrong about %s is not good', async (_, wrong) => {
    expect(await run('backup', place)).toMatchObject({ status: 0, stderr: '' })
    bucket.failWith(async ({ url }, forward) =>
      url.endsWith('.json') ? Response.json(wrong((await (await forward()).json()) as Note)) : forward(),
    )
    const refused = await run('backup', 'verify', `${place}latest`)
    expect(refused.status).toBe(1)
    expect(refused.stderr).toMatch(/ is damaged: it|The note beside \S+ cannot be read/)
    expect((await run('restore', `${place}latest`, '--yes')).status).toBe(1)
  })

  test('that is more than its note says is given up there, however small it was sent', async () => {
    await run('backup', place)
    const bytes = 64 * 2 ** 20
    const bomb = Bun.zstdCompressSync(Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(bytes)]))
    const note = { sha256: '0'.repeat(64), bytes: 1_000, schema: SCHEMA_VERSION, contents: {} }
    bucket.failWith(({ url }, forward) =>
      url.endsWith('.json') ? Response.json(note) : url.endsWith('.zst') ? new Response(bomb) : forward(),
    )
    let largest = 0
    const watched = watch(box.directory, (_, name) => {
      const found = statSync(box.at(name ?? ''), { throwIfNoEntry: false })
      largest = Math.max(largest, found?.isFile() && name?.includes('new.db') ? found.size : 0)
    })
    const refused = await run('restore', `${place}latest`, '--db', 'new.db')
    watched.close()
    expect(refused.stderr).toContain('is damaged: it does not match its note')
    expect(largest).toBeLessThan(bytes / 2)
  })

  test('that is refused is reported in plain words', async () => {
    for (const [code, words] of [
      ['AccessDenied', 'denied access'],
      ['InvalidAccessKeyId', 'does not know this access key'],
      ['ExpiredToken', 'rejected the credentials as expired'],
      ['XMinioStorageFull', 'is full'],
      ['RequestTimeTooSkewed', 'rejected the clock of this machine as wrong'],
      ['SomethingElse', 'refused with SomethingElse'],
    ] as const) {
      bucket.failWith(() => s3Error(403, code))
      const refused = await run('backup', place)
      expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining(words)])
      expect(refused.stderr).not.toContain('S3RVER')
    }
  })

  test('needs a bucket that exists, an address of the right form, and credentials', async () => {
    expect((await run('backup', 's3://nothere/x/')).stderr).toContain('does not exist')
    expect((await run('backup', 's3://copies/x')).stderr).toContain('Use s3://copies/x/ instead.')
    expect((await run('backup', 's3://UPPER/')).stderr).toContain('is not the address of a backup')
    const without = await box.run(['backup', place], { S3_ENDPOINT: bucket.env.S3_ENDPOINT })
    expect(without.stderr).toContain('needs credentials')
    const nobody = await box.run(['backup', place], { ...bucket.env, S3_ENDPOINT: 'http://127.0.0.1:1' })
    expect(nobody.stderr).toContain('cannot be reached')
  })
})

test('the worker of a server makes one by itself, told by the configuration file alone', async () => {
  const settings = { ...bucket.env, BACKUP_TO: place, BACKUP_EVERY: '90m' }
  writeFileSync(
    box.at('settings.env'),
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  )
  const server = box.start(['serve', '--worker', '--port', '0', '--config', 'settings.env'])
  // A copy that is on its way cannot be listed yet.
  await until(async () => (await json('backup', 'list', place)).length === 1)
  server.kill()
  expect(await server.exited).toBe(0)
})

describe('a compressed copy', () => {
  const shell = (line: string) =>
    box.runProgram(['sh', '-c', line], { PATH: `${box.withProgram()}:${box.env.PATH}` })

  test('goes through pipes as a plain one does', async () => {
    expect((await shell('changelogd backup - > copy.db')).stderr).toStartWith('Backed up ')
    expect(readFileSync(box.at('copy.db')).subarray(0, 15).toString()).toBe('SQLite format 3')
    writeFileSync(box.at('copy.zst'), Bun.zstdCompressSync(readFileSync(box.at('copy.db'))))
    for (const name of ['copy.db', 'copy.zst']) {
      await shell(`changelogd restore - --db ${name}.restored < ${name}`)
      expect((await box.run(['status', '--db', `${name}.restored`])).status).toBe(0)
    }
  })

  test('is verified and restored as a file, also one that was taken from a bucket', async () => {
    const { name } = await json('backup', place)
    const key = new URL(place).pathname.slice(1) + name
    const object = bucketAt(bucket.env.S3_ENDPOINT).download(key)
    writeFileSync(box.at('taken.zst'), Buffer.concat(await Array.fromAsync(object)))
    await run('backup', 'copy.db')
    writeFileSync(box.at('copy.zst'), Bun.zstdCompressSync(readFileSync(box.at('copy.db'))))
    for (const file of ['taken.zst', 'copy.zst']) {
      expect((await run('backup', 'verify', file)).stdout).toContain(`${file} is good. It has `)
      expect((await run('restore', file, '--db', `${file}.db`)).status).toBe(0)
      expect(contents(box.at(`${file}.db`))).toBe(contents(box.database))
    }
  })

  test('that is damaged or cut short is refused in one line, wherever it comes from', async () => {
    await run('backup', 'copy.db')
    const params = { [constants.ZSTD_c_checksumFlag]: 1 }
    const whole = zstdCompressSync(readFileSync(box.at('copy.db')), { params })
    const middle = whole.length >> 1
    const damaged = Buffer.from(whole).fill(0xff, middle, middle + 64)
    for (const bytes of [damaged, whole.subarray(0, middle), whole.subarray(0, -1), whole.subarray(0, 8)]) {
      writeFileSync(box.at('bad.zst'), bytes)
      const refusal = 'is damaged or incomplete: it cannot be decompressed. Restore another backup.\n'
      expect(await box.refusal('restore', 'bad.zst', '--db', 'new.db')).toEndWith(`bad.zst ${refusal}`)
      expect(await box.refusal('backup', 'verify', 'bad.zst')).toEndWith(`bad.zst ${refusal}`)
      const piped = await shell('changelogd restore - --db new.db < bad.zst')
      expect(piped).toEqual({ status: 1, stdout: '', stderr: `changelogd: Standard input ${refusal}` })
    }
    expect(existsSync(box.at('new.db'))).toBe(false)
  })
})
