import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { Deleting, undoIn } from './deleting.ts'

/** What the commands print is in `transcripts/undoing.txt`. */

test('a deletion prints the command that brings everything back', async () => {
  await using at = await Deleting.start()
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
    await using at = await Deleting.start()
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
      expect((await at.box.paste(undo)).stderr).toContain('It may have been brought back already.')
    }
    const overwritten = await deleted('import', 'acme/tool', 'CHANGELOG.md', '--overwrite', '--prune-drafts')
    await at.box.json('version', 'update', 'acme/tool', '1.1.0', '--title', 'Later')
    const later = await at.everything()
    const since = await at.box.paste(overwritten)
    expect(since.stderr).toContain('acme/tool were restored already, or changed since.')
    expect(await at.everything()).toBe(later)
  })

  test('keeps nothing that is deleted with --forget, nor what was kept of it before', async () => {
    await using at = await Deleting.start()
    const left = async () => (await at.box.json<{ deleted: string }[]>('undo')).map(({ deleted }) => deleted)
    await at.box.json('change', 'delete', 'acme/tool', '1.1.0', '1', '--yes')
    await at.box.json('change', 'delete', 'acme/tool', '1.0.0', '1', '--yes')
    const forgotten = await at.box.words('version delete acme/tool 1.1.0 --yes --forget')
    expect([forgotten.status, forgotten.stderr]).toEqual([0, expect.not.stringContaining('To undo')])
    expect(await left()).toEqual([expect.stringContaining('change 1 of acme/tool 1.0.0')])
    await at.box.json('team', 'delete', 'acme', '--yes', '--forget')
    expect(await left()).toEqual([])
    using db = new Database(at.box.database)
    expect(db.query('select count(*) from kept_part').values()).toEqual([[0]])
  })

  test('lists deletions of the last 30 days, and takes in what 0.4.0 kept in files', async () => {
    await using at = await Deleting.start()
    const before = await at.everything()
    const [header = '', ...lines] = before.split('\n')
    const { id } = JSON.parse(lines[0] ?? '').team
    const deleted = { what: 'team acme', database: '/elsewhere.db', ids: [id] }
    const now = Date.now()
    const file = (days: number) =>
      `${new Date(now - days * 86_400_000).toISOString().replaceAll(/[:.]/g, '-')}-team-acme-0123abcd.jsonl`
    mkdirSync(at.box.at('trash'))
    const write = (name: string, more: object) =>
      writeFileSync(
        at.box.at(`trash/${name}`),
        [JSON.stringify({ ...JSON.parse(header), deleted: { ...deleted, ...more } }), ...lines].join('\n'),
      )
    write(file(2), { database: at.box.database })
    write(file(1), { database: at.box.database, what: 'the same again' })
    write(file(3), { ids: ['team_elsewhere'] })
    writeFileSync(at.box.at('trash/notes.txt'), '')
    await at.box.json('team', 'delete', 'acme', '--yes', '--forget')
    expect(await at.box.words('migrate')).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('Moved 2 deletions from the directory trash into the database'),
    })
    expect(readdirSync(at.box.at('trash')).sort()).toEqual([file(3), 'notes.txt'].sort())
    expect((await at.box.words('migrate')).stderr).toBe('')
    expect(await at.box.words('undo --last')).toMatchObject({
      status: 0,
      stdout: 'Restored the same again.\n',
    })
    expect(await at.everything()).toBe(before)

    at.box.write(`update kept set at = at - 29 * 86400000`)
    await at.box.json('version', 'delete', 'acme/tool', '1.0.0', '--yes')
    using db = new Database(at.box.database)
    expect(db.query(`select head ->> 'what' from kept`).values()).toEqual([['version 1.0.0 of acme/tool']])
  })

  test('--db is part of the command that is printed', async () => {
    await using at = await Deleting.start()
    const args = ['version', 'delete', 'acme/tool', '1.0.0', '--yes', '--db', at.box.database]
    const { stderr } = await at.box.run(args, { DATABASE_URL: '' })
    expect(undoIn(stderr)).toEndWith(` --db ${at.box.database}`)
    expect((await at.box.paste(`DATABASE_URL= ${undoIn(stderr)}`)).status).toBe(0)
  })
})
