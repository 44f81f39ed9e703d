import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { PROGRAM, Sandbox, type SeenVersion } from '../../../support/sandbox.ts'
import { ENGINES } from '../../../support/servers/server.ts'
import { until } from '../../../support/until.ts'

const FILE = `## [Unreleased]

### Added

- Search in all documents
- Dark mode

## [1.0.0] - 2026-01-02 - First release

Long awaited.

### Added

- Everything
- A second thing

  With a description.

### Fixed

- A bug in the search of documents
`

describe.each(ENGINES)('edit on %s', (engine) => {
  const box = new Sandbox(engine)
  /** An editor that runs a line of shell, in which $1 is the file. */
  const editor = (name: string, ...lines: string[]): string => {
    const path = box.at(`${name}.sh`)
    writeFileSync(path, `#!/bin/sh\n${lines.join('\n')}\n`)
    chmodSync(path, 0o755)
    return path
  }
  const run = (line: string, EDITOR: string, env: Record<string, string> = {}) =>
    box.run(['edit', ...line.split(' ')], { EDITOR, TMPDIR: box.at('tmp'), ...env })
  const show = (version: string) =>
    box.json<SeenVersion & { changes: { id: string; title: string }[] }>(
      'version',
      'show',
      'acme/app',
      version,
    )
  const kept = () => readdirSync(box.at('tmp'))
  const keptPath = (stderr: string) => /your text is in (\S+\.md)\./.exec(stderr)?.[1] ?? 'nowhere'
  /** The text that was kept, by the path in the refusal. */
  const keptText = (stderr: string) => {
    const path = keptPath(stderr)
    return existsSync(path) ? readFileSync(path, 'utf8') : null
  }

  beforeAll(() => box.renew())
  beforeEach(async () => {
    await box.renew()
    mkdirSync(box.at('tmp'))
    writeFileSync(box.at('CHANGELOG.md'), FILE)
    await box.json('import', 'acme/app', box.at('CHANGELOG.md'), '--create')
  })
  afterAll(() => box.close())

  test('without a version it opens the unreleased draft, and ids of what did not change stay', async () => {
    const before = await show('Unreleased')
    const { status, stdout } = await run('acme/app', `sed -i -e s/all/many/ -e '/many/i - New'`)
    expect([status, stdout]).toEqual([
      0,
      'Updated version Unreleased of acme/app: changes: 1 added, 1 changed.\n',
    ])
    const after = await show('Unreleased')
    expect(after.changes.map(({ title }) => title)).toEqual(['New', 'Search in many documents', 'Dark mode'])
    expect(after.changes.slice(1).map(({ id }) => id)).toEqual(before.changes.map(({ id }) => id))
    expect(after.id).toBe(before.id)
    expect(kept()).toEqual([])
  })

  test('without an unreleased draft it begins one, and --create begins the product and its team too', async () => {
    const write = editor(
      'write',
      `grep -q '^## \\[Unreleased\\]$' "$1" || exit 9`,
      `sed -i 's/^- $/- One/' "$1"`,
    )
    const { stdout, stderr } = await run('new/thing --create', write)
    expect(stdout).toMatch(/^Created version Unreleased of new\/thing \(draft, ver_\w+\): 1 change\.\n$/)
    expect(stderr).toBe('To release it as a version: changelogd release new/thing VERSION\n')
    expect(await box.json('product', 'show', 'new/thing')).toMatchObject({ status: 'draft' })
    const refused = await run('other/thing', write)
    expect(refused.stderr).toContain('changelogd edit other/thing --create')
  })

  test('a version that does not exist is a new draft with that label', async () => {
    const { status, stderr } = await run('acme/app 1.1.0', `sed -i 's/^- $/- One/'`)
    expect([status, stderr]).toEqual([
      0,
      'It is a draft. To publish it: changelogd version publish acme/app 1.1.0\n',
    ])
    expect(await show('1.1.0')).toMatchObject({ title: '1.1.0', status: 'draft', changeCount: 1 })
  })

  test('what the author does not touch stays: status, date, title, description and order', async () => {
    const before = await show('1.0.0')
    await box.json('version', 'publish', 'acme/app', 'Unreleased')
    const unreleased = await show('Unreleased')
    expect((await run('acme/app 1.0.0', 'sed -i s/bug/mistake/')).stdout).toBe(
      'Updated version 1.0.0 of acme/app: changes: 1 changed.\n',
    )
    const last = { ...before.changes[2], title: 'A mistake in the search of documents' }
    expect(await show('1.0.0')).toMatchObject({
      ...before,
      changes: [...before.changes.slice(0, 2), last] as never,
    })
    await run('acme/app', 'sed -i s/Dark/Darker/')
    expect(await show('Unreleased')).toMatchObject({
      ...{ status: 'published', publishedAt: unreleased.publishedAt, title: 'Unreleased' },
    })
    expect((await box.words('version list acme/app')).stdout).toContain('published')
  })

  test('heading and text become label, title, date and description; only commands publish', async () => {
    const heading = 's/^## .*/## [2.0.0] - 2026-03-04 - Second release\\n\\nNow *faster*./'
    const { stdout, stderr } = await run('acme/app', `sed -i '${heading}'`)
    expect(stdout).toBe(
      'Updated version 2.0.0 of acme/app: label, title, description, date. Its date is 2026-03-04 00:00 UTC.\n',
    )
    expect(stderr).toContain('changelogd version publish acme/app 2.0.0')
    expect(await show('2.0.0')).toMatchObject({
      ...{ title: 'Second release', publishedAt: '2026-03-04T00:00:00.000Z', status: 'draft' },
      description: 'Now *faster*.',
    })
  })

  test('changes are moved, removed and given another type, and keep their ids', async () => {
    const before = await show('1.0.0')
    const text = ['## [1.0.0] - 2026-01-02 - First release', '', 'Long awaited.', '', '### Security', '']
    const rest = ['- A bug in the search of documents', '', '### Added', '', '- Everything']
    const write = editor('write', `cat > "$1" <<'EOF'`, ...text, ...rest, 'EOF')
    expect((await run('acme/app 1.0.0', write)).stdout).toBe(
      'Updated version 1.0.0 of acme/app: changes: 1 changed, 1 removed, moved.\n',
    )
    const ids = before.changes.map(({ id }) => id)
    const after = await show('1.0.0')
    expect(after.changes.map(({ id, title }) => [id, title])).toEqual([
      [ids[2] as string, 'A bug in the search of documents'],
      [ids[0] as string, 'Everything'],
    ])
    expect(after.changes[0]).toMatchObject({ type: 'security' })
  })

  test('an edit counts as changed by hand: the next import keeps it and says so', async () => {
    await run('acme/app 1.0.0', `sed -i -e 's/Everything/& here/' -e '/A bug/d' -e s/First/1st/`)
    const again = await box.words(`import acme/app ${box.at('CHANGELOG.md')}`)
    expect(again.stderr).toContain('1.0.0: kept what was changed by hand')
    expect((await show('1.0.0')).changes.map(({ title }) => title)).toEqual([
      'Everything here',
      'A second thing',
    ])
    expect(await show('1.0.0')).toMatchObject({ title: '1st release' })
  })

  test('an unchanged or an emptied text changes nothing, and says so', async () => {
    const before = await box.state()
    const unchanged = await run('acme/app 1.0.0', 'true')
    expect(unchanged).toEqual({ status: 0, stdout: 'Nothing was changed.\n', stderr: '' })
    for (const empty of ['rm', ': >', `sed -i '/^[^<]/d'`, `sed -i 's/.*//'`])
      expect(await run('acme/app 1.0.0', editor('empty', `${empty} "$1"`))).toEqual({
        ...{ status: 0, stdout: 'Nothing was changed, because the text is empty.\n', stderr: '' },
      })
    expect(await run('acme/app 7.0.0', 'true')).toMatchObject({ stdout: 'Nothing was changed.\n' })
    expect(await box.state()).toEqual(before)
    expect(kept()).toEqual([])
  })

  test('the file is for its owner only, and VISUAL goes before EDITOR', async () => {
    const look = editor('look', `stat -c %a "$1" "$(dirname "$1")" > ${box.at('modes')}`)
    const { status } = await run('acme/app 1.0.0', 'false', { VISUAL: `${look} ` })
    expect([status, readFileSync(box.at('modes'), 'utf8')]).toEqual([0, '600\n700\n'])
  })

  test('no editor is refused, and so is one that does not exist', async () => {
    expect((await run('acme/app', '')).stderr).toContain('No editor is set. Set VISUAL or EDITOR')
    const missing = await run('acme/app', 'no-such-editor')
    expect([missing.status, missing.stderr]).toEqual([1, expect.stringContaining('Nothing was changed.')])
    expect(kept()).toEqual([])
  })

  test('the text is kept if the editor fails, if it cannot be read, and if it cannot be saved', async () => {
    const before = await box.state()
    for (const [edit, why] of [
      ['echo "- More" >> "$1"; exit 3', 'ended with status 3.'],
      ['echo "- More" >> "$1"; kill -9 $$', 'ended with status 137.'],
      ['echo "- More" > "$1"', 'No version was found.'],
      ['echo "## [2.0.0]\n- More" >> "$1"', 'There are 2 versions (1.0.0, 2.0.0), but this edits one.'],
      ['sed -i "1i - More" "$1"', 'This text belongs to no version'],
      [
        'sed -i "s/^## .*/## [Unreleased]\\n\\nMore/" "$1"',
        'There is a version Unreleased of acme/app already.',
      ],
    ] as const) {
      const result = await run('acme/app 1.0.0', editor('fails', edit))
      expect([edit, result.status, result.stdout]).toEqual([edit, 1, ''])
      expect(result.stderr).toContain(why)
      expect(keptText(result.stderr)).toContain('More')
    }
    expect(await box.state()).toEqual(before)
  })

  test('SIGTERM says where the text is, which the open editor may still save', async () => {
    const [opened, done] = [box.at('opened'), box.at('done')]
    const slow = editor('slow', `echo > ${opened}; until [ -e ${done} ]; do sleep 0.1; done`)
    const child = box.start(['edit', 'acme/app'], { EDITOR: slow, TMPDIR: box.at('tmp') })
    await until(() => existsSync(opened))
    child.kill('SIGTERM')
    const status = await child.exited
    writeFileSync(done, '')
    expect(status).toBe(1)
    const stderr = await new Response(child.stderr).text()
    expect(stderr).toContain('SIGTERM has ended this command. Nothing was saved; your text is in ')
    expect(keptText(stderr)).toContain('Dark mode')
  })

  test('a version that another command changed meanwhile is not overwritten', async () => {
    const other = `${PROGRAM.join(' ')} change add acme/app 1.0.0 --type fixed Meanwhile`
    const result = await run('acme/app 1.0.0', editor('both', other, 's=s/bug/mistake/', 'sed -i $s "$1"'))
    expect([result.status, result.stdout]).toEqual([1, ''])
    expect(result.stderr).toContain('Another command has changed version 1.0.0 meanwhile.')
    expect(keptText(result.stderr)).toContain('A mistake')
    expect((await show('1.0.0')).changes.map(({ title }) => title)).toEqual([
      ...['Everything', 'A second thing', 'A bug in the search of documents', 'Meanwhile'],
    ])
  })

  test('what is locked is refused before the editor opens', async () => {
    await box.json('changelog', 'update', 'acme/app', '--status', 'locked')
    const result = await run('acme/app', editor('opened', `touch ${box.at('opened')}`))
    expect(result.stderr).toContain('The changelog of acme/app is locked.')
    expect(existsSync(box.at('opened'))).toBe(false)
  })

  test('a mistyped section is kept, with a warning', async () => {
    const { status, stderr } = await run('acme/app', 'sed -i s/Added/Addd/')
    expect([status, stderr]).toEqual([0, expect.stringContaining('Did you mean added?')])
  })

  test('standard output is the result alone, as JSON', async () => {
    const noisy = editor('noisy', 'echo opened', 'sed -i s/all/many/ "$1"')
    // What an editor prints goes where the program prints.
    const { stdout, stderr } = await box.runProgram([...PROGRAM, 'edit', 'acme/app', '--json'], {
      EDITOR: noisy,
      TMPDIR: box.at('tmp'),
    })
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'updated', version: 'Unreleased', changeCount: 2 })
    expect(stderr).toContain('opened')
  })

  describe('at a terminal', () => {
    const typed = async (path: string) => {
      let output = ''
      const child = Bun.spawn([...PROGRAM, 'edit', 'acme/app'], {
        env: { ...box.env, TERM: 'xterm', EDITOR: path, TMPDIR: box.at('tmp') },
        terminal: {
          cols: 200,
          data: (_, data) => {
            output += new TextDecoder().decode(data)
          },
        },
      })
      return { status: await child.exited, output }
    }

    test('a text that cannot be read is opened again with the problem on top, which is not saved', async () => {
      const edit = editor(
        'twice',
        `cat "$1" > ${box.at('last')}`,
        `if [ -e ${box.at('once')} ]; then sed -i 's/^text without.*/## [Unreleased]/' "$1"; exit; fi`,
        `touch ${box.at('once')}`,
        `sed -i -e 's/all/many/' -e 's/^## .*/text without a version/' "$1"`,
      )
      const { status, output } = await typed(edit)
      expect([status, output]).toEqual([0, expect.stringContaining('changes: 1 changed.')])
      const [first] = readFileSync(box.at('last'), 'utf8').split('\n')
      expect(first).toBe(
        '<!-- changelogd: No version was found. It begins with a heading such as ## [1.2.0] - 2026-01-02. -->',
      )
      expect(await show('Unreleased')).toMatchObject({ description: null, changeCount: 2 })
      expect(kept()).toEqual([])
    })

    test('a date that does not exist is opened again with the reason, and not saved as a title', async () => {
      await box.json('version', 'update', 'acme/app', 'Unreleased', '--date', '2026-11-30')
      const edit = editor(
        'dated',
        `head -n 1 "$1" >> ${box.at('tops')}`,
        `if [ -e ${box.at('once')} ]; then sed -i 's/2026-11-31/2026-11-29/' "$1"; exit; fi`,
        `touch ${box.at('once')}`,
        `sed -i 's/2026-11-30/2026-11-31/' "$1"`,
      )
      const { status, output } = await typed(edit)
      expect([status, output]).toEqual([0, expect.stringContaining('Its date is 2026-11-29')])
      expect(readFileSync(box.at('tops'), 'utf8')).toContain(
        '<!-- changelogd: 2026-11-31 is not a date: there is no such day or time. -->',
      )
      const { title, publishedAt } = await show('Unreleased')
      expect({ title, publishedAt }).toEqual({ title: 'Unreleased', publishedAt: '2026-11-29T00:00:00.000Z' })
    })

    test('it is given up if the text stays as it is, and kept', async () => {
      const { status, output } = await typed(editor('same', 'echo "no version" > "$1"'))
      expect(status).toBe(1)
      expect(output.match(/No version was found/g)).toHaveLength(1)
      expect(kept()).toHaveLength(1)
    })
  })
})
