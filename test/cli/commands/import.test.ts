import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { PATIENCE_MS, PROGRAM, Sandbox } from '../../support/sandbox.ts'

const FILE = `# Changelog

What we did.

## [Unreleased]

### Added

- Something to come

## [1.1.0] - 2026-02-03 - The second one

Words about it.

### Added

- A thing
- Another thing

  With more to say.

### Fixed

- A bug

## [1.0.0] - 2026-01-02

- Everything
`

interface Summary {
  added: number
  updated: number
  unchanged: number
  skipped: number
  pruned: number
  warnings: { line: number; message: string }[]
}
interface Listed {
  id: string
  version: string
  title: string
  status: string
  publishedAt: string
  changeCount: number
}
interface Shown extends Listed {
  description: string | null
  changes: { id: string; type: string; title: string; description: string | null }[]
}

/** A sandbox with a public product, and a way to import a text into it. */
async function prepared() {
  const box = new Sandbox()
  await box.json('team', 'create', 'acme', '--name', 'Acme', '--visibility', 'public', '--plan', 'paid')
  await box.json('product', 'create', 'acme/app', '--name', 'App', '--status', 'published')
  const path = join(box.directory, 'CHANGELOG.md')
  const bring = async (text: string, ...options: string[]) => {
    await Bun.write(path, text)
    return box.json<Summary>('import', 'acme/app', path, ...options)
  }
  const list = () => box.json<Listed[]>('version', 'list', 'acme/app')
  const show = (label: string) => box.json<Shown>('version', 'show', 'acme/app', label)
  return { box, path, bring, list, show, [Symbol.asyncDispose]: () => box.close() }
}

const counts = ({ added, updated, unchanged, skipped, pruned }: Summary) => ({
  added,
  updated,
  unchanged,
  skipped,
  pruned,
})

describe('import', () => {
  test(
    'a CHANGELOG.md is on the API of a running server in one command',
    async () => {
      await using at = await prepared()
      await at.box.seenByApi('/public/teams/acme/products/app/changelog')
      expect(counts(await at.bring(FILE))).toEqual({
        added: 3,
        updated: 0,
        unchanged: 0,
        skipped: 0,
        pruned: 0,
      })
      const seen = await at.box.seenByApi('/public/teams/acme/products/app/changelog')
      expect(
        seen.data?.versions?.map(({ version, title, publishedAt, changeCount }) => [
          version,
          title,
          publishedAt,
          changeCount,
        ]),
      ).toEqual([
        ['1.1.0', 'The second one', '2026-02-03T00:00:00.000Z', 3],
        ['1.0.0', '1.0.0', '2026-01-02T00:00:00.000Z', 1],
      ])
      expect(await at.show('1.1.0')).toMatchObject({
        description: 'Words about it.',
        changes: [
          { type: 'added', title: 'A thing', description: null },
          { type: 'added', title: 'Another thing', description: 'With more to say.' },
          { type: 'fixed', title: 'A bug', description: null },
        ],
      })
      expect((await at.show('Unreleased')).status).toBe('draft')
    },
    PATIENCE_MS,
  )

  test(
    'the same file again changes nothing, and says so',
    async () => {
      await using at = await prepared()
      await at.bring(FILE)
      const before = await Bun.file(at.box.database).bytes()
      expect(counts(await at.bring(FILE))).toEqual({
        added: 0,
        updated: 0,
        unchanged: 3,
        skipped: 0,
        pruned: 0,
      })
      const { stdout } = await at.box.run(['import', 'acme/app', at.path])
      expect(stdout).toStartWith('Nothing to change in acme/app: ')
      expect(await Bun.file(at.box.database).bytes()).toEqual(before)
    },
    PATIENCE_MS,
  )

  test(
    'an edited file updates exactly what differs, and every id that can stay stays',
    async () => {
      await using at = await prepared()
      await at.bring(FILE)
      const before = await at.show('1.1.0')
      const untouched = await at.show('1.0.0')
      const edited = FILE.replace('- Another thing', '- A thing between\n- Another thing').replace(
        '- A bug',
        '- A bug, really',
      )
      expect(counts(await at.bring(edited))).toEqual({
        added: 0,
        updated: 1,
        unchanged: 2,
        skipped: 0,
        pruned: 0,
      })
      const after = await at.show('1.1.0')
      expect(after.id).toBe(before.id)
      expect(after.changes.map(({ title }) => title)).toEqual([
        'A thing',
        'A thing between',
        'Another thing',
        'A bug, really',
      ])
      expect(after.changes.map(({ id }) => before.changes.findIndex((change) => change.id === id))).toEqual([
        0, 2, 1, -1,
      ])
      expect(await at.show('1.0.0')).toEqual(untouched)
    },
    PATIENCE_MS,
  )

  test(
    'what is here and not in the file stays, unless --prune',
    async () => {
      await using at = await prepared()
      await at.bring(FILE)
      const shorter = FILE.slice(0, FILE.indexOf('## [1.0.0]'))
      expect(counts(await at.bring(shorter))).toEqual({
        added: 0,
        updated: 0,
        unchanged: 2,
        skipped: 1,
        pruned: 0,
      })
      expect(counts(await at.bring(shorter, '--prune'))).toEqual({
        added: 0,
        updated: 0,
        unchanged: 2,
        skipped: 0,
        pruned: 1,
      })
      expect((await at.list()).map(({ version }) => version)).not.toContain('1.0.0')
    },
    PATIENCE_MS,
  )

  test(
    '--dry-run says what would change and changes nothing',
    async () => {
      await using at = await prepared()
      expect(counts(await at.bring(FILE, '--dry-run')).added).toBe(3)
      expect(await at.list()).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'an import publishes what the file newly dates, and leaves alone what somebody has published or hidden by hand',
    async () => {
      await using at = await prepared()
      const statuses = async () =>
        Object.fromEntries((await at.list()).map(({ version, status }) => [version, status]))
      const undated = FILE.replace('## [1.1.0] - 2026-02-03', '## [1.1.0] - TBD')
      await at.bring(undated)
      expect(await statuses()).toEqual({ Unreleased: 'draft', '1.1.0': 'draft', '1.0.0': 'published' })
      await at.box.json('version', 'publish', 'acme/app', 'Unreleased')
      await at.box.json('version', 'draft', 'acme/app', '1.0.0')
      expect(counts(await at.bring(undated)).updated).toBe(0)
      await at.bring(FILE)
      expect(await statuses()).toEqual({ Unreleased: 'published', '1.1.0': 'published', '1.0.0': 'draft' })
    },
    PATIENCE_MS,
  )

  test(
    '--status is for versions that are new',
    async () => {
      await using at = await prepared()
      await at.bring(FILE, '--status', 'draft')
      expect(new Set((await at.list()).map(({ status }) => status))).toEqual(new Set(['draft']))
      expect(counts(await at.bring(FILE, '--status', 'published')).updated).toBe(0)
      const { stdout } = await at.box.run(['export', 'acme/app', '--json'])
      const file = join(at.box.directory, 'app.json')
      await Bun.write(file, stdout)
      const refused = await at.box.run(['import', 'acme/app', file, '--status', 'published'])
      expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('leave out --status')])
    },
    PATIENCE_MS,
  )

  test(
    'without dates, and with two versions of one day, the order of the file is kept',
    async () => {
      await using at = await prepared()
      await at.bring('## 3.0.0\n- c\n\n## 2.0.0\n- b\n\n## 1.0.0\n- a\n')
      expect((await at.list()).map(({ version }) => version)).toEqual(['3.0.0', '2.0.0', '1.0.0'])
      await using other = await prepared()
      await other.bring('## 1.2 - 2026-01-01\n- c\n\n## 1.1 - 2026-01-01\n- b\n\n## 1.0 - 2025-01-01\n- a\n')
      expect((await other.list()).map(({ version }) => version)).toEqual(['1.2', '1.1', '1.0'])
      await using reversed = await prepared()
      await reversed.bring(
        '## 1.0 - 2025-01-01\n- a\n\n## 1.1 - 2026-01-01\n- b\n\n## 1.2 - 2026-01-01\n- c\n',
      )
      expect((await reversed.list()).map(({ version }) => version)).toEqual(['1.2', '1.1', '1.0'])
    },
    PATIENCE_MS,
  )

  test(
    'what is odd is kept, and reported with file and line',
    async () => {
      await using at = await prepared()
      const text = `${FILE}\n## [0.9.0]\n\n- Old\n`
      const line = text.split('\n').indexOf('## [0.9.0]') + 1
      const { warnings } = await at.bring(text, '--dry-run')
      expect(warnings).toEqual([{ line, message: expect.stringContaining('no date') }])
      const { stderr } = await at.box.run(['import', 'acme/app', at.path])
      expect(stderr).toContain(`CHANGELOG.md:${line}: no date`)
    },
    PATIENCE_MS,
  )

  test(
    'a product that is not written team/product is wrong usage, with the usage',
    async () => {
      await using at = await prepared()
      await Bun.write(at.path, FILE)
      for (const name of ['app', 'acme/', 'a/b/c']) {
        const { status, stderr } = await at.box.run(['import', name, at.path])
        expect(status).toBe(2)
        expect(stderr).toContain('A product is written team/product')
        expect(stderr).toContain('Usage: changelogd import')
      }
    },
    PATIENCE_MS,
  )

  test(
    'a file nested beyond measure is refused in words',
    async () => {
      await using at = await prepared()
      await Bun.write(at.path, `## 1.0.0 - 2026-01-02\n\n${'> '.repeat(50_000)}x\n`)
      const { status, stderr } = await at.box.run(['import', 'acme/app', at.path])
      if (status !== 0) expect([status, stderr]).toEqual([1, expect.stringContaining('nested too deeply')])
    },
    PATIENCE_MS,
  )

  test.each([
    ['a file without a version', '# Notes\n\nNothing here.\n', 'no version found'],
    ['an empty file', '', 'no version found'],
    ['bytes that are no text', '\xff\xfe\x00', 'is not UTF-8'],
  ])(
    '%s is refused, saying what was expected',
    async (_, text, message) => {
      await using at = await prepared()
      await Bun.write(at.path, Buffer.from(text, 'latin1'))
      const { status, stderr } = await at.box.run(['import', 'acme/app', at.path])
      expect(status).toBe(1)
      expect(stderr).toContain(message)
      expect(stderr.trim().split('\n')).toHaveLength(1)
    },
    PATIENCE_MS,
  )

  test(
    'a product that is not there needs --create, which makes it and its team, hidden',
    async () => {
      await using at = await prepared()
      await Bun.write(at.path, FILE)
      const refused = await at.box.run(['import', 'fresh/thing', at.path])
      expect([refused.status, refused.stdout]).toEqual([1, ''])
      const made = await at.box.run(['import', 'fresh/thing', at.path, '--create'])
      expect(made.status).toBe(0)
      expect(made.stderr).toContain('team fresh is private')
      expect((await at.box.seenByApi('/public/teams/fresh/products/thing/changelog')).status).toBe(404)
    },
    PATIENCE_MS,
  )

  test(
    'a locked product takes nothing in, but may be told that nothing changed',
    async () => {
      await using at = await prepared()
      await at.bring(FILE)
      await at.box.json('product', 'update', 'acme/app', '--status', 'locked')
      expect(counts(await at.bring(FILE)).unchanged).toBe(3)
      await Bun.write(at.path, FILE.replace('A bug', 'Another bug'))
      const { status, stderr } = await at.box.run(['import', 'acme/app', at.path])
      expect(status).toBe(1)
      expect(stderr).toContain('locked')
    },
    PATIENCE_MS,
  )

  test(
    'standard input is a file called -',
    async () => {
      await using at = await prepared()
      await Bun.write(at.path, FILE)
      const child = Bun.spawn(
        ['sh', '-c', `exec "$@" < ${at.path}`, 'sh', ...PROGRAM, 'import', 'acme/app', '-', '--json'],
        {
          env: at.box.env,
          stdout: 'pipe',
        },
      )
      expect(JSON.parse(await new Response(child.stdout).text()).added).toBe(3)
    },
    PATIENCE_MS,
  )

  test(
    'releases of GitHub and GitLab come in by the same rules',
    async () => {
      await using at = await prepared()
      const github = [
        {
          tag_name: 'v1.1.0',
          name: 'Second',
          draft: false,
          prerelease: false,
          published_at: '2026-02-03T04:05:06Z',
          body: '## Added\r\n\r\n- A thing\r\n',
        },
        {
          tag_name: 'v1.2.0',
          name: '',
          draft: true,
          prerelease: false,
          published_at: null,
          created_at: '2026-03-03T04:05:06Z',
          body: '',
        },
      ]
      await at.bring(JSON.stringify(github), '--format', 'github')
      expect((await at.show('v1.1.0')).changes.map(({ type, title }) => [type, title])).toEqual([
        ['added', 'A thing'],
      ])
      expect((await at.show('v1.1.0')).publishedAt).toBe('2026-02-03T04:05:06.000Z')
      expect((await at.show('v1.2.0')).status).toBe('draft')
      const gitlab = [
        {
          tag_name: 'v2.0.0',
          name: 'Third',
          description: '### Fixed\n- B',
          released_at: '2026-04-03T04:05:06.789Z',
          upcoming_release: false,
        },
      ]
      await at.bring(JSON.stringify(gitlab), '--format', 'gitlab')
      expect(await at.show('v2.0.0')).toMatchObject({
        title: 'Third',
        publishedAt: '2026-04-03T04:05:06.789Z',
      })
    },
    PATIENCE_MS,
  )

  test(
    'a writer killed in the middle leaves nothing half-imported',
    async () => {
      await using at = await prepared()
      const many = Array.from(
        { length: 4_000 },
        (_, v) => `## 1.${4_000 - v}.0 - 2026-01-02\n\n- a\n- b\n`,
      ).join('\n')
      await Bun.write(at.path, many)
      for (const delay of [150, 300, 450, 600]) {
        const child = at.box.start(['import', 'acme/app', at.path])
        await Bun.sleep(delay)
        child.kill('SIGKILL')
        await child.exited
        expect([0, 4_000]).toContain((await at.list()).length)
      }
    },
    PATIENCE_MS,
  )
})

describe('export', () => {
  test(
    'markdown comes out as clean Keep a Changelog, and importing it again changes nothing',
    async () => {
      await using at = await prepared()
      await at.bring(FILE)
      const { stdout } = await at.box.run(['export', 'acme/app'])
      for (const line of [
        '# Changelog',
        '## [Unreleased]',
        '## [1.1.0] - 2026-02-03 - The second one',
        '### Added',
        '- A thing',
      ])
        expect(stdout.split('\n')).toContain(line)
      expect(counts(await at.bring(stdout))).toEqual({
        added: 0,
        updated: 0,
        unchanged: 3,
        skipped: 0,
        pruned: 0,
      })
      expect((await at.box.run(['export', 'acme/app'])).stdout).toBe(stdout)
    },
    PATIENCE_MS,
  )

  test(
    'a version published by hand is exported with its date',
    async () => {
      await using at = await prepared()
      await at.box.json('version', 'create', 'acme/app', '1.0.0', '--title', 'First')
      await at.box.json('version', 'publish', 'acme/app', '1.0.0')
      const { stdout } = await at.box.run(['export', 'acme/app'])
      expect(stdout).toContain(`## [1.0.0] - ${new Date().toISOString().slice(0, 10)} - First`)
    },
    PATIENCE_MS,
  )

  test(
    'json into an empty database and out again is the same bytes, ids and locks included',
    async () => {
      await using at = await prepared()
      await at.bring(FILE)
      await at.box.json('changelog', 'update', 'acme/app', '--status', 'locked', '--name', 'News')
      const file = join(at.box.directory, 'app.json')
      await at.box.json('export', 'acme/app', '--format', 'json', '--output', file)
      expect(statSync(file).mode & 0o777).toBe(0o600)
      await using other = new Sandbox()
      await other.json('import', 'acme/app', file, '--create')
      expect((await other.run(['export', 'acme/app', '--format', 'json'])).stdout).toBe(
        await Bun.file(file).text(),
      )
      expect(counts(await other.json<Summary>('import', 'acme/app', file)).unchanged).toBe(3)
    },
    PATIENCE_MS,
  )

  test(
    'everything into an empty database is the same bytes too, and the keys still open',
    async () => {
      await using at = await prepared()
      await at.bring(FILE)
      const { token } = await at.box.json<{ token: string }>(
        'key',
        'create',
        'acme',
        '--kind',
        'SELECT',
        '--product',
        'app',
        '--label',
        'ci',
      )
      const file = join(at.box.directory, 'all.jsonl')
      await at.box.json('export', '--all', '--output', file)
      const text = await Bun.file(file).text()
      expect(text).not.toContain(token)
      await using other = new Sandbox()
      await other.json('import', '--all', file)
      expect((await other.run(['export', '--all'])).stdout).toBe(text)
      expect(
        (await other.seenByApi('/teams/acme/products/app/changelog', token)).data?.versions,
      ).toHaveLength(3)
      expect(counts(await other.json<Summary>('import', '--all', file))).toEqual({
        added: 0,
        updated: 0,
        unchanged: 3,
        skipped: 0,
        pruned: 0,
      })
    },
    PATIENCE_MS,
  )

  test(
    'importing everything keeps the rules: what is locked stays as it is',
    async () => {
      await using at = await prepared()
      await at.bring(FILE)
      await at.box.json('product', 'update', 'acme/app', '--status', 'locked')
      const { stdout } = await at.box.run(['export', '--all'])
      const file = join(at.box.directory, 'all.jsonl')
      await Bun.write(file, stdout)
      expect((await at.box.run(['import', '--all', file])).stdout).toStartWith('Nothing to change')
      await Bun.write(file, stdout.replace('"name":"App"', '"name":"Other"'))
      const { status, stderr } = await at.box.run(['import', '--all', file])
      expect(status).toBe(1)
      expect(stderr).toContain('locked')
      expect(await at.box.json('product', 'show', 'acme/app')).toMatchObject({ name: 'App' })
    },
    PATIENCE_MS,
  )

  test(
    'a label that another version has is refused in words',
    async () => {
      await using at = await prepared()
      await at.bring(FILE)
      const { stdout } = await at.box.run(['export', 'acme/app', '--format', 'json'])
      const file = join(at.box.directory, 'app.json')
      const swapped = stdout
        .replace('"version":"1.1.0"', '"version":"x"')
        .replace('"version":"1.0.0"', '"version":"1.1.0"')
      await Bun.write(file, swapped.replace('"version":"x"', '"version":"1.0.0"'))
      const { status, stderr } = await at.box.run(['import', 'acme/app', file])
      expect(status).toBe(1)
      expect(stderr).toContain('There is a version 1.0.0 of acme/app already')
    },
    PATIENCE_MS,
  )

  test(
    'an export of one product can be copied into another, with ids of its own',
    async () => {
      await using at = await prepared()
      await at.bring(FILE)
      const file = join(at.box.directory, 'app.json')
      await at.box.json('export', 'acme/app', '--format', 'json', '--output', file)
      await at.box.json('import', 'acme/copy', file, '--create')
      const copies = await at.box.json<Listed[]>('version', 'list', 'acme/copy')
      const originals = (await at.list()).map(({ id }) => id)
      expect(copies).toHaveLength(3)
      for (const { id } of copies) expect(originals).not.toContain(id)
    },
    PATIENCE_MS,
  )

  test.each([
    [
      'versions[0].status',
      (text: string) => text.replace('"status":"draft","publishedAt"', '"status":"odd","publishedAt"'),
      'teams[0].products[0].versions[0].status must be "draft" or "published", not "odd".',
    ],
    ['a cut file', (text: string) => text.slice(0, text.length / 2), 'not JSON, or cut off'],
    [
      'a newer format',
      (text: string) => text.replace('"version":1', '"version":9'),
      'a newer changelogd is needed to read format 9',
    ],
  ])(
    'a broken export (%s) is refused whole, naming the place',
    async (_, breakIt, message) => {
      await using at = await prepared()
      await at.bring(FILE)
      const { stdout } = await at.box.run(['export', 'acme/app', '--format', 'json'])
      const file = join(at.box.directory, 'broken.json')
      await Bun.write(file, breakIt(stdout))
      await using other = new Sandbox()
      const { status, stderr } = await other.run(['import', 'acme/app', file, '--create', '--format', 'json'])
      expect(status).toBe(1)
      expect(stderr).toContain(message)
      expect(await other.json<unknown[]>('team', 'list')).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'what is complete is for its owner only, however json was asked for',
    async () => {
      await using at = await prepared()
      await at.bring(FILE)
      const modeOf = async (...options: string[]) => {
        const file = join(at.box.directory, 'out')
        expect((await at.box.run(['export', ...options, '--output', file])).status).toBe(0)
        return statSync(file).mode & 0o777
      }
      expect(await modeOf('acme/app', '--format', 'json')).toBe(0o600)
      expect(await modeOf('acme/app', '--json')).toBe(0o600)
      expect(await modeOf('--all')).toBe(0o600)
      expect(await modeOf('acme/app')).toBe(0o666 & ~process.umask())
    },
    PATIENCE_MS,
  )

  test(
    'never writes over the database, and is whole or fails',
    async () => {
      await using at = await prepared()
      await at.bring(FILE)
      for (const output of [at.box.database, `${at.box.database}-wal`]) {
        const { status, stderr } = await at.box.run(['export', 'acme/app', '--output', output])
        expect([status, stderr]).toEqual([1, expect.stringContaining('belongs to the database itself')])
      }
      const good = join(at.box.directory, 'good.md')
      await Bun.write(good, 'good')
      const many = Array.from(
        { length: 2_000 },
        (_, v) => `## 2.${v}.0 - 2026-03-02\n\n- ${'x'.repeat(100)}\n`,
      )
      await at.bring(many.join('\n'))
      const child = Bun.spawn(
        ['sh', '-c', 'ulimit -f 100; exec "$@"', 'sh', ...PROGRAM, 'export', 'acme/app', '--output', good],
        { env: at.box.env, stderr: 'ignore' },
      )
      expect(await child.exited).toBe(1)
      expect(await Bun.file(good).text()).toBe('good')
      expect(readdirSync(at.box.directory).filter((name) => name.includes('partial'))).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'a file that cannot be written leaves nothing behind',
    async () => {
      await using at = await prepared()
      const { status, stderr } = await at.box.run([
        'export',
        'acme/app',
        '--output',
        join(at.box.directory, 'no', 'where.md'),
      ])
      expect(status).toBe(1)
      expect(stderr).toContain('There is no directory')
      expect(existsSync(join(at.box.directory, 'no'))).toBe(false)
      expect(readdirSync(at.box.directory).filter((name) => name.includes('partial'))).toEqual([])
    },
    PATIENCE_MS,
  )
})
