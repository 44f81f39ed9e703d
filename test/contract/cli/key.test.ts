import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Sandbox } from '../../support/sandbox.ts'
import { ENGINES } from '../../support/servers/server.ts'

interface KeyJson {
  id: string
  token: string
  status: string
  products: string[]
  expiresAt: string | null
  tokens: { start: string; createdAt: string; expiresAt: string | null }[]
}

const HOUR_MS = 3_600_000

describe.each(ENGINES)('keys on %s', (engine) => {
  const box = new Sandbox(engine)
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

  test('a FULL key reads every product of its team, drafts and private ones too', async () => {
    const key = await create()
    expect(key).toMatchObject({ kind: 'FULL', status: 'active', products: [], expiresAt: null })
    expect((await app(key.token)).status).toBe(200)
    expect((await web(key.token)).status).toBe(200)
    expect((await box.seenByApi('/teams/other/products/thing/changelog', key.token)).status).toBe(403)
  })

  test('a SELECT key reads the products attached to it, and only those', async () => {
    const key = await create('--kind', 'SELECT', '--product', 'app', '--label', 'docs')
    expect(key).toMatchObject({ kind: 'SELECT', products: ['app'], label: 'docs' })
    expect([(await app(key.token)).status, (await web(key.token)).status]).toEqual([200, 403])
    expect((await box.json<KeyJson>('key', 'attach', key.id, 'web')).products).toEqual(['app', 'web'])
    expect((await web(key.token)).status).toBe(200)
    expect((await box.json<KeyJson>('key', 'detach', key.id, 'app')).products).toEqual(['web'])
    expect([(await app(key.token)).status, (await web(key.token)).status]).toEqual([403, 200])
  })

  test('naming a product makes it a SELECT key', async () => {
    expect(await create('--product', 'app', '--product', 'web')).toMatchObject({
      kind: 'SELECT',
      products: ['app', 'web'],
    })
  })

  test('a key is refused by the first request after it was disabled, and accepted after it was enabled', async () => {
    const { id, token } = await create()
    expect((await app(token)).status).toBe(200)
    expect((await box.words(`key disable ${id}`)).status).toBe(0)
    expect((await app(token)).status).toBe(401)
    expect(await box.json('key', 'enable', id)).toMatchObject({ status: 'active' })
    expect((await app(token)).status).toBe(200)
    expect((await box.words(`key delete ${id}`)).status).toBe(1)
    expect((await box.words(`key delete ${id} --yes`)).status).toBe(0)
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
    expect(Date.parse(expiresAt ?? '')).toBeWithin(before + HOUR_MS, Date.now() + HOUR_MS + 1)
    expect((await app(token)).status).toBe(200)
    write('UPDATE api_key SET expires_at = 1 WHERE id = ?', id)
    expect((await app(token)).status).toBe(401)
  })

  test('on the free plan no key is made, the refusal says how to change that, and keys made before stay', async () => {
    const { token } = await create()
    await box.json('team', 'update', 'acme', '--plan', 'free')
    const refused = await box.words('key create acme')
    expect(refused).toMatchObject({ status: 1, stdout: '' })
    expect(refused.stderr).toContain('changelogd team update acme --plan paid')
    expect((await app(token)).status).toBe(200)
    await box.json('team', 'update', 'acme', '--plan', 'paid')
  })

  test('each thing a key cannot be is refused, saying why', async () => {
    const select = await create('--product', 'app')
    const full = await create()
    for (const [line, why] of [
      ['key create acme --kind SELECT', 'at least one product'],
      ['key create acme --kind FULL --product app', 'does not take --product'],
      ['key create acme --product thing', 'no product acme/thing'],
      ['key create acme --expires 2020-01-01', 'expire in the past'],
      ['key create nobody', 'no team nobody'],
      [`key detach ${select.id} app`, 'without a product'],
      [`key attach ${select.id} thing`, 'no product acme/thing'],
      [`key attach ${full.id} app`, 'FULL key'],
      [`key detach ${full.id} app`, 'FULL key'],
      ['key show key_00000000000000000000000000', 'no key'],
    ] as const) {
      const result = await box.words(line)
      expect([line, result.status, result.stdout]).toEqual([line, 1, ''])
      expect(result.stderr).toContain(why)
    }
    expect(await box.json('key', 'show', select.id)).toMatchObject({ products: ['app'] })
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
