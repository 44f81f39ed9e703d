import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { Sandbox } from '../../../support/sandbox.ts'

test('completion offers commands, options, choices, and the names in the database', async () => {
  await using fresh = new Sandbox()
  const offered = async (...words: string[]) => {
    const { status, stdout } = await fresh.run(['complete', '--', ...words])
    expect(status).toBe(0)
    return stdout.split('\n').flatMap((line) => (line.includes('\t') ? [line.split('\t')[0]] : []))
  }
  expect(await offered('team', 'show', '')).toEqual([])
  expect(existsSync(fresh.database)).toBe(false)
  await fresh.json('demo')
  expect(await offered('ver')).toEqual(['version'])
  expect(await offered('version', 'pub')).toEqual(['publish'])
  expect(await offered('team', 'create', 'x', '--vis')).toEqual(['--visibility'])
  expect(await offered('team', 'create', 'x', '--visibility', '')).toEqual(['public', 'private'])
  expect(await offered('team', 'show', '')).toEqual(['acme', 'hooli'])
  expect(await offered('team', 'create', '')).toEqual([])
  expect(await offered('import', '--all', '')).toEqual([])
  expect(await offered('help', 'ver')).toEqual(['version'])
  const other = fresh.at('other.db')
  await fresh.json('team', 'create', 'initech', '--name', 'Initech', '--db', other)
  expect(await offered('team', 'show', '--db', other, '')).toEqual(['initech'])
  expect(await offered('product', 'show', 'acme/')).toEqual(['acme/app', 'acme/beta', 'acme/changelogd'])
  expect(await offered('version', 'publish', 'acme/app', '')).toEqual(['0.2.0', '0.1.0'])
  expect(await offered('key', 'show', 'key_')).toHaveLength(2)
  expect(await offered('key', 'show', '')).toEqual(['acme/demo', 'acme/docs'])
  await fresh.json('key', 'create', 'acme', '--label', 'docs')
  const [label, ...ids] = await offered('key', 'show', '')
  expect([label, ids]).toEqual([
    'acme/demo',
    [expect.stringMatching(/^key_/), expect.stringMatching(/^key_/)],
  ])
  expect(await offered('change', 'move', 'acme/')).toEqual(['acme/app', 'acme/beta', 'acme/changelogd'])
  expect(await offered('change', 'move', 'acme/app', '')).toEqual(['0.2.0', '0.1.0'])
  expect(await offered('change', 'move', 'acme/app', '0.1.0', '')).toEqual(['1'])
})

test('completion asks the shell for files where a file is meant, and nowhere else', async () => {
  await using box = new Sandbox()
  await box.json('demo')
  const isFile = async (line: string) => {
    const { stdout } = await box.run(['complete', '--', ...line.split(' ')])
    return [line, stdout.split('\n').includes(':files')]
  }
  const files = [
    'import acme/app ',
    'import --all ',
    'import acme/app --git ',
    'apply ',
    'backup ',
    'restore ',
    'undo ',
    'export acme/app --output ',
    'export acme/app --output=x',
    'version create acme/app 1.0.0 --description-file ',
    'status --db ',
  ]
  const others = ['import ', 'team create ', 'get ', 'serve --port ', 'serve --pages ', 'help ', '']
  expect(await Promise.all([...files, ...others].map(isFile))).toEqual([
    ...files.map((line) => [line, true]),
    ...others.map((line) => [line, false]),
  ])
})

test('completion offers the values of settings, and the shells it is for', async () => {
  await using box = new Sandbox()
  await box.json('demo')
  const offered = async (...words: string[]) => {
    const { stdout } = await box.run(['complete', '--', ...words])
    return stdout.split('\n').flatMap((line) => (line.includes('\t') ? [line.split('\t')[0]] : []))
  }
  expect(await offered('serve', '--pages', '')).toEqual(['on', 'off', 'unlisted'])
  expect(await offered('serve', '--password-protection', 't')).toEqual(['true'])
  expect(await offered('serve', '--home-page', 'h')).toEqual(['hooli/phone'])
  expect(await offered('key', 'create', 'acme', '--product', 'be')).toEqual(['beta'])
  expect(await offered('change', 'move', 'acme/app', '0.1.0', '1', '--position', '')).toEqual([])
  expect(await offered('completion', '')).toEqual(['bash', 'zsh', 'fish'])
})
