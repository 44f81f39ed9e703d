import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
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

/** Whether nothing was imported into a database that did not exist before. */
const isEmpty = async (box: Sandbox) =>
  !existsSync(box.database) || (await box.json<unknown[]>('team', 'list')).length === 0

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
    [
      'cut within a line',
      [...lines.slice(0, 12), lines[12]?.slice(0, 40) ?? ''],
      'line 13: not JSON, or cut off',
    ],
    ['without one of its versions', lines.toSpliced(versionLine, 1), 'line 23: end must count the records'],
    [
      'with a wrong field in its last version',
      lines.with(22, lines[22]?.replace(NOW, '2026-01-02') ?? ''),
      'line 23: version.publishedAt must be a time such as 2026-01-02T03:04:05.678Z, not "2026-01-02".',
    ],
    [
      'of a newer format',
      lines.with(0, '{"format":"changelogd","version":3}\n'),
      'a newer changelogd wrote this file (version 3; this one reads up to 2).',
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

describe('a refused export of everything', () => {
  const lines = linesOf(2)
  const withKeys = (...keys: object[]) => [
    ...lines.slice(0, -1),
    ...keys.map((key) => `${JSON.stringify({ key })}\n`),
    `{"end":{"team":1,"product":1,"version":2,"key":${keys.length}}}\n`,
  ]
  const token = { hash: 'ab'.repeat(32), start: 'clk_AbCd', createdAt: NOW, expiresAt: null }
  const key = {
    ...{ id: id('key', 1), kind: 'FULL', status: 'active', label: 'ci', createdAt: NOW, expiresAt: null },
    ...{ products: [] as string[], tokens: [token] },
  }

  test.each([
    [
      'a wrong field',
      lines.with(3, lines[3]?.replace(NOW, 'x') ?? ''),
      'line 4: version.publishedAt must be',
    ],
    [
      'a NUL in a title',
      lines.with(3, lines[3]?.replace('Version 2', 'Version\\u00002') ?? ''),
      'line 4: version.title must be a text of 1 to 1000 characters',
    ],
    [
      'a description that is too long',
      lines.with(3, lines[3]?.replace('words ', 'words '.repeat(200_000)) ?? ''),
      'line 4: version.description must be a text of 0 to 1000000 characters',
    ],
    [
      'a product twice',
      [...lines.slice(0, -1), lines[2] ?? '', '{"end":{"team":1,"product":2,"version":2,"key":0}}\n'],
      'line 6: product acme/app is already on line 3.\n',
    ],
    [
      'a version twice',
      lines.with(4, lines[4]?.replace('1.1.0', '1.2.0') ?? ''),
      'line 5: version 1.2.0 of acme/app is already on line 4.\n',
    ],
  ])('(%s) creates no database, and names the line', async (_, broken, message) => {
    await using box = new Sandbox()
    const file = join(box.directory, 'bad.jsonl')
    await Bun.write(file, broken.join(''))
    const { status, stderr } = await box.run(['import', '--all', file, '--prune'])
    expect([status, stderr]).toEqual([1, expect.stringContaining(`changelogd: ${file}: ${message}`)])
    expect(existsSync(box.database)).toBe(false)
  })

  test.each([
    [
      'a key of a missing product',
      withKeys({ ...key, kind: 'SELECT', products: ['gone'] }),
      `line 6: Key ${key.id} names the product acme/gone, which does not exist.\n`,
    ],
    [
      'two keys with one token',
      withKeys(key, { ...key, id: id('key', 2) }),
      `line 7: Key ${id('key', 2)} has a token that key ${key.id} has already: clk_AbCd….\n`,
    ],
    [
      'a key with one token twice',
      withKeys({ ...key, tokens: [token, token] }),
      `line 6: Key ${key.id} has the token clk_AbCd… twice.\n`,
    ],
    [
      'a name of two lines',
      lines.with(2, lines[2]?.replace('"name":"App"', '"name":"A\\nB"') ?? ''),
      'line 3: The name must be one line of text.\n',
    ],
    [
      'a label with a space at its end',
      lines.with(3, lines[3]?.replace('1.2.0', '1.2.0 ') ?? ''),
      'line 4: version 1.2.0 : "1.2.0 " is not a version label',
    ],
    [
      'two changes with one id',
      lines.with(4, lines[4]?.replace(id('chg', 1), id('chg', 2)) ?? ''),
      'line 5: version 1.1.0: ',
    ],
  ])('(%s) names the file and the line also where the rules refuse it', async (_, broken, message) => {
    await using box = new Sandbox()
    const file = join(box.directory, 'bad.jsonl')
    await Bun.write(file, broken.join(''))
    const { status, stderr } = await box.run(['import', '--all', file])
    expect(status).toBe(1)
    expect(stderr).toStartWith(`changelogd: ${file}: ${message}`)
    expect(await isEmpty(box)).toBe(true)
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

describe('import --all', () => {
  test.each([
    [['--status', 'draft'], '--all does not take --status'],
    [['--create'], '--all does not take --create'],
    [['--format', 'github'], 'remove --format github'],
    [['another.jsonl'], "--all takes only a file; remove 'FILE'"],
  ])('with %j is wrong usage and changes nothing', async (options, message) => {
    await using box = new Sandbox()
    await Bun.write(join(box.directory, 'FILE'), linesOf(1).join(''))
    const { status, stderr } = await box.run(['import', '--all', 'FILE', ...options])
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)])
    expect(existsSync(box.database)).toBe(false)
  })

  test('without a file misses the file, and an import without --all the product', async () => {
    await using box = new Sandbox()
    for (const [args, missing] of [
      [['--all'], 'file'],
      [[], 'product'],
      [['acme/app'], 'file'],
    ] as const) {
      const { status, stderr } = await box.run(['import', ...args])
      expect([status, stderr]).toEqual([2, expect.stringContaining(`issing required argument '${missing}'`)])
    }
  })

  test.each([
    ['empty.jsonl', '', 'empty: not an export of changelogd.'],
    ['empty', '\n', 'empty: not an export of changelogd.'],
    ['g.json', 'garbage', 'not an export of changelogd.'],
    ['CHANGELOG.md', '## 1.0.0\n', 'not an export of changelogd. To import another file, name a product'],
    ['text.jsonl', '{"format":"changelogd","version":"2"}\n', 'line 1: version must be 2, not "2".'],
  ])('of %s with %j says what it is not', async (name, text, message) => {
    await using box = new Sandbox()
    const file = join(box.directory, name)
    await Bun.write(file, text)
    expect(await box.refusal('import', '--all', file)).toStartWith(`changelogd: ${file}: ${message}`)
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
  expect([status, stdout, stderr]).toEqual([2, '', expect.stringContaining('--output')])
})
