import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { logBytes, type WriteLock, writeLock } from '../../../support/database/steps.ts'
import { ENGINES } from '../../../support/servers/server.ts'
import { until } from '../../../support/until.ts'
import { counts, FILE, prepared } from './prepared.ts'

describe.each(ENGINES)('imports on %s', (engine) => {
  describe('import', () => {
    test('a CHANGELOG.md is on the API of a running server in one command', async () => {
      await using at = await prepared(engine)
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
    })

    test('--publish publishes the product and its changelog, and neither the team nor the versions', async () => {
      await using at = await prepared(engine)
      const { box } = at
      await Bun.write(at.path, FILE)
      await box.words('import new/app CHANGELOG.md --create --status draft')
      // The same file again, which needs no parsing.
      const { stderr } = await box.words('import new/app CHANGELOG.md --publish')
      expect(stderr).toStartWith(
        'Still hidden: team new is private. To change that: changelogd team update new --visibility public\n',
      )
      expect(await box.json('status', 'new/app')).toMatchObject({
        ...{ status: 'published', changelog: { status: 'published' } },
        versions: [{ status: 'draft' }, { status: 'draft' }, { status: 'draft' }],
      })
    })

    test('the same file again changes nothing, and says so', async () => {
      await using at = await prepared(engine)
      await at.bring(FILE)
      const before = await at.box.state()
      expect(counts(await at.bring(FILE))).toEqual({
        added: 0,
        updated: 0,
        unchanged: 3,
        skipped: 0,
        pruned: 0,
      })
      const { stdout } = await at.box.run(['import', 'acme/app', at.path])
      expect(stdout).toStartWith('Nothing to change in acme/app: ')
      expect(await at.box.state()).toEqual(before)
    })

    test('a new introduction alone is a change too', async () => {
      await using at = await prepared(engine)
      await at.bring(FILE)
      writeFileSync(at.path, `Another introduction.\n\n${FILE}`)
      const { stdout } = await at.box.run(['import', 'acme/app', at.path])
      expect(stdout).toStartWith('Imported into acme/app: 0 added, 0 updated, 3 unchanged')
      expect((await at.box.run(['import', 'acme/app', at.path])).stdout).toStartWith('Nothing to change')
    })

    test('an edited file updates exactly what differs, and every id that can stay stays', async () => {
      await using at = await prepared(engine)
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
        0, -1, 1, 2,
      ])
      expect(await at.show('1.0.0')).toEqual(untouched)
    })

    test('a stored version that is not in the file stays, unless --prune', async () => {
      await using at = await prepared(engine)
      await at.bring(FILE)
      const shorter = FILE.slice(0, FILE.indexOf('## [1.0.0]'))
      expect(counts(await at.bring(shorter))).toEqual({
        added: 0,
        updated: 0,
        unchanged: 2,
        skipped: 1,
        pruned: 0,
      })
      expect(counts(await at.bring(shorter, '--prune', '--yes'))).toEqual({
        added: 0,
        updated: 0,
        unchanged: 2,
        skipped: 0,
        pruned: 1,
      })
      expect((await at.list()).map(({ version }) => version)).not.toContain('1.0.0')
    })

    test('--prune deletes nothing that is not confirmed, and asks only if something would be deleted', async () => {
      await using at = await prepared(engine)
      await at.bring(FILE)
      expect(counts(await at.bring(FILE, '--prune')).unchanged).toBe(3)
      await Bun.write(at.path, FILE.slice(0, FILE.indexOf('## [1.0.0]')))
      const { status, stdout, stderr } = await at.box.run(['import', 'acme/app', at.path, '--prune'])
      expect([status, stdout]).toEqual([1, ''])
      expect(stderr).toContain(`This deletes 1 version that is not in ${at.path}.`)
      expect(stderr).toContain('To confirm it, add --yes.')
      expect(await at.list()).toHaveLength(3)
      expect(await at.box.json('import', 'acme/app', at.path, '--prune', '--dry-run')).toMatchObject({
        pruned: 1,
      })
      expect(await at.list()).toHaveLength(3)
    })

    test('a text over the limit is cut and reported with its line, and refuses no file', async () => {
      await using at = await prepared(engine)
      const { added, warnings } = await at.bring(
        `${FILE}\n## 0.9.0 - 2025-01-01\n\n${'x'.repeat(1_000_001)}\n`,
      )
      expect(added).toBe(4)
      expect(warnings).toEqual([
        { line: FILE.split('\n').length + 1, message: 'a text has more than 1000000 characters, cut' },
      ])
      expect((await at.show('0.9.0')).description).toHaveLength(1_000_000)
    })

    test('--dry-run says what would change and changes nothing', async () => {
      await using at = await prepared(engine)
      expect(counts(await at.bring(FILE, '--dry-run')).added).toBe(3)
      expect(await at.list()).toEqual([])
    })

    test('an import publishes what the file newly dates, and leaves alone what somebody has published or hidden by hand', async () => {
      await using at = await prepared(engine)
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
    })

    test('what stands below a dated version is published, and a stored draft stays one, which is said once', async () => {
      await using at = await prepared(engine)
      const text =
        '## 1.4\n- e\n\n## 1.3 - 2026-01-03\n- d\n\n## 1.2\n- c\n\n## 1.1\n- b\n\n## 1.0 - 2026-01-01\n- a\n\n## 0.9 - 2025-01-01\n- z\n'
      const statuses = async () => (await at.list()).map(({ version, status }) => `${version} ${status}`)
      expect((await at.bring(text)).warnings).toEqual([
        { line: 1, message: 'no date, kept as a draft' },
        { line: 7, message: 'no date, published without one (2 times, lines 7, 10)' },
      ])
      expect(await statuses()).toEqual([
        ...['1.4 draft', '1.3 published', '1.2 published', '1.1 published', '1.0 published', '0.9 published'],
      ])
      for (const label of ['1.1', '1.2']) await at.box.json('version', 'draft', 'acme/app', label)
      const { warnings } = await at.bring(text)
      expect(warnings[1]?.message).toStartWith('released by its place in the file, but')
      expect(warnings).toHaveLength(2)
      expect(new Set(await statuses())).toContain('1.2 draft')
    })

    test('--status is for versions that are new', async () => {
      await using at = await prepared(engine)
      await at.bring(FILE, '--status', 'draft')
      expect(new Set((await at.list()).map(({ status }) => status))).toEqual(new Set(['draft']))
      expect(counts(await at.bring(FILE, '--status', 'published')).updated).toBe(0)
      const { stdout } = await at.box.run(['export', 'acme/app', '--json'])
      const file = join(at.box.directory, 'app.json')
      await Bun.write(file, stdout)
      const refused = await at.box.run(['import', 'acme/app', file, '--status', 'published'])
      expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('leave out --status')])
    })

    test('without dates, and with two versions of one day, the order of the file is kept', async () => {
      await using at = await prepared(engine)
      await at.bring('## 3.0.0\n- c\n\n## 2.0.0\n- b\n\n## 1.0.0\n- a\n')
      expect((await at.list()).map(({ version }) => version)).toEqual(['3.0.0', '2.0.0', '1.0.0'])
      await using other = await prepared(engine)
      await other.bring('## 1.2 - 2026-01-01\n- c\n\n## 1.1 - 2026-01-01\n- b\n\n## 1.0 - 2025-01-01\n- a\n')
      expect((await other.list()).map(({ version }) => version)).toEqual(['1.2', '1.1', '1.0'])
      await using reversed = await prepared(engine)
      await reversed.bring(
        '## 1.0 - 2025-01-01\n- a\n\n## 1.1 - 2026-01-01\n- b\n\n## 1.2 - 2026-01-01\n- c\n',
      )
      expect((await reversed.list()).map(({ version }) => version)).toEqual(['1.2', '1.1', '1.0'])
    })

    test('a product that is not there needs --create, which makes it and its team, hidden', async () => {
      await using at = await prepared(engine)
      await Bun.write(at.path, FILE)
      const refused = await at.box.run(['import', 'fresh/thing', at.path])
      expect([refused.status, refused.stdout]).toEqual([1, ''])
      const made = await at.box.run(['import', 'fresh/thing', at.path, '--create'])
      expect(made.status).toBe(0)
      expect(made.stderr).toContain('team fresh is private')
      expect((await at.box.seenByApi('/public/teams/fresh/products/thing/changelog')).status).toBe(404)
    })

    test('a locked product takes nothing in, but may be told that nothing changed', async () => {
      await using at = await prepared(engine)
      await at.bring(FILE)
      await at.box.json('product', 'update', 'acme/app', '--status', 'locked')
      expect(counts(await at.bring(FILE)).unchanged).toBe(3)
      await Bun.write(at.path, FILE.replace('A bug', 'Another bug'))
      const { status, stderr } = await at.box.run(['import', 'acme/app', at.path])
      expect(status).toBe(1)
      expect(stderr).toContain('locked')
    })
  })
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
