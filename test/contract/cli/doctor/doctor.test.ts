import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { doctorForEach } from './examined.ts'

const { box, at, examined, only } = doctorForEach()

describe('the doctor', () => {
  test('finds nothing wrong with a fresh database and the default settings, a line for each thing', async () => {
    const { status, stdout, stderr } = await box.words('doctor')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const parts = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/).slice(0, 2).join(' '))
    expect(parts.filter((part) => !part.includes('free space'))).toEqual(
      [
        'database',
        'integrity',
        'foreign keys',
        'schema',
        'contents',
        'permissions',
        'WAL',
        'pictures',
        'settings',
      ].map((check) => `ok ${check}`),
    )
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

  test('ends what others said with one period', async () => {
    const env = { PUBLIC_URL: 'https://news.acme.test' }
    const added = await box.run(['hook', 'add', 'acme', 'https://example.org/hook', '--json'], env)
    using db = new Database(`${box.database}-worker`)
    db.run(
      "UPDATE worker_hook SET failing_since = ?, reason = 'It did not respond within 20 seconds.' WHERE hook_id = ?",
      [Date.now(), JSON.parse(added.stdout).id],
    )
    expect((await box.run(['doctor'], env)).stdout).toContain('within 20 seconds. To see the responses:')
  })

  test('says that the cache may be larger than the memory of this machine', async () => {
    const { message } = await only([], { CACHE_MAX_BYTES: '900000000000000' })
    expect(message).toContain('CACHE_MAX_BYTES is 900 TB')
  })

  test('names a server of the settings that does not answer, and none of its secrets', async () => {
    // A port that nothing listens on.
    const redis = { RATE_LIMIT_URL: 'redis://:hush-hush@127.0.0.1:1' }
    expect(await only([], redis)).toMatchObject({
      ...{ state: 'wrong', check: 'services' },
      message: 'Redis at 127.0.0.1:1 (RATE_LIMIT_URL) does not answer, or refuses the password',
    })
    const mail = { SMTP_URL: 'smtps://ops@127.0.0.1:1', SMTP_PASSWORD: 'hush-hush', MAIL_FROM: 'a@b.test' }
    expect((await only([], mail)).message).toStartWith(
      'the mail server 127.0.0.1:1 (SMTP_URL) cannot be used',
    )
    // A server that repeats what it was told.
    using echo = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        open: (socket) => void socket.write('220 mail\r\n'),
        data: (socket, data) =>
          void socket.write(
            `${data}`.startsWith('EHLO') ? '250-mail\r\n250 AUTH PLAIN LOGIN\r\n' : `535 hush-hush ${data}`,
          ),
      },
    })
    const { stdout } = await box.run(['doctor', '--json'], {
      ...mail,
      SMTP_URL: `smtp://ops@127.0.0.1:${echo.port}`,
    })
    expect(stdout).toContain('it refused the user name or password')
    expect(stdout).not.toContain('hush-hush')
    expect(stdout).not.toContain(Buffer.from('\0ops\0hush-hush').toString('base64'))
  })

  test('names a HOME_PAGE that shows nothing, and settings of the desk that are not whole', async () => {
    expect((await examined([], { HOME_PAGE: 'acme/app' })).faults).toEqual([])
    expect(await only(['--home-page', 'acme/gone'])).toMatchObject({
      ...{ state: 'wrong', message: 'HOME_PAGE is acme/gone, but there is no such changelog' },
    })
    await box.json('product', 'update', 'acme/app', '--slug', 'suite', '--yes')
    expect((await only([], { HOME_PAGE: 'acme/app' })).remedy).toBe('Set HOME_PAGE=acme/suite.')
    await box.json('product', 'update', 'acme/suite', '--status', 'draft', '--yes')
    expect((await only([], { HOME_PAGE: 'acme/suite' })).message).toContain('which is not public')
    expect((await only([], { DESK_PUBLISHERS: 'Mira' })).message).toContain('needs DESK_USER_HEADER')
    expect((await only([], { DESK_USER_HEADER: 'X-Forwarded-User' })).message).toContain(
      'DESK_USER_HEADER is set, but DESK_URL, DESK_PROXIES, DESK_TEAMS, DESK_PORT are not.',
    )
  })

  test('looks beside the file that a link leads to', async () => {
    mkdirSync(at('far'), { mode: 0o700 })
    await box.json('migrate', '--db', 'far/real.db')
    symlinkSync('far/real.db', at('link.db'))
    writeFileSync(at('far/real.db.partial-1'), '', { mode: 0o600 })
    expect(await only(['--db', 'link.db'])).toMatchObject({ state: 'warn', check: 'leftovers' })
  })
})
