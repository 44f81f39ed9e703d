import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { Sandbox } from '../../../support/sandbox.ts'

const box = new Sandbox()
beforeAll(() => box.demo())
afterAll(() => box.close())

const completed = async (words: readonly string[], at = box) => {
  const { status, stdout } = await at.run(['complete', '--', ...words])
  expect(status).toBe(0)
  return stdout.split('\n')
}
const offered = async (line: string, at = box) =>
  (await completed(line.split(' '), at)).flatMap((each) => (each.includes('\t') ? each.split('\t')[0] : []))

test.each([
  ['ver', ['version']],
  ['version pub', ['publish']],
  ['help ver', ['version']],
  ['team create x --vis', ['--visibility']],
  ['team create x --visibility ', ['public', 'private']],
  ['team show ', ['acme', 'hooli']],
  ['team create ', []],
  ['import --all ', []],
  ['product show acme/', ['acme/app', 'acme/beta', 'acme/changelogd', 'acme/harbor', 'acme/meridian']],
  ['version publish acme/app ', ['0.2.0', '0.1.0']],
  ['key show key_', [expect.stringMatching(/^key_/), expect.stringMatching(/^key_/)]],
  ['key show ', ['acme/demo', 'acme/docs']],
  ['change move acme/app ', ['0.2.0', '0.1.0']],
  ['change move acme/app 0.1.0 1 --position ', []],
  ['key create acme --product be', ['beta']],
  ['serve --pages ', ['on', 'off', 'unlisted']],
  ['serve --password-protection t', ['true']],
  ['serve --home-page h', ['hooli/phone']],
  ['completion ', ['bash', 'zsh', 'fish']],
])('"%s" is completed with commands, options, choices or names in the database', async (line, expected) => {
  expect(await offered(line)).toEqual(expected)
})

test('names come from the database that is meant, and none is created', async () => {
  await using other = new Sandbox()
  expect(await offered('team show ', other)).toEqual([])
  expect(existsSync(other.database)).toBe(false)
  expect(await offered(`team show --db ${box.database} `, other)).toEqual(['acme', 'hooli'])
  writeFileSync(other.at('own.env'), `DATABASE_URL=${box.database}\n`)
  const words = ['complete', '--', 'version', 'publish', '--config', other.at('own.env'), 'acme/app', '']
  expect((await other.run(words, { DATABASE_URL: '' })).stdout).toContain('0.2.0\t')
})

test('a key whose label is not unique is offered by its id', async () => {
  await using other = new Sandbox()
  await other.demo()
  await other.json('key', 'create', 'acme', '--label', 'docs')
  const [label, ...ids] = await offered('key show ', other)
  expect([label, ids.map((id) => id?.slice(0, 4))]).toEqual(['acme/demo', ['key_', 'key_']])
})

test('the shell is asked for files where a file is meant, and nowhere else', async () => {
  for (const [lines, isFile] of [
    ['import acme/app ,import --all ,import acme/app --git ,apply ,backup ,restore ', true],
    ['export acme/app --output ,export acme/app --output=x,status --db ', true],
    ['version create acme/app 1.0.0 --description-file ', true],
    ['import ,team create ,undo ,get ,serve --port ,serve --pages ,help ,', false],
  ] as const)
    for (const line of lines.split(','))
      expect([line, (await completed(line.split(' '))).includes(':files')]).toEqual([line, isFile])
})
