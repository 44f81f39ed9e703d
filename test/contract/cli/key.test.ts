import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { wholeSecond } from '../../../src/domain/time/time.ts'
import { Sandbox } from '../../support/sandbox.ts'

interface KeyJson {
  id: string
  token: string
  status: string
  products: string[]
  expiresAt: string | null
  tokens: { start: string; createdAt: string; expiresAt: string | null }[]
}

const HOUR_MS = 3_600_000

describe('keys', () => {
  const box = new Sandbox()
  const app = (token: string) => box.seenByApi('/teams/acme/products/app/changelog', token)
  const web = (token: string) => box.seenByApi('/teams/acme/products/web/changelog', token)
  const create = (...options: string[]) => box.json<KeyJson>('key', 'create', 'acme', ...options)
  /** Writes to the database past the command line, which sets no end in the past. */
  const write = (sql: string, id: string) => box.write(sql, [id])

  beforeAll(async () => {
    await box.renew()
    await box.json('team', 'create', 'acme', '--name', 'Acme', '--plan', 'paid')
    await box.json('product', 'create', 'acme/app', '--name', 'App')
    await box.json('product', 'create', 'acme/web', '--name', 'Web')
    await box.json('team', 'create', 'other', '--name', 'Other')
    await box.json('product', 'create', 'other/thing', '--name', 'Thing')
  })
  afterAll(() => box.close())

  test('a SELECT key reads the products attached to it, and only those', async () => {
    const key = await create('--kind', 'SELECT', '--product', 'app', '--label', 'docs')
    expect(key).toMatchObject({ kind: 'SELECT', products: ['app'], label: 'docs' })
    expect([(await app(key.token)).status, (await web(key.token)).status]).toEqual([200, 403])
    expect((await box.json<KeyJson>('key', 'attach', key.id, 'web')).products).toEqual(['app', 'web'])
    expect((await web(key.token)).status).toBe(200)
    expect((await box.json<KeyJson>('key', 'detach', key.id, 'app')).products).toEqual(['web'])
    expect([(await app(key.token)).status, (await web(key.token)).status]).toEqual([403, 200])
  })

  test('a key is refused by the first request after it was disabled, and accepted after it was enabled', async () => {
    const { id, token } = await create()
    expect((await app(token)).status).toBe(200)
    await box.json('key', 'disable', id)
    expect((await app(token)).status).toBe(401)
    expect(await box.json('key', 'enable', id)).toMatchObject({ status: 'active' })
    expect((await app(token)).status).toBe(200)
    await box.json('key', 'delete', id, '--yes')
    expect((await app(token)).status).toBe(401)
  })

  test('a rotated key works with its new token, and no longer with the old one', async () => {
    const { id, token } = await create()
    const rotated = await box.json<KeyJson>('key', 'rotate', id)
    expect(rotated.id).toBe(id)
    expect(rotated.tokens).toHaveLength(1)
    expect([(await app(token)).status, (await app(rotated.token)).status]).toEqual([401, 200])
  })

  test('with an overlap the old token works until it ends, and not after', async () => {
    const { id, token } = await create()
    const rotated = await box.json<KeyJson>('key', 'rotate', id, '--overlap', '2h')
    expect([(await app(token)).status, (await app(rotated.token)).status]).toEqual([200, 200])
    expect(rotated.tokens).toHaveLength(2)
    const current = rotated.tokens.find(({ expiresAt }) => expiresAt === null)
    const old = rotated.tokens.find(({ expiresAt }) => expiresAt !== null)
    expect(Date.parse(old?.expiresAt ?? '') - Date.parse(current?.createdAt ?? '')).toBe(2 * HOUR_MS)
    write('UPDATE api_key_token SET expires_at = 1 WHERE expires_at IS NOT NULL AND key_id = ?', id)
    expect([(await app(token)).status, (await app(rotated.token)).status]).toEqual([401, 200])
  })

  test('a key expires when it was told to', async () => {
    const before = Date.now()
    const { id, token, expiresAt } = await create('--expires', '1h')
    expect(Date.parse(expiresAt ?? '')).toBeWithin(
      wholeSecond(before + HOUR_MS),
      wholeSecond(Date.now() + HOUR_MS) + 1,
    )
    expect((await app(token)).status).toBe(200)
    write('UPDATE api_key SET expires_at = 1 WHERE id = ?', id)
    expect((await app(token)).status).toBe(401)
  })

  test('a key that has expired is shown as expired in lists, pages and JSON, and enabling it says so', async () => {
    const { id } = await create('--expires', '1h')
    expect(await box.json('key', 'show', id)).toMatchObject({ status: 'active' })
    write('UPDATE api_key SET expires_at = 1 WHERE id = ?', id)
    expect((await box.words(`key show ${id}`)).stdout).toMatch(/^status +expired$/m)
    expect((await box.words('key list acme')).stdout).toMatch(new RegExp(`^${id} +FULL +expired `, 'm'))
    expect(await box.json('key', 'show', id)).toMatchObject({ status: 'expired' })
    expect(await box.json('key', 'list', 'acme')).toContainEqual(
      expect.objectContaining({ id, status: 'expired' }),
    )
    expect((await box.words(`key enable ${id}`)).stdout).toEndWith(' It has expired.\n')
  })

  test('keys that were made before the team had the free plan still open', async () => {
    const { token } = await create()
    await box.json('team', 'update', 'acme', '--plan', 'free')
    expect((await app(token)).status).toBe(200)
    await box.json('team', 'update', 'acme', '--plan', 'paid')
  })

  test('a token is shown once, and is in no list, no page and no file of the database', async () => {
    const { id, token } = await create('--label', 'secret')
    const rotated = await box.json<KeyJson>('key', 'rotate', id, '--overlap', '1h')
    const printed = await box.run(['key', 'create', 'acme'])
    expect(printed.stdout).toMatch(/^clk_[0-9A-Za-z]{38}\n$/)
    const outputs = [
      (await box.words('key list acme')).stdout,
      (await box.words('key list acme --json')).stdout,
      (await box.words(`key show ${id}`)).stdout,
      (await box.words(`key show ${id} --json`)).stdout,
      ...readdirSync(box.directory)
        .filter((name) => name.startsWith('changelogd.db'))
        .map((name) => readFileSync(join(box.directory, name), 'latin1')),
    ]
    for (const secret of [token, rotated.token, printed.stdout.trim()])
      for (const output of outputs) expect(output.includes(secret.slice(12))).toBe(false)
    expect(outputs[0]).toContain(`${rotated.token.slice(0, 8)}…`)
  })
})
