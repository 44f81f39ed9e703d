import { describe, expect, test } from 'bun:test'
import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROGRAM } from '../../../support/sandbox.ts'
import { ENGINES } from '../../../support/servers/server.ts'
import { Deleting, undoIn } from './deleting.ts'

/** What the commands print is in `transcripts/undoing.txt`. */

test.each(ENGINES)('a deletion prints the command that brings everything back, on %s', async (engine) => {
  await using at = await Deleting.on(engine)
  const before = await at.everything()
  for (const [line, what] of [
    ['team delete acme', 'team acme'],
    ['product delete acme/tool', 'product acme/tool'],
    ['version delete acme/tool 1.1.0', 'version 1.1.0 of acme/tool'],
    ['version delete acme/tool Unreleased', 'version Unreleased of acme/tool'],
    ['change delete acme/tool 1.1.0 1', 'change 1 of acme/tool 1.1.0'],
    ['change delete acme/tool 1.1.0 3', 'change 3 of acme/tool 1.1.0'],
  ] as const) {
    const { status, stdout, stderr } = await at.box.words(`${line} --yes`)
    expect([status, stdout]).toEqual([0, expect.stringContaining(`Deleted ${what}`)])
    expect(await at.everything()).not.toBe(before)
    const undone = await at.box.paste(undoIn(stderr))
    expect(undone).toEqual({ status: 0, stdout: expect.stringContaining(`Restored ${what}`), stderr: '' })
    expect(await at.everything()).toBe(before)
  }
})

describe('undo', () => {
  test('refuses what is back already, whose place is gone, or what was changed since', async () => {
    await using at = await Deleting.on('SQLite')
    const deleted = async (...args: string[]) => (await at.box.json<{ undo: string }>(...args, '--yes')).undo
    const change = await deleted('change', 'delete', 'acme/tool', '1.1.0', '1')
    const version = await deleted('version', 'delete', 'acme/tool', '1.1.0')
    const product = await deleted('product', 'delete', 'acme/tool')
    const team = await deleted('team', 'delete', 'acme')
    for (const undo of [change, version, product])
      expect(await at.box.paste(undo)).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('no longer exists. If it was deleted, undo that first.'),
      })
    for (const undo of [team, product, version, change]) {
      expect((await at.box.paste(undo)).status).toBe(0)
      expect((await at.box.paste(undo)).stderr).toContain('already exists.')
    }
    const overwritten = await deleted('import', 'acme/tool', 'CHANGELOG.md', '--overwrite', '--prune-drafts')
    await at.box.json('version', 'update', 'acme/tool', '1.1.0', '--title', 'Later')
    const later = await at.everything()
    const since = await at.box.paste(overwritten)
    expect(since.stderr).toContain('acme/tool were restored already, or changed since.')
    expect(await at.everything()).toBe(later)
  })

  test('takes a file that only its owner may read, which --json names too', async () => {
    await using at = await Deleting.on('SQLite')
    const deleted = await at.box.json<{ file: string; undo: string }>('team', 'delete', 'acme', '--yes')
    expect(deleted.file).toBe(join(at.trash, at.kept().join()))
    expect(statSync(at.trash).mode & 0o777).toBe(0o700)
    expect(statSync(deleted.file).mode & 0o777).toBe(0o600)
    expect((await at.box.paste(`${deleted.undo} --json`)).status).toBe(0)
  })
})

describe('the trash', () => {
  test('if there is no room for the file, or no place, nothing is deleted and nothing left', async () => {
    await using at = await Deleting.on('SQLite')
    const many = Array.from({ length: 300 }, (_, v) => `## 2.${v}.0 - 2026-03-02\n\n- ${'x'.repeat(900)}\n`)
    writeFileSync(at.box.at('many.md'), many.join('\n'))
    await at.box.json('import', 'acme/tool', 'many.md')
    const before = await at.everything()
    const { status, stderr } = await at.box.runProgram([
      ...['sh', '-c', 'ulimit -f 100; exec "$@"', 'sh', ...PROGRAM],
      ...['product', 'delete', 'acme/tool', '--yes'],
    ])
    expect([status, stderr]).toEqual([1, expect.stringContaining('Nothing was deleted')])
    symlinkSync('/nowhere/at/all', at.box.at('link'))
    const placeless = await at.box.run(['team', 'delete', 'acme', '--yes'], { TRASH_DIR: at.box.at('link') })
    expect([placeless.status, placeless.stderr]).toEqual([1, expect.stringContaining('Cannot write')])
    expect(at.kept()).toEqual([])
    expect(await at.everything()).toBe(before)
  })

  test('TRASH_DIR is created, and files of ours that are 30 days old go with the next deletion, but no others', async () => {
    await using at = await Deleting.on('SQLite')
    const place = at.box.at('deep/place')
    mkdirSync(place, { recursive: true })
    const old = new Date(Date.now() - 31 * 86_400_000).toISOString().replaceAll(/[:.]/g, '-')
    const recent = new Date(Date.now() - 29 * 86_400_000).toISOString().replaceAll(/[:.]/g, '-')
    const ours = (moment: string) => `${moment}-team-acme-0123abcd.jsonl`
    const foreign = [
      'notes.txt',
      `${old}.jsonl`,
      `${old}-team-acme-0123abcd.jsonl.bak`,
      `${old}-key-acme-0123abcd.jsonl`,
    ]
    for (const name of [ours(old), ours(recent), ...foreign]) writeFileSync(join(place, name), '')
    const env = { TRASH_DIR: place }
    const run = (line: string) => at.box.run(line.split(' '), env)
    expect((await run('version delete acme/tool 9.9.9 --yes')).status).toBe(1)
    expect(await Bun.file(join(place, ours(old))).exists()).toBe(true)
    const { stderr } = await run('version delete acme/tool 1.0.0 --yes')
    for (const name of [ours(recent), ...foreign])
      expect(await Bun.file(join(place, name)).exists()).toBe(true)
    expect(await Bun.file(join(place, ours(old))).exists()).toBe(false)
    expect((await at.box.paste(undoIn(stderr))).status).toBe(0)
  })

  test('--db is part of the command that is printed', async () => {
    await using at = await Deleting.on('SQLite')
    const args = ['version', 'delete', 'acme/tool', '1.0.0', '--yes', '--db', at.box.database]
    const { stderr } = await at.box.run(args, { DATABASE_URL: '' })
    expect(undoIn(stderr)).toEndWith(` --db ${at.box.database}`)
    expect((await at.box.paste(`DATABASE_URL= ${undoIn(stderr)}`)).status).toBe(0)
  })
})
