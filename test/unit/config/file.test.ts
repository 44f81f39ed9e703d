import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, readConfig, readSetting } from '../../../src/config/config.ts'
import { parseConfigFile, readConfigFile } from '../../../src/config/file.ts'
import { scratch } from '../../support/scratch.ts'

const FILE = '/etc/changelogd/changelogd.env'
const parse = (...lines: string[]) => parseConfigFile(FILE, lines.join('\n'))

const problemsOf = (work: () => unknown): readonly string[] => {
  try {
    work()
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

describe('a configuration file', () => {
  test('has a setting a line, comments and empty lines', () => {
    const { entries, problems } = parse(
      '# where to listen',
      'PORT=8080',
      '',
      '  # indented',
      '  SITE_NAME=Acme # "Changes"',
      'LOGO_URL=',
      'RATE_LIMIT_URL=redis://:a=b@h\r',
    )
    expect(problems).toEqual([])
    expect(Object.fromEntries(entries)).toEqual({
      PORT: { text: '8080', line: 2 },
      SITE_NAME: { text: 'Acme # "Changes"', line: 5 },
      LOGO_URL: { text: '', line: 6 },
      RATE_LIMIT_URL: { text: 'redis://:a=b@h', line: 7 },
    })
  })

  test.each([
    ['PROT=1', 'there is no setting PROT: did you mean PORT?'],
    ['port=1', 'there is no setting port: did you mean PORT?'],
    ['SOMETHING_ELSE=1', 'there is no setting SOMETHING_ELSE'],
    ['PORT_FILE=/x', 'there is no setting PORT_FILE'],
    ['CHANGELOGD_CONFIG=other.env', 'there is no setting CHANGELOGD_CONFIG'],
    ['export PORT=1', 'this is neither a line such as PORT=3000 nor a # comment'],
    ['PORT = 1', 'this is neither a line such as PORT=3000 nor a # comment'],
    ['PORT', 'this is neither a line such as PORT=3000 nor a # comment'],
    ['; a comment of systemd alone', 'this is neither a line such as PORT=3000 nor a # comment'],
    ['HOST="::"', 'HOST has quotes'],
    ["HOST='::'", 'HOST has quotes'],
    ['HOST= ::', 'at its start or end; remove it'],
    ['HOST=:: ', 'at its start or end; remove it'],
    ['SITE_NAME=a\\', 'at its start or end; remove it'],
    ['DATABASE_URL=postgres://u:hun\\ter2@h', 'remove it, or use DATABASE_URL_FILE'],
    ['SITE_NAME=a\u0007b', 'a control character'],
  ])('refuses the line %p with its number, and not its value', (line, problem) => {
    const { problems } = parse('# first', line, 'PORT=1')
    expect(problems).toHaveLength(1)
    expect(problems[0]).toStartWith(`${FILE}:2: `)
    expect(problems[0]).toContain(problem)
    expect(problems[0]).not.toContain('hun')
  })

  test('advises a variable with _FILE only where there is one', () => {
    const rule = 'has quotes, a backslash, a control character, or a space at its start or end; remove it'
    expect(parse('SITE_NAME="Acme"', 'RATE_LIMIT_URL="x"', 'GITHUB_TOKEN_FILE="x"').problems).toEqual([
      `${FILE}:1: SITE_NAME ${rule}`,
      `${FILE}:2: RATE_LIMIT_URL ${rule}, or use RATE_LIMIT_URL_FILE`,
      `${FILE}:3: GITHUB_TOKEN_FILE ${rule}`,
    ])
  })

  test('refuses a name that it has twice, even with the same value', () => {
    expect(parse('PORT=1', 'HOST=::', 'PORT=1').problems).toEqual([
      `${FILE}:3: PORT is already set on line 1`,
    ])
  })

  test.each([
    ['that is not UTF-8', 'latin1', 'SITE_NAME=Caf\u00e9', 'it is not UTF-8 text'],
    ['with a byte order mark', 'utf8', '\ufeffPORT=1', 'it starts with a byte order mark'],
  ] as const)('%s is refused, as systemd and Docker read it differently', (_, encoding, text, reason) => {
    using directory = scratch()
    const path = join(directory.path, 'settings.env')
    writeFileSync(path, text, encoding)
    const { entries, problems } = readConfigFile(path, '--config')
    expect(problems).toEqual([expect.stringContaining(reason)])
    expect(entries.size).toBe(0)
  })

  test('that cannot be read is refused with the name of what names it', () => {
    using directory = scratch()
    const missing = join(directory.path, 'missing.env')
    expect(readConfigFile(missing, '--config').problems[0]).toContain(
      `--config is "${missing}", which cannot be read: there is no such file`,
    )
    expect(readConfigFile(directory.path, 'CHANGELOGD_CONFIG').problems[0]).toContain('cannot be read')
    expect(readConfigFile('/dev/null', '--config').problems).toEqual([])
  })
})

describe('settings', () => {
  test('are taken from a flag, else a variable, else the file, else their default', () => {
    const file = parse('PORT=3', 'HOST=::', 'PUBLIC_MAX_AGE=')
    expect(readConfig({ port: '1' }, { PORT: '2' }, file).port).toBe(1)
    expect(readConfig({}, { PORT: '2' }, file).port).toBe(2)
    expect(readConfig({}, { PORT: '' }, file)).toMatchObject({ port: 3, host: '::', publicMaxAge: 60 })
    expect(readConfig({}, {}, null).port).toBe(3000)
  })

  test('of the file are named with their line if they are not allowed, together with what is wrong in the file', () => {
    const file = parse('PROT=1', 'PORT=x', 'DATABASE_URL=mysql://u:hunter2@h/db')
    expect(problemsOf(() => readConfig({}, {}, file))).toEqual([
      `${FILE}:1: there is no setting PROT: did you mean PORT?`,
      `${FILE}:2: PORT is "x", but must be a whole number from 0 to 65535`,
      `${FILE}:3: DATABASE_URL must be a file, such as data/changelogd.db or file:data/changelogd.db, or a URL such as postgres://user@host/name`,
    ])
    expect(
      problemsOf(() => readSetting('database', { flags: { db: '/srv/x.db' }, env: {}, file })),
    ).toHaveLength(1)
  })

  test('that are secret may be in the file, or in a file that it names; a variable takes precedence over both', () => {
    using directory = scratch()
    const secret = join(directory.path, 'url')
    writeFileSync(secret, 'redis://:hunter2@secret\n')
    const named = parse(`RATE_LIMIT_URL_FILE=${secret}`)
    expect(readConfig({}, {}, named).rateLimitUrl).toBe('redis://:hunter2@secret')
    expect(readConfig({}, { RATE_LIMIT_URL: 'redis://h' }, named).rateLimitUrl).toBe('redis://h')
    const direct = parse('RATE_LIMIT_URL=redis://:hunter2@direct')
    expect(readConfig({}, {}, direct).rateLimitUrl).toBe('redis://:hunter2@direct')
    expect(readConfig({}, { RATE_LIMIT_URL_FILE: secret }, direct).rateLimitUrl).toBe(
      'redis://:hunter2@secret',
    )
    const both = parse('RATE_LIMIT_URL=redis://:hunter2@direct', `RATE_LIMIT_URL_FILE=${secret}`)
    expect(problemsOf(() => readConfig({}, {}, both))).toEqual([
      `${FILE}:1: RATE_LIMIT_URL and RATE_LIMIT_URL_FILE are both set; set one of them`,
    ])
  })
})
