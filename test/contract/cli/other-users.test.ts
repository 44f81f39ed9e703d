import { describe, expect, test } from 'bun:test'
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { refused } from '../../support/commands/refused.ts'
import { PROGRAM, sandboxForEach } from '../../support/sandbox.ts'

/** The user `nobody`. */
const OTHER = 65_534
const isRoot = process.getuid?.() === 0
if (!isRoot) console.log('left out: only root can run a command as another user')

const box = sandboxForEach()
const { at } = box

describe.if(isRoot)('for another user than the owner', () => {
  /** Runs the program as the user `nobody`, who owns the sandbox. */
  const asOther = (line: string) => {
    const user = ['setpriv', `--reuid=${OTHER}`, `--regid=${OTHER}`, '--clear-groups']
    return box.runProgram([...user, ...PROGRAM, ...line.split(' ')])
  }
  const own = (uid: number, ...names: string[]) => {
    for (const name of names) chownSync(at(name), uid, uid)
  }

  test('a database of root’s is named as that, with what to do', async () => {
    await box.demo()
    own(OTHER, '.')
    for (const line of ['team create x --name X', 'backup y.db', 'serve --port 0'])
      refused(
        await asOther(line),
        `Cannot open the database ${box.database}: it belongs to user root, and user nobody has no access.`,
        `To give it to nobody: sudo chown nobody ${box.database}`,
      )
    // Once, not as one fault of the database and another of its permissions.
    const owner = (await asOther('doctor')).stdout.match(/belongs to user \w+/g)
    expect(owner).toEqual(['belongs to user root'])
    own(OTHER, 'changelogd.db')
    expect((await asOther('team list')).status).toBe(0)
  })

  test('doctor checks the files of a user that has neither a name nor a home', async () => {
    await box.demo()
    chownSync(at('.'), 65_532, 65_532)
    chownSync(at('changelogd.db'), 65_532, 65_532)
    const user = ['setpriv', '--reuid=65532', '--regid=65532', '--clear-groups', 'env', '-u', 'HOME']
    const { stdout } = await box.runProgram([...user, ...PROGRAM, 'doctor', '--json'])
    const { findings } = JSON.parse(stdout) as { findings: { check: string; state: string }[] }
    expect(findings.find(({ check }) => check === 'permissions')?.state).toBe('ok')
  })

  test('a temporary file of root’s does not hinder a backup in a directory for all users', async () => {
    await box.demo()
    own(OTHER, '.', 'changelogd.db')
    mkdirSync(at('shared'))
    chmodSync(at('shared'), 0o1777)
    writeFileSync(at('shared/x.db.partial-0a1b2c3d-1-0a1b'), '')
    utimesSync(at('shared/x.db.partial-0a1b2c3d-1-0a1b'), 1, 1)
    expect((await asOther('backup shared/monday.db')).status).toBe(0)
  })

  test('a changeset or a file that may not be read is named, with what to do', async () => {
    await box.demo()
    await box.json('backup', 'monday.db')
    mkdirSync(at('.changeset'))
    for (const name of ['.changeset/config.json', '.changeset/a.md', 'CHANGELOG.md'])
      writeFileSync(at(name), '{}', { mode: 0o600 })
    own(OTHER, '.', 'changelogd.db', '.changeset')
    refused(
      await asOther('import acme/app .changeset'),
      'Cannot read .changeset/a.md: it belongs to user root, and user nobody has no access. Let that user read it',
    )
    refused(
      await asOther('import acme/app CHANGELOG.md'),
      'Let that user read it. A file named on the command line can also be standard input: - < FILE',
    )
    refused(await asOther('restore monday.db --yes'), `Cannot restore ${at('monday.db')}`, 'user root')
  })

  test('so are a log of root’s and a directory', async () => {
    await box.demo()
    own(OTHER, '.', 'changelogd.db')
    writeFileSync(at('changelogd.db-wal'), '', { mode: 0o600 })
    refused(await asOther('team create x --name X'), `${box.database}-wal belongs to user root`)
    own(OTHER, 'changelogd.db-wal')
    expect((await asOther('team create x --name X')).status).toBe(0)
    own(0, '.')
    chmodSync(box.directory, 0o700)
    for (const line of ['team list', 'migrate'])
      refused(
        await asOther(line),
        `${box.directory} belongs to user root`,
        'Use a place that user nobody can access.',
      )
  })

  test('what belongs to a third user is named as that, with who may use it', async () => {
    await box.demo()
    own(65_533, '.', 'changelogd.db')
    chmodSync(box.directory, 0o777)
    refused(
      await asOther('version list acme/app'),
      `Use a place that user nobody can access, or run this as the owner: sudo -u '#65533' changelogd …\n`,
    )
  })

  test('a file or a directory that its owner may not write to is named, and the advice helps', async () => {
    await box.demo()
    own(OTHER, '.', 'changelogd.db')
    mkdirSync(at('closed'))
    own(OTHER, 'closed')
    for (const [path, mode, line] of [
      [box.database, 0o400, 'team create one --name X'],
      [box.directory, 0o500, 'team create two --name X'],
      [at('closed'), 0o000, 'backup closed/x.db'],
      [at('closed'), 0o500, 'export acme/app --output closed/CHANGELOG.md'],
      [at('closed'), 0o500, 'migrate --db closed/new/new.db'],
    ] as const) {
      chmodSync(path, mode)
      const told = refused(await asOther(line), `(mode ${mode.toString(8).padStart(4, '0')})`)
      const advice = /To fix it: (.*)\n/.exec(told)?.[1] as string
      expect(advice).toContain(path)
      expect(await Bun.spawn(['sh', '-c', advice]).exited).toBe(0)
      expect({ line, status: (await asOther(line)).status }).toEqual({ line, status: 0 })
    }
  })

  test('in a directory that the user may not search, each command names it', async () => {
    chmodSync(box.directory, 0o755)
    mkdirSync(at('data'))
    await box.json('demo', '--db', 'data/x.db')
    own(OTHER, 'data', 'data/x.db')
    mkdirSync(at('home'), { mode: 0o700 })
    own(65_533, 'home')
    const there = (...command: string[]) =>
      box.runProgram(['sh', '-c', 'cd home && exec "$@"', 'sh', ...command], {
        DATABASE_URL: at('data/x.db'),
      })
    const user = ['setpriv', `--reuid=${OTHER}`, `--regid=${OTHER}`, '--clear-groups']
    const run = (line: string) => there(...user, ...PROGRAM, ...line.split(' '))
    for (const line of [
      'export acme/app --output out.md',
      'import acme/app --git .',
      'import --all all.jsonl',
      'version update acme/app 1.0.0 --description-file d.md',
      'restore b.db --yes',
      'import acme/app CHANGES.md --create',
      'apply teams.yml',
    ])
      refused(await run(line), ' belongs to user 65533, and user nobody has no access.')
  })

  test('root leaves new files to the owner of their directory, so that the service can use them', async () => {
    mkdirSync(at('service'))
    own(OTHER, 'service')
    const db = '--db service/data/deep/changelogd.db'
    const server = box.start(['serve', '--port', '0', ...db.split(' ')])
    await server.stdout.getReader().read()
    for (const line of ['demo', 'backup service/copy.db', 'export --all --output service/all.json'])
      expect((await box.words(`${line} ${db}`)).status).toBe(0)
    expect((await box.words(`restore service/copy.db --yes ${db}`)).status).toBe(0)
    expect((await box.words('restore service/copy.db --db service/new/x.db')).status).toBe(0)
    const files = readdirSync(at('service'), { recursive: true }).map(String)
    expect(files.filter((name) => /-(wal|shm)$/.test(name))).toHaveLength(2)
    expect(files.length).toBeGreaterThan(9)
    for (const name of files) {
      const { uid, gid } = statSync(at(`service/${name}`))
      expect({ name, uid, gid }).toEqual({ name, uid: OTHER, gid: OTHER })
    }
    server.kill('SIGTERM')
    expect(await server.exited).toBe(0)
    chmodSync(box.directory, 0o755)
    expect((await asOther(`team create x --name X ${db}`)).status).toBe(0)
    own(0, 'service')
    expect((await box.words(`backup service/root.db ${db}`)).status).toBe(0)
    expect(statSync(at('service/root.db')).uid).toBe(0)
  })
})
