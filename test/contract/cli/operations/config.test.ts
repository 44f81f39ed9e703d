import { describe, expect, test } from 'bun:test'
import { chmodSync, writeFileSync } from 'node:fs'
import { SETTINGS, type Setting } from '../../../../src/config/settings.ts'
import { refused } from '../../../support/commands/refused.ts'
import { sandboxForEach } from '../../../support/sandbox.ts'

interface Shown {
  configFile: string | null
  valid: boolean
  problems: string[]
  settings: {
    name: string
    value: string | null
    from: string
    line: number | null
    secretFile: string | null
  }[]
}

const box = sandboxForEach()
const { at } = box

/** Writes a configuration file and gives its path. */
function configFile(...lines: string[]): string {
  const path = at('changelogd.env')
  writeFileSync(path, `${lines.join('\n')}\n`)
  chmodSync(path, 0o600)
  return path
}

/** Without the variable that every other test sets, so that the file can name the database. */
const run = (args: readonly string[], env: Record<string, string> = {}) =>
  box.run(args, { DATABASE_URL: '', ...env })

describe('changelogd config', () => {
  test('shows every setting with its value and where it comes from', async () => {
    const file = configFile('# mine', 'HOST=::1', 'PORT=8080', 'SITE_NAME=Acme Changes')
    const { status, stdout, stderr } = await run(['config', '--config', file, '--port', '81'], {
      THREADS: '2',
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const rows = stdout.split('\n').map((line) => line.split(/ {2,}/))
    expect(rows).toContainEqual(['SETTING', 'VALUE', 'FROM'])
    expect(rows).toContainEqual(['HOST', '::1', `${file}:2`])
    expect(rows).toContainEqual(['PORT', '81', '--port'])
    expect(rows).toContainEqual(['THREADS', '2', 'environment'])
    expect(rows).toContainEqual(['SITE_NAME', 'Acme Changes', `${file}:4`])
    expect(rows).toContainEqual(['PUBLIC_MAX_AGE', '60', 'default'])
    expect(rows).toContainEqual(['DATABASE_URL', at('data/changelogd.db'), 'default'])
    expect(rows).toContainEqual(['TRASH_DIR', at('data/trash'), 'default'])
    const names = Object.values<Setting>(SETTINGS).map(({ name }) => name)
    expect(rows.slice(1, -1).map(([name]) => name)).toEqual(names)
  })

  test('never prints a secret, wherever it comes from', async () => {
    writeFileSync(at('password'), 'hunter2\n')
    const file = configFile(
      'DATABASE_URL=postgres://u:hunter2@h/db',
      'RATE_LIMIT_URL=redis://:hunter2@h',
      'PASSWORD_PROTECTION=true',
      `PASSWORD_PROTECTION_PASSWORD_FILE=${at('password')}`,
    )
    for (const options of [[], ['--json']]) {
      const { status, stdout, stderr } = await run(['config', '--config', file, ...options], {
        PASSWORD_PROTECTION_USER: 'vera-hunter2',
      })
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      expect(stdout).not.toContain('hunter2')
      expect(stdout).toContain('postgres://u@h/db')
      expect(stdout).toContain('********')
      expect(stdout).toContain(at('password'))
    }
  })

  test('never prints a private key that is given in place of its path', async () => {
    const key = '-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----\n'
    for (const TLS_KEY of [key, btoa(key)])
      expect(await run(['config'], { TLS_CERT: at('x.crt'), TLS_KEY })).toEqual({
        status: 1,
        stdout: expect.not.stringContaining(TLS_KEY.slice(-12, -1)),
        stderr: 'changelogd: TLS_KEY must be the path of a file in PEM format\n',
      })
  })

  test('shows a secret file that is not used, without reading it', async () => {
    const { status, stdout } = await run(['config'], { PASSWORD_PROTECTION_PASSWORD_FILE: '/nowhere/at/all' })
    expect(status).toBe(0)
    expect(stdout).toMatch(
      /^PASSWORD_PROTECTION_PASSWORD +\*{8} +environment, in the file \/nowhere\/at\/all$/m,
    )
  })

  test('shows what is wrong too, and says so, also as JSON for scripts', async () => {
    const file = configFile('PROT=1', 'PORT=x')
    const { status, stdout, stderr } = await run(['config', '--config', file])
    expect(status).toBe(1)
    expect(stdout).toMatch(new RegExp(`^PORT +x +${file}:2$`, 'm'))
    expect(stderr).toContain(`changelogd: ${file}:1: there is no setting PROT: did you mean PORT?\n`)
    expect(stderr).toContain(`changelogd: ${file}:2: PORT is "x", but must be a whole number`)
    const json = await run(['config', '--config', file, '--json'])
    const shown = JSON.parse(json.stdout) as Shown
    expect(shown).toMatchObject({ configFile: file, valid: false })
    expect(shown.problems).toHaveLength(2)
    expect(shown.settings).toContainEqual({
      ...{ name: 'PORT', value: 'x', from: 'config file', line: 2, secretFile: null },
    })
  })
})

test('every command reads the configuration file, before it does anything', async () => {
  const file = configFile(`DATABASE_URL=${at('named.db')}`)
  expect(await run(['demo', '--config', file])).toMatchObject({ status: 0 })
  expect(await run(['status', `--config=${file}`])).toMatchObject({ status: 0 })
  expect(await run(['team', 'list'], { CHANGELOGD_CONFIG: file })).toMatchObject({ status: 0 })
  expect(await run(['team', 'delete', 'acme', '--yes', '--config', file])).toMatchObject({ status: 0 })
  const wrong = configFile(`DATABASE_URL=${at('named.db')}`, 'nonsense')
  refused(
    await run(['team', 'list', '--config', wrong]),
    `${wrong}:2: this is neither a line such as PORT=3000 nor a # comment`,
  )
  refused(
    await run(['serve', '--config', at('missing.env')]),
    `--config is "${at('missing.env')}"`,
    'there is no such file',
  )
  expect(await run(['team', 'list', '--help', '--config', wrong])).toMatchObject({ status: 0 })
})

test('a command that a message suggests names the same configuration file', async () => {
  const file = configFile(`DATABASE_URL=${at('missing.db')}`)
  refused(
    await run(['status', '--config', file]),
    `To create it: changelogd migrate --db ${at('missing.db')} --config ${file}\n`,
  )
})

test('doctor warns of a configuration file with a secret that other users can read, but not of one as packages install it', async () => {
  await box.json('migrate')
  const file = configFile('RATE_LIMIT_URL=redis://:hunter2@h')
  for (const [mode, isWarned] of [
    [0o600, false],
    [0o640, false],
    [0o644, true],
    [0o660, true],
  ] as const) {
    chmodSync(file, mode)
    const warning = `The configuration file with secrets (${file}) is accessible to other users. To fix it: chmod 640 ${file}\n`
    expect((await box.run(['doctor', '--config', file])).stdout.includes(warning)).toBe(isWarned)
  }
})
