import { describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PROGRAM, Sandbox } from '../../../support/sandbox.ts'

const ID = '01hzzz00000000000000000000'
const NOW = '2026-01-02T03:04:05.678Z'

/** An id that sorts by its number. */
const id = (prefix: string, number = 0) => `${prefix}_${ID.slice(0, -8)}${String(number).padStart(8, '0')}`

/** An export with so many versions of about 2 KB each, as lines. */
function linesOf(versions: number): string[] {
  const team = {
    id: id('team'),
    slug: 'acme',
    name: 'Acme',
    visibility: 'public',
    plan: 'paid',
    createdAt: NOW,
  }
  const changelog = { id: id('clog'), name: 'Changes', status: 'published', preamble: null }
  const product = { id: id('prod'), slug: 'app', name: 'App', status: 'published', createdAt: NOW, changelog }
  const version = (number: number) => ({
    id: id('ver', number),
    version: `1.${number}.0`,
    title: `Version ${number}`,
    status: 'published',
    publishedAt: NOW,
    dated: true,
    createdAt: NOW,
    description: 'words '.repeat(300),
    changes: [{ id: id('chg', number), type: 'added', title: 'A thing', description: null }],
  })
  const values = [
    { format: 'changelogd', version: 2 },
    { team },
    { product },
    ...Array.from({ length: versions }, (_, at) => ({ version: version(versions - at) })),
    { end: { team: 1, product: 1, version: versions, key: 0 } },
  ]
  return values.map((value) => `${JSON.stringify(value)}\n`)
}

/** Whether anything of an import is in the database. */
const isEmpty = async (box: Sandbox) => (await box.json<unknown[]>('team', 'list')).length === 0

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

describe('an export of everything that is not whole', () => {
  const lines = linesOf(20)
  const versionLine = lines.findIndex((line) => line.startsWith('{"version"'))

  test.each([
    ['cut between two lines', lines.slice(0, 12), 'cut off after line 12: the end record is missing.\n'],
    ['cut within a line', [...lines.slice(0, 12), lines[12]?.slice(0, 40) ?? ''], 'cut off after line 13'],
    ['without one of its versions', lines.toSpliced(versionLine, 1), 'line 23: end must count the records'],
    [
      'with a wrong field in its last version',
      lines.with(22, lines[22]?.replace(NOW, '2026-01-02') ?? ''),
      'line 23: version.publishedAt must be a time such as 2026-01-02T03:04:05.678Z, not "2026-01-02".',
    ],
    [
      'of a newer format',
      lines.with(0, '{"format":"changelogd","version":3}\n'),
      'a newer changelogd is needed to read format 3.',
    ],
  ])('(%s) is refused whole, and nothing is pruned by it', async (_, broken, message) => {
    await using box = new Sandbox()
    const good = join(box.directory, 'good.jsonl')
    const bad = join(box.directory, 'bad.jsonl')
    await Bun.write(good, lines.join(''))
    await Bun.write(bad, broken.join(''))
    const refused = await box.run(['import', '--all', bad])
    expect(refused.status).toBe(1)
    expect(refused.stderr).toStartWith(`changelogd: ${bad}: ${message}`)
    expect(await isEmpty(box)).toBe(true)
    await box.json('import', '--all', good)
    const before = (await box.run(['export', '--all'])).stdout
    expect((await box.run(['import', '--all', bad, '--prune'])).status).toBe(1)
    expect((await box.run(['export', '--all'])).stdout).toBe(before)
  })
})

test('everything that 0.1.0 exported can be imported, and again without a change', async () => {
  await using box = new Sandbox()
  const file = join(import.meta.dir, '../../../fixtures/everything-0.1.0.json')
  expect(await box.json('import', '--all', file)).toMatchObject({ added: 3, unchanged: 0 })
  const { stdout } = await box.run(['export', '--all'])
  const old = JSON.parse(await Bun.file(file).text())
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.flatMap(({ version }) => (typeof version === 'object' ? version : []))).toEqual(
    old.teams.flatMap((team: { products: { versions: unknown[] }[] }) =>
      team.products.flatMap((product) => product.versions),
    ),
  )
  expect(lines.flatMap(({ key }) => key ?? [])).toEqual(
    old.teams.flatMap((team: { keys: unknown[] }) => team.keys),
  )
  expect((await box.run(['import', '--all', file])).stdout).toStartWith('Nothing to change')
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
  expect([status, stdout, stderr]).toEqual([2, '', expect.stringContaining('--output')])
})
