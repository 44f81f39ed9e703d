import { expect, test } from 'bun:test'
import { ENGINES } from '../../../support/servers/server.ts'
import { FILE, prepared } from './prepared.ts'

test.each(ENGINES)('the same file again changes nothing and has the same result: %s', async (engine) => {
  await using at = await prepared(engine)
  const file = FILE.replace(' - 2026-01-02', '')
  await at.bring(file)
  const again = await at.bring(file)
  expect(again).toMatchObject({ added: 0, updated: 0, unchanged: 3, skipped: 0 })
  expect(again.warnings).toHaveLength(1)
  expect(await at.bring(file)).toEqual(again)
})

test('--status published publishes what --status draft left a draft, except what was hidden by hand', async () => {
  await using at = await prepared()
  const file = '## [1.1.0] - 2026-02-03\n\n- Two\n\n## [1.0.0] - 2026-01-02\n\n- One\n'
  await at.bring(file, '--status', 'draft')
  await at.bring(file)
  expect(await at.list()).toMatchObject([{ status: 'draft' }, { status: 'draft' }])
  await at.box.json('version', 'update', 'acme/app', '1.0.0', '--status', 'published')
  await at.box.json('version', 'draft', 'acme/app', '1.0.0')
  await at.bring(file, '--status', 'published')
  expect(await at.list()).toMatchObject([
    { version: '1.1.0', status: 'published', publishedAt: '2026-02-03T00:00:00.000Z' },
    { version: '1.0.0', status: 'draft' },
  ])
})

test('importing an export over its original keeps the text that each version was read from', async () => {
  await using at = await prepared()
  await at.bring(
    '# 1.1.0 (2026-02-03)\n\n## Added\n\n* A *thing*\n* Another\n\n# 1.0.0 (2026-01-02)\n\n* One\n',
  )
  const before = await at.box.words('export acme/app --format json')
  const { stdout } = await at.box.words('export acme/app')
  expect(await at.bring(stdout)).toMatchObject({ added: 0, updated: 0, unchanged: 2 })
  expect((await at.box.words('export acme/app --format json')).stdout).toBe(before.stdout)
})
