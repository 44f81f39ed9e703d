import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PROGRAM, Sandbox } from '../../support/sandbox.ts'
import { ENGINES } from '../../support/servers/server.ts'

interface StatusJson {
  public: boolean
  hidden: { code: string; message: string; remedy: string }[]
  versions: { version: string; public: boolean; hidden: { code: string }[] }[]
}

describe.each(ENGINES)('status on %s', (engine) => {
  const box = new Sandbox(engine)
  const status = () => box.json<StatusJson>('status', 'acme/app')
  const codes = async () => (await status()).hidden.map((reason) => reason.code)

  beforeAll(async () => {
    await box.renew()
    await box.json('team', 'create', 'acme', '--name', 'Acme')
    await box.json('product', 'create', 'acme/app', '--name', 'App')
  })
  afterAll(() => box.close())

  test('running the remedies of status one after the other makes a product public', async () => {
    const steps: string[][] = []
    const read = () => box.seenByApi('/public/teams/acme/products/app/changelog')
    await box.json('version', 'create', 'acme/app', 'v 1', '--title', 'One')
    for (let hidden = (await status()).hidden; hidden.length > 0; hidden = (await status()).hidden) {
      expect(((await read()).data?.versions ?? []).length).toBe(0)
      steps.push(hidden.map((reason) => reason.code))
      const command = hidden[0]?.remedy.replace('changelogd', '"$@"') ?? ''
      const remedy = Bun.spawn(['sh', '-c', command, 'sh', ...PROGRAM], { env: box.env, stderr: 'ignore' })
      expect(await remedy.exited).toBe(0)
    }
    expect(steps).toEqual([
      ['private_team', 'draft_product', 'draft_changelog', 'no_published_version'],
      ['draft_product', 'draft_changelog', 'no_published_version'],
      ['no_published_version'],
    ])
    expect((await status()).public).toBe(true)
    expect((await read()).data?.versions).toHaveLength(1)
  })

  test('everything hidden has a reason', async () => {
    await box.json('version', 'create', 'acme/app', '2', '--title', 'Two')
    const draft = (await status()).versions.find((version) => version.version === '2')
    expect(draft).toMatchObject({ public: false, hidden: [{ code: 'draft_version' }] })
    await box.json('changelog', 'update', 'acme/app', '--status', 'locked')
    expect(await codes()).toEqual(['locked_changelog'])
    await box.json('product', 'update', 'acme/app', '--status', 'locked')
    expect(await codes()).toEqual(['locked_product', 'locked_changelog'])
    expect((await status()).versions.every((version) => !version.public)).toBe(true)
    await box.json('publish', 'acme/app')
    expect(await codes()).toEqual([])
  })

  test('the page for people says what is public, what is not, and what to do about it', async () => {
    const one = await box.words('status acme/app')
    expect(one.stdout).toContain(
      'public  The public gets 1 version from /api/v1/public/teams/acme/products/app/changelog',
    )
    expect(one.stdout).toContain('changelogd version publish acme/app 2')
    const all = await box.words('status')
    expect(all.stdout).toContain(
      'acme  Acme, public team\n  public  acme/app  1 version, newest v 1  1 draft\n',
    )
  })

  test('nothing decorative goes into a pipe, and colour only onto a terminal without NO_COLOR', async () => {
    expect((await box.run(['status'], { FORCE_COLOR: '1' })).stdout).not.toContain('\x1b')
    expect(await box.onTerminal(['status'])).toContain('\x1b[32mpublic\x1b[39m')
    expect(await box.onTerminal(['status'], { NO_COLOR: '1' })).not.toContain('\x1b[3')
  })

  test('what an author wrote cannot control the terminal', async () => {
    await box.json('version', 'create', 'acme/app', '3', '--title', 'Red \x1b[31m and\nbelow')
    const { stdout } = await box.words('version list acme/app')
    expect(stdout).toContain('Red [31m and below')
    expect(stdout).not.toContain('\x1b')
  })

  test('on a narrow terminal no line is longer than the terminal, which would break it in the middle of a word', async () => {
    await box.json('team', 'update', 'acme', '--plan', 'paid')
    await box.json('key', 'create', 'acme', '--label', 'documentation site', '--product', 'app')
    for (const command of [
      'status',
      'status acme/app',
      'team list',
      'team show acme',
      'version list acme/app',
      'key list acme',
    ]) {
      const lines = (await box.onTerminal(command.split(' '), { NO_COLOR: '1' }, 60)).split(/\r?\n/)
      // A command is for copying: it stays one line.
      const text = lines.filter((line) => !line.startsWith('    changelogd '))
      expect([command, text.filter((line) => Bun.stringWidth(line) > 60)]).toEqual([command, []])
    }
  })

  test('on a narrow terminal messages and refusals are wrapped, and each version has one line without its id', async () => {
    await box.json('team', 'create', 'globex', '--name', 'Globex')
    const shown = (...args: string[]) => box.onTerminal(args, { NO_COLOR: '1' }, 60)
    expect(await shown('product', 'list', 'globex')).toBe(
      'No products yet. To create one:\r\nchangelogd product create globex/app --name App\r\n',
    )
    expect(await shown('status', '--db', '/nowhere/on/this/machine/changelogd.db')).toBe(
      [
        'changelogd: There is no database at',
        '/nowhere/on/this/machine/changelogd.db. To use another, set',
        '--db or DATABASE_URL. To create it:',
        'changelogd migrate --db /nowhere/on/this/machine/changelogd.db\r\n',
      ].join('\r\n'),
    )
    expect(
      await shown('changelog', 'update', 'acme/app', '--name', 'All that is new in our application'),
    ).toBe('Updated the changelog of acme/app (All that is new in our\r\napplication): published.\r\n')
    const list = await box.onTerminal(['version', 'list', 'acme/app'], { NO_COLOR: '1' }, 80)
    expect(list.trimEnd().split('\r\n')).toEqual([
      expect.stringMatching(/^VERSION {2}TITLE .* CHANGES$/),
      ...['3', '2', 'v 1'].map((label) => expect.stringMatching(new RegExp(`^${label} .* 0$`))),
    ])
  })
})
