import { describe, expect, test } from 'bun:test'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ENGINES } from '../../../support/servers/server.ts'
import { Deleting, undoIn } from './deleting.ts'

describe.each(ENGINES)('undo on %s', (engine) => {
  test.each([
    ['team delete acme', 'team acme'],
    ['product delete acme/tool', 'product acme/tool'],
    ['version delete acme/tool 1.1.0', 'version 1.1.0 of acme/tool'],
    ['version delete acme/tool Unreleased', 'version Unreleased of acme/tool'],
    ['change delete acme/tool 1.1.0 1', 'change 1 of acme/tool 1.1.0'],
    ['change delete acme/tool 1.1.0 3', 'change 3 of acme/tool 1.1.0'],
  ])('%s: the command that it prints brings everything back, byte for byte', async (line, what) => {
    await using at = await Deleting.on(engine)
    const before = await at.everything()
    const { status, stdout, stderr } = await at.box.words(`${line} --yes`)
    expect([status, stdout]).toEqual([0, expect.stringContaining(`Deleted ${what}`)])
    expect(await at.everything()).not.toBe(before)
    const undone = await at.box.paste(undoIn(stderr))
    expect(undone).toEqual({ status: 0, stdout: expect.stringContaining(`Restored ${what}`), stderr: '' })
    expect(await at.everything()).toBe(before)
  })

  test('import --prune and apply --prune are undone in the same way', async () => {
    await using at = await Deleting.on(engine)
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

  test('import --overwrite is undone, with what it has pruned, unless the versions were changed since', async () => {
    await using at = await Deleting.on(engine)
    const { box } = at
    await box.json('change', 'add', 'acme/tool', '1.1.0', '--type', 'fixed', 'Another fault')
    await box.json('publish', 'acme/tool')
    await box.json('version', 'update', 'acme/tool', '1.0.0', '--label', '1.0.1')
    const file = await Bun.file(box.at('CHANGELOG.md')).text()
    writeFileSync(box.at('released.md'), file.replace(/## \[Unrel.*?(?=## \[1)/s, ''))
    const before = await at.everything()
    const { stdout, stderr } = await box.words(
      'import acme/tool released.md --overwrite --prune-drafts --yes',
    )
    expect(stdout).toContain('1 deleted')
    expect(await at.everything()).not.toBe(before)
    expect((await box.paste(undoIn(stderr))).stdout).toBe(
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
  })

  test('a change that import --overwrite has moved to another version stays there', async () => {
    await using at = await Deleting.on(engine)
    const { box } = at
    const line = '- A third thing\n'
    const file = (await Bun.file(box.at('CHANGELOG.md')).text())
      .replace(line, '')
      .replace('- Not yet\n', `$&${line}`)
    writeFileSync(box.at('CHANGELOG.md'), file)
    const { stderr } = await box.words('import acme/tool CHANGELOG.md --overwrite')
    expect((await box.paste(undoIn(stderr))).status).toBe(0)
    const shown = async (label: string) => (await box.words(`version show acme/tool ${label}`)).stdout
    expect(await shown('1.1.0')).toContain('By hand')
    expect(await shown('1.1.0')).not.toContain('A third thing')
    expect(await shown('Unreleased')).toContain('A third thing')
  })

  test('what is kept is for the owner only, and named by --json too', async () => {
    await using at = await Deleting.on(engine)
    const before = await at.everything()
    const deleted = await at.box.json<{ file: string; undo: string }>('team', 'delete', 'acme', '--yes')
    expect(deleted.file).toBe(join(at.trash, at.kept().join()))
    expect(statSync(at.trash).mode & 0o777).toBe(0o700)
    expect(statSync(deleted.file).mode & 0o777).toBe(0o600)
    expect((await at.box.paste(`${deleted.undo} --json`)).status).toBe(0)
    expect(await at.everything()).toBe(before)
  })

  test('the list names what was deleted, newest first, and --last brings that back', async () => {
    await using at = await Deleting.on(engine)
    expect(await at.box.json<unknown[]>('undo')).toEqual([])
    await at.box.json('version', 'delete', 'acme/tool', '1.0.0', '--yes')
    const before = await at.everything()
    await at.box.json('change', 'delete', 'acme/tool', '1.1.0', '2', '--yes')
    const listed = await at.box.json<{ deleted: string }[]>('undo')
    expect(listed.map(({ deleted }) => deleted)).toEqual([
      expect.stringContaining('change 2 of acme/tool 1.1.0'),
      'version 1.0.0 of acme/tool',
    ])
    expect(await at.box.json('undo', '--last')).toMatchObject({ restored: listed[0]?.deleted })
    expect(await at.everything()).toBe(before)
  })

  test('what is back is not listed any more, and --last brings back what was deleted before it', async () => {
    await using at = await Deleting.on(engine)
    const before = await at.everything()
    const deletions = [
      ['change', 'delete', 'acme/tool', '1.1.0', '2'],
      ['version', 'delete', 'acme/tool', '1.0.0'],
      ['product', 'delete', 'acme/tool'],
      ['team', 'delete', 'acme'],
    ]
    for (const deletion of deletions) await at.box.json(...deletion, '--yes')
    for (const left of [3, 2, 1, 0]) {
      await at.box.json('undo', '--last')
      expect(await at.box.json<unknown[]>('undo')).toHaveLength(left)
    }
    expect(await at.everything()).toBe(before)
    expect((await at.box.words('undo --last')).stderr).toBe('changelogd: There is nothing to bring back.\n')
  })

  test('what was deleted twice is listed once, and doctor does not say that it can be brought back again', async () => {
    await using at = await Deleting.on(engine)
    const remove = () => at.box.json('version', 'delete', 'acme/tool', '1.0.0', '--yes')
    await remove()
    await at.box.json('undo', '--last')
    const { stdout } = await at.box.words('doctor')
    expect(stdout).toMatch(/1 copy of what was deleted is kept in \S+; undo lists what can be brought back/)
    await remove()
    expect(await at.box.json<unknown[]>('undo')).toHaveLength(1)
  })

  test('what has changed meanwhile stays as it is', async () => {
    await using at = await Deleting.on(engine)
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
    await using at = await Deleting.on(engine)
    const run = (line: string) => at.box.json<{ undo: string }>(...line.split(' '))
    await run('publish acme/tool')
    await run('version update acme/tool 1.0.0 --label 1.0.1')
    expect(await run('version show acme/tool 1.0.1')).toMatchObject({ formerLabels: ['1.0.0'] })
    const { undo } = await run('version delete acme/tool 1.0.1 --yes')
    await run('version create acme/tool 1.0.0 --status published')
    await run('version update acme/tool 1.0.0 --label 1.5.0')
    expect((await at.box.paste(undo)).status).toBe(0)
    expect(await run('version show acme/tool 1.0.1')).toMatchObject({ formerLabels: [] })
    expect(await run('version show acme/tool 1.5.0')).toMatchObject({ formerLabels: ['1.0.0'] })
  })
})
