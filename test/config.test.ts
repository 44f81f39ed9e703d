import { describe, expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { ConfigError, readConfig, SETTINGS, type Setting } from '../src/config.ts'

const problems = (flags: Record<string, string>, env: Record<string, string>) => {
  try {
    readConfig(flags, env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe('readConfig', () => {
  test('without anything set, it is what the README says', () => {
    expect(readConfig({}, {})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      database: resolve('data/changelogd.db'),
      gate: null,
      rateLimit: { burst: 60, perMinute: 60 },
      trustedProxies: [],
      publicMaxAge: 60,
      cacheMaxBytes: 64 * 1024 * 1024,
      logRequests: false,
    })
  })

  test('a flag goes before its variable, and an empty variable is none', () => {
    expect(readConfig({ port: '1' }, { PORT: '2' }).port).toBe(1)
    expect(readConfig({}, { PORT: '2' }).port).toBe(2)
    expect(readConfig({}, { PORT: '' }).port).toBe(3000)
  })

  test('a wrong flag is named as the flag, a wrong variable as the variable', () => {
    expect(problems({ port: 'x' }, {})).toEqual(['--port is "x", but must be a whole number from 0 to 65535'])
    expect(problems({}, { PORT: 'x' })).toEqual(['PORT is "x", but must be a whole number from 0 to 65535'])
  })

  test.each([
    ['data/x.db', resolve('data/x.db')],
    ['/srv/x.db', '/srv/x.db'],
    ['file:data/x.db', resolve('data/x.db')],
    ['file:/srv/x.db', '/srv/x.db'],
    ['file:///srv/x.db', '/srv/x.db'],
    ['file://localhost/srv/x.db', '/srv/x.db'],
    ['file:/srv/with%20space.db', '/srv/with space.db'],
  ])('DATABASE_URL %s is the file %s', (value, expected) => {
    expect(readConfig({}, { DATABASE_URL: value }).database).toBe(expected)
  })

  test.each([
    ':memory:',
    'file::memory:',
    'file:',
    'file://host/x.db',
    'file:x.db?mode=ro',
    'postgres://h/db',
    'http://x',
    'file:%zz',
  ])('DATABASE_URL %s is refused', (value) => {
    const [problem] = problems({}, { DATABASE_URL: value })
    expect(problem).toStartWith(`DATABASE_URL is ${JSON.stringify(value)}, but must be a file`)
  })

  test.each(['', ' ', 'foo bar', '999.1.1.1', '1.2.3', 'http://x', '-x', '[::1]'])(
    '--host %p is refused',
    (value) => {
      expect(problems({ host: value }, {})[0]).toStartWith(
        `--host is ${JSON.stringify(value)}, but must be an address`,
      )
    },
  )

  test.each(['0.0.0.0', '::', '::1', 'localhost', 'db-1.internal'])('--host %s is taken', (value) => {
    expect(readConfig({ host: value }, {}).host).toBe(value)
  })

  test('the result cannot be changed', () => {
    const config = readConfig({}, {})
    expect(() => Object.assign(config, { port: 1 })).toThrow()
    expect(() => Object.assign(config.rateLimit, { burst: 1 })).toThrow()
  })

  test('secrets do not stand in two places at once', () => {
    const [problem] = problems(
      {},
      {
        PASSWORD_PROTECTION: 'true',
        PASSWORD_PROTECTION_USER: 'vera',
        PASSWORD_PROTECTION_PASSWORD: 'x',
        PASSWORD_PROTECTION_PASSWORD_FILE: '/dev/null',
      },
    )
    expect(problem).toBe(
      'PASSWORD_PROTECTION_PASSWORD and PASSWORD_PROTECTION_PASSWORD_FILE are both set: set one of them',
    )
  })

  test('a file that cannot be read is named once', () => {
    const found = problems(
      {},
      {
        PASSWORD_PROTECTION: 'true',
        PASSWORD_PROTECTION_USER: 'vera',
        PASSWORD_PROTECTION_PASSWORD_FILE: '/nowhere/at/all',
      },
    )
    expect(found).toHaveLength(1)
    expect(found[0]).toContain('PASSWORD_PROTECTION_PASSWORD_FILE is "/nowhere/at/all", which cannot be read')
  })

  test('a flag is its variable in kebab case, but for --db', () => {
    for (const { name, flag } of SETTINGS as readonly Setting[])
      expect(flag).toBe(name === 'DATABASE_URL' ? 'db' : name.toLowerCase().replaceAll('_', '-'))
  })
})
