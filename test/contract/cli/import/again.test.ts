import { describe, expect, test } from 'bun:test'
import { renameSync } from 'node:fs'
import { createOld, OLD_SCHEMAS } from '../../../support/database/old-schemas.ts'
import type { Sandbox } from '../../../support/sandbox.ts'
import { ENGINES } from '../../../support/servers/server.ts'
import { FILE, prepared, type Summary } from './prepared.ts'

/** No file has as many versions: a result with this number was remembered, not read. */
const MARK = 4711
const mark = (box: Sandbox) =>
  box.write(`update import_note set result = replace(result, '"unchanged":', '"unchanged":${MARK}')`)
const isRemembered = ({ unchanged }: Summary): boolean => String(unchanged).startsWith(String(MARK))

describe('the same file again', () => {
  test.each(ENGINES)(
    'is not parsed if nothing was written in between, and has the result of a file that is: %s',
    async (engine) => {
      await using at = await prepared(engine)
      const file = FILE.replace(' - 2026-01-02', '')
      await at.bring(file)
      const again = await at.bring(file)
      expect(again).toMatchObject({ added: 0, updated: 0, unchanged: 3, skipped: 0 })
      expect(again.warnings).toHaveLength(1)
      const words = await at.box.run(['import', 'acme/app', at.path])
      mark(at.box)
      expect(isRemembered(await at.bring(file))).toBe(true)
      at.box.write('delete from import_note')
      expect(await at.bring(file)).toEqual(again)
      at.box.write('delete from import_note')
      expect(await at.box.run(['import', 'acme/app', at.path])).toEqual(words)
    },
  )

  test('is parsed after every kind of write to the product, and after one past the program', async () => {
    await using at = await prepared()
    const bring = async () => isRemembered(await at.bring(FILE, '--overwrite'))
    const writes = [
      'version create acme/app 9.0.0',
      'version update acme/app 1.0.0 --title Renamed',
      'version update acme/app 1.0.0 --label 1.0.1',
      'version draft acme/app 1.0.0',
      'version schedule acme/app 9.0.0 --at 2099-12-01T09:00Z',
      'change add acme/app 1.1.0 Another --type added',
      'change update acme/app 1.1.0 1 --title Renamed',
      'change move acme/app 1.1.0 1 --position 2',
      'change delete acme/app 1.1.0 1 --yes',
      'version delete acme/app 1.1.0 --yes',
      'product update acme/app --repository https://github.com/acme/app',
      'changelog update acme/app --name Renamed',
      'team update acme --name Renamed',
    ]
    const past = `update change set imported = 'x' where title = 'A bug'`
    await bring()
    for (const line of [...writes, past]) {
      // One that took back what was written has another result than the next.
      await bring()
      mark(at.box)
      expect([line, await bring()]).toEqual([line, true])
      if (line === past) at.box.write(line)
      else expect(await at.box.words(line), line).toMatchObject({ status: 0 })
      expect([line, await bring()]).toEqual([line, false])
      if (line.startsWith('version schedule')) await at.box.words('version unschedule acme/app Unreleased')
    }
  })

  test('is parsed if it is another file, has another name or other options, and in a dry run', async () => {
    await using at = await prepared()
    await at.bring(FILE)
    mark(at.box)
    expect(isRemembered(await at.bring(FILE, '--dry-run'))).toBe(false)
    for (const option of ['--overwrite', '--prune', '--status=draft', '--format=keepachangelog']) {
      expect([option, isRemembered(await at.bring(FILE, option))]).toEqual([option, false])
      await at.bring(FILE)
      mark(at.box)
      expect(isRemembered(await at.bring(FILE))).toBe(true)
    }
    expect(isRemembered(await at.bring(`${FILE}\n`))).toBe(false)
    await at.bring(FILE)
    mark(at.box)
    renameSync(at.path, at.box.at('NEWS.md'))
    expect(isRemembered(await at.box.json<Summary>('import', 'acme/app', 'NEWS.md'))).toBe(false)
  })

  test('is parsed each time where the result depends on the clock, or on what was changed by hand', async () => {
    await using at = await prepared()
    const ahead = FILE.replace('2026-02-03', `${new Date().getUTCFullYear() + 2}-02-03`)
    for (const _ of [1, 2]) await at.bring(ahead)
    mark(at.box)
    expect(isRemembered(await at.bring(ahead))).toBe(false)

    await at.bring(FILE)
    await at.box.json('change', 'update', 'acme/app', '1.0.0', '1', '--title', 'By hand')
    for (const _ of [1, 2]) await at.bring(FILE)
    mark(at.box)
    expect(isRemembered(await at.bring(FILE))).toBe(false)
  })

  test('is parsed if so much is stored beside it that comparing all of it would take longer', async () => {
    await using at = await prepared()
    await at.bring(FILE)
    await at.box.json('version', 'create', 'acme/app', '0.1.0')
    at.box.write(`update version set change_count = 1000000 where label = '0.1.0'`)
    for (const _ of [1, 2]) await at.bring(FILE)
    mark(at.box)
    expect(isRemembered(await at.bring(FILE))).toBe(false)
  })
})

test('a restored database remembers what was imported into that content', async () => {
  await using at = await prepared()
  const other = FILE.replace('- A bug', '- Another bug')
  await at.bring(FILE)
  mark(at.box)
  await at.box.json('backup', 'monday.db')
  await at.bring(other)
  await at.box.json('restore', 'monday.db', '--yes')
  expect(isRemembered(await at.bring(FILE))).toBe(true)
  expect(await at.bring(other)).toMatchObject({ updated: 1 })
})

test('a database of the schema before remembers imports from its upgrade on', async () => {
  await using at = await prepared()
  const old = OLD_SCHEMAS.at(-1)
  if (!old) throw new Error('there is no older schema')
  const database = at.box.at('old.db')
  createOld(old, database)
  await Bun.write(at.path, FILE)
  const bring = () => at.box.json<Summary>('import', 'acme/app', at.path, '--db', database)
  expect(await bring()).toMatchObject({ added: 3 })
  expect(await bring()).toMatchObject({ added: 0, updated: 0, unchanged: 3, skipped: 2 })
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
