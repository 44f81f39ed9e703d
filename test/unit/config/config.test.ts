import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ConfigError, type Environment, readConfig, readSetting } from '../../../src/config/config.ts'
import { SETTINGS, type Setting } from '../../../src/config/settings.ts'
import { scratch } from '../../support/scratch.ts'

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
  test('without anything set, a server is on this machine alone, and protected as the documentation says', () => {
    expect(readConfig({}, {})).toMatchObject({
      ...{ host: '127.0.0.1', port: 3000, threads: 1, database: resolve('data/changelogd.db'), gate: null },
      ...{ rateLimitBurst: 60, rateLimitPerMinute: 60, trustedProxies: [], publicMaxAge: 60 },
      ...{ cacheMaxBytes: 64 * 1024 * 1024, outageCacheSeconds: 300, hsts: 31_536_000, pages: 'on' },
      ...{ logRequests: 'off', metricsPort: 'off', metricsHost: '127.0.0.1', workerMetricsPort: 'off' },
      ...{ mcp: true, worker: false, followPrivate: false, hooksPrivate: false, backupEvery: 86_400_000 },
    })
  })

  test.each([
    ...['0.0.0.0', '::', '::1', 'localhost', 'db-1.internal'].map((host) => ['HOST', host, host] as const),
    ['HOST', 'unix:/run/changelogd.sock', 'unix:/run/changelogd.sock'],
    ['HOST', 'unix:data/x.sock', `unix:${resolve('data/x.sock')}`],
    ['THREADS', '1', 1],
    ['THREADS', '64', 64],
    ['DATABASE_URL', 'data/x.db', resolve('data/x.db')],
    ['DATABASE_URL', '/srv/x.db', '/srv/x.db'],
    ['DATABASE_URL', 'file:data/x.db', resolve('data/x.db')],
    ['DATABASE_URL', 'file:///srv/x.db', '/srv/x.db'],
    ['DATABASE_URL', 'file://localhost/srv/x.db', '/srv/x.db'],
    ['DATABASE_URL', 'file:/srv/with%20space.db', '/srv/with space.db'],
    ...['redis://h', 'redis://h:6380/', 'rediss://h/2', 'redis://u:p%40@[::1]:1/0'].map(
      (url) => ['RATE_LIMIT_URL', url, url] as const,
    ),
    ['PAGES', 'unlisted', 'unlisted'],
    ['TRASH_DIR', '/var/trash', '/var/trash'],
    ['HOME_PAGE', 'acme/app', 'acme/app'],
    ['PUBLIC_URL', 'http://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
    ['BACKUP_EVERY', '365d', 31_536_000_000],
    ['HSTS', 'off', 'off'],
    ['HSTS', '0', 0],
    ['SITE_NAME', ' Acme ', 'Acme'],
    ['SITE_LANGUAGE', 'ar', 'ar'],
    ['BRAND_COLOR', '#A0b', '#aa00bb'],
    ['BRAND_COLOR', '#C0FFEE', '#c0ffee'],
    ['MAIL_REPLY_TO', 'Acme News <news@acme.test>', 'Acme News <news@acme.test>'],
    ['SUBSCRIBE_URL', 'https://lists.acme.test/form', 'https://lists.acme.test/form'],
    ['LOGO_URL', 'https://acme.test/unit/logo.svg?v=2', 'https://acme.test/unit/logo.svg?v=2'],
  ] as [string, string, unknown][])('%s may be %s', (name, given, expected) => {
    expect(Object.values(readConfig({}, { [name]: given })) as unknown[]).toContain(expected)
  })

  test.each([
    ...['59m', '366d', '999999w', '1y'].map((given) => [
      ...['BACKUP_EVERY', given, 'a duration from 1h to 365d'],
    ]),
    ...['0', '65', '1.5', 'AUTO'].map((given) => ['THREADS', given, 'a whole number from 1 to 64, or auto']),
    ['PAGES', 'yes', 'on, off or unlisted'],
    ['HOME_PAGE', 'acme', 'a team and a product, such as acme/app'],
    ['HOME_PAGE', 'acme/app/1', 'a team and a product, such as acme/app'],
    ['HOME_PAGE', 'Acme/app', 'a team and a product, such as acme/app'],
    ...['acme.test', 'ftp://x', 'https://x/path', 'https://x/?', 'https://x/#', 'https://u@x'].map(
      (given) => [
        'PUBLIC_URL',
        given,
        'an http or https URL without a path, such as https://changelog.example.com',
      ],
    ),
    ['SITE_NAME', 'two\nlines', 'one line of at most 200 characters'],
    ['SITE_LANGUAGE', 'DE', 'one of en, de, fr, es, ja, ar'],
    ['BRAND_COLOR', 'red', 'a color such as #3b5bdb or #36c'],
    ['BRAND_COLOR', '#12345', 'a color such as #3b5bdb or #36c'],
    ['SHARE_IMAGE_URL', 'http://acme.test/a.png', 'an https URL, such as https://example.com/logo.svg'],
    ['WEBSUB_HUB', 'http://hub.acme.test', 'an https URL, such as https://hub.example.org'],
    ['LOGO_URL', 'http://acme.test/unit/logo.svg', 'an https URL, such as https://example.com/logo.svg'],
    ['LOGO_URL', '/logo.svg', 'an https URL, such as https://example.com/logo.svg'],
  ] as [string, string, string][])('%s may not be %s', (name, given, allowed) => {
    expect(problems({}, { [name]: given })).toEqual([
      `${name} is ${JSON.stringify(given)}, but must be ${allowed}`,
    ])
  })

  test.each([
    ...[':memory:', 'file::memory:', 'file:', 'file://host/x.db', 'file:x.db?mode=ro', 'mysql://h/db'],
    ...['http://x', 'file:%zz'],
  ])('DATABASE_URL %s is refused', (value) => {
    const [problem] = problems({}, { DATABASE_URL: value })
    expect(problem).toStartWith(`DATABASE_URL is ${JSON.stringify(value)}, but must be a file`)
  })

  test.each(['postgres://u:secret@h/db', 'postgresql://h:5433/db?sslmode=verify-full'])(
    'DATABASE_URL %s is a PostgreSQL server, and may be in a file',
    (value) => {
      using directory = scratch()
      const file = join(directory.path, 'url')
      writeFileSync(file, `${value}\n`)
      for (const env of [{ DATABASE_URL: value }, { DATABASE_URL_FILE: file }])
        expect(readConfig({}, env).database).toBe(value)
    },
  )

  test.each([
    ...['postgres:x', 'postgres://u:secret@h:port/db', 'postgres://u:secret@'],
    ...['postgres://u:secret%zz@h/db', 'postgres://u:secret@h/%zz', 'postgers://u:secret@h/db'],
    ...['mysql://u:secret@h/db', ' postgres://u:secret@h/db', '"postgres://u:secret@h/db"'],
    "'postgres://u:secret@h/db?sslmode=require'",
    'postgres//u:secret@h/db',
    'u:secret@h/db',
    'host=h password=secret dbname=x',
  ])('DATABASE_URL %s is refused without being shown', (value) => {
    const [problem] = problems({}, { DATABASE_URL: value })
    expect(problem).toStartWith('DATABASE_URL must be a file')
    expect(problem).not.toContain('secret')
  })

  test.each([
    ...['/srv/a:b@c.db', 'data/a@b.db', 'file:data/a:b@c.db'],
    ...['postgres://u@h:5432/db?application_name=a@b'],
  ])('--db %s is not taken for one with a password', (value) => {
    expect(problems({ db: value }, {})).toEqual([])
  })

  test('--public-url with a password is refused without the advice of a _FILE that there is not', () => {
    expect(problems({ 'public-url': 'https://u:secret@h' }, {})).toEqual([
      '--public-url has a password that other users can see; set PUBLIC_URL instead',
    ])
  })

  test.each([
    ...['postgres://u:secret@h/db', 'postgres://h/db?password=secret', 'postgres://u:secret@h:port/db'].map(
      (url) => ['db', url, 'DATABASE_URL'],
    ),
    ...['redis://:secret@h', 'redis://u:sec/ret@h', 'redis://h?password=secret'].map((url) => [
      ...['rate-limit-url', url, 'RATE_LIMIT_URL'],
    ]),
  ] as [string, string, string][])(
    '--%s %s is refused, and what to use instead is named',
    (flag, value, name) => {
      expect(problems({ [flag]: value }, {})).toEqual([
        `--${flag} has a password that other users can see; set ${name} or ${name}_FILE instead`,
      ])
    },
  )

  test.each([
    ...[
      '',
      ' ',
      'foo bar',
      '999.1.1.1',
      '1.2.3',
      'http://x',
      '-x',
      '[::1]',
      'fe80::1',
      'fe80::1%eth0',
      '::1%lo',
    ],
    ...['unix:', 'unix:/run/', 'unix:/a\0b', `unix:/${'x'.repeat(103)}`],
  ])('--host %p is refused', (value) => {
    const [problem] = problems({ host: value }, {})
    expect(problem).toStartWith(`--host is ${JSON.stringify(value)}, but must be an address`)
    expect(problem).toContain('or a unix socket, such as unix:/run/changelogd.sock')
  })

  test('a certificate needs its key, a key its certificate, and both an address that is no unix socket', () => {
    expect(problems({ 'tls-cert': 'x.crt' }, {})).toEqual([
      'TLS_CERT is set, but TLS_KEY is not; HTTPS needs both',
    ])
    expect(problems({}, { TLS_KEY: 'x.key' })).toEqual([
      'TLS_KEY is set, but TLS_CERT is not; HTTPS needs both',
    ])
    const both = { TLS_CERT: 'x.crt', TLS_KEY: 'x.key' }
    expect(readConfig({}, both)).toMatchObject({ tlsCert: resolve('x.crt'), tlsKey: resolve('x.key') })
    expect(problems({ host: 'unix:/run/x.sock' }, both)).toEqual([
      'TLS_CERT is set, but HOST is a unix socket without TLS; remove one of them',
    ])
  })

  test('the metrics have a port of their own, on an address of this machine', () => {
    const same = { PORT: '3000', METRICS_PORT: '3000' }
    const taken = ['METRICS_PORT and PORT are both 3000; metrics need a separate port']
    expect(problems({}, same)).toEqual(taken)
    for (const host of ['0.0.0.0', '::', 'localhost'])
      expect(problems({ host }, { ...same, METRICS_HOST: '127.0.0.1' })).toEqual(taken)
    for (const others of [
      { METRICS_HOST: '10.0.0.2' },
      { HOST: 'unix:/run/x.sock' },
      { PORT: '0', METRICS_PORT: '0' },
    ])
      expect(problems({}, { ...same, ...others })).toEqual([])
    for (const path of ['unix:/run/x.sock', 'unix:x.sock'])
      expect(problems({ 'metrics-host': path }, {})).toEqual([
        `--metrics-host is "${path}", but must be an address (not a link-local one such as fe80::1) or a host name, such as 127.0.0.1 or ::`,
      ])
  })

  test('the result cannot be changed', () => {
    const config = readConfig({}, {})
    expect(() => Object.assign(config, { port: 1 })).toThrow()
    expect(() => Object.assign(config.trustedProxies, { length: 1 })).toThrow()
  })

  test('a secret file that cannot be read is reported once', () => {
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

  test('all wrong settings are named at once, in the order of the table', () => {
    expect(
      problems(
        { port: '70000', 'log-requests': 'yes' },
        { CACHE_MAX_BYTES: '64MB', PASSWORD_PROTECTION: 'true', TRUSTED_PROXIES: 'nonsense' },
      ),
    ).toEqual([
      '--port is "70000", but must be a whole number from 0 to 65535',
      'PASSWORD_PROTECTION_USER is not set, but PASSWORD_PROTECTION is true; set it or PASSWORD_PROTECTION_USER_FILE',
      'PASSWORD_PROTECTION_PASSWORD is not set, but PASSWORD_PROTECTION is true; set it or PASSWORD_PROTECTION_PASSWORD_FILE',
      'TRUSTED_PROXIES is "nonsense", but must be addresses or networks separated by commas, such as 10.0.0.0/8,::1, or unix',
      'CACHE_MAX_BYTES is "64MB", but must be a whole number from 0 to 9007199254740991',
      '--log-requests is "yes", but must be errors, all or off',
    ])
  })

  test('a secret is never printed', () => {
    const found = problems(
      { 'password-protection': 'true' },
      { PASSWORD_PROTECTION_USER: 've:ra', PASSWORD_PROTECTION_PASSWORD: 'x' },
    )
    expect(found).toEqual(['PASSWORD_PROTECTION_USER must be a user name without a colon'])
  })

  test('the credential of password protection is read only when it is on', () => {
    const credential = { PASSWORD_PROTECTION_USER: 'vera', PASSWORD_PROTECTION_PASSWORD: 'a: b' }
    expect(readConfig({ 'password-protection': 'true' }, credential).gate).toEqual({
      user: 'vera',
      password: 'a: b',
    })
    expect(readConfig({}, credential).gate).toBeNull()
    expect(readConfig({}, { PASSWORD_PROTECTION_PASSWORD_FILE: '/nowhere/at/all' }).gate).toBeNull()
  })

  test.each([
    ...['h:6379', 'http://:hunter2@h', 'redis:h', 'redis://', 'redis://:hunter2@h/x'],
    ...['redis://hunter2:x:y:z'],
  ])('RATE_LIMIT_URL %s is refused, and not printed', (value) => {
    const [problem] = problems({}, { RATE_LIMIT_URL: value })
    expect(problem).toStartWith('RATE_LIMIT_URL must be the URL of a Redis')
    expect(problem).not.toContain('hunter2')
  })

  test('readSetting reads the database alone, whatever else is wrong', () => {
    const database = (flags: Environment, env: Environment) =>
      readSetting('database', { flags, env, file: null })
    expect(database({}, { DATABASE_URL: '/srv/x.db', PORT: 'x' })).toBe('/srv/x.db')
    expect(database({ db: '/srv/y.db' }, { DATABASE_URL: '/srv/x.db' })).toBe('/srv/y.db')
    expect(() => database({ db: ':memory:' }, {})).toThrow('--db is ":memory:", but must be a file')
  })

  test('a mail server needs a sender and the password of its user, which is not in its address and never repeated', () => {
    const mail = { MAIL_FROM: 'news@acme.test' }
    for (const url of ['smtps://us%40er@mail.acme.test:465', 'smtp://user@[fd00::1]'])
      expect(readConfig({}, { ...mail, SMTP_URL: url, SMTP_PASSWORD: 's3sam/:@' })).toMatchObject({
        smtpUrl: url,
      })
    expect(readConfig({}, { ...mail, SMTP_URL: 'smtp://localhost:25' })).toMatchObject({
      smtpUrl: 'smtp://localhost:25',
    })
    expect(problems({}, { SMTP_URL: 'smtp://user@mail.acme.test' })).toEqual([
      'SMTP_URL is set, but MAIL_FROM is not; mail needs a sender',
      'SMTP_URL has a user, but SMTP_PASSWORD is not set; set it or SMTP_PASSWORD_FILE',
    ])
    for (const url of [
      'smtp://user:s3sam@mail.acme.test',
      'https://mail.acme.test',
      'mail.acme.test:587',
      'smtp://h/x',
      'smtp://h?x',
    ])
      expect(problems({}, { ...mail, SMTP_URL: url }).join()).toMatch(
        /^SMTP_URL (?!.*s3sam).*must be smtps:\/\/user@host:465/,
      )
    for (const from of [
      'Acme',
      'größe@acme.test',
      'a@acme.test, b@acme.test',
      'A\r\nBcc: x@y.z <a@acme.test>',
    ])
      expect(problems({}, { MAIL_FROM: from }).join()).toContain('must be an address, such as')
  })

  test('a flag is its variable in kebab case, except for --db; only the password and what serve does not use have none', () => {
    const flagless: string[] = []
    for (const { name, flag } of Object.values<Setting>(SETTINGS))
      if (flag === undefined) flagless.push(name)
      else expect(flag).toBe(name === 'DATABASE_URL' ? 'db' : name.toLowerCase().replaceAll('_', '-'))
    expect(flagless).toEqual([
      ...['PASSWORD_PROTECTION_PASSWORD', 'WORKER_DATABASE_URL', 'FOLLOW_DIR'],
      ...['GITHUB_TOKEN', 'GITLAB_TOKEN', 'FORGEJO_TOKEN'],
      ...['SMTP_URL', 'SMTP_PASSWORD', 'MAIL_FROM', 'MAIL_REPLY_TO', 'TRASH_DIR', 'PICTURES_MAX_BYTES'],
      ...['BACKUP_TO', 'BACKUP_EVERY', 'BACKUP_KEEP', 'S3_ENDPOINT', 'S3_REGION', 'S3_ACCESS_KEY_ID'],
      ...['S3_SECRET_ACCESS_KEY', 'S3_SESSION_TOKEN'],
      ...[
        'DESK_URL',
        'DESK_HOST',
        'DESK_PORT',
        'DESK_USER_HEADER',
        'DESK_PROXIES',
        'DESK_TEAMS',
        'DESK_GROUPS_HEADER',
        'DESK_PUBLISHERS',
      ],
    ])
  })
})
