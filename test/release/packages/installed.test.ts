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

  test('tells a user who may not read the settings who may', async () => {
    const told = await as('nobody', ['team', 'create', 'ours', '--name', 'Ours & Co'])
    expect(told).toEqual({
      status: 1,
      stdout: '',
      stderr: `changelogd: User nobody cannot read the settings of the service in ${SETTINGS}. To run this as the user of the service: sudo -u changelogd changelogd …\n`,
    })
    for (const words of ['status', 'serve --port 0']) expect(await as('nobody', line(words))).toEqual(told)
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
