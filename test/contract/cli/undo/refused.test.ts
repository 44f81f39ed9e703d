import { describe, expect, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROGRAM } from '../../../support/sandbox.ts'
import { Deleting, undoIn } from './deleting.ts'

describe('undo', () => {
  test.each([
    [
      'version delete acme/tool 1.0.0',
      'version create acme/tool 1.0.0',
      'There is another version 1.0.0 of acme/tool now.',
      'version update acme/tool 1.0.0 --label 1.0.0-new',
    ],
    [
      'version delete acme/tool 1.0.0',
      'version create acme/tool v1.0.0',
      'There is another version v1.0.0 of acme/tool now, and an import would take 1.0.0 for the same version.',
      'version update acme/tool v1.0.0 --label v1.0.0-new',
    ],
    [
      'product delete acme/tool',
      'product create acme/tool --name Tool',
      'There is another product acme/tool now.',
      'product update acme/tool --slug tool-new --yes',
    ],
    [
      'team delete acme',
      'team create acme --name Acme',
      'There is another team acme now.',
      'team update acme --slug acme-new --yes',
    ],
  ])('after %s and %s it refuses, and succeeds once that is renamed', async (line, anew, refusal, rename) => {
    await using at = await Deleting.on('SQLite')
    const { undo } = await at.box.json<{ undo: string }>(...line.split(' '), '--yes')
    await at.box.json(...anew.split(' '))
    const before = await at.everything()
    const { status, stderr } = await at.box.paste(undo)
    expect([status, stderr]).toEqual([1, expect.stringContaining(refusal)])
    expect(stderr).toContain(`To rename it: changelogd ${rename.replace(' --yes', '')}\n`)
    expect(await at.everything()).toBe(before)
    await at.box.json(...rename.split(' '))
    expect((await at.box.paste(undo)).status).toBe(0)
  })

  test('it refuses what is back already, or whose place is gone', async () => {
    await using at = await Deleting.on('SQLite')
    const deleted = async (...args: string[]) => (await at.box.json<{ undo: string }>(...args, '--yes')).undo
    const change = await deleted('change', 'delete', 'acme/tool', '1.1.0', '1')
    const version = await deleted('version', 'delete', 'acme/tool', '1.1.0')
    const product = await deleted('product', 'delete', 'acme/tool')
    const team = await deleted('team', 'delete', 'acme')
    for (const undo of [change, version, product])
      expect(await at.box.paste(undo)).toMatchObject({
        status: 1,
        stderr: expect.stringContaining(
          'does not exist any more. If it was deleted too, bring that back first.',
        ),
      })
    for (const undo of [team, product, version, change]) {
      expect((await at.box.paste(undo)).status).toBe(0)
      expect((await at.box.paste(undo)).stderr).toContain('exists: it is back already, or was not deleted.')
    }
  })

  test('a refused or unconfirmed deletion and a dry run leave no file; instead of deleting what is public, hide it', async () => {
    await using at = await Deleting.on('SQLite')
    const { box } = at
    const before = await at.everything()
    writeFileSync(box.at('short.md'), '## [1.0.0] - 2026-01-02\n\n- Everything\n')
    for (const line of [
      'team delete acme',
      'product delete acme/tool',
      'version delete acme/tool 1.0.0',
      'change delete acme/tool 1.1.0 1',
      'import acme/tool short.md --prune',
      'version delete acme/tool 9.9.9 --yes',
    ])
      expect((await box.words(line)).status).toBe(1)
    const hide = 'To hide it instead: changelogd version draft acme/tool 1.0.0\n'
    expect((await box.words('version delete acme/tool 1.0.0')).stderr).toContain(hide)
    expect((await box.words('version delete acme/tool Unreleased')).stderr).not.toContain('hide it')
    expect((await box.words('import acme/tool short.md --prune --dry-run')).status).toBe(0)
    await box.json('product', 'update', 'acme/tool', '--status', 'locked')
    for (const line of ['team delete acme', 'product delete acme/tool', 'change delete acme/tool 1.1.0 1'])
      expect((await box.words(`${line} --yes`)).stderr).toContain('locked')
    await box.json('product', 'update', 'acme/tool', '--status', 'draft')
    expect(at.kept()).toEqual([])
    expect(await at.everything()).toBe(before)
  })
})

describe('the trash', () => {
  test('if TRASH_DIR is no directory, nothing is deleted, and the refusal says how to go on', async () => {
    await using at = await Deleting.on('SQLite')
    const before = await at.everything()
    writeFileSync(at.box.at('file'), '')
    symlinkSync('/nowhere/at/all', at.box.at('link'))
    for (const [name, why] of [
      ['file', 'is a file.'],
      ['link', 'Cannot write'],
    ] as const) {
      const { status, stdout, stderr } = await at.box.run(['team', 'delete', 'acme', '--yes', '--json'], {
        TRASH_DIR: at.box.at(name),
      })
      expect([status, JSON.parse(stdout).error.code]).toEqual([1, 'unavailable'])
      expect(stderr).toContain('Nothing was deleted, because a copy cannot be kept.')
      expect(stderr).toContain(why)
      expect(stderr).toContain('To keep it in another directory, set TRASH_DIR.')
    }
    expect(await at.everything()).toBe(before)
  })

  test('if there is no room for the file, nothing is deleted and nothing left', async () => {
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

  test('undo takes only what a deletion has kept', async () => {
    await using at = await Deleting.on('SQLite')
    await at.box.json('export', '--all', '--output', 'everything.jsonl')
    expect(await at.box.refusal('undo', 'everything.jsonl')).toContain(
      'To import it: changelogd import --all everything.jsonl',
    )
    expect(await at.box.refusal('undo', 'CHANGELOG.md')).toContain('not an export of changelogd')
    expect(await at.box.refusal('undo', '--last')).toContain('nothing to bring back')
  })
})
