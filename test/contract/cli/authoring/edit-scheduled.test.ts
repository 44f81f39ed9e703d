import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { PROGRAM, Sandbox } from '../../../support/sandbox.ts'
import { ENGINES } from '../../../support/servers/server.ts'

describe.each(ENGINES)('editing what is scheduled, on %s', (engine) => {
  const box = new Sandbox(engine)
  const edit = (EDITOR: string, env: Record<string, string> = {}) =>
    box.run(['edit', 'acme/app'], { EDITOR, TMPDIR: box.at('tmp'), ...env })
  const shown = () => box.json('version', 'show', 'acme/app', 'Unreleased')

  beforeEach(async () => {
    await box.renew()
    mkdirSync(box.at('tmp'))
    writeFileSync(box.at('CHANGELOG.md'), '## [Unreleased]\n\n### Added\n\n- Dark mode\n')
    await box.json('import', 'acme/app', box.at('CHANGELOG.md'), '--create')
    await box.json('version', 'schedule', 'acme/app', 'Unreleased', '--at', '2099-12-01T09:00Z')
  })
  afterAll(() => box.close())

  test('a scheduled version says when it goes public, and another date in the heading moves that', async () => {
    const moved = await edit(`sed -i 's/2099-12-01/2099-12-02/'`, { TZ: 'Europe/Berlin' })
    expect(moved.stdout).toBe('Updated version Unreleased of acme/app: date.\n')
    expect(moved.stderr).toMatch(
      /^It goes public at 2099-12-02 10:00 \+01:00 \(09:00 UTC\), in \d+ years\.\n$/,
    )
    expect(await shown()).toMatchObject({ scheduled: true })
    // What an editor prints goes where the program prints.
    const editor = { EDITOR: 'head -n 1', TMPDIR: box.at('tmp') }
    const opened = await box.runProgram([...PROGRAM, 'edit', 'acme/app'], editor)
    expect(opened.stderr).toContain('Scheduled version Unreleased of acme/app.')
    const late = await edit(`sed -i 's/2099-12-02/2020-12-02/'`)
    expect(late.stderr).toContain('2020-12-02 09:00 UTC is in the past. Nothing was saved')
    const [path = ''] = /\/\S+\.md/.exec(late.stderr) ?? []
    expect(readFileSync(path, 'utf8')).toContain('2020-12-02')
  })

  test('a version that goes public by itself meanwhile is saved', async () => {
    box.write(`UPDATE version SET published_at = ${Date.now() + 1_500} WHERE label = 'Unreleased'`)
    const show = `${PROGRAM.join(' ')} version show acme/app Unreleased --json`
    const lines = [`until ${show} | grep -q '"published"'; do :; done`, 'echo "- Late" >> "$1"']
    writeFileSync(box.at('waiting.sh'), lines.join('\n'))
    const { status, stdout } = await edit(`sh ${box.at('waiting.sh')}`)
    expect([status, stdout]).toEqual([0, 'Updated version Unreleased of acme/app: changes: 1 added.\n'])
    expect(await shown()).toMatchObject({ status: 'published', scheduled: false })
  })
})
