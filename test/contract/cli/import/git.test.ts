import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { describeNeeding } from '../../../support/needs.ts'
import { withRepository } from './repository.ts'

describeNeeding('git', Bun.which('git') !== null, 'import --git', () => {
  test('reads the annotated tags: label, title, time and changes', async () => {
    await using at = await withRepository()
    await at.tag('v1.0.0', 'v1.0.0\n\n- Everything\n', '2026-01-02')
    await at.tag('v1.1.0', 'The second one\n\nWords.\n\nFixed:\n\n- A "bug" $(touch x) `y`\n', '2026-02-03')
    expect(await at.box.json('import', 'acme/app', '--git', at.path)).toMatchObject({
      added: 2,
      warnings: [],
    })
    expect(await at.show('v1.1.0')).toMatchObject({
      title: 'The second one',
      status: 'published',
      publishedAt: '2026-02-03T02:04:05.000Z',
      description: 'Words.',
      changes: [{ type: 'fixed', title: 'A "bug" $(touch x) `y`' }],
    })
    expect(await at.show('v1.0.0')).toMatchObject({ title: 'v1.0.0', changes: [{ title: 'Everything' }] })
  })

  test('continues the versions of a file, however their labels are prefixed', async () => {
    await using at = await withRepository()
    await at.bring('## 1.0.0 - 2026-01-02\n\n- Everything\n')
    const before = await at.show('1.0.0')
    await at.tag('app@1.0.0', '1.0.0\n\n- Everything\n', '2026-01-02')
    expect(await at.box.json('import', 'acme/app', '--git', at.path)).toMatchObject({ added: 0, updated: 1 })
    expect((await at.list()).map(({ id }) => id)).toEqual([before.id])
  })

  test('keeps the stored notes of a version whose tag has none', async () => {
    await using at = await withRepository()
    await at.bring('## 1.1.0 - 2026-02-03\n\nWords.\n\n- More\n\n## 1.0.0 - 2026-01-02\n\n- Everything\n')
    await at.tag('v1.0.0', 'Release 1.0.0', '2026-01-02')
    await at.tag('v1.1.0', 'v1.1.0', '2026-02-03')
    await at.box.json('import', 'acme/app', '--git', at.path)
    expect(await at.show('1.0.0')).toMatchObject({
      title: 'Release 1.0.0',
      changes: [{ title: 'Everything' }],
    })
    expect(await at.show('1.1.0')).toMatchObject({ description: 'Words.', changes: [{ title: 'More' }] })
  })

  test('adds no version for tags that are not annotated or no versions, and says so', async () => {
    await using at = await withRepository()
    await at.tag('v1.0.0', 'v1.0.0', '2026-01-02')
    await at.tag('before-refactoring', 'Here it still worked', '2026-01-03')
    await at.git(['tag', 'v0.9.0'])
    const { stderr } = await at.box.run(['import', 'acme/app', '--git', at.path])
    expect(stderr).toContain(`${at.path}: tag before-refactoring:1: not a version, left out\n`)
    expect(stderr).toContain(
      `${at.path}:1: 1 tag is not annotated: only the dates of stored versions are taken from them\n`,
    )
    expect((await at.list()).map(({ version }) => version)).toEqual(['v1.0.0'])
  })

  test('dates stored versions by tags that are not annotated, and leaves all else of them as it is', async () => {
    await using at = await withRepository()
    await at.bring('## 1.2.0 - Third\n\n- More\n\n## 1.1.0\n\n- Better\n\n## 1.0.0\n\n- Everything\n')
    for (const [name, day] of [
      ['v1.0.0', '2026-01-02'],
      ['v1.2.0', '2026-03-04'],
    ] as const) {
      await at.git(['commit', '--allow-empty', '--quiet', '--message', name], { day })
      await at.git(['tag', name])
    }
    await at.box.json('version', 'draft', 'acme/app', '1.0.0')
    const [before, hidden] = [await at.show('1.2.0'), await at.show('1.0.0')]
    const bring = () => at.box.json('import', 'acme/app', '--git', at.path)
    expect(await bring()).toMatchObject({ added: 0, updated: 1, unchanged: 1, skipped: 1 })
    expect(await at.show('1.2.0')).toEqual({
      ...before,
      ...{ publishedAt: '2026-03-04T02:04:05.000Z', dateKnown: true },
    })
    expect(await at.show('1.0.0')).toEqual(hidden)
    expect(await bring()).toMatchObject({ added: 0, updated: 0, unchanged: 2, skipped: 1 })
  })

  test('leaves out signatures, and reads messages that are not UTF-8 as Windows-1252', async () => {
    await using at = await withRepository()
    const commit = await at.git(['rev-parse', 'HEAD'])
    const object = await at.git(['hash-object', '-t', 'tag', '-w', '--stdin'], {
      input: `object ${commit}\ntype commit\ntag v1.0.0\ntagger J <j@example.com> 1767319445 +0000\n\nCaf\xe9\n\n- one\n-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n`,
    })
    await at.git(['update-ref', 'refs/tags/v1.0.0', object])
    const { warnings } = await at.box.json<{ warnings: unknown }>('import', 'acme/app', '--git', at.path)
    expect(warnings).toEqual([
      { text: `${at.path}: tag v1.0.0`, line: 1, message: 'not UTF-8, read as Windows-1252' },
    ])
    const { title, description, changes } = await at.show('v1.0.0')
    expect({ title, description, changes: changes.map((change) => change.title) }).toEqual({
      ...{ title: 'Café', description: null, changes: ['one'] },
    })
  })

  test('reads the repository at the path, from a directory in it and in the hook of another', async () => {
    await using at = await withRepository()
    await at.tag('v1.0.0', 'v1.0.0', '2026-01-02')
    const args = ['import', 'acme/app', '--git', join(at.path, 'src')]
    expect(await at.box.run(args, { GIT_DIR: '/nonexistent', GIT_WORK_TREE: '/' })).toMatchObject({
      status: 0,
    })
    expect(await at.list()).toHaveLength(1)
  })

  test('refuses what has no tags for versions, and says what would help', async () => {
    await using at = await withRepository()
    const refusal = async (path: string) => (await at.box.run(['import', 'acme/app', '--git', path])).stderr
    expect(await refusal(at.path)).toBe(
      `changelogd: ${at.path} has no tag for a version: it has no tags. To get those of the remote repository: git fetch --tags\n`,
    )
    await at.git(['tag', 'here'])
    expect(await refusal(at.path)).toBe(
      `changelogd: ${at.path} has no tag for a version: it has only tags that are no versions. To create one: git tag --annotate v1.2.0\n`,
    )
    await at.git(['tag', 'v0.9.0'])
    expect(await refusal(at.path)).toContain(
      'has no annotated tag for a version, and no version here has its other tags. To import a file with the dates',
    )
    expect(await refusal(at.box.directory)).toBe(
      `changelogd: ${at.box.directory} is not in a git repository. Name the directory of one, or import a file.\n`,
    )
    expect(await refusal(join(at.path, 'missing'))).toContain('missing is not a directory.')
    expect(await refusal(join(at.path, 'src/file'))).toContain('file is not a directory.')
    const withoutGit = await at.box.run(['import', 'acme/app', '--git', at.path], { PATH: '/nonexistent' })
    expect(withoutGit.stderr).toBe(
      'changelogd: Reading tags needs the program git, which is not in the PATH. Install git, or import a file.\n',
    )
  })

  test('takes neither a file nor a format nor --all: that is wrong usage', async () => {
    await using at = await withRepository()
    for (const [args, message] of [
      [['acme/app', 'CHANGELOG.md', '--git', at.path], "--git takes no file; remove 'CHANGELOG.md'"],
      [['acme/app', '--git', at.path, '--format', 'rush'], '--git has its own format; remove --format rush'],
      [['--all', '--git', at.path], '--all does not take --git'],
      [['--all', 'all.jsonl', '--dates-from', at.path], '--all does not take --dates-from'],
      [['acme/app', '--git', at.path, '--dates-from', at.path], '--git does not take --dates-from'],
      [['--git', at.path], "Missing required argument 'product'"],
    ] as const) {
      const { status, stderr } = await at.box.run(['import', ...args])
      expect(status).toBe(2)
      expect(stderr).toContain(message)
    }
  })

  test('names the directory of a repository when that is given as the file', async () => {
    await using at = await withRepository()
    const { stderr } = await at.box.run(['import', 'acme/app', at.path])
    expect(stderr).toContain(`To import its tags: changelogd import TEAM/PRODUCT --git ${at.path}\n`)
  })
})

describeNeeding('git', Bun.which('git') !== null, 'import --dates-from', () => {
  const FILE = '## 1.2.0\n\n- More\n\n## 1.1.0\n\n- Better\n\n## 1.0.0 - 2025-12-31\n\n- Everything\n'

  test('takes missing dates from tags, annotated or not, and names what has none', async () => {
    await using at = await withRepository()
    await at.git(['tag', 'v1.1.0'])
    await at.tag('v1.0.0', 'v1.0.0', '2026-05-06')
    await at.tag('notes', 'not a version', '2026-05-06')
    const { warnings } = await at.bring(FILE, '--dates-from', at.path)
    expect(warnings.at(-1)).toEqual({ line: 1, message: `1.2.0 has neither a date nor a tag in ${at.path}` })
    expect(await at.show('1.1.0')).toMatchObject({ publishedAt: '2026-01-02T02:04:05.000Z', dateKnown: true })
    expect(await at.show('1.0.0')).toMatchObject({ publishedAt: '2025-12-31T00:00:00.000Z' })
    const before = (await at.box.words('export --all')).stdout
    expect(await at.bring(FILE, '--dates-from', at.path)).toMatchObject({ updated: 0, unchanged: 3 })
    await at.bring(FILE)
    expect((await at.box.words('export --all')).stdout).toBe(before)
    await at.tag('app/1.2.0', '1.2.0', '2026-02-03')
    expect(await at.bring(FILE, '--dates-from', at.path)).toMatchObject({ updated: 1, warnings: [] })
    expect(await at.show('1.2.0')).toMatchObject({ status: 'published', dateKnown: true })
  })

  test('says of a version without a tag that it is a draft only if it is', async () => {
    await using at = await withRepository()
    await at.tag('v1.1.0', 'v1.1.0', '2026-02-03')
    const undated = FILE.replace(' - 2025-12-31', '')
    await at.bring(undated)
    await at.tag('v1.2.0', 'v1.2.0', '2026-03-04')
    const { warnings } = await at.bring(undated, '--dates-from', at.path)
    expect(await at.show('1.0.0')).toMatchObject({ status: 'published' })
    expect(warnings.map(({ message }) => message)).toEqual([
      `1.0.0 has neither a date nor a tag in ${at.path}`,
    ])
    const more = `## 0.9.0\n\n- Old\n\n${undated}`
    const again = await at.bring(more, '--dates-from', at.path)
    expect(await at.show('0.9.0')).toMatchObject({ status: 'draft' })
    expect(again.warnings).toContainEqual({ line: 1, message: 'no date, kept as a draft' })
  })

  test('publishes what would wait as a draft for its date', async () => {
    await using at = await withRepository()
    await at.tag('v1.1.0', 'v1.1.0', '2026-02-03')
    await at.tag('v1.2.0', 'v1.2.0', '2026-03-04')
    await at.bring(FILE, '--dates-from', at.path)
    expect((await at.list()).map(({ version, status }) => `${version} ${status}`)).toEqual([
      ...['1.2.0 published', '1.1.0 published', '1.0.0 published'],
    ])
  })

  test('refuses what has no tags, and an export', async () => {
    await using at = await withRepository()
    const refusal = (file: string) => at.box.refusal('import', 'acme/app', file, '--dates-from', at.path)
    await Bun.write(at.box.at('CHANGELOG.md'), FILE)
    expect(await refusal(at.box.at('CHANGELOG.md'))).toContain('has no tag for a version: it has no tags.')
    await at.box.words('export --all --output all.jsonl')
    expect(await refusal('all.jsonl')).toContain('To import it, leave out --dates-from.')
  })
})
