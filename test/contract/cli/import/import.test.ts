import { expect, test } from 'bun:test'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { logBytes, type WriteLock, writeLock } from '../../../support/database/steps.ts'
import { PROGRAM } from '../../../support/sandbox.ts'
import { until } from '../../../support/until.ts'
import { FILE, prepared } from './prepared.ts'

test('a CHANGELOG.md is on the API of a running server in one command', async () => {
  await using at = await prepared()
  const seen = () => at.box.seenByApi('/public/teams/acme/products/app/changelog')
  expect((await seen()).data?.versions).toEqual([])
  await at.bring(FILE)
  expect((await seen()).data?.versions).toMatchObject([
    { version: '1.1.0', title: 'The second one', publishedAt: '2026-02-03T00:00:00.000Z', changeCount: 3 },
    { version: '1.0.0', title: '1.0.0', publishedAt: '2026-01-02T00:00:00.000Z', changeCount: 1 },
  ])
})

test('a text over the limit is cut and reported with its line, and refuses no file', async () => {
  await using at = await prepared()
  const { added, warnings } = await at.bring(`${FILE}\n## 0.9.0 - 2025-01-01\n\n${'x'.repeat(1_000_001)}\n`)
  expect(added).toBe(4)
  expect(warnings).toEqual([
    { line: FILE.split('\n').length + 1, message: 'a text is longer than 1000000 characters, cut' },
  ])
  expect((await at.show('0.9.0')).description).toHaveLength(1_000_000)
})

test('what is nested beyond measure stays as it is written', async () => {
  await using at = await prepared()
  const deep = `${'> '.repeat(15_000)}x`
  expect(await at.bring(`## 1.0.0 - 2026-01-02\n\n${deep}\n`)).toMatchObject({ added: 1, warnings: [] })
  expect((await at.box.words('export acme/app')).stdout).toContain(deep)
})

test.each([
  ['bytes that are no text', '\xff\xfe\x00', 'is not UTF-8'],
  [
    'a compressed file',
    '\x1f\x8b\x08\x00',
    'is not UTF-8 text. Convert it with iconv, or decompress it with zcat.',
  ],
])('%s is refused, saying what was expected', async (_, text, message) => {
  await using at = await prepared()
  await Bun.write(at.path, Buffer.from(text, 'latin1'))
  expect(await at.box.refusal('import', 'acme/app', at.path)).toContain(message)
})

test('a file in an older encoding is imported, with a warning that names its lines', async () => {
  await using at = await prepared()
  await Bun.write(at.path, Buffer.from('## 1.0.0 - 2026-01-02\n\n- Thanks to J\xfcrgen\n', 'latin1'))
  const { warnings } = await at.box.json('import', 'acme/app', at.path)
  expect(warnings).toEqual([{ line: 3, message: 'not UTF-8, read as Windows-1252' }])
  expect((await at.box.words('export acme/app')).stdout).toContain('- Thanks to Jürgen')
})

test('a changeset that is no text or no file is refused, naming it, instead of waiting for it', async () => {
  await using at = await prepared()
  const [folder, path] = [at.box.at('.changeset'), at.box.at('.changeset/b.md')]
  mkdirSync(folder)
  for (const [create, message] of [
    [() => Bun.write(path, new Uint8Array([0xff, 0xfe])), 'is not UTF-8 text.'],
    [() => Bun.spawnSync(['mkfifo', path]), 'is a FIFO, not a file. Remove it from the directory.'],
    [() => symlinkSync('/dev/zero', path), 'is a device, not a file. Remove it from the directory.'],
    [() => mkdirSync(path), 'is a directory, not a file. Remove it from the directory.'],
  ] as const) {
    await create()
    expect(await at.box.refusal('import', 'acme/app', folder)).toContain(path)
    expect(await at.box.refusal('import', 'acme/app', folder)).toContain(message)
    rmSync(path, { recursive: true })
  }
})

test('standard input is a file called -', async () => {
  await using at = await prepared()
  await Bun.write(at.path, FILE)
  const line = [`exec "$@" < ${at.path}`, 'sh', ...PROGRAM, 'import', 'acme/app', '-', '--json']
  expect(JSON.parse((await at.box.runProgram(['sh', '-c', ...line])).stdout)).toMatchObject({ added: 3 })
})

test('a dry run of a long file lists what would change and counts the rest', async () => {
  await using at = await prepared()
  const file = (count: number) =>
    Array.from({ length: count }, (_, at) => `## 1.${count - at}.0\n\n- Change ${count - at}\n`).join('\n')
  const listed = async () => {
    await Bun.write(at.path, file(600))
    const { stdout } = await at.box.run(['import', 'acme/app', at.path, '--dry-run'])
    return stdout.trimEnd().split('\n').slice(1)
  }
  const lines = await listed()
  expect([lines.length, lines[1], lines.at(-1)]).toEqual([
    602,
    '  1.600.0  no date  published  1 changed',
    'Read 600 versions, 1.600.0 … 1.1.0, 0 dated, 0 drafts.',
  ])
  await at.bring(file(599).replace('- Change 7\n', '- Change 7, edited\n'))
  expect(await listed()).toEqual([
    '  VERSION  DATE     STATUS     CHANGES    OUTCOME',
    '  1.600.0  no date  published  1 changed  added',
    '  1.7.0    no date  published  1 changed  updated (changes: 1 changed)',
    '  598 versions unchanged',
    'Read 600 versions, 1.600.0 … 1.1.0, 0 dated, 0 drafts.',
  ])
})

test('a writer killed in the middle leaves nothing half-imported', async () => {
  const paragraph = 'x'.repeat(10_000)
  const many = Array.from(
    { length: 300 },
    (_, v) => `## 1.${300 - v}.0 - 2026-01-02\n\n${paragraph}\n\n- a\n- b\n`,
  ).join('\n')
  // One that was done before it could be killed is tried again.
  for (const isReached of [
    (_: string, lock: WriteLock) => lock.isHeld(),
    (database: string) => logBytes(database) > 500_000,
  ])
    await until(async () => {
      await using at = await prepared()
      await Bun.write(at.path, many)
      using lock = writeLock(at.box.database)
      const reached = await at.box.killedWhen(
        () => isReached(at.box.database, lock),
        ['import', 'acme/app', at.path],
      )
      const { length } = await at.list()
      expect([0, 300]).toContain(length)
      return reached && length === 0
    })
})
