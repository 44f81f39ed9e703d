import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { run as runCommand } from '../../../../src/cli/program.ts'
import { contextWith } from '../../../support/commands/context.ts'
import { PROGRAM, Sandbox, type SeenVersion } from '../../../support/sandbox.ts'
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

describe('edit', () => {
  const box = new Sandbox()
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
  /** The text that was kept, by the path in the refusal. */
  const keptText = (stderr: string) => {
    const path = /Your text is in (\S+\.md)\./.exec(stderr)?.[1] ?? 'nowhere'
    return existsSync(path) ? readFileSync(path, 'utf8') : null
  }

  beforeEach(async () => {
    await box.renew()
    mkdirSync(box.at('tmp'))
    writeFileSync(box.at('CHANGELOG.md'), FILE)
    await box.json('import', 'acme/app', box.at('CHANGELOG.md'), '--create')
  })
  afterAll(() => box.close())

  test('the file is for its owner only, and VISUAL goes before EDITOR', async () => {
    const look = editor('look', `stat -c %a "$1" "$(dirname "$1")" > ${box.at('modes')}`)
    const { status } = await run('acme/app 1.0.0', 'false', { VISUAL: `${look} ` })
    expect([status, readFileSync(box.at('modes'), 'utf8')]).toEqual([0, '600\n700\n'])
  })

  test('the text is kept if the editor fails, if it cannot be read, and if it cannot be saved', async () => {
    const before = await box.state()
    for (const [edit, why] of [
      ['echo "- More" >> "$1"; exit 3', 'exited with status 3.'],
      ['echo "- More" >> "$1"; kill -9 $$', 'exited with status 137.'],
      ['echo "- More" > "$1"', 'No version found.'],
      [
        'echo "- More" >> "$1"; echo >> "$1"; head -c 1000001 /dev/zero | tr "\\0" x >> "$1"',
        'A text of the version is longer than 1,000,000 characters.',
      ],
      ['echo "## [2.0.0]\n- More" >> "$1"', 'The text has 2 versions (1.0.0, 2.0.0). Keep one.'],
      ['sed -i "1i - More" "$1"', 'This text is above the heading of the version'],
      [
        'sed -i "s/^## .*/## [Unreleased]\\n\\nMore/" "$1"',
        'There is already a version Unreleased of acme/app.',
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
    expect(stderr).toContain('SIGTERM ended this command. Nothing was saved. Your text is in ')
    expect(keptText(stderr)).toContain('Dark mode')
  })

  test('a version that another command changed meanwhile is not overwritten', async () => {
    const other = `${PROGRAM.join(' ')} change add acme/app 1.0.0 --type fixed Meanwhile`
    const result = await run('acme/app 1.0.0', editor('both', other, 's=s/bug/mistake/', 'sed -i $s "$1"'))
    expect([result.status, result.stdout]).toEqual([1, ''])
    expect(result.stderr).toContain('Another command changed version 1.0.0 while you were editing.')
    expect(keptText(result.stderr)).toContain('A mistake')
    expect((await show('1.0.0')).changes.map(({ title }) => title)).toEqual([
      ...['Everything', 'A second thing', 'A bug in the search of documents', 'Meanwhile'],
    ])
  })

  test('a release is opened as its author wrote it, read again when saved, and kept until a command changes it', async () => {
    const body =
      '## Highlights\n\nA long story about it, which no list of changes could tell as well as this.\n\n- [x] Back up'
    writeFileSync(
      box.at('r.json'),
      JSON.stringify([{ tag_name: 'v2', draft: true, published_at: null, body }]),
    )
    await box.json('import', 'acme/app', box.at('r.json'), '--format', 'github')
    const sources = async () =>
      [
        ...(await box.run(['export', 'acme/app', '--format', 'json'])).stdout.matchAll(
          /"source":("[^\n]*?[^\\]")/g,
        ),
      ].length
    const opened = box.at('opened.md')
    const seen = editor('seen', `cp "$1" ${opened}`, 'sed -i "s/Back up/Back it up/" "$1"')
    expect((await run('acme/app v2', seen)).stdout).toContain('changes: 1 changed')
    expect(readFileSync(opened, 'utf8')).toContain(body)
    const id = (await show('v2')).changes.find(({ title }) => title.endsWith('Back it up'))?.id ?? ''
    const before = await sources()
    await run('acme/app v2', editor('again', `cp "$1" ${opened}`))
    expect(readFileSync(opened, 'utf8')).toContain(body.replace('Back up', 'Back it up'))

    // What is brought back says again what was read.
    const deleted = await box.json<{ undo: string }>('change', 'delete', id, '--yes')
    expect(await sources()).toBe(before - 1)
    await box.json('undo', ...deleted.undo.split(' ').slice(2, 3))
    expect(await sources()).toBe(before)
    await box.json('change', 'update', id, '--title', 'Other words')
    expect(await sources()).toBe(before - 1)
    await run('acme/app v2', editor('last', `cp "$1" ${opened}`))
    expect(readFileSync(opened, 'utf8')).toContain('- Other words')
  })

  test('a version that goes public by itself meanwhile is saved', async () => {
    await box.json('version', 'create', 'acme/app', '9.0.0')
    await box.json('version', 'schedule', 'acme/app', '9.0.0', '--at', '2099-12-01T09:00Z')
    let [printed, now] = ['', Date.now()]
    const context = contextWith({
      env: { ...box.env, EDITOR: 'editor', TMPDIR: box.at('tmp') },
      now: () => now,
      stdout: async (text) => {
        printed += text
      },
      runEditor: async (_, path) => {
        now = Date.UTC(2100)
        writeFileSync(path, `${readFileSync(path, 'utf8')}- Late\n`)
        return null
      },
    })
    await runCommand(context, ['edit', 'acme/app', '9.0.0'])
    expect(printed).toBe('Updated version 9.0.0 of acme/app: changes: 1 added.\n')
    expect(await show('9.0.0')).toMatchObject({ changeCount: 1 })
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
      const output = await box.onTerminal(['edit', 'acme/app'], { EDITOR: path, TMPDIR: box.at('tmp') }, 200)
      return output.replaceAll('\r\n', '\n')
    }

    test('a text that cannot be read is opened again with the problem on top, which is not saved', async () => {
      const edit = editor(
        'twice',
        `cat "$1" > ${box.at('last')}`,
        `if [ -e ${box.at('once')} ]; then sed -i 's/^text without.*/## [Unreleased]/' "$1"; exit; fi`,
        `touch ${box.at('once')}`,
        `sed -i -e 's/all/many/' -e 's/^## .*/text without a version/' "$1"`,
      )
      expect(await typed(edit)).toContain('changes: 1 changed.')
      const [first] = readFileSync(box.at('last'), 'utf8').split('\n')
      expect(first).toBe(
        '<!-- changelogd: No version found. A version starts with a heading such as ## [1.2.0] - 2026-01-02. -->',
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
      expect(await typed(edit)).toContain('Its date is 2026-11-29')
      expect(readFileSync(box.at('tops'), 'utf8')).toContain(
        '<!-- changelogd: 2026-11-31 does not exist. -->',
      )
      const { title, publishedAt } = await show('Unreleased')
      expect({ title, publishedAt }).toEqual({ title: 'Unreleased', publishedAt: '2026-11-29T00:00:00.000Z' })
    })

    test('it is given up if the text stays as it is, and kept', async () => {
      const output = await typed(editor('same', 'echo "no version" > "$1"'))
      expect(output.match(/No version found/g)).toHaveLength(1)
      expect(kept()).toHaveLength(1)
    })
  })
})
