import { describe, expect, test } from 'bun:test'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Ajv from 'ajv/dist/2020'
import { run } from '../../../src/cli/program.ts'
import { contextWith } from '../../support/commands/context.ts'
import { PROGRAM, Sandbox } from '../../support/sandbox.ts'
import { FILE, prepared } from './import/prepared.ts'

describe('export', () => {
  test('what an author wrote cannot control the terminal; a pipe and a file get it as it is', async () => {
    await using at = await prepared()
    const { box } = at
    const hostile = 'Bell \x07 title \x1b]0;owned\x07 colour \x1b[31m C1 \x9b31m \x85 back\x08 delete \x7f'
    await at.bring(
      `# Changelog\n\n## [1.0.0] - 2026-01-01\n\n${hostile}\n\n\tcode\n\n### Added\n\n- ${hostile}\n`,
    )
    const controls = /[\p{Cc}--[\n\r\t]]/v
    for (const command of [
      ['export', 'acme/app', '--drafts'],
      ['export', '--all'],
      ['version', 'show', 'acme/app', '1.0.0', '--json'],
      ['get', '/changelog/acme/app/CHANGELOG.md'],
    ]) {
      const shown = await box.onTerminal(command, { NO_COLOR: '1' })
      expect([command, controls.exec(shown)?.[0]]).toEqual([command, undefined])
    }
    expect(await box.onTerminal(['export', 'acme/app', '--drafts'])).toContain('\r\n    code\r\n')
    const piped = (await box.run(['export', 'acme/app', '--drafts'])).stdout
    await box.run(['export', 'acme/app', '--drafts', '--output', box.at('out.md')])
    expect(piped).toContain(hostile)
    expect(await Bun.file(box.at('out.md')).text()).toBe(piped)
    const shown = await box.json<{ description: string }>('version', 'show', 'acme/app', '1.0.0')
    expect(shown.description).toContain(hostile)
  })

  test('its JSON is what the schema that servers publish says, and no other', async () => {
    await using at = await prepared()
    await at.bring(FILE)
    await at.box.json('key', 'create', 'acme', '--label', 'ci')
    const { stdout } = await at.box.run(['get', '/docs/export.schema.json'])
    const isValid = new Ajv({ allowUnionTypes: true }).compile(JSON.parse(stdout))
    const lines = (await at.box.run(['export', '--all'])).stdout.trim().split('\n')
    const document = (await at.box.run(['export', 'acme/app', '--format', 'json'])).stdout
    expect(lines.length).toBeGreaterThan(5)
    for (const text of [...lines, document]) expect([text, isValid(JSON.parse(text))]).toEqual([text, true])
    expect(isValid(JSON.parse(document.replace('"title":', '"tittle":')))).toBe(false)
  })

  test('what is complete is for its owner only, however json was asked for', async () => {
    await using at = await prepared()
    await at.bring(FILE)
    const modeOf = async (...options: string[]) => {
      const file = join(at.box.directory, 'out')
      expect((await at.box.run(['export', ...options, '--output', file])).status).toBe(0)
      return statSync(file).mode & 0o777
    }
    expect(await modeOf('acme/app', '--format', 'json')).toBe(0o600)
    expect(await modeOf('acme/app', '--json')).toBe(0o600)
    expect(await modeOf('--all')).toBe(0o600)
    expect(await modeOf('acme/app', '--drafts')).toBe(0o600)
    expect(await modeOf('acme/app')).toBe(0o666 & ~process.umask())
  })

  test('never writes over the database, and is whole or fails', async () => {
    await using at = await prepared()
    await at.bring(FILE)
    for (const output of [at.box.database, `${at.box.database}-wal`]) {
      const { status, stderr } = await at.box.run(['export', 'acme/app', '--output', output])
      expect([status, stderr]).toEqual([1, expect.stringContaining('belongs to the database itself')])
    }
    const good = join(at.box.directory, 'good.md')
    await Bun.write(good, 'good')
    const many = Array.from({ length: 200 }, (_, v) => `## 2.${v}.0 - 2026-03-02\n\n- ${'x'.repeat(900)}\n`)
    await at.bring(many.join('\n'))
    const child = Bun.spawn(
      ['sh', '-c', 'ulimit -f 100; exec "$@"', 'sh', ...PROGRAM, 'export', 'acme/app', '--output', good],
      { env: at.box.env, stderr: 'ignore' },
    )
    expect(await child.exited).toBe(1)
    expect(await Bun.file(good).text()).toBe('good')
    expect(readdirSync(at.box.directory).filter((name) => name.includes('partial'))).toEqual([])
  })

  test('help says that an existing file is overwritten', async () => {
    await using box = new Sandbox()
    expect((await box.words('export --help')).stdout.replaceAll(/\s+/g, ' ')).toContain('overwriting it')
  })

  test('an export waits for a slow reader: no piece is written before the one before it has been taken', async () => {
    await using box = new Sandbox()
    const text = 'Many words. '.repeat(10_000)
    const versions = Array.from({ length: 20 }, (_, at) => `## [${20 - at}.0.0] - 2026-01-02\n\n${text}\n`)
    await Bun.write(join(box.directory, 'CHANGELOG.md'), versions.join('\n'))
    await box.json('import', 'acme/app', 'CHANGELOG.md', '--create')
    let written = ''
    let pieces = 0
    let isTaken = true
    const stdout = async (piece: string) => {
      expect(isTaken).toBe(true)
      isTaken = false
      pieces++
      await new Promise((resolve) => setImmediate(resolve))
      written += piece
      isTaken = true
    }
    expect(await run(contextWith({ stdout }), ['export', '--all', '--db', box.database])).toBe(0)
    expect(pieces).toBeGreaterThan(10)
    expect(written).toBe((await box.run(['export', '--all'])).stdout)
  })
})

describe('a changelog for people', () => {
  test('has the published versions, whatever the state of team, product and changelog; --drafts adds the rest', async () => {
    await using box = new Sandbox()
    await Bun.write(box.at('CHANGELOG.md'), FILE)
    await box.json('import', 'acme/app', 'CHANGELOG.md', '--create')
    const labels = (text: string) => [...text.matchAll(/^## \[(.+?)\]/gm)].map(([, label]) => label)
    for (const line of [
      'team update acme --visibility public',
      'publish acme/app',
      'product update acme/app --status locked',
      'changelog update acme/app --status locked',
    ]) {
      const { stdout, stderr } = await box.words('export acme/app')
      expect(labels(stdout)).toEqual(['1.1.0', '1.0.0'])
      expect(stderr).toBe('1 draft left out. To include drafts: changelogd export acme/app --drafts\n')
      const all = await box.words('export acme/app --drafts')
      expect([labels(all.stdout), all.stderr]).toEqual([['Unreleased', '1.1.0', '1.0.0'], ''])
      await box.json(...line.split(' '))
    }
    expect(await box.json('export', 'acme/app')).toMatchObject({
      teams: [{ products: [{ versions: [{ version: 'Unreleased' }, {}, {}] }] }],
    })
  })
})
