import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { ENGINES } from '../../../support/servers/server.ts'
import { FILE, prepared } from './prepared.ts'

const EDITED = FILE.replace('# Changelog', '# Changes')
  .replace('## [Unreleased]', '## [1.2.0] - 2026-03-04\n\n- A first\n- A second\n\n## [Unreleased]')
  .replace('Words about it.', 'Other words.')
  .replace('- A thing\n', '')
  .replace('- A bug', '- A bug, really\n- And one more')
  .replace('## [1.0.0] - 2026-01-02\n\n- Everything\n', '')

describe.each(ENGINES)('a dry run on %s', (engine) => {
  test('names each version with what would happen to it', async () => {
    await using at = await prepared(engine)
    await at.bring(FILE)
    const before = await at.box.state()
    await Bun.write(at.path, EDITED)
    const { stdout } = await at.box.run(['import', 'acme/app', at.path, '--dry-run'])
    expect(stdout).toBe(
      'Would import into acme/app: 1 added, 1 updated, 1 unchanged, 1 skipped, 0 warnings.\n' +
        '  1.2.0       added      2 changes\n' +
        '  Unreleased  unchanged\n' +
        '  1.1.0       updated    description; changes: 1 added, 1 changed, 1 removed\n' +
        '  1.0.0       skipped    not in the file\n',
    )
    const pruning = await at.box.run(['import', 'acme/app', at.path, '--dry-run', '--prune'])
    expect(pruning.stdout).toContain('\n  1.0.0       deleted    not in the file\n')
    expect(await at.box.state()).toEqual(before)
  })

  test('gives scripts the same', async () => {
    await using at = await prepared(engine)
    await at.bring(FILE)
    await Bun.write(at.path, EDITED)
    const none = { added: 0, changed: 0, removed: 0, moved: false }
    expect(
      await at.box.json('import', 'acme/app', at.path, '--dry-run').then(({ versions }) => versions),
    ).toEqual([
      { version: '1.2.0', outcome: 'added', fields: [], changes: { ...none, added: 2 } },
      { version: 'Unreleased', outcome: 'unchanged', fields: [], changes: none },
      {
        version: '1.1.0',
        outcome: 'updated',
        fields: ['description'],
        changes: { added: 1, changed: 1, removed: 1, moved: false },
      },
      { version: '1.0.0', outcome: 'skipped' },
    ])
    expect(await at.box.json('import', 'acme/app', at.path)).not.toHaveProperty('versions')
  })
})

test('a dry run says which corrections it would keep, and which --overwrite would not', async () => {
  await using at = await prepared()
  await at.bring(FILE)
  await at.box.json('version', 'update', 'acme/app', '1.1.0', '--title', 'Mine')
  const run = (...options: string[]) => at.box.run(['import', 'acme/app', at.path, '--dry-run', ...options])
  const kept = await run()
  expect(kept.stdout).toContain('\n  1.1.0       unchanged  corrected by hand\n')
  expect(kept.stderr).toContain('1.1.0: would keep what was changed by hand: title\n')
  const overwritten = await run('--overwrite')
  expect(overwritten.stdout).toContain('\n  1.1.0       updated    title; corrected by hand\n')
  expect(overwritten.stderr).toBe('1.1.0: would overwrite what was changed by hand: title\n')
  expect(await at.show('1.1.0')).toMatchObject({ title: 'Mine' })
})

test('a dry run of a long file lists what would change and counts the rest', async () => {
  await using at = await prepared()
  const file = (count: number) =>
    Array.from({ length: count }, (_, at) => `## 1.${count - at}.0\n\n- Change ${count - at}\n`).join('\n')
  await Bun.write(at.path, file(600))
  const first = await at.box.run(['import', 'acme/app', at.path, '--dry-run'])
  const lines = first.stdout.trimEnd().split('\n')
  expect([lines[1], lines.at(-1), lines.length]).toEqual([
    '  1.600.0  added  1 change',
    '  … and 550 more: see --json',
    52,
  ])
  await at.bring(file(599).replace('- Change 7\n', '- Change 7, edited\n'))
  await Bun.write(at.path, file(600))
  const second = await at.box.run(['import', 'acme/app', at.path, '--dry-run'])
  expect(second.stdout).toEndWith(
    '\n  1.600.0  added    1 change\n  1.7.0    updated  changes: 1 changed\n  598 versions unchanged\n',
  )
})

test('a dry run of everything names the product of each version', async () => {
  await using at = await prepared()
  await at.bring(FILE)
  const path = join(at.box.directory, 'everything.jsonl')
  await at.box.json('export', '--all', '--output', path)
  await at.box.json('version', 'delete', 'acme/app', '1.0.0', '--yes')
  const { stdout } = await at.box.run(['import', '--all', path, '--dry-run'])
  expect(stdout).toEndWith(
    '  acme/app Unreleased  unchanged\n  acme/app 1.1.0       unchanged\n  acme/app 1.0.0       added      1 change\n',
  )
})
