import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { run } from '../../../src/cli/program.ts'
import { contextWith } from '../../support/commands/context.ts'
import { sandboxForEach } from '../../support/sandbox.ts'

const box = sandboxForEach(async (fresh) => {
  await fresh.demo()
  writeFileSync(fresh.at('file.yml'), 'teams:\n  acme: {}\n')
  writeFileSync(fresh.at('CHANGELOG.md'), '# Changelog\n\n## 0.1.0 - 2026-01-02\n\n### Added\n\n- A thing\n')
})

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
    confirm: async () => {
      await meanwhile()
      return true
    },
  })
  const words = line.split(' ').map((word) => (/\.(yml|md)$/.test(word) ? box.at(word) : word))
  return { status: await run(context, words), stderr }
}

test.each([
  ['team delete acme', 'product create acme/new --name New'],
  ['product delete acme/app', 'version create acme/app 9'],
  ['version delete acme/app 0.1.0', 'change add acme/app 0.1.0 --type added New'],
  ['import acme/app CHANGELOG.md --prune-drafts', 'version create acme/app 9'],
  ['apply file.yml --prune', 'team create new --name New'],
  ['apply file.yml --prune', 'team delete hooli --yes'],
])('%s is refused after %s during its question', async (line, meanwhile) => {
  const everything = async () => (await box.words('export --all')).stdout
  let changed = ''
  const { status, stderr } = await confirmedAfter(async () => {
    await box.json(...meanwhile.split(' '))
    changed = await everything()
  }, line)
  expect(status).toBe(1)
  expect(stderr).toContain(
    'Nothing was changed, because the data changed in the meantime. Run the command again.',
  )
  expect(await everything()).toBe(changed)
  expect((await confirmedAfter(async () => {}, line)).status).toBe(0)
})
