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
    const { status, stderr } = await running.end()
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('standard input: incomplete after line 6003'),
    ])
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
    expect(stderr).toMatch(/^changelogd: Cannot write a temporary file in [^\n]*TMPDIR[^\n]*\n$/)
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
