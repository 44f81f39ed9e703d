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
  const settingIn = (printed: string, wanted: string): string =>
    JSON.parse(printed).settings.find(({ name }: { name: string }) => name === wanted).value
  const databaseOf = async (...[user, words, env]: Parameters<typeof as>): Promise<string> =>
    settingIn(await done(as(user, ['config', '--json', ...words], env)), 'DATABASE_URL')
  const rootRuns = (script: string, ...words: string[]) =>
    done(machine.run('root', '/', ['sh', '-ec', script, 'sh', ...words]))

  test('writes to the database that its service serves, from any directory', async () => {
    const service = ['/usr/bin/changelogd', 'serve', '--port', '0']
    const environment = { DATABASE_URL: `file:${DATABASE}` }
    const server = machine.spawn('changelogd', '/var/lib/changelogd', service, environment)
    const url = await listening(server)
    await done(as('changelogd', line('team create acme --name Acme --visibility public')))
    await done(as('root', line('product create acme/app --name App --status published')))
    expect((await fetch(`${url}/changelog/acme/app`)).status).toBe(200)
    expect(await done(as('changelogd', ['status']))).toStartWith(`Database: ${DATABASE}\n`)
    expect(await rootRuns('ls -A /srv/project')).toBe('')
    server.kill('SIGTERM')
    await server.exited
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
    for (const words of ['status', 'serve --port 0']) {
      const { status, stdout, stderr } = await as('nobody', line(words))
      const said = expect.stringContaining(`sudo -u changelogd changelogd ${words}\n`)
      expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: said })
    }
  })

  test('tells a user in a private home the commands that work, and never to ask back', async () => {
    await rootRuns('install -d -m 0700 -o nobody /srv/home')
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
    ['DATABASE_URL=', 'DATABASE_URL', DATABASE],
    ['DATABASE_URL=file:kept/x.db', 'DATABASE_URL', '/var/lib/changelogd/kept/x.db'],
    ['DATABASE_URL=postgres://someone@127.0.0.1:1/x', 'TRASH_DIR', '/var/lib/changelogd/data/trash'],
  ])('takes the settings as the service does: with %s, %s is %s', async (written, name, value) => {
    await rootRuns(`cp -p ${SETTINGS} /root/settings; printf '%s\\n' "$1" >${SETTINGS}`, written)
    try {
      expect(settingIn(await done(as('changelogd', line('config --json'))), name)).toBe(value)
    } finally {
      await rootRuns(`cp -p /root/settings ${SETTINGS}`)
    }
  })

  test('keeps to its own defaults without its settings, and so does a copy of it elsewhere', async () => {
    await rootRuns('cp /usr/bin/changelogd /srv/changelogd')
    const copy = machine.run('nobody', '/srv/project', line('/srv/changelogd config --json'))
    expect(settingIn(await done(copy), 'DATABASE_URL')).toBe('/srv/project/data/changelogd.db')
    await rootRuns(`rm ${SETTINGS}`)
    expect(await databaseOf('nobody', [])).toBe('/srv/project/data/changelogd.db')
  })
})
