import { expect, test } from 'bun:test'
import { Sandbox } from '../../../support/sandbox.ts'
import { FILE, prepared } from './prepared.ts'

test.each([
  ['SQLite', 'PostgreSQL'],
  ['PostgreSQL', 'SQLite'],
] as const)(
  'what %s exports is the same bytes after an import into %s: keys still open, and corrections stay',
  async (from, to) => {
    await using at = await prepared(from)
    await at.bring(FILE)
    const key = ['--kind', 'SELECT', '--product', 'app', '--expires', '90d', '--label', 'ci']
    const { token } = await at.box.json<{ token: string }>('key', 'create', 'acme', ...key)
    const awkward = 'Zähler\t\\N "b" {1} \u{1f600}\r\nnext\\'
    await at.box.json('version', 'create', 'acme/app', 'ß', '--title', 'ä', '--description', awkward)
    await at.box.json('version', 'create', 'acme/app', 'Z', '--title', 'z')
    await at.box.json('change', 'update', 'acme/app', '1.1.0', '3', '--title', 'A bad bug')
    await at.box.json('change', 'delete', 'acme/app', '1.1.0', '1', '--yes')
    await at.box.json('changelog', 'update', 'acme/app', '--name', 'News')
    const file = at.box.at('all.jsonl')
    await at.box.json('export', '--all', '--output', file)
    const text = await Bun.file(file).text()
    expect(text).not.toContain(token)

    await using other = await Sandbox.on(to)
    await other.json('import', '--all', file)
    expect((await other.words('export --all')).stdout).toBe(text)
    const seen = await other.seenByApi('/teams/acme/products/app/changelog', token)
    expect(seen.data?.versions).toHaveLength(5)
    expect(await other.json('import', 'acme/app', at.path)).toMatchObject({
      corrections: [
        { version: '1.1.0', what: 'deleted', change: 'A thing' },
        { version: '1.1.0', what: 'title', change: 'A bad bug' },
      ],
    })
  },
)
