import { describe, expect, test } from 'bun:test'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { ENGINES, type Engine } from '../../../support/servers/server.ts'
import { counts, prepared } from './prepared.ts'

const SEARCH = '---\n"app": minor\n---\n\nAdd a search field\n'
const LOGIN = '---\n"app": patch\n---\n\nFix the login on Windows\n'

/** A product, and a `.changeset` folder as `changeset init` creates it, with these changesets. */
async function withFolder(texts: Record<string, string>, engine: Engine = 'SQLite') {
  const at = await prepared(engine)
  const folder = join(at.box.directory, '.changeset')
  mkdirSync(folder)
  await Bun.write(join(folder, 'config.json'), '{"changelog":"@changesets/cli/changelog"}')
  await Bun.write(join(folder, 'README.md'), '# Changesets\n')
  for (const [name, text] of Object.entries(texts)) await Bun.write(join(folder, name), text)
  return { ...at, folder }
}

describe.each(ENGINES)('import of a .changeset folder on %s', (engine) => {
  test('becomes the draft of the next release, which the CHANGELOG.md takes over on its day', async () => {
    await using at = await withFolder({ 'a.md': SEARCH, 'b.md': LOGIN }, engine)
    expect(counts(await at.box.json('import', 'acme/app', at.folder))).toMatchObject({ added: 1 })
    const draft = await at.show('Unreleased')
    expect(draft).toMatchObject({ status: 'draft', changeCount: 2 })
    expect(counts(await at.box.json('import', 'acme/app', at.folder))).toMatchObject({ unchanged: 1 })

    const release =
      '# app\n\n## 1.1.0\n\n### Minor Changes\n\n- 089869a: Add a search field\n\n### Patch Changes\n\n- [#12](https://example.com/12) [`089869a`](https://example.com/089869a) Thanks [@jane](https://example.com/jane)! - Fix the login on Windows\n'
    expect(counts(await at.bring(release))).toMatchObject({ added: 0, updated: 1, skipped: 0 })
    const released = await at.show('1.1.0')
    expect(released.id).toBe(draft.id)
    expect(released.changes.map(({ id }) => id)).toEqual(draft.changes.map(({ id }) => id))
  })
})

describe('import of a .changeset folder', () => {
  test('without changesets empties the draft', async () => {
    await using at = await withFolder({ 'a.md': SEARCH })
    await at.box.json('import', 'acme/app', at.folder)
    rmSync(join(at.folder, 'a.md'))
    await at.box.json('import', 'acme/app', at.folder)
    expect(await at.show('Unreleased')).toMatchObject({ status: 'draft', changeCount: 0 })
  })

  test('reports what it leaves out with the file', async () => {
    await using at = await withFolder({ 'a.md': SEARCH, 'b.md': '---\n---\n\nOnly the build\n' })
    const { stderr, stdout } = await at.box.run(['import', 'acme/app', at.folder])
    expect(stderr).toContain(`${join(at.folder, 'b.md')}:1: releases no package, left out\n`)
    expect(stdout).toContain('1 added')
  })

  test('with a bad changeset is refused whole, with file, line and what is right', async () => {
    await using at = await withFolder({ 'a.md': SEARCH, 'b.md': '---\n"app": huge\n---\n\nX\n' })
    const { status, stderr } = await at.box.run(['import', 'acme/app', at.folder])
    expect(status).toBe(1)
    expect(stderr).toBe(
      `changelogd: ${join(at.folder, 'b.md')}: line 2: a package needs major, minor, patch or none behind its name, such as "app": minor.\n`,
    )
    expect(await at.list()).toEqual([])
  })

  test('with bytes that are no text is refused, naming the file', async () => {
    await using at = await withFolder({ 'a.md': SEARCH })
    await Bun.write(join(at.folder, 'b.md'), new Uint8Array([0xff, 0xfe]))
    const { stderr } = await at.box.run(['import', 'acme/app', at.folder])
    expect(stderr).toStartWith(`changelogd: ${join(at.folder, 'b.md')} is not UTF-8 text.`)
  })

  test('with a FIFO, a device or a directory among the changesets is refused, naming it, instead of waiting for it', async () => {
    await using at = await withFolder({ 'a.md': SEARCH })
    const path = join(at.folder, 'b.md')
    for (const [kind, create] of [
      ['FIFO', () => Bun.spawnSync(['mkfifo', path])],
      ['device', () => symlinkSync('/dev/zero', path)],
      ['directory', () => mkdirSync(path)],
    ] as const) {
      create()
      const { status, stderr } = await at.box.run(['import', 'acme/app', at.folder])
      expect([status, stderr]).toEqual([
        1,
        `changelogd: ${path} is not a file but a ${kind}. Remove it from the directory.\n`,
      ])
      rmSync(path, { recursive: true })
    }
    expect(await at.list()).toEqual([])
  })

  test('with more packages than any release has is refused before they are parsed', async () => {
    await using at = await withFolder({ 'a.md': `---\n${'"app": minor\n'.repeat(20_000)}---\n\nX\n` })
    const { status, stderr } = await at.box.run(['import', 'acme/app', at.folder])
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining(`${join(at.folder, 'a.md')}: line 1: more than 200,000 characters`),
    ])
  })

  test('does not delete the released versions: --prune is refused', async () => {
    await using at = await withFolder({ 'a.md': SEARCH })
    await at.bring('## 1.0.0 - 2026-01-02\n\n- a\n')
    const { status, stderr } = await at.box.run(['import', 'acme/app', at.folder, '--prune', '--yes'])
    expect(status).toBe(1)
    expect(stderr).toContain('--prune would delete all of them. To import it, leave out --prune.')
    expect(await at.list()).toHaveLength(1)
  })

  test('is recognised by its name or its config.json; --format changesets reads any folder', async () => {
    await using at = await withFolder({ 'a.md': SEARCH })
    const other = join(at.box.directory, 'changes')
    await Bun.write(join(other, 'a.md'), SEARCH)
    const refused = await at.box.run(['import', 'acme/app', other])
    expect(refused.stderr).toBe(`changelogd: ${other} is not a file but a directory. Name a file in it.\n`)
    expect(await at.box.json('import', 'acme/app', other, '--format', 'changesets')).toMatchObject({
      added: 1,
    })
    const parent = await at.box.run(['import', 'acme/app', at.box.directory])
    expect(parent.stderr).toContain(`To import its changesets: changelogd import TEAM/PRODUCT ${at.folder}\n`)
    const asFile = await at.box.run(['import', 'acme/app', at.folder, '--format', 'rush'])
    expect(asFile.stderr).toContain('is not a file but a directory')
    const file = await at.box.run(['import', 'acme/app', join(other, 'a.md'), '--format', 'changesets'])
    expect(file.stderr).toContain('a.md is not a directory. Changesets are read from a directory: .changeset')
  })
})
