import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { ENGINES } from '../../../support/servers/server.ts'
import { counts, FILE, prepared, type Summary } from './prepared.ts'

interface Corrections extends Summary {
  corrections: { version: string; change: string | null; what: string; kept: boolean }[]
}
type Prepared = Awaited<ReturnType<typeof prepared>>

/** The corrections that an import found, in short. */
async function found(at: Prepared, text: string, ...options: string[]): Promise<string[]> {
  const { corrections } = (await at.bring(text, ...options)) as Corrections
  return corrections.map(({ version, change, what, kept }) =>
    [version, what, ...(change === null ? [] : [change]), ...(kept ? [] : ['overwritten'])].join(' '),
  )
}

const titles = async (at: Prepared, label: string) => (await at.show(label)).changes.map(({ title }) => title)

async function changeId(at: Prepared, label: string, title: string): Promise<string> {
  const found = (await at.show(label)).changes.find((change) => change.title === title)
  if (!found) throw new Error(`no change ${title}`)
  return found.id
}

describe.each(ENGINES)('what a file has as unreleased, on %s', (engine) => {
  const RELEASED = '## 1.0.0 - 2026-01-02\n\n- The first one\n'
  const unreleased = (...titles: string[]) =>
    `## Unreleased\n\n${titles.map((title) => `- ${title}\n`).join('')}\n${RELEASED}`

  test('is a draft again after it was released here under a number, and what is public stays', async () => {
    for (const next of [['Not yet'], ['A thing', 'Not yet'], []]) {
      await using at = await prepared(engine)
      await at.bring(unreleased('A thing'))
      await at.box.json('release', 'acme/app', '1.1.0', '--publish')
      // The file is still as it was when it was released.
      expect(counts(await at.bring(unreleased('A thing')))).toMatchObject({ added: 0, updated: 0 })
      await at.bring(unreleased(...next))
      expect(await at.show('1.1.0')).toMatchObject({ status: 'published', changes: [{ title: 'A thing' }] })
      if (next.length > 0) expect(await at.show('Unreleased')).toMatchObject({ status: 'draft' })
    }
  })
})

describe.each(ENGINES)('what was corrected by hand, on %s', (engine) => {
  test('stays when the file is imported again, and is named, until --overwrite', async () => {
    await using at = await prepared(engine)
    await at.bring(FILE)
    const { box } = at
    await box.json('change', 'update', await changeId(at, '1.1.0', 'A bug'), '--title', 'A bad bug')
    await box.json('version', 'update', 'acme/app', '1.1.0', '--title', 'The best one')
    await box.json('version', 'update', 'acme/app', '1.1.0', '--description', '', '--date', '2026-02-04')
    const before = await at.show('1.1.0')

    const { status, stdout, stderr } = await box.run(['import', 'acme/app', at.path])
    expect([status, stdout]).toEqual([
      0,
      'Nothing to change in acme/app: 0 added, 0 updated, 3 unchanged, 0 skipped, 4 corrections kept, 0 warnings.\n',
    ])
    expect(stderr).toStartWith(
      '1.1.0: kept what was changed by hand: title; description; date; title of change "A bad bug"\n' +
        'To use what the file says instead, add --overwrite.\n',
    )
    expect(await at.show('1.1.0')).toEqual(before)

    // Also if the file changes something else.
    const edited = FILE.replace('- A thing\n', '- A fine thing\n')
    expect(await found(at, edited)).toEqual([
      '1.1.0 title',
      '1.1.0 description',
      '1.1.0 date',
      '1.1.0 title A bad bug',
    ])
    expect(await titles(at, '1.1.0')).toEqual(['A fine thing', 'Another thing', 'A bad bug'])

    expect(await found(at, FILE, '--overwrite')).toHaveLength(4)
    expect(await at.show('1.1.0')).toMatchObject({
      title: 'The second one',
      description: 'Words about it.',
      publishedAt: '2026-02-03T00:00:00.000Z',
      changes: [{ title: 'A thing' }, { title: 'Another thing' }, { title: 'A bug' }],
    })
    expect(await found(at, FILE)).toEqual([])
  })

  test('is no correction once the file says the same: what the file says later is imported', async () => {
    await using at = await prepared(engine)
    await at.bring(FILE)
    const id = await changeId(at, '1.1.0', 'A bug')
    await at.box.json('change', 'update', id, '--title', 'A bad bug')
    const adopted = FILE.replace('- A bug', '- A bad bug')
    const result = await at.bring(adopted)
    expect([counts(result).updated, (result as Corrections).corrections]).toEqual([0, []])
    expect(await found(at, FILE)).toEqual([])
    expect(await titles(at, '1.1.0')).toContain('A bug')
    expect(await changeId(at, '1.1.0', 'A bug')).toBe(id)
  })

  test('is no correction after it is taken back', async () => {
    await using at = await prepared(engine)
    await at.bring(FILE)
    const id = await changeId(at, '1.1.0', 'A bug')
    await at.box.json('change', 'update', id, '--title', 'A bad bug')
    await at.box.json('change', 'update', id, '--title', 'A bug')
    expect(await found(at, FILE.replace('- A bug', '- A worse bug'))).toEqual([])
    expect(await titles(at, '1.1.0')).toContain('A worse bug')
  })

  test('stays also as a change that was added, deleted or moved, even with --prune', async () => {
    await using at = await prepared(engine)
    await at.bring(FILE)
    const { box } = at
    await box.json('change', 'delete', await changeId(at, '1.1.0', 'A thing'), '--yes')
    await box.json('change', 'move', await changeId(at, '1.1.0', 'A bug'), '--position', '1')
    await box.json('change', 'add', 'acme/app', '1.1.0', '--type', 'added', 'By hand')
    const before = await at.show('1.1.0')
    expect(await found(at, FILE, '--prune', '--yes')).toEqual([
      '1.1.0 deleted A thing',
      '1.1.0 added By hand',
      '1.1.0 order',
    ])
    expect(await at.show('1.1.0')).toEqual(before)
    await at.bring(FILE, '--overwrite')
    expect(await titles(at, '1.1.0')).toEqual(['A thing', 'Another thing', 'A bug'])
    expect(await found(at, FILE)).toEqual([])
  })

  test('stays also as a label: the file means the same version', async () => {
    await using at = await prepared(engine)
    await at.bring(FILE)
    const { id } = await at.show('1.0.0')
    await at.box.json('version', 'update', 'acme/app', '1.0.0', '--label', 'One', '--title', 'One')
    expect(await found(at, FILE)).toEqual(['One label'])
    expect((await at.list()).map(({ version }) => version)).toEqual(['Unreleased', '1.1.0', 'One'])
    expect(await found(at, FILE, '--overwrite')).toEqual(['1.0.0 label overwritten'])
    expect(await at.show('1.0.0')).toMatchObject({ id, title: '1.0.0' })
  })

  test('stays hidden if it was hidden, whatever date the file has now', async () => {
    await using at = await prepared(engine)
    await at.bring(FILE)
    await at.box.json('version', 'draft', 'acme/app', '1.1.0')
    expect(await found(at, FILE)).toEqual([])
    const later = FILE.replace('2026-02-03', '2026-02-05')
    expect(await found(at, later)).toEqual(['1.1.0 status'])
    expect(await at.show('1.1.0')).toMatchObject({
      status: 'draft',
      publishedAt: '2026-02-05T00:00:00.000Z',
    })
  })

  test('does not publish a draft: its date is only newly given if the file gives it', async () => {
    await using at = await prepared(engine)
    await at.bring(FILE, '--status', 'draft')
    await at.box.json('version', 'update', 'acme/app', '1.1.0', '--date', '2026-02-04')
    expect(await found(at, FILE)).toEqual(['1.1.0 date'])
    expect((await at.show('1.1.0')).status).toBe('draft')
  })

  test('stays on release day: a title and a description, and a change', async () => {
    await using at = await prepared(engine)
    await at.bring('## Unreleased\n\n- Login\n- Logut\n\n## 1.0.0 - 2026-01-02\n\n- Everything\n')
    await at.box.json('version', 'update', 'acme/app', 'Unreleased', '--title', 'Doors')
    await at.box.json('change', 'update', await changeId(at, 'Unreleased', 'Logut'), '--title', 'Logout')
    const { id } = await at.show('Unreleased')
    const released = '## 1.1.0 - 2026-02-03\n\n- Login\n- Logut\n\n## 1.0.0 - 2026-01-02\n\n- Everything\n'
    expect(await found(at, released)).toEqual(['1.1.0 title', '1.1.0 title Logout'])
    expect(await at.show('1.1.0')).toMatchObject({
      id,
      title: 'Doors',
      status: 'published',
      changes: [{ title: 'Login' }, { title: 'Logout' }],
    })
  })

  test('counts for versions that were created by hand: the file fills only what they lack', async () => {
    await using at = await prepared(engine)
    await at.box.json('version', 'create', 'acme/app', '1.1.0', '--title', 'By hand')
    expect(await found(at, FILE)).toEqual(['1.1.0 title'])
    expect(await at.show('1.1.0')).toMatchObject({
      title: 'By hand',
      status: 'published',
      publishedAt: '2026-02-03T00:00:00.000Z',
      description: 'Words about it.',
      changeCount: 3,
    })
  })

  test('moves with an export to another database, which exports the same bytes', async () => {
    await using at = await prepared(engine)
    await using other = await prepared(engine === 'SQLite' ? 'PostgreSQL' : 'SQLite')
    await at.bring(FILE)
    await at.box.json('change', 'update', await changeId(at, '1.1.0', 'A bug'), '--title', 'A bad bug')
    await at.box.json('change', 'delete', await changeId(at, '1.1.0', 'A thing'), '--yes')
    const path = join(at.box.directory, 'everything.jsonl')
    await at.box.json('export', '--all', '--output', path)
    await other.box.json('team', 'delete', 'acme', '--yes')
    await other.box.json('import', '--all', path)
    expect((await other.box.run(['export', '--all'])).stdout).toBe(await Bun.file(path).text())
    expect(await found(other, FILE)).toEqual(['1.1.0 deleted A thing', '1.1.0 title A bad bug'])
  })

  test('is replaced by an export, which has the corrections of its own time', async () => {
    await using at = await prepared(engine)
    await at.bring(FILE)
    const path = join(at.box.directory, 'app.json')
    await at.box.json('export', 'acme/app', '--format', 'json', '--output', path)
    await at.box.json('change', 'update', await changeId(at, '1.1.0', 'A bug'), '--title', 'A bad bug')
    await at.box.json('version', 'update', 'acme/app', '1.1.0', '--title', 'Mine')
    await at.box.json('import', 'acme/app', path)
    const again = await at.box.run(['export', 'acme/app', '--format', 'json'])
    expect(again.stdout).toBe(await Bun.file(path).text())
    expect(await titles(at, '1.1.0')).toContain('A bug')
    expect(await found(at, FILE)).toEqual([])
  })

  test('cannot be told in rows from before: they count as imported', async () => {
    await using at = await prepared(engine)
    await at.bring(FILE)
    await at.box.json('change', 'update', await changeId(at, '1.1.0', 'A bug'), '--title', 'A bad bug')
    at.box.write('UPDATE change SET imported = NULL')
    expect(await found(at, FILE)).toEqual([])
    expect(await titles(at, '1.1.0')).toContain('A bug')
  })
})
