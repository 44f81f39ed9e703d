import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { Sandbox } from '../../support/sandbox.ts'

interface Failed {
  status: number
  stderr: string
  error: { code: string; message: string; hint: string | null }
}

describe('with --json', () => {
  const box = new Sandbox()
  beforeAll(async () => {
    await box.demo()
    writeFileSync(box.at('empty.md'), 'Nothing.\n')
  })
  afterAll(() => box.close())

  /** Runs a command line with `--json` that must fail: its exit status, and the one JSON value on standard output. */
  async function failed(line: string, env: Record<string, string> = {}): Promise<Failed> {
    const { status, stdout, stderr } = await box.run([...line.split(' '), '--json'], env)
    const value = JSON.parse(stdout) as { error: Failed['error'] }
    expect(Object.keys(value)).toEqual(['error'])
    expect(Object.keys(value.error)).toEqual(['code', 'message', 'hint'])
    return { status, stderr, ...value }
  }

  test.each([
    ['version show acme/app 0.1.1', 'not_found', 'There is no version 0.1.1 of acme/app.', 'mean 0.1.0?'],
    ['team create acme --name A', 'exists', 'There is a team acme already.', 'changelogd team show acme'],
    ['version create acme/app 0.1.0', 'exists', 'There is a version 0.1.0 of acme/app already.', ''],
    ['team delete acme', 'unconfirmed', 'Nothing was changed, because this must be confirmed.', 'add --yes.'],
    ['import acme/app empty.md', 'refused', 'empty.md: no version found.', ''],
    ['team list --db none.db', 'no_database', '', 'changelogd migrate'],
  ])(
    '%s is refused with the code %s, and standard error says the same',
    async (line, code, message, hint) => {
      const { status, stderr, error } = await failed(line)
      expect([status, error.code]).toEqual([1, code])
      expect(error.message).toContain(message)
      expect(error.hint).toContain(hint)
      expect(stderr).toEndWith(`changelogd: ${error.message} ${error.hint}\n`)
    },
  )

  test('wrong usage has its code and the way to the usage, and exits with 2', async () => {
    expect(await failed('team lst')).toMatchObject({
      status: 2,
      error: {
        code: 'usage',
        message: "Unknown command 'lst'. Did you mean list?",
        hint: 'To see the usage: changelogd team --help',
      },
    })
  })

  test('a wrong setting has its code, and its value is what was wrong', async () => {
    const { status, error } = await failed('team list', { DATABASE_URL: 'mysql://x' })
    expect([status, error.code, error.hint]).toEqual([1, 'invalid_setting', null])
    expect(error.message).toStartWith('DATABASE_URL is "mysql://x", but must be')
  })

  test('a command that has printed its result prints no second value', async () => {
    const { status, stdout } = await box.run(['get', '/api/nowhere', '--json'])
    expect([status, JSON.parse(stdout)]).toEqual([1, expect.objectContaining({ status: 404 })])
  })

  test('after --, or of a command that has none, standard output stays empty', async () => {
    for (const line of ['team create -- --json', 'serve --json', 'team list --jsn']) {
      const { status, stdout } = await box.words(line)
      expect([line, status === 0, stdout]).toEqual([line, false, ''])
    }
  })
})
