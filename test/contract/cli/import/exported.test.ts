import { describe, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Sandbox } from '../../../support/sandbox.ts'
import { ENGINES } from '../../../support/servers/server.ts'
import { counts, FILE, type Listed, prepared, type Summary } from './prepared.ts'

describe.each(ENGINES)('exports on %s', (engine) => {
  test('an import of one refuses a date ahead of what is public, and with --all warns of it', async () => {
    await using at = await prepared(engine)
    await at.bring(FILE)
    const file = join(at.box.directory, 'edited.json')
    const ahead = async (...args: string[]) => {
      const { stdout } = await at.box.run(['export', ...args])
      await Bun.write(file, stdout.replaceAll('2026-02-03T', '2996-02-03T'))
    }
    await ahead('acme/app', '--format', 'json')
    const refused = await at.box.run(['import', 'acme/app', file])
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringContaining('Version 1.1.0 of acme/app would be public now, with a date ahead: 2996-02-03'),
    ])
    await ahead('--all')
    const { warnings } = await at.box.json<Summary>('import', '--all', file)
    expect(warnings).toEqual([
      expect.objectContaining({
        message: 'version 1.1.0 of acme/app is public with a date ahead: 2996-02-03 00:00 UTC',
      }),
    ])
  })

  describe('export', () => {
    test('json into an empty database and out again is the same bytes, ids and locks included', async () => {
      await using at = await prepared(engine)
      await at.bring(FILE)
      await at.box.json('changelog', 'update', 'acme/app', '--status', 'locked', '--name', 'News')
      const file = join(at.box.directory, 'app.json')
      await at.box.json('export', 'acme/app', '--format', 'json', '--output', file)
      expect(statSync(file).mode & 0o777).toBe(0o600)
      await using other = await Sandbox.on(engine)
      await other.json('import', 'acme/app', file, '--create')
      expect((await other.run(['export', 'acme/app', '--format', 'json'])).stdout).toBe(
        await Bun.file(file).text(),
      )
      expect(counts(await other.json<Summary>('import', 'acme/app', file)).unchanged).toBe(3)
    })

    test('everything into an empty database is the same bytes too, and the keys still open', async () => {
      await using at = await prepared(engine)
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
      await using other = await Sandbox.on(engine)
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
    })

    test('importing everything keeps the rules: what is locked stays as it is', async () => {
      await using at = await prepared(engine)
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
    })

    test('a label that another version has is refused in words', async () => {
      await using at = await prepared(engine)
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
    })

    test('an export of one product can be copied into another, with ids of its own', async () => {
      await using at = await prepared(engine)
      await at.bring(FILE)
      const file = join(at.box.directory, 'app.json')
      await at.box.json('export', 'acme/app', '--format', 'json', '--output', file)
      await at.box.json('import', 'acme/copy', file, '--create')
      const copies = await at.box.json<Listed[]>('version', 'list', 'acme/copy')
      const originals = (await at.list()).map(({ id }) => id)
      expect(copies).toHaveLength(3)
      for (const { id } of copies) expect(originals).not.toContain(id)
    })

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
        'a newer changelogd wrote this file (version 9; this one reads up to 2)',
      ],
    ])('a broken export (%s) is refused whole, naming the place', async (_, breakIt, message) => {
      await using at = await prepared(engine)
      await at.bring(FILE)
      const { stdout } = await at.box.run(['export', 'acme/app', '--format', 'json'])
      const file = join(at.box.directory, 'broken.json')
      await Bun.write(file, breakIt(stdout))
      await using other = await Sandbox.on(engine, { isBare: true })
      const { status, stderr } = await other.run(['import', 'acme/app', file, '--create', '--format', 'json'])
      expect(status).toBe(1)
      expect(stderr).toContain(message)
      expect(await other.isMissing()).toBe(true)
    })
  })
})

test.each([
  ['SQLite', 'PostgreSQL'],
  ['PostgreSQL', 'SQLite'],
] as const)('what %s exports is the same bytes after an import into %s', async (from, to) => {
  await using at = await prepared(from)
  await at.bring(FILE)
  await at.box.json('demo').catch(() => {})
  await at.box.json('key', 'create', 'acme', '--kind', 'SELECT', '--product', 'app', '--expires', '90d')
  const awkward = 'Zähler\t\\N "b" {1} \u{1f600}\r\nnext\\'
  await at.box.json('version', 'create', 'acme/app', 'ß', '--title', 'ä', '--description', awkward)
  await at.box.json('version', 'create', 'acme/app', 'Z', '--title', 'z')
  const file = at.box.at('all.jsonl')
  await at.box.json('export', '--all', '--output', file)
  await using other = await Sandbox.on(to)
  await other.json('import', '--all', file)
  expect((await other.run(['export', '--all'])).stdout).toBe(await Bun.file(file).text())
})
