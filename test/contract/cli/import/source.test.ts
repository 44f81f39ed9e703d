import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { PROGRAM } from '../../../support/sandbox.ts'
import { FILE, prepared } from './prepared.ts'

describe('import', () => {
  test('what is odd is kept, and reported with file and line', async () => {
    await using at = await prepared()
    const text = `${FILE}\n## [0.9.0]\n\n- Old\n`
    const line = text.split('\n').indexOf('## [0.9.0]') + 1
    const { warnings } = await at.bring(text, '--dry-run')
    expect(warnings).toEqual([{ line, message: expect.stringContaining('no date') }])
    const { stderr } = await at.box.run(['import', 'acme/app', at.path])
    expect(stderr).toContain(`CHANGELOG.md:${line}: no date`)
  })

  test('reStructuredText is read by its own sections', async () => {
    await using at = await prepared()
    const path = join(at.box.directory, 'CHANGES.rst')
    await Bun.write(
      path,
      '1.1.0 (2026-02-03)\n~~~~~~~~~~~~~~~~~~\n\n- b\n\n1.0.0 (2026-01-02)\n~~~~~~~~~~~~~~~~~~\n\n- a\n',
    )
    expect(await at.box.json('import', 'acme/app', path)).toMatchObject({ added: 2, warnings: [] })
    expect((await at.show('1.1.0')).changes.map(({ title }) => title)).toEqual(['b'])
  })

  test.each([
    [
      'CHANGELOG.json',
      '{"name":"x","entries":[{"version":"1.1.0","date":"Tue, 03 Feb 2026 00:00:00 GMT","comments":{"minor":[{"comment":"b"}]}}]}',
      'minor-changes',
    ],
    ['Changes', 'Revision history for X\n\n1.1.0 2026-02-03\n  [Added]\n  - b\n', 'added'],
    [
      'changelog',
      'x (1.1.0) sid; urgency=low\n\n  * b\n\n -- X <x>  Tue, 03 Feb 2026 00:00:00 +0000\n',
      'changed',
    ],
  ])('%s is recognised and imported', async (name, text, type) => {
    await using at = await prepared()
    const path = join(at.box.directory, name)
    await Bun.write(path, text)
    expect(await at.box.json('import', 'acme/app', path)).toMatchObject({ added: 1, warnings: [] })
    expect(await at.show('1.1.0')).toMatchObject({
      publishedAt: '2026-02-03T00:00:00.000Z',
      changes: [{ type, title: 'b' }],
    })
  })

  test.each([
    ['rush', '{"entries":[]}', 'A version is an object in "entries".'],
    ['perl', 'Nothing\n', 'A version is a line such as "1.02 2026-01-02", without blanks in front.'],
    ['debian', '\n', 'A version is a line such as "hello (2.10-3) unstable; urgency=medium".'],
  ])('a file without a version is refused as %s, saying what one is', async (format, text, hint) => {
    await using at = await prepared()
    await Bun.write(at.path, text)
    const { status, stderr } = await at.box.run(['import', 'acme/app', at.path, '--format', format])
    expect(status).toBe(1)
    expect(stderr).toBe(`changelogd: ${at.path}: no version found. ${hint}\n`)
  })

  test('a list of releases without their texts leaves what is stored', async () => {
    await using at = await prepared()
    await at.bring(FILE)
    const before = await at.show('1.1.0')
    const path = join(at.box.directory, 'releases.json')
    const listed = {
      tagName: 'v1.1.0',
      name: 'The second one',
      isDraft: false,
      publishedAt: '2026-02-03T00:00:00Z',
    }
    await Bun.write(path, JSON.stringify([listed]))
    expect(await at.box.json('import', 'acme/app', path)).toMatchObject({ added: 0, unchanged: 1 })
    expect(await at.show('1.1.0')).toEqual(before)
  })

  test('a product that is not written team/product is wrong usage, with the usage', async () => {
    await using at = await prepared()
    await Bun.write(at.path, FILE)
    for (const name of ['app', 'acme/', 'a/b/c']) {
      const { status, stderr } = await at.box.run(['import', name, at.path])
      expect(status).toBe(2)
      expect(stderr).toContain('write it as team/product')
      expect(stderr).toContain('Usage: changelogd import')
    }
  })

  test('what is nested beyond measure stays as it is written', async () => {
    await using at = await prepared()
    const deep = `${'> '.repeat(15_000)}x`
    const { added, warnings } = await at.bring(
      `## 1.0.0 - 2026-01-02\n\n${deep}\n\n## 0.9.0 - 2026-01-01\n\n- y\n`,
    )
    expect(added).toBe(2)
    expect(warnings).toEqual([])
    const { stdout } = await at.box.run(['export', 'acme/app'])
    expect(stdout).toContain(deep)
  })

  test.each([
    ['a file without a version', '# Notes\n\nNothing here.\n', 'no version found'],
    ['an empty file', '', 'no version found'],
    ['bytes that are no text', '\xff\xfe\x00', 'is not UTF-8'],
    ['a compressed file', '\x1f\x8b\x08\x00', 'is compressed with gzip. Decompress it first'],
  ])('%s is refused, saying what was expected', async (_, text, message) => {
    await using at = await prepared()
    await Bun.write(at.path, Buffer.from(text, 'latin1'))
    const { status, stderr } = await at.box.run(['import', 'acme/app', at.path])
    expect(status).toBe(1)
    expect(stderr).toContain(message)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  test('standard input is a file called -', async () => {
    await using at = await prepared()
    await Bun.write(at.path, FILE)
    const child = Bun.spawn(
      ['sh', '-c', `exec "$@" < ${at.path}`, 'sh', ...PROGRAM, 'import', 'acme/app', '-', '--json'],
      {
        env: at.box.env,
        stdout: 'pipe',
      },
    )
    expect(JSON.parse(await new Response(child.stdout).text()).added).toBe(3)
  })

  test('releases of GitHub and GitLab come in by the same rules', async () => {
    await using at = await prepared()
    const github = [
      {
        tag_name: 'v1.1.0',
        name: 'Second',
        draft: false,
        prerelease: false,
        published_at: '2026-02-03T04:05:06Z',
        body: '## Added\r\n\r\n- A thing\r\n',
      },
      {
        tag_name: 'v1.2.0',
        name: '',
        draft: true,
        prerelease: false,
        published_at: null,
        created_at: '2026-03-03T04:05:06Z',
        body: '',
      },
    ]
    await at.bring(JSON.stringify(github), '--format', 'github')
    expect((await at.show('v1.1.0')).changes.map(({ type, title }) => [type, title])).toEqual([
      ['added', 'A thing'],
    ])
    expect((await at.show('v1.1.0')).publishedAt).toBe('2026-02-03T04:05:06.000Z')
    expect((await at.show('v1.2.0')).status).toBe('draft')
    const gitlab = [
      {
        tag_name: 'v2.0.0',
        name: 'Third',
        description: '### Fixed\n- B',
        released_at: '2026-04-03T04:05:06.789Z',
        upcoming_release: false,
      },
    ]
    await at.bring(JSON.stringify(gitlab), '--format', 'gitlab')
    expect(await at.show('v2.0.0')).toMatchObject({
      title: 'Third',
      publishedAt: '2026-04-03T04:05:06.789Z',
    })
  })
})
