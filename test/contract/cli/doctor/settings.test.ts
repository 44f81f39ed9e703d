import { describe, expect, test } from 'bun:test'
import { chmodSync, writeFileSync } from 'node:fs'
import { doctorForEach } from './examined.ts'

const { at, examined, only } = doctorForEach()

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
      { RATE_LIMIT_URL: 'redis://:secret@h' },
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
    expect(found.remedy).toContain(`chmod 640 ${at('password')}`)
  })
})
