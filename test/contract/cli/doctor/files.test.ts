import { describe, expect, test } from 'bun:test'
import { chmodSync, chownSync, readdirSync, writeFileSync } from 'node:fs'
import { logResult, spaceResult } from '../../../../src/store/sqlite/doctor/files.ts'
import { doctorForEach } from './examined.ts'

const { box, at, examined, only } = doctorForEach()
const isRoot = process.getuid?.() === 0

describe('of the files it says', () => {
  test('that others may use one, with the command that ends it', async () => {
    for (const mode of [0o640, 0o604]) {
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

  test('that others may read a secret in one', async () => {
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

  test('that a backup or restore was cut off', async () => {
    writeFileSync(at('changelogd.db.partial-0a1b2c3d'), '', { mode: 0o600 })
    const found = await only()
    expect(found).toMatchObject({ state: 'warn', check: 'leftovers' })
    expect(found.remedy).toContain(`rm ${at('changelogd.db.partial-0a1b2c3d')}`)
  })

  test('how much room is left, and when that is too little', () => {
    const [MB, GB] = [1e6, 1e9]
    expect(spaceResult(16 * MB, 100 * GB, 0)).toMatchObject({ state: 'wrong' })
    expect(spaceResult(17 * MB, 100 * MB, 18 * MB)).toMatchObject({ state: 'warn' })
    expect(spaceResult(9 * GB, 100 * GB, 0)).toMatchObject({ state: 'warn' })
    expect(spaceResult(11 * GB, 100 * GB, 10 * GB).state).toBe('ok')
  })

  test('when the log has grown large', () => {
    expect(logResult(64 * 1_048_576).state).toBe('ok')
    expect(logResult(64 * 1_048_576 + 1)).toMatchObject({ state: 'warn' })
  })
})
