import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Sandbox } from '../../../support/sandbox.ts'

const box = new Sandbox()
beforeAll(() => box.json('demo'))
afterAll(() => box.close())

describe('a command line that means another one is told it', () => {
  test.each([
    [['delete', 'acme/app'], 'Did you mean: changelogd product delete acme/app'],
    [['delete', 'acme'], 'Did you mean: changelogd team delete acme'],
    [['delete', 'acme/app', '0.1.0'], 'Did you mean: changelogd version delete acme/app 0.1.0'],
    [['rm', 'acme/app', '0.1.0', '1'], 'Did you mean: changelogd change delete acme/app 0.1.0 1'],
    [['delet', 'acme/app', '--yes'], 'Did you mean: changelogd product delete acme/app --yes'],
    [['delete'], 'Did you mean: changelogd team delete, product delete, version delete or change delete'],
    [['remove', 'acme/app'], 'Did you mean: changelogd product delete acme/app'],
    [['version', 'remove', 'acme/app', '1'], 'Did you mean: changelogd version delete acme/app 1'],
    [['version', 'new', 'acme/app', '1'], 'Did you mean: changelogd version create acme/app 1'],
    [
      ['create', 'acme/web', '--name', 'The Web'],
      "Did you mean: changelogd product create acme/web --name 'The Web'",
    ],
    [['add', 'acme/app', '0.2.0', 'x'], 'Did you mean: changelogd change add acme/app 0.2.0 x'],
    [['unpublish', 'acme/app', '0.1.0'], 'Did you mean: changelogd version draft acme/app 0.1.0'],
    [['unpublish', 'acme/app'], 'Did you mean: changelogd product update acme/app --status draft'],
    [['version', 'unpublish', 'acme/app', '0.1.0'], 'Did you mean: changelogd version draft acme/app 0.1.0'],
    [['version', 'hide', 'acme/app', '0.1.0'], 'Did you mean: changelogd version draft acme/app 0.1.0'],
    [
      ['version', 'rename', 'acme/app', '0.1.0', '0.1.1'],
      'Did you mean: changelogd version update acme/app 0.1.0 --label 0.1.1',
    ],
    [['rename', 'acme/app', 'web'], 'Did you mean: changelogd product update acme/app --slug web'],
    [['team', 'rename', 'acme', 'globex'], 'Did you mean: changelogd team update acme --slug globex'],
    [['version', 'rename', 'acme/app'], 'Did you mean: changelogd version update acme/app … --label …'],
    [['show', 'acme'], 'Did you mean: changelogd team show acme'],
    [['show', 'acme/app'], 'Did you mean: changelogd product show acme/app'],
    [['show', 'acme/app', '0.1.0'], 'Did you mean: changelogd version show acme/app 0.1.0'],
    [['draft', 'acme/app', '0.1.0'], 'Did you mean: changelogd version draft acme/app 0.1.0'],
    [
      ['schedule', 'acme/app', '0.2.0', '--at', '+2h'],
      'Did you mean: changelogd version schedule acme/app 0.2.0 --at +2h',
    ],
    [['unschedule', 'acme/app', '0.2.0'], 'Did you mean: changelogd version unschedule acme/app 0.2.0'],
    [['import', 'CHANGELOG.md'], 'Name the product too: changelogd import TEAM/PRODUCT CHANGELOG.md'],
    [
      ['version', 'schedule', 'acme/app', '0.2.0', '--at', 'friday'],
      '--at is \'friday\': it has no time of day: write "friday 9am".',
    ],
    [['list'], 'Did you mean: changelogd status'],
    [['ls'], 'Did you mean: changelogd status'],
    [['list', 'acme'], 'Did you mean: changelogd status acme'],
    [['list', 'acme/app'], 'Did you mean: changelogd status acme/app'],
    [
      ['publish', 'acme/app', '1.1.0'],
      'Publish takes a product alone. To publish a version: changelogd version publish acme/app 1.1.0',
    ],
    [['--config', 'c.env', 'status'], '--config goes after the command: changelogd status --config c.env'],
    [
      ['--db=x.db', 'team', 'list', '--json'],
      "--db goes after the command: changelogd team list --json '--db=x.db'",
    ],
    [
      ['--db', 'x y.db', '--json', 'status'],
      "--db goes after the command: changelogd status --db 'x y.db' --json",
    ],
    [['--config'], '--config goes after the command: changelogd … --config'],
    [['change', 'list', '-j', 'acme/app', '0.2.0'], "Unknown option '-j'. Did you mean --json?"],
    [['version', 'create', 'acme/app', '9', '-d', '2026-01-02'], "Unknown option '-d'. Did you mean --date?"],
  ])('%j', async (args, told) => {
    const { status, stderr } = await box.run(args)
    const [line = ''] = stderr.split('\n')
    expect({ status, told: line.replace(/Unknown command '\w+'\. /, '') }).toEqual({
      status: 2,
      told: `changelogd: ${told}`,
    })
  })

  test('no word for deleting or hiding, however mistyped, leads to a command that publishes', async () => {
    const words = [
      'delete',
      'deleet',
      'delte',
      'remove',
      'destroy',
      'erase',
      'unpublish',
      'unpublsh',
      'unrelease',
      'hide',
    ]
    for (const word of words)
      for (const args of [[word], [word, 'acme/app'], ['version', word, 'acme/app', '0.1.0']]) {
        const { stderr } = await box.run(args)
        expect(stderr.split('\n')[0]).not.toMatch(
          /release\?|publish\?|: changelogd (\w+ )?(release|publish)\b/,
        )
      }
  })

  test('what is told in words of this program works as it is', async () => {
    await using copy = new Sandbox()
    await copy.json('demo')
    const told = async (...args: string[]) =>
      /: changelogd (.*)/.exec((await copy.run(args)).stderr)?.[1]?.split(' ') ?? []
    for (const args of [
      ['list', 'acme'],
      ['version', 'rename', 'acme/app', '0.1.0', '0.1.1'],
      ['unpublish', 'acme/app', '0.1.1'],
      ['publish', 'acme/app', '0.1.1'],
      ['delete', 'acme/app', '--yes'],
    ])
      expect((await copy.run(await told(...args))).status).toBe(0)
  })
})

describe('what cannot be read is named, without the words of the system', () => {
  test.each([
    [['import', 'acme/app', 'nope.md'], 'There is no file nope.md in /', 'not_found'],
    [['undo', 'nope.jsonl'], ' To list what can be brought back: changelogd undo\n', 'not_found'],
    [['apply', 'nope.yml'], 'There is no file nope.yml in /', 'not_found'],
    [['import', '--all', 'nope.jsonl'], 'There is no file nope.jsonl in /', 'not_found'],
    [
      ['import', 'acme/app', 'https://example.com/CHANGELOG.md'],
      'https://example.com/CHANGELOG.md is an address, not a file. Download it: curl -fsSL https://example.com/CHANGELOG.md | changelogd import acme/app - --json\n',
      'refused',
    ],
  ])('%j', async (args, told, code) => {
    const { status, stderr, stdout } = await box.run([...args, '--json'])
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(told) })
    expect(stderr).not.toContain('ENOENT')
    expect(JSON.parse(stdout).error.code).toBe(code)
  })
})

describe('names that people use', () => {
  test('status of a team shows its products alone', async () => {
    const { stdout } = await box.words('status hooli')
    expect(stdout).toContain('hooli/phone')
    expect(stdout).not.toContain('acme')
    const { teams } = await box.json<{ teams: { slug: string }[] }>('status', 'acme')
    expect(teams.map(({ slug }) => slug)).toEqual(['acme'])
    expect((await box.words('status holi')).stderr).toContain('Did you mean hooli?')
  })

  test('latest is the newest published version where one is shown, unless a version has that label', async () => {
    expect(await box.json('version', 'show', 'acme/app', 'latest')).toMatchObject({ version: '0.1.0' })
    expect(await box.json<unknown[]>('change', 'list', 'acme/app', 'latest')).toHaveLength(1)
    expect((await box.words('version show acme/beta latest')).stderr).toBe(
      'changelogd: acme/beta has no published version. To list what exists: changelogd version list acme/beta\n',
    )
    expect(await box.json('preview', 'acme/app', 'latest')).toMatchObject({ version: '0.1.0' })
    for (const line of ['version delete acme/app latest --yes', 'change add acme/app latest x --type added'])
      expect((await box.words(line)).stderr).toBe(
        'changelogd: There is no version latest of acme/app. Name the newest published one by its label, 0.1.0.\n',
      )
    box.write(`update version set label = 'latest' where label = '0.2.0'`)
    expect(await box.json('version', 'show', 'acme/app', 'latest')).toMatchObject({ status: 'draft' })
    box.write(`update version set label = '0.2.0' where label = 'latest'`)
  })

  test('latest is edited as the newest published version, and is no label for a new one', async () => {
    const editing = { EDITOR: "sed -i 's/^- .*/- Edited/'" }
    const { status, stdout } = await box.run(['edit', 'acme/app', 'latest'], editing)
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringContaining('Updated version 0.1.0 of acme/app'),
    })
    for (const line of [
      'version create acme/beta latest',
      'version update acme/app 0.2.0 --label latest',
      'edit acme/new latest --create',
    ])
      expect((await box.run(line.split(' '), editing)).stderr).toBe(
        'changelogd: No version can be labelled latest: that names the newest published one. Choose another label.\n',
      )
  })

  test('a change can be added to the unreleased draft before there is one', async () => {
    const { status, stdout, stderr } = await box.words('change add acme/beta unreleased --type added Search')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toStartWith(
      'Created the draft Unreleased of acme/beta.\nAdded change 1 of acme/beta Unreleased',
    )
    const again = await box.words('change add acme/beta Unreleased --type added More')
    expect(again).toMatchObject({ status: 0, stderr: '' })
    expect(await box.json<unknown[]>('change', 'list', 'acme/beta', 'Unreleased')).toHaveLength(2)
    expect((await box.words('change add acme/beta 9.9.9 --type added x')).status).toBe(1)
  })

  test('-t is short for --type', async () => {
    const { status, stdout } = await box.words('change add acme/app 0.2.0 -t security Keys')
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('security "Keys"') })
  })

  test('a type that is a heading is told as the word that it becomes', async () => {
    const { status, stderr } = await box.run([
      ...['change', 'add', 'acme/app', '0.2.0', 'x', '--type', 'New Feature!'],
    ])
    expect(status).toBe(1)
    expect(stderr).toContain('"New Feature!" is not a type of change')
    expect(stderr).toContain('Did you mean new-feature? Its heading can be given with --type-label.')
    const type = ['--type', 'new-feature', '--type-label', 'New Feature!']
    expect((await box.run(['change', 'add', 'acme/app', '0.2.0', 'x', ...type])).status).toBe(0)
  })

  test('the plan is told to be a field that one sets', async () => {
    expect((await box.words('key create hooli')).stderr).toBe(
      'changelogd: Team hooli is on the free plan, and creating keys needs the paid plan. The plan is a field that you set yourself: changelogd team update hooli --plan paid\n',
    )
  })
})
