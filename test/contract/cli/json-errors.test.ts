import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { Sandbox } from '../../support/sandbox.ts'
import { ENGINES } from '../../support/servers/server.ts'

interface Failed {
  status: number
  stderr: string
  error: { code: string; message: string; hint: string | null }
}

/** Runs a command line with `--json` that must fail: its exit status, and the one JSON value on standard output. */
async function failed(box: Sandbox, line: string, env: Record<string, string> = {}): Promise<Failed> {
  const { status, stdout, stderr } = await box.run([...line.split(' '), '--json'], env)
  const value = JSON.parse(stdout) as { error: Failed['error'] }
  expect(Object.keys(value)).toEqual(['error'])
  expect(Object.keys(value.error)).toEqual(['code', 'message', 'hint'])
  return { status, stderr, ...value }
}

describe.each(ENGINES)('with --json on %s', (engine) => {
  test('a refusal is one JSON value too, with a code, and standard error says the same', async () => {
    await using box = await Sandbox.on(engine, { isBare: true })
    expect(await failed(box, 'team list')).toMatchObject({ status: 1, error: { code: 'no_database' } })
    await box.json('demo')
    writeFileSync(box.at('empty.md'), 'Nothing.\n')
    for (const [line, code, message, hint] of [
      [
        'version show acme/app 0.1.1',
        'not_found',
        'There is no version 0.1.1 of acme/app.',
        'Did you mean 0.1.0?',
      ],
      [
        'team create acme --name Acme',
        'exists',
        'There is a team acme already.',
        'To see it: changelogd team show acme',
      ],
      ['version create acme/app 0.1.0', 'exists', 'There is a version 0.1.0 of acme/app already.', null],
      [
        'team delete acme',
        'unconfirmed',
        'Nothing was changed, because this must be confirmed.',
        'To confirm it, add --yes.',
      ],
      ['import acme/app empty.md', 'refused', 'empty.md: no version found.', null],
    ] as const) {
      const { status, stderr, error } = await failed(box, line)
      expect([status, error.code, error.message]).toEqual([1, code, message])
      if (hint !== null) expect(error.hint).toBe(hint)
      expect(stderr).toEndWith(`changelogd: ${error.message} ${error.hint}\n`)
    }
  })

  test('a refusal to delete because it cannot be kept is unavailable', async () => {
    await using box = await Sandbox.on(engine)
    await box.json('demo')
    writeFileSync(box.at('file'), '')
    const { status, error } = await failed(box, 'team delete acme --yes', { TRASH_DIR: box.at('file') })
    expect([status, error.code]).toEqual([1, 'unavailable'])
    expect(error.hint).toContain('TRASH_DIR')
  })
})

describe('with --json', () => {
  test('wrong usage is one JSON value too, and exits with 2', async () => {
    await using box = new Sandbox()
    for (const [line, message, hint] of [
      ['version show acme/app', "Missing required argument 'version'.", 'changelogd version show --help'],
      [
        'product create acme/app',
        "Required option '--name <text>' not specified.",
        'changelogd product create --help',
      ],
      ['team lst', "Unknown command 'lst'. Did you mean list?", 'changelogd team --help'],
      ['taem list', "Unknown command 'taem'. Did you mean team?", 'changelogd --help'],
      ['toString', "Unknown command 'toString'. To list the commands: changelogd help", 'changelogd --help'],
      [
        'publish acme',
        "'acme' is not a valid product: write it as team/product, such as acme/app.",
        'changelogd publish --help',
      ],
      ['team', "Unknown option '--json'.", 'changelogd team --help'],
    ] as const)
      expect(await failed(box, line)).toMatchObject({
        status: 2,
        error: { code: 'usage', message, hint: `To see the usage: ${hint}` },
      })
  })

  test('a wrong setting has its code, and its value is what was wrong', async () => {
    await using box = new Sandbox()
    const { status, error } = await failed(box, 'team list', { DATABASE_URL: 'mysql://x' })
    expect([status, error.code, error.hint]).toEqual([1, 'invalid_setting', null])
    expect(error.message).toStartWith('DATABASE_URL is "mysql://x", but must be')
  })

  test('a hint is about the database that --db names', async () => {
    await using box = new Sandbox()
    await box.json('demo')
    const { error } = await failed(box, `team create acme --name Acme --db ${box.database}`, {
      DATABASE_URL: '',
    })
    expect(error.hint).toBe(`To see it: changelogd team show acme --db ${box.database}`)
  })

  test('a command that has printed its result prints no second value', async () => {
    await using box = new Sandbox()
    await box.json('demo')
    const { status, stdout } = await box.run(['get', '/api/nowhere', '--json'])
    expect([status, JSON.parse(stdout)]).toEqual([1, expect.objectContaining({ status: 404 })])
  })

  test('without --json, or after --, or of a command that has none, standard output stays empty', async () => {
    await using box = new Sandbox()
    for (const line of ['team list', 'team create -- --json', 'serve --json', 'team list --jsn']) {
      const { status, stdout } = await box.words(line)
      expect([line, status === 0, stdout]).toEqual([line, false, ''])
    }
  })
})
