import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Sandbox } from '../../support/sandbox.ts'

interface StatusJson {
  public: boolean
  hidden: { code: string; message: string; remedy: string }[]
}

describe('status', () => {
  const box = new Sandbox()
  const status = () => box.json<StatusJson>('status', 'acme/app')

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
      expect(await box.paste(hidden[0]?.remedy ?? '')).toMatchObject({ status: 0 })
    }
    expect(steps).toEqual([
      ['private_team', 'draft_product', 'draft_changelog', 'no_published_version'],
      ['draft_product', 'draft_changelog', 'no_published_version'],
      ['no_published_version'],
    ])
    expect((await status()).public).toBe(true)
    expect((await read()).data?.versions).toHaveLength(1)
  })

  test('a yanked version stays public, but is never the newest', async () => {
    const shown = async () => /public +acme\/app +(.*)/.exec((await box.run(['status'])).stdout)?.[1]
    expect(await shown()).toBe('1 version, newest v 1')
    await box.json('version', 'update', 'acme/app', 'v 1', '--yanked')
    expect(await shown()).toBe('1 version')
    await box.json('version', 'update', 'acme/app', 'v 1', '--no-yanked')
  })

  test('a version that is yanked without a reason says so to programs, and comes back as it was', async () => {
    await box.json('version', 'update', 'acme/app', 'v 1', '--yanked')
    const yanked = async (product: string) => (await box.json('version', 'show', product, 'v 1')).yanked
    expect(await yanked('acme/app')).toBe('No reason given.')
    const { stdout } = await box.run(['export', 'acme/app', '--format', 'json'])
    expect(stdout).toContain('"yanked":"No reason given."')
    // Older programs wrote an empty text.
    for (const [at, text] of [stdout, stdout.replace('No reason given.', '')].entries()) {
      await Bun.write(box.at('app.json'), text)
      await box.json('import', `acme/copy-${at}`, box.at('app.json'), '--create')
      expect(await yanked(`acme/copy-${at}`)).toBe('No reason given.')
      // It is stored as before: pages show no reason.
      const { stdout } = await box.run(['version', 'show', `acme/copy-${at}`, 'v 1'])
      expect(stdout).toMatch(/^yanked +yes$/m)
      await box.json('product', 'delete', `acme/copy-${at}`, '--yes')
    }
    await box.json('version', 'update', 'acme/app', 'v 1', '--no-yanked')
    expect(await yanked('acme/app')).toBeNull()
  })

  test('nothing decorative goes into a pipe, and colour only onto a terminal without NO_COLOR', async () => {
    expect((await box.run(['status'], { FORCE_COLOR: '1' })).stdout).not.toContain('\x1b')
    expect(await box.onTerminal(['status'])).toContain('\x1b[32mpublic\x1b[39m')
    expect(await box.onTerminal(['status'], { NO_COLOR: '1' })).not.toContain('\x1b[3')
  })

  test('on a narrow terminal no line is longer than the terminal, which would break it in the middle of a word', async () => {
    await box.json('team', 'update', 'acme', '--plan', 'paid')
    await box.json('key', 'create', 'acme', '--label', 'documentation site', '--product', 'app')
    // The path of the database is one word, as long as the directory for temporary files makes it.
    const env = { NO_COLOR: '1', DATABASE_URL: 'changelogd.db' }
    for (const command of ['status acme/app', 'team list', 'key list acme']) {
      const lines = (await box.onTerminal(command.split(' '), env, 60)).split(/\r?\n/)
      // A command is for copying: it stays one line.
      const text = lines.filter((line) => !line.startsWith('    changelogd '))
      expect([command, text.filter((line) => Bun.stringWidth(line) > 60)]).toEqual([command, []])
    }
  })

  test('on a narrow terminal messages and refusals are wrapped, and each version has one line without its id', async () => {
    await box.json('team', 'create', 'globex', '--name', 'Globex')
    for (const label of ['2', '3']) await box.json('version', 'create', 'acme/app', label)
    const shown = (...args: string[]) => box.onTerminal(args, { NO_COLOR: '1' }, 60)
    expect(await shown('product', 'list', 'globex')).toBe(
      'No products yet. To create one:\r\nchangelogd product create globex/app --name App\r\n',
    )
    expect(await shown('status', '--db', '/nowhere/on/this/machine/changelogd.db')).toBe(
      [
        'changelogd: There is no database at',
        '/nowhere/on/this/machine/changelogd.db. To use another',
        'database, set --db or DATABASE_URL. To create it:',
        'changelogd migrate --db /nowhere/on/this/machine/changelogd.db\r\n',
      ].join('\r\n'),
    )
    expect(
      await shown('changelog', 'update', 'acme/app', '--name', 'All that is new in our application'),
    ).toBe('Updated the changelog of acme/app (All that is new in our\r\napplication): published.\r\n')
    await box.json('version', 'update', 'acme/app', '2', '--yanked')
    const list = await box.onTerminal(['version', 'list', 'acme/app'], { NO_COLOR: '1' }, 80)
    expect(list.trimEnd().split('\r\n')).toEqual([
      expect.stringMatching(/^VERSION {2}TITLE .* CHANGES$/),
      ...['3 .*', '2 .* draft, yanked .*', 'v 1 .*'].map((row) =>
        expect.stringMatching(new RegExp(`^${row} 0$`)),
      ),
    ])
  })
})
