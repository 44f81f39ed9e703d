import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { Sandbox } from '../../support/sandbox.ts'
import { linesOf, listening } from '../../support/servers/process.ts'
import { ENGINES } from '../../support/servers/server.ts'
import { until } from '../../support/until.ts'

const FILE = '## [1.0.0] - 2026-01-02\n\n- Everything\n'

describe.each(ENGINES)('on %s', (engine) => {
  test('serve says that it has created an empty file, and that something waits for a worker if it has none', async () => {
    await using box = await Sandbox.on(engine, { isBare: true })
    const start = async () => {
      const child = box.start(['serve', '--port', '0'])
      const { lines, ended } = linesOf(child.stderr)
      await listening(child)
      const stop = () => {
        child.kill('SIGTERM')
        return ended
      }
      return { lines, stop }
    }
    const first = await start()
    await first.stop()
    expect(first.lines).toEqual(
      engine === 'SQLite' ? [expect.stringContaining(`Created ${box.database}, which is empty.`)] : [],
    )
    writeFileSync(box.at('CHANGELOG.md'), FILE)
    await box.json('follow', 'acme/app', box.at('CHANGELOG.md'), '--create')
    const second = await start()
    await until(() => second.lines.length > 0)
    await second.stop()
    expect(second.lines).toEqual([expect.stringContaining('this server has none. Unless one runs elsewhere')])
  })

  test('where there is nothing yet, every command says how to begin', async () => {
    await using box = await Sandbox.on(engine, { isBare: true })
    writeFileSync(box.at('CHANGELOG.md'), FILE)
    const editor = { EDITOR: 'true' }
    const first = 'To write it in your editor: changelogd edit acme/app --create\n'
    const refusals: [line: string, hint: string][] = [
      ['import acme/app CHANGELOG.md', 'To create the product too, add --create.\n'],
      ['edit acme/app', 'To create the product too: changelogd edit acme/app --create\n'],
      ['publish acme/app', first],
      ['release acme/app 1.0.0', first],
    ]
    const check = async () => {
      for (const [line, hint] of refusals) {
        const { status, stderr } = await box.run(line.split(' '), editor)
        expect([line, status, stderr]).toEqual([line, 1, expect.stringMatching(/^changelogd: .*\n$/)])
        expect(stderr).toEndWith(hint)
      }
    }
    await check()
    await box.json('migrate')
    refusals.push(['status acme/app', first], ['version list acme/app', first])
    await check()
    expect(await box.refusal('product', 'create', 'acme/app', '--name', 'App')).toContain(
      'To create it: changelogd team create acme',
    )
    await box.json('import', 'acme/app', 'CHANGELOG.md', '--create')
    await box.json('publish', 'acme/app')
  })

  test('a name that is nearly right gets a suggestion, also where --create could create it', async () => {
    await using box = await Sandbox.on(engine)
    writeFileSync(box.at('CHANGELOG.md'), FILE)
    await box.json('demo')
    for (const command of ['import acme/apq CHANGELOG.md', 'edit acme/apq']) {
      const { stderr } = await box.run(command.split(' '), { EDITOR: 'true' })
      expect(stderr).toContain(
        'There is no product acme/apq. Did you mean acme/app? To create the product too',
      )
    }
    expect(await box.refusal('publish', 'amce/app')).toContain('There is no team amce. Did you mean acme?')
  })

  test('status suggests to release the unreleased draft, not to publish it as it is', async () => {
    await using box = await Sandbox.on(engine)
    writeFileSync(box.at('CHANGELOG.md'), '## [Unreleased]\n\n- Something\n')
    await box.json('import', 'acme/app', 'CHANGELOG.md', '--create')
    const { stdout } = await box.words('status acme/app')
    expect(stdout).toContain('changelogd release acme/app VERSION')
    expect(stdout).not.toContain('version publish')
  })
})
