import { describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isEmpty, linesOf } from '../../contract/cli/import/lines.ts'
import { PROGRAM, Sandbox } from '../../support/sandbox.ts'

/** `import --all -` whose input the test feeds, with a directory of its own for temporary files. */
function startImport(box: Sandbox, ...options: string[]) {
  const temporary = join(box.directory, 'tmp')
  mkdirSync(temporary, { recursive: true })
  const child = Bun.spawn([...PROGRAM, 'import', '--all', '-', ...options], {
    env: { ...box.env, TMPDIR: temporary },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  /** Resolves when all but what a pipe holds has been read. */
  const feed = async (lines: string[]) => {
    child.stdin.write(lines.join(''))
    await child.stdin.flush()
  }
  const end = async () => {
    await child.stdin.end()
    return { status: await child.exited, stderr: await new Response(child.stderr).text() }
  }
  return { child, temporary, feed, end }
}

describe('an import from a pipe', () => {
  // More than is kept in memory, in each half.
  const lines = linesOf(6_000)
  const [first, second] = [lines.slice(0, 3_000), lines.slice(3_000)]

  test('blocks no other command while it waits for the rest', async () => {
    await using box = new Sandbox()
    const running = startImport(box)
    await running.feed(first)
    // Takes the lock for writing.
    await box.json('team', 'create', 'other', '--name', 'Other')
    expect(running.child.exitCode).toBeNull()
    await running.feed(second)
    expect(await running.end()).toEqual({ status: 0, stderr: '' })
    expect((await box.run(['export', '--all'])).stdout).toContain('"version":"1.6000.0"')
    expect(await box.json<unknown[]>('team', 'list')).toHaveLength(2)
  })

  test('that ends too early is refused, and leaves no temporary file behind', async () => {
    await using box = new Sandbox()
    const running = startImport(box)
    await running.feed(lines.slice(0, -1))
    expect(readdirSync(running.temporary)).toEqual([])
    const { status, stderr } = await running.end()
    expect([status, stderr]).toEqual([1, expect.stringContaining('standard input: cut off after line 6003')])
    expect(readdirSync(running.temporary)).toEqual([])
    expect(await isEmpty(box)).toBe(true)
  })

  test('says what to do where no temporary file can be written', async () => {
    await using box = new Sandbox()
    const child = Bun.spawn([...PROGRAM, 'import', '--all', '-'], {
      env: { ...box.env, TMPDIR: join(box.directory, 'nowhere') },
      stdin: Buffer.from(lines.join('')),
      stderr: 'pipe',
    })
    expect(await child.exited).toBe(1)
    const stderr = await new Response(child.stderr).text()
    expect(stderr).toMatch(/^changelogd: Cannot write a temporary file in [^\n]*set TMPDIR\.\n$/)
  })
})

test('everything that 0.1.0 exported can be imported, and again without a change', async () => {
  await using box = new Sandbox()
  const file = join(import.meta.dir, '../../fixtures/everything-0.1.0.json')
  expect(await box.json('import', '--all', file)).toMatchObject({ added: 3, unchanged: 0 })
  const { stdout } = await box.run(['export', '--all'])
  const old = JSON.parse(await Bun.file(file).text())
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const versions = old.teams.flatMap((team: { products: { versions: { changes: object[] }[] }[] }) =>
    team.products.flatMap((product) => product.versions),
  )
  // What has been added to a change since.
  for (const version of versions)
    version.changes = version.changes.map((change: object) => ({ ...change, typeLabel: null }))
  expect(lines.flatMap(({ version }) => (typeof version === 'object' ? version : []))).toEqual(versions)
  expect(lines.flatMap(({ key }) => key ?? [])).toEqual(
    old.teams.flatMap((team: { keys: unknown[] }) => team.keys),
  )
  expect((await box.run(['import', '--all', file])).stdout).toStartWith('Nothing to change')
})

test('an import and an export of everything count what they move', async () => {
  await using box = new Sandbox()
  const [file, copy] = [join(box.directory, 'all.jsonl'), join(box.directory, 'copy.jsonl')]
  await Bun.write(
    file,
    linesOf(3).join('').replaceAll('"status":"published","createdAt"', '"status":"draft","createdAt"'),
  )
  const imported = await box.run(['import', '--all', file])
  expect(imported.stdout).toBe(
    'Imported 1 team, 1 product, 3 versions, 0 keys: 3 versions added, 0 updated, 0 unchanged, 0 skipped.\n',
  )
  const exported = await box.run(['export', '--all', '--output', copy])
  expect(exported.stdout).toBe(`Exported 1 team, 1 product, 3 versions, 0 keys to ${copy}.\n`)
  expect(await box.json('export', '--all', '--output', copy)).toEqual({
    ...{ output: copy, teams: 1, products: 1, versions: 3, keys: 0 },
  })
})

test('one product can be imported from an export of everything if it is the only one', async () => {
  await using box = new Sandbox()
  const file = join(box.directory, 'one.jsonl')
  await Bun.write(file, linesOf(3).join(''))
  expect(await box.json('import', 'other/thing', file, '--create')).toMatchObject({ added: 3 })
  await box.json('import', '--all', file)
  await Bun.write(file, (await box.run(['export', '--all'])).stdout)
  const { status, stderr } = await box.run(['import', 'other/thing', file])
  expect([status, stderr]).toEqual([1, expect.stringContaining('changelogd import --all FILE')])
})

test('an export of everything is not one JSON value, so --json needs a file to write it to', async () => {
  await using box = new Sandbox()
  await box.json('team', 'create', 'acme', '--name', 'Acme')
  const { status, stdout, stderr } = await box.run(['export', '--all', '--json'])
  expect([status, JSON.parse(stdout).error.code, stderr]).toEqual([
    2,
    'usage',
    expect.stringContaining('--output'),
  ])
})
