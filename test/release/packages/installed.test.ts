import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { readUnits } from '../../../release/contents.ts'
import { buildDeb } from '../../../release/packages/deb.ts'
import { PROGRAM } from '../../support/sandbox.ts'
import { scratch } from '../../support/scratch.ts'
import { listening } from '../../support/servers/process.ts'
import { smallRelease } from '../small-release.ts'
import { canMount, Machine, type Ran } from './machine.ts'

const ROOT = join(import.meta.dir, '../../..')
const SETTINGS = '/etc/changelogd/changelogd.env'
const DATABASE = '/var/lib/changelogd/changelogd.db'

/** In most containers nobody may mount. */
const isPossible = Bun.which('dpkg') !== null && Bun.which('adduser') !== null && canMount()
if (!isPossible)
  test.skip('the installed .deb: left out, as it needs dpkg, adduser and the right to mount', () => {})

/** The .deb of the real program, with the unit and the settings that it installs; without compression, which takes a minute. */
async function realDeb(directory: string): Promise<string> {
  const { contents, ...small } = smallRelease(`linux-${process.arch}`)
  const release = {
    ...small,
    contents: {
      ...contents,
      units: await readUnits(ROOT),
      settings: await Bun.file(join(ROOT, 'release/changelogd.env')).text(),
    },
    program: await Bun.file(PROGRAM[0] as string).bytes(),
  }
  return join(directory, buildDeb(directory, join(directory, 'work'), release, ['-Znone']))
}

describe.if(isPossible)('the program of an installed package', () => {
  const directory = scratch()
  let machine: Machine

  beforeAll(async () => {
    const deb = await realDeb(directory.path)
    machine = await Machine.start()
    const { status, stderr } = await machine.run('root', '/', ['dpkg', '--install', deb])
    if (status !== 0) throw new Error(stderr)
    await machine.run('root', '/', ['install', '-d', '-m', '0777', '/srv/project'])
  })
  afterAll(async () => {
    await machine[Symbol.asyncDispose]()
    directory[Symbol.dispose]()
  })

  const as = (user: string, words: readonly string[], env: Record<string, string> = {}): Promise<Ran> =>
    machine.run(user, '/srv/project', ['changelogd', ...words], env)
  const done = async (running: Promise<Ran>): Promise<string> => {
    const { status, stdout, stderr } = await running
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' })
    return stdout
  }
  const line = (text: string): string[] => text.split(' ')
  const databaseOf = async (...more: Parameters<typeof as>): Promise<string> => {
    const { settings } = JSON.parse(await done(as(more[0], ['config', '--json', ...more[1]], more[2])))
    return settings.find(({ name }: { name: string }) => name === 'DATABASE_URL').value
  }

  /** What the settings of the service are, for as long as `work` takes. */
  async function withSettings(text: string, work: () => Promise<void>): Promise<void> {
    const sh = (script: string, ...words: string[]) =>
      done(machine.run('root', '/', ['sh', '-ec', script, 'sh', ...words]))
    await sh(`cp -p ${SETTINGS} /root/settings; printf '%s\\n' "$1" >${SETTINGS}`, text)
    try {
      await work()
    } finally {
      await sh(`cp -p /root/settings ${SETTINGS}`)
    }
  }

  test('writes to the database that its service serves, from any directory', async () => {
    const service = ['/usr/bin/changelogd', 'serve', '--port', '0']
    const environment = { DATABASE_URL: `file:${DATABASE}` }
    const server = machine.spawn('changelogd', '/var/lib/changelogd', service, environment)
    const url = await listening(server)
    await done(as('changelogd', line('team create acme --name Acme --visibility public')))
    await done(as('root', line('product create acme/app --name App --status published')))
    expect((await fetch(`${url}/changelog/acme/app`)).status).toBe(200)
    expect(await done(machine.run('root', '/', ['ls', '-A', '/srv/project']))).toBe('')
    server.kill('SIGTERM')
    await server.exited
  })

  test('names the database that status, config and doctor speak of', async () => {
    await done(as('changelogd', ['migrate']))
    expect(await done(as('changelogd', ['status']))).toStartWith(`Database: ${DATABASE}\n`)
    const config = await done(as('changelogd', ['config']))
    expect(config).toMatch(new RegExp(`^DATABASE_URL +${DATABASE} +${SETTINGS}:\\d+ *$`, 'm'))
    expect(await done(as('changelogd', ['doctor']))).toMatch(new RegExp(`^ok +database +${DATABASE},`, 'm'))
  })

  test('tells a user who may not read the settings the one command, with the same arguments', async () => {
    const told = await as('nobody', ['team', 'create', 'ours', '--name', 'Ours & Co'])
    expect(told).toEqual({
      status: 1,
      stdout: '',
      stderr: `changelogd: The settings of the service are in ${SETTINGS}, which user nobody may not read. To run this as the user of the service: sudo -u changelogd changelogd team create ours --name 'Ours & Co'\n`,
    })
    const [, user, command] = /: sudo -u (\S+) (changelogd .*)\n/.exec(told.stderr) as string[]
    await done(machine.run(user as string, '/srv/project', ['sh', '-c', command as string]))
    expect(await done(as('changelogd', line('team list')))).toContain('Ours & Co')
  })

  test('tells a user in a private home the commands that work, and never to ask back', async () => {
    await done(machine.run('root', '/', ['install', '-d', '-m', '0700', '-o', 'nobody', '/srv/home']))
    await done(as('changelogd', ['demo']))
    const sh = (user: string, script: string) =>
      machine.run(user, '/srv/home', ['sh', '-c', script], { SUDO_USER: 'nobody' })
    await done(sh('nobody', "printf '## 9.0.0 - 2026-01-02\\n\\n### Added\\n\\n- A\\n' > CHANGES.md"))
    const first = await sh('nobody', 'changelogd import acme/app CHANGES.md --dry-run')
    expect(first.stderr).toEndWith(
      ': sudo -u changelogd changelogd import acme/app - --dry-run < CHANGES.md\n',
    )
    // In the directory of the first user, as sudo leaves it.
    const inHome = (...words: string[]) =>
      machine.run(
        'root',
        '/srv/home',
        ['setpriv', '--reuid=changelogd', '--regid=changelogd', '--clear-groups', 'changelogd', ...words],
        {
          SUDO_USER: 'nobody',
        },
      )
    expect((await inHome(...line('import acme/app CHANGES.md'))).stderr).toEndWith(
      ': sudo -u changelogd changelogd import acme/app - < CHANGES.md\n',
    )
    for (const words of ['backup b.db', 'import acme/app --git .']) {
      const { stderr } = await inHome(...line(words))
      expect(stderr).toEndWith(
        ` Name a file that user changelogd may use, such as one in /var/lib/changelogd, or run this as root: sudo changelogd ${words}\n`,
      )
    }
    await done(sh('root', 'changelogd backup b.db'))
  })

  test.each(['status', 'serve --port 0', 'demo --json'])(
    'tells that user nothing about another database: %s',
    async (words) => {
      const { status, stdout, stderr } = await as('nobody', line(words))
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: expect.stringContaining(`sudo -u changelogd changelogd ${words}\n`),
      })
      if (words.includes('--json')) expect(JSON.parse(stdout).error.hint).toContain(`changelogd ${words}`)
      else expect(stdout).toBe('')
    },
  )

  test('uses another database for whoever names one, and needs no settings for it', async () => {
    const own = { CHANGELOGD_CONFIG: '' }
    expect(await databaseOf('nobody', [], own)).toBe('/srv/project/data/changelogd.db')
    expect(await databaseOf('nobody', [], { DATABASE_URL: 'file:mine.db' })).toBe('/srv/project/mine.db')
    expect(await databaseOf('nobody', ['--db', 'other.db'])).toBe('/srv/project/other.db')
    expect(await databaseOf('nobody', ['--config', '/dev/null'])).toBe('/srv/project/data/changelogd.db')
    await done(as('nobody', line('team create acme --name Acme --db other.db')))
    expect(await done(as('nobody', line('team list --db other.db')))).toContain('acme')
  })

  test.each([
    ['DATABASE_URL=', DATABASE],
    ['DATABASE_URL=file:kept/x.db', '/var/lib/changelogd/kept/x.db'],
  ])('takes the settings as the service does: %s', (setting, database) =>
    withSettings(setting, async () => expect(await databaseOf('changelogd', [])).toBe(database)),
  )

  test('keeps what it deletes from PostgreSQL where the service may write, whatever the directory', () =>
    withSettings('DATABASE_URL=postgres://someone@127.0.0.1:1/x', async () => {
      const { settings } = JSON.parse(await done(as('changelogd', line('config --json'))))
      expect(settings).toContainEqual(
        expect.objectContaining({ name: 'TRASH_DIR', value: '/var/lib/changelogd/data/trash' }),
      )
    }))

  test('is the only one that does so: a copy of it elsewhere keeps to its own defaults', async () => {
    await done(machine.run('root', '/', ['cp', '/usr/bin/changelogd', '/srv/changelogd']))
    const { status, stdout } = await machine.run(
      'nobody',
      '/srv/project',
      line('/srv/changelogd config --json'),
    )
    expect(status).toBe(0)
    expect(stdout).toContain('"/srv/project/data/changelogd.db"')
  })

  test('without its settings keeps to its own defaults', async () => {
    await done(machine.run('root', '/', ['mv', SETTINGS, '/root/away']))
    expect(await databaseOf('nobody', [])).toBe('/srv/project/data/changelogd.db')
    await done(machine.run('root', '/', ['mv', '/root/away', SETTINGS]))
  })

  test('leads no one to run it as root', async () => {
    const { stderr } = await machine.run('changelogd', '/', line('changelogd migrate --db /srv/new/x.db'))
    expect(stderr).toBe(
      'changelogd: Cannot create the database /srv/new/x.db: /srv belongs to user root, and user changelogd may not use it. Use a place that user changelogd may use.\n',
    )
  })
})
