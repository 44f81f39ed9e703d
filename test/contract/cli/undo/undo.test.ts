import { describe, expect, test } from 'bun:test'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ENGINES } from '../../../support/servers/server.ts'
import { Deleting, undoIn } from './deleting.ts'

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
  test('brings back what import --prune and apply --prune have deleted', async () => {
    await using at = await Deleting.on('SQLite')
    writeFileSync(at.box.at('short.md'), '## [1.0.0] - 2026-01-02\n\n### Added\n\n- Everything\n')
    writeFileSync(at.box.at('file.yml'), 'teams:\n  other: { name: Other }\n')
    await at.box.json('team', 'create', 'other', '--name', 'Other')
    await at.box.json('import', 'acme/tool', 'short.md', '--overwrite')
    for (const line of ['import acme/tool short.md --prune-drafts', 'apply file.yml --prune']) {
      const before = await at.everything()
      const { status, stderr } = await at.box.words(`${line} --yes`)
      expect(status).toBe(0)
      expect(await at.everything()).not.toBe(before)
      expect((await at.box.paste(undoIn(stderr))).status).toBe(0)
      expect(await at.everything()).toBe(before)
    }
  })

  test.each(ENGINES)(
    'undoes import --overwrite with what it pruned, unless the versions were changed since, on %s',
    async (engine) => {
      await using at = await Deleting.on(engine)
      const { box } = at
      await box.json('change', 'add', 'acme/tool', '1.1.0', '--type', 'fixed', 'Another fault')
      await box.json('publish', 'acme/tool')
      await box.json('version', 'update', 'acme/tool', '1.0.0', '--label', '1.0.1')
      const file = await Bun.file(box.at('CHANGELOG.md')).text()
      writeFileSync(box.at('released.md'), file.replace(/## \[Unrel.*?(?=## \[1)/s, ''))
      const before = await at.everything()
      const imported = await box.words('import acme/tool released.md --overwrite --prune-drafts --yes')
      expect(imported.stdout).toContain('1 deleted')
      expect(await at.everything()).not.toBe(before)
      expect((await box.paste(undoIn(imported.stderr))).stdout).toBe(
        'Restored 3 versions of acme/tool as before import --overwrite.\n',
      )
      expect(await at.everything()).toBe(before)
      expect(await box.json<unknown[]>('undo')).toEqual([])

      const again = await box.words('import acme/tool CHANGELOG.md --overwrite')
      expect(await box.json<unknown[]>('undo')).toHaveLength(1)
      await box.json('version', 'update', 'acme/tool', '1.1.0', '--title', 'Later')
      const later = await at.everything()
      expect((await box.paste(undoIn(again.stderr))).stderr).toContain(
        'acme/tool are back, or were changed since.',
      )
      expect(await at.everything()).toBe(later)
    },
  )

  test('leaves a change where import --overwrite has moved it', async () => {
    await using at = await Deleting.on('SQLite')
    const { box } = at
    const line = '- A third thing\n'
    const file = await Bun.file(box.at('CHANGELOG.md')).text()
    writeFileSync(box.at('CHANGELOG.md'), file.replace(line, '').replace('- Not yet\n', `$&${line}`))
    const { stderr } = await box.words('import acme/tool CHANGELOG.md --overwrite')
    expect((await box.paste(undoIn(stderr))).status).toBe(0)
    const shown = async (label: string) => (await box.words(`version show acme/tool ${label}`)).stdout
    expect(await shown('1.1.0')).toContain('By-hand')
    expect(await shown('1.1.0')).not.toContain('A third thing')
    expect(await shown('Unreleased')).toContain('A third thing')
  })

  test('takes a file that only its owner may read, which --json names too', async () => {
    await using at = await Deleting.on('SQLite')
    const deleted = await at.box.json<{ file: string; undo: string }>('team', 'delete', 'acme', '--yes')
    expect(deleted.file).toBe(join(at.trash, at.kept().join()))
    expect(statSync(at.trash).mode & 0o777).toBe(0o700)
    expect(statSync(deleted.file).mode & 0o777).toBe(0o600)
    expect((await at.box.paste(`${deleted.undo} --json`)).status).toBe(0)
  })

  test('lists what was deleted and is not back, each once, newest first; --last takes the first', async () => {
    await using at = await Deleting.on('SQLite')
    const { box } = at
    const before = await at.everything()
    const listed = async () => (await box.json<{ deleted: string }[]>('undo')).map(({ deleted }) => deleted)
    const remove = () => box.json('version', 'delete', 'acme/tool', '1.0.0', '--yes')
    expect(await listed()).toEqual([])
    await remove()
    await box.json('undo', '--last')
    const { stdout } = await box.words('doctor')
    expect(stdout).toMatch(/1 copy of what was deleted is kept in \S+; undo lists what can be brought back/)
    await remove()
    await box.json('change', 'delete', 'acme/tool', '1.1.0', '2', '--yes')
    await box.json('product', 'delete', 'acme/tool', '--yes')
    const all = [
      'product acme/tool',
      expect.stringContaining('change 2 of acme/tool 1.1.0'),
      'version 1.0.0 of acme/tool',
    ]
    for (; all.length > 0; all.shift()) {
      expect(await listed()).toEqual(all)
      expect(await box.json('undo', '--last')).toMatchObject({ restored: all[0] })
    }
    expect(await at.everything()).toBe(before)
    expect((await box.words('undo --last')).stderr).toBe('changelogd: There is nothing to bring back.\n')
  })

  test('leaves as it is what has changed meanwhile', async () => {
    await using at = await Deleting.on('SQLite')
    const { box } = at
    const { undo } = await box.json<{ undo: string }>('product', 'delete', 'acme/tool', '--yes')
    await box.json('key', 'rotate', 'acme/two')
    await box.json('key', 'delete', 'acme/one', '--yes')
    await box.json('team', 'update', 'acme', '--slug', 'globex', '--yes')
    const before = await at.everything()
    const { status, stderr } = await at.box.paste(undo)
    expect([status, stderr]).toEqual([
      0,
      expect.stringMatching(/^Key key_\w+ could read it, but does not exist/),
    ])
    expect(await box.json('key', 'show', 'globex/two')).toMatchObject({ products: ['app', 'tool'] })
    await box.json('product', 'delete', 'globex/tool', '--yes')
    expect(await at.everything()).toBe(before)
  })

  test('leaves an old label with the version that got it since', async () => {
    await using at = await Deleting.on('SQLite')
    const run = (line: string) => at.box.json<{ undo: string }>(...line.split(' '))
    await run('publish acme/tool')
    await run('version update acme/tool 1.0.0 --label 1.0.1')
    const { undo } = await run('version delete acme/tool 1.0.1 --yes')
    await run('version create acme/tool 1.0.0 --status published')
    await run('version update acme/tool 1.0.0 --label 1.5.0')
    expect((await at.box.paste(undo)).status).toBe(0)
    expect(await run('version show acme/tool 1.0.1')).toMatchObject({ formerLabels: [] })
    expect(await run('version show acme/tool 1.5.0')).toMatchObject({ formerLabels: ['1.0.0'] })
  })
})
