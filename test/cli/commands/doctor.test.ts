import { Database } from 'bun:sqlite'
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import type { Finding } from '../../../src/domain/finding.ts'
import { logFinding, spaceFinding } from '../../../src/store/sqlite/file-checks.ts'
import { SCHEMA_VERSION } from '../../../src/store/sqlite/migrations.ts'
import { PATIENCE_MS, sandboxForEach } from '../../support/sandbox.ts'

setDefaultTimeout(PATIENCE_MS)

const box = sandboxForEach((fresh) => fresh.json('demo'))
const { at } = box
const isRoot = process.getuid?.() === 0

interface Report {
  status: number
  stderr: string
  /** What is not as it should be. */
  faults: Finding[]
  checks: string[]
}

async function examined(args: string[] = [], env: Record<string, string> = {}): Promise<Report> {
  const { status, stdout, stderr } = await box.run(['doctor', ...args, '--json'], env)
  const { healthy, findings } = JSON.parse(stdout) as { healthy: boolean; findings: Finding[] }
  // How much room there is here is nobody's promise.
  const faults = findings.filter(({ state, check }) => state !== 'ok' && check !== 'free space')
  // Its word, its exit status and its lines never differ; and nothing is wrong without a remedy.
  expect(healthy).toBe(!faults.some(({ state }) => state === 'wrong'))
  expect(status).toBe(healthy ? 0 : 1)
  expect(stderr).toMatch(healthy ? /^$/ : /^changelogd: \d+ things? wrong: [^\n]+\n$/)
  for (const fault of faults) expect(fault.remedy).toBeString()
  return { status, stderr, faults, checks: findings.map(({ check }) => check) }
}

/** The one thing found. */
async function only(args: string[] = [], env: Record<string, string> = {}): Promise<Finding> {
  const { faults } = await examined(args, env)
  expect(faults).toHaveLength(1)
  return faults[0] as Finding
}

describe('the doctor', () => {
  test('finds nothing wrong with a fresh database and the default settings, a line for each thing', async () => {
    const { status, stdout, stderr } = await box.words('doctor')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const lines = stdout.trimEnd().split('\n')
    const parts = lines.map((line) => line.split(/ {2,}/).slice(0, 2))
    expect(parts.filter(([, check]) => check !== 'free space')).toEqual([
      ['ok', 'database'],
      ['ok', 'integrity'],
      ['ok', 'foreign keys'],
      ['ok', 'schema'],
      ['ok', 'permissions'],
      ['ok', 'WAL'],
      ['ok', 'settings'],
    ])
    expect(
      new Set(lines.map((line) => /^(?:ok|warn)\s+\S+(?: \S+)?\s{2,}/.exec(line)?.[0].length)).size,
    ).toBe(1)
  })

  test('changes nothing and makes nothing, whether a server runs or not', async () => {
    const before = readFileSync(box.database)
    const { mtimeMs } = statSync(box.database)
    await examined()
    await examined(['--db', 'nowhere/x.db'])
    expect(readdirSync(box.directory).filter((name) => name !== '.bun')).toEqual(['changelogd.db'])
    expect(readFileSync(box.database)).toEqual(before)
    expect(statSync(box.database).mtimeMs).toBe(mtimeMs)
    await box.seenByApi('/public/teams/acme/products/app/changelog')
    expect((await examined()).status).toBe(0)
    expect((await box.seenByApi('/public/teams/acme/products/app/changelog')).status).toBe(200)
  })

  test('looks beside the file that a link leads to', async () => {
    mkdirSync(at('far'), { mode: 0o700 })
    await box.json('migrate', '--db', 'far/real.db')
    symlinkSync('far/real.db', at('link.db'))
    writeFileSync(at('far/real.db.partial-1'), '', { mode: 0o600 })
    expect(await only(['--db', 'link.db'])).toMatchObject({ state: 'warn', check: 'leftovers' })
  })
})

describe('of the database it says', () => {
  test('that there is none', async () => {
    const found = await only(['--db', 'nowhere/x.db'])
    expect(found).toMatchObject({ state: 'wrong', check: 'database' })
    expect(found.remedy).toContain('changelogd migrate')
  })

  test('that there is none, but a server may still have it', async () => {
    writeFileSync(at('gone.db-wal'), '', { mode: 0o600 })
    const found = await only(['--db', 'gone.db'])
    expect(found).toMatchObject({ state: 'wrong', check: 'database' })
    expect(found.remedy).toContain(`rm ${at('gone.db-wal')}`)
  })

  test('that it is no database, a directory, or another program’s', async () => {
    writeFileSync(at('text.db'), 'notes '.repeat(1_000), { mode: 0o600 })
    expect((await only(['--db', 'text.db'])).message).toContain('not a database')
    mkdirSync(at('directory.db'), { mode: 0o700 })
    expect((await examined(['--db', 'directory.db'])).faults[0]).toMatchObject({
      state: 'wrong',
      check: 'database',
    })
    using foreign = new Database(at('foreign.db'))
    foreign.run('CREATE TABLE precious (thing TEXT)')
    chmodSync(at('foreign.db'), 0o600)
    expect((await only(['--db', 'foreign.db'])).message).toContain('not one of changelogd')
  })

  test('that it was cut short', async () => {
    truncateSync(box.database, 20_000)
    const { faults } = await examined()
    expect(faults[0]).toMatchObject({ state: 'wrong' })
    expect(faults[0]?.remedy).toContain('changelogd restore')
  })

  test('that a page of it is damaged', async () => {
    const bytes = readFileSync(box.database)
    writeFileSync(box.database, bytes.fill(0xff, 3 * 4_096, 3 * 4_096 + 200))
    const { faults, checks } = await examined()
    expect(faults).toMatchObject([{ state: 'wrong', check: 'integrity' }])
    expect(checks).not.toContain('foreign keys')
  })

  const altered = (...statements: string[]) => {
    using db = new Database(box.database)
    for (const statement of statements) db.run(statement)
  }

  test('which records lack what they belong to', async () => {
    altered('PRAGMA foreign_keys = OFF', "DELETE FROM team WHERE slug = 'hooli'")
    const found = await only()
    expect(found).toMatchObject({ state: 'wrong', check: 'foreign keys' })
    expect(found.message).toContain('of product without team')
  })

  test('that its schema is newer, older, none yet, or not what it says', async () => {
    altered('PRAGMA user_version = 999')
    expect(await only()).toMatchObject({ state: 'wrong', check: 'schema' })
    altered('PRAGMA user_version = 0')
    const older = await only()
    expect(older).toMatchObject({ state: 'warn', check: 'schema' })
    expect(older.remedy).toContain('changelogd migrate')
    altered(`PRAGMA user_version = ${SCHEMA_VERSION}`, 'ALTER TABLE changelog DROP COLUMN preamble')
    expect(await only()).toMatchObject({ state: 'wrong', message: 'no column changelog.preamble' })
    altered('ALTER TABLE changelog ADD COLUMN preamble text', 'DROP TRIGGER change_removed')
    expect(await only()).toMatchObject({ state: 'wrong', message: 'no trigger change_removed' })
    writeFileSync(at('empty.db'), '', { mode: 0o600 })
    expect(await only(['--db', 'empty.db'])).toMatchObject({ state: 'warn', check: 'schema' })
    expect(statSync(at('empty.db')).size).toBe(0)
  })
})

describe('of the files it says', () => {
  test('that others may use one, with the command that ends it', async () => {
    for (const mode of [0o640, 0o604, 0o622, 0o666]) {
      chmodSync(box.database, mode)
      const found = await only()
      expect(found).toMatchObject({ state: 'wrong', check: 'permissions' })
      const command = /chmod .*/.exec(found.remedy as string)?.[0] as string
      expect(await Bun.spawn(['sh', '-c', command]).exited).toBe(0)
      expect((await examined()).faults).toEqual([])
    }
  })

  test('that others may write to the directory; less is only worth knowing', async () => {
    for (const [mode, state] of [
      [0o770, 'wrong'],
      [0o702, 'wrong'],
      [0o1777, 'wrong'],
      [0o755, 'warn'],
      [0o750, 'warn'],
    ] as const) {
      chmodSync(box.directory, mode)
      const found = await only()
      expect(found).toMatchObject({ state, check: 'permissions' })
      // Nobody is told to close a directory that is everybody's, such as /tmp.
      if (mode === 0o1777) expect(found.remedy).not.toContain('chmod')
      else expect(found.remedy).toContain(`chmod 700 ${box.directory}`)
    }
  })

  // Only root can give a file away.
  if (isRoot)
    test('that one belongs to somebody else', async () => {
      chownSync(box.database, 12_345, 12_345)
      const found = await only()
      expect(found).toMatchObject({ state: 'warn', check: 'permissions' })
      expect(found.message).toContain('12345')
    })

  // Root may do anything, so there is nothing to see.
  if (!isRoot)
    test('that you may not write to one', async () => {
      await box.json('migrate', '--db', 'inner/x.db')
      for (const [path, closed, open] of [
        [at('inner/x.db'), 0o400, 0o600],
        [at('inner'), 0o500, 0o700],
      ] as const) {
        chmodSync(path, closed)
        const found = await only(['--db', 'inner/x.db'])
        chmodSync(path, open)
        expect(found).toMatchObject({ state: 'wrong', check: 'database' })
        expect(found.remedy).toContain(path)
        expect(readdirSync(at('inner'))).toEqual(['x.db'])
      }
      chmodSync(at('inner'), 0o000)
      const { faults } = await examined(['--db', 'inner/x.db'])
      chmodSync(at('inner'), 0o700)
      expect(faults.map(({ state }) => state)).toEqual(['wrong', 'wrong'])
    })

  test('that a backup or restore was cut off', async () => {
    writeFileSync(at('changelogd.db.partial-0a1b2c3d'), '', { mode: 0o600 })
    const found = await only()
    expect(found).toMatchObject({ state: 'warn', check: 'leftovers' })
    expect(found.remedy).toContain(`rm ${at('changelogd.db.partial-0a1b2c3d')}`)
    rmSync(at('changelogd.db.partial-0a1b2c3d'))
  })

  test('how much room is left, and when that is too little', () => {
    const [MB, GB] = [1e6, 1e9]
    expect(spaceFinding(16 * MB, 100 * GB, 0)).toMatchObject({ state: 'wrong', check: 'free space' })
    expect(spaceFinding(17 * MB, 100 * MB, 18 * MB)).toMatchObject({ state: 'warn' })
    expect(spaceFinding(9 * GB, 100 * GB, 0)).toMatchObject({ state: 'warn' })
    expect(spaceFinding(11 * GB, 100 * GB, 10 * GB).state).toBe('ok')
  })

  test('when the log has grown large', () => {
    expect(logFinding(64 * 1_048_576).state).toBe('ok')
    expect(logFinding(64 * 1_048_576 + 1)).toMatchObject({ state: 'warn', check: 'WAL' })
  })
})

describe('of the settings it says', () => {
  test('everything that keeps serve from starting', async () => {
    const { faults } = await examined([], { PORT: 'x', LOG_REQUESTS: 'yes', PASSWORD_PROTECTION: 'true' })
    expect(faults.map(({ state, check }) => [state, check])).toEqual(Array(4).fill(['wrong', 'settings']))
    for (const [at, name] of ['PORT', 'PASSWORD_PROTECTION_USER', 'PASSWORD_PROTECTION_PASSWORD'].entries())
      expect(faults[at]?.message).toStartWith(name)
    expect(await only([], { DATABASE_URL: ':memory:' })).toMatchObject({ state: 'wrong', check: 'settings' })
  })

  test('what contradicts what, by variable and by flag', async () => {
    const gigantic = '900000000000000'
    for (const [env, args, state, message] of [
      [{ PASSWORD_PROTECTION_USER: 'vera' }, [], 'wrong', 'PASSWORD_PROTECTION is false'],
      [{ PASSWORD_PROTECTION_PASSWORD_FILE: 'secret' }, [], 'wrong', 'nothing uses'],
      [{}, ['--password-protection-user', 'x'], 'wrong', 'PASSWORD_PROTECTION is false'],
      [{ TRUSTED_PROXIES: '0.0.0.0/0' }, [], 'wrong', 'not private'],
      [{ TRUSTED_PROXIES: '::1,::/0' }, [], 'wrong', 'not private'],
      [{ TRUSTED_PROXIES: '128.0.0.0/1' }, [], 'wrong', 'not private'],
      [{ TRUSTED_PROXIES: '::/64' }, [], 'wrong', 'not private'],
      [{}, ['--trusted-proxies', '2000::/3'], 'wrong', 'not private'],
      [{ HOST: '0.0.0.0' }, [], 'warn', 'TRUSTED_PROXIES is empty'],
      [{ HOST: '::' }, [], 'warn', 'TRUSTED_PROXIES is empty'],
      [{ CACHE_MAX_BYTES: gigantic }, [], 'wrong', 'CACHE_MAX_BYTES is 900 TB'],
      [{ RATE_LIMIT_BURST: '10001' }, [], 'warn', 'RATE_LIMIT_BURST is 10001'],
      [{}, ['--rate-limit-per-minute', '9'], 'warn', 'RATE_LIMIT_PER_MINUTE is 9'],
    ] as const) {
      const found = await only([...args], env as Record<string, string>)
      expect(found).toMatchObject({ state, check: 'settings' })
      expect(found.message).toContain(message)
    }
  })

  test('nothing of what is in order', async () => {
    for (const env of [
      { HOST: '0.0.0.0', TRUSTED_PROXIES: '10.0.0.0/8,fc00::/7,192.168.0.0/16' },
      { HOST: '127.9.9.9' },
      { HOST: '::1' },
      { HOST: 'localhost' },
      { RATE_LIMIT_BURST: '10', RATE_LIMIT_PER_MINUTE: '10000' },
    ] as Record<string, string>[])
      expect((await examined([], env)).faults).toEqual([])
  })

  test('that others may read a secret', async () => {
    for (const name of ['user', 'password']) writeFileSync(at(name), 'x', { mode: 0o600 })
    const env = {
      PASSWORD_PROTECTION: 'true',
      PASSWORD_PROTECTION_USER_FILE: at('user'),
      PASSWORD_PROTECTION_PASSWORD_FILE: at('password'),
    }
    expect((await examined([], env)).faults).toEqual([])
    chmodSync(at('password'), 0o644)
    const found = await only([], env)
    expect(found).toMatchObject({ state: 'warn', check: 'settings' })
    expect(found.remedy).toContain(`chmod 600 ${at('password')}`)
  })
})
