import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { run } from '../../../src/cli/program.ts'
import { contextWith } from '../../support/commands/context.ts'
import { sandboxForEach } from '../../support/sandbox.ts'

const box = sandboxForEach()

/** Runs a command at a terminal. Its question is answered with yes, after `meanwhile`. */
async function confirmedAfter(meanwhile: () => Promise<unknown>, line: string) {
  let stderr = ''
  const context = contextWith({
    env: box.env,
    now: Date.now,
    terminal: { input: true, output: true, width: 200 },
    stderr: async (text) => {
      stderr += text
    },
    progress: async () => ({ update: () => {}, end: () => {} }),
    confirm: async () => {
      await meanwhile()
      return true
    },
  })
  return { status: await run(context, line.split(' ')), stderr }
}

const slugs = async () => (await box.json<{ slug: string }[]>('team', 'list')).map((team) => team.slug)

test('apply --prune deletes nothing that was created during the question', async () => {
  writeFileSync(box.at('file.yml'), 'teams:\n  keep: { name: Keep }\n')
  for (const team of ['keep', 'gone']) await box.json('team', 'create', team, '--name', team)
  const apply = `apply ${box.at('file.yml')} --prune`
  const { status, stderr } = await confirmedAfter(async () => {
    await box.json('team', 'create', 'precious', '--name', 'Precious')
    await box.json('product', 'create', 'precious/app', '--name', 'App')
  }, apply)
  expect(status).toBe(1)
  expect(stderr).toBe(
    [
      'This deletes team gone, which is empty.',
      'changelogd: Nothing was changed, because the data has changed since this was announced. Run the command again.',
      '  Now: This deletes team precious and everything in it: 1 product.',
      '',
    ].join('\n'),
  )
  expect(await slugs()).toEqual(['gone', 'keep', 'precious'])
  expect((await confirmedAfter(async () => {}, apply)).status).toBe(0)
  expect(await slugs()).toEqual(['keep'])
})

test('apply --prune is refused where others have deleted something of what it announced', async () => {
  writeFileSync(box.at('file.yml'), 'teams:\n  keep: { name: Keep }\n')
  for (const team of ['keep', 'gone']) await box.json('team', 'create', team, '--name', team)
  const { status, stderr } = await confirmedAfter(
    () => box.json('team', 'delete', 'gone', '--yes'),
    `apply ${box.at('file.yml')} --prune`,
  )
  expect([status, stderr]).toEqual([1, expect.stringContaining('No longer: This deletes team gone')])
})

const CONFIRMED: [line: string, meanwhile: string, now: string][] = [
  ['team delete acme', 'product create acme/new --name New', 'and everything in it: 3 products'],
  [
    'product delete acme/app',
    'version create acme/app 9.0.0 --title Nine',
    'and everything in it: 3 versions',
  ],
  [
    'version delete acme/app 0.1.0',
    'change add acme/app 0.1.0 --type added New',
    'and everything in it: 2 changes',
  ],
]

test.each(CONFIRMED)('%s is refused after %s during its question', async (line, meanwhile, now) => {
  await box.json('demo')
  const before = async () => (await box.words('export --all')).stdout
  let changed = ''
  const { status, stderr } = await confirmedAfter(async () => {
    await box.json(...meanwhile.split(' '))
    changed = await before()
  }, line)
  expect([status, stderr]).toEqual([1, expect.stringContaining(now)])
  expect(stderr).toContain('Run the command again')
  expect(await before()).toBe(changed)
})

test('import --prune-drafts deletes no version that was created during the question', async () => {
  await box.json('demo')
  writeFileSync(box.at('CHANGELOG.md'), '# Changelog\n\n## 0.1.0 - 2026-01-02\n\n### Added\n\n- A thing\n')
  const count = async () => (await box.json<unknown[]>('version', 'list', 'acme/app')).length
  const versions = await count()
  const { status, stderr } = await confirmedAfter(
    () => box.json('version', 'create', 'acme/app', '9.0.0', '--title', 'Nine'),
    `import acme/app ${box.at('CHANGELOG.md')} --prune-drafts`,
  )
  expect([status, stderr]).toEqual([1, expect.stringContaining('Now: This deletes')])
  expect(await count()).toBe(versions + 1)
})
