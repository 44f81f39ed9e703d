import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Sandbox } from '../../../support/sandbox.ts'
import { ENGINES } from '../../../support/servers/server.ts'

describe.each(ENGINES)('handles on %s', (engine) => {
  const box = new Sandbox(engine)
  const titles = async (version = '1.0.0') =>
    (await box.json<{ title: string }[]>('change', 'list', 'acme/app', version)).map(({ title }) => title)

  beforeAll(async () => {
    await box.renew()
    await box.json('team', 'create', 'acme', '--name', 'Acme', '--plan', 'paid')
    await box.json('product', 'create', 'acme/app', '--name', 'App')
    for (const version of ['1.0.0', '2.0.0']) {
      await box.json('version', 'create', 'acme/app', version)
      for (const title of ['a', 'b', 'c'])
        await box.json('change', 'add', 'acme/app', version, '--type', 'added', title)
    }
  })
  afterAll(() => box.close())

  test('the lists show the numbers of changes, and a change is named by its number', async () => {
    expect((await box.words('change list acme/app 1.0.0')).stdout).toMatch(/^2 +added +b +chg_/m)
    expect((await box.words('version show acme/app 1.0.0')).stdout).toMatch(/^2 +added +b$/m)
    const updated = await box.words('change update acme/app 1.0.0 2 --title B')
    expect(updated.stdout).toMatch(/^Updated change 2 of acme\/app 1\.0\.0: added "B" \(chg_\w+\)\.\n$/)
    expect(await titles()).toEqual(['a', 'B', 'c'])
    await box.json('change', 'move', 'acme/app', '1.0.0', '3', '--position', '1')
    expect(await titles()).toEqual(['c', 'a', 'B'])
    expect((await box.words('change delete acme/app 1.0.0 2')).stderr).toContain('added "a"')
    await box.json('change', 'delete', 'acme/app', '1.0.0', '2', '--yes')
    expect(await titles()).toEqual(['c', 'B'])
    expect(await titles('2.0.0')).toEqual(['a', 'b', 'c'])
  })

  test('a change is named by its id as before', async () => {
    const [change] = await box.json<{ id: string }[]>('change', 'list', 'acme/app', '2.0.0')
    await box.json('change', 'update', change?.id as string, '--title', 'A')
    expect(await titles('2.0.0')).toEqual(['A', 'b', 'c'])
  })

  test('a number that no change has is refused, with the command that lists them', async () => {
    const refused = await box.refusal('change', 'update', 'acme/app', '2.0.0', '4', '--title', 'x')
    expect(refused).toContain('There is no change 4 of acme/app 2.0.0.')
    expect(refused).toContain('changelogd change list acme/app 2.0.0')
  })

  test('half of a name is wrong usage', async () => {
    for (const [line, why] of [
      ['acme/app', "Missing required argument 'version'"],
      ['acme/app 2.0.0', "Missing required argument 'number'"],
      ['acme/app 2.0.0 0', "'0' is not a valid number"],
      ['acme/app 2.0.0 three', "'three' is not a valid number"],
      ['app 2.0.0 1', "'app' is not a valid product"],
    ] as const) {
      const result = await box.words(`change update ${line} --title x`)
      expect([line, result.status, result.stderr]).toEqual([line, 2, expect.stringContaining(why)])
    }
    expect(await titles('2.0.0')).not.toContain('x')
  })

  test('a key is named by its team and label, or by its id', async () => {
    const { id } = await box.json<{ id: string }>('key', 'create', 'acme', '--label', 'ci/main branch')
    const name = 'acme/ci/main branch'
    expect(await box.json('key', 'show', name)).toMatchObject({ id })
    expect(await box.json('key', 'show', id)).toMatchObject({ id })
    expect(await box.json('key', 'disable', name)).toMatchObject({ id, status: 'disabled' })
    expect(await box.json('key', 'enable', name)).toMatchObject({ id, status: 'active' })
    expect(await box.json('key', 'rotate', name)).toMatchObject({ id, token: expect.any(String) })
    const select = await box.json<{ id: string }>(
      'key',
      'create',
      'acme',
      '--product',
      'app',
      '--label',
      'docs',
    )
    expect(await box.json('key', 'attach', 'acme/docs', 'app')).toMatchObject({ id: select.id })
    expect(await box.json('key', 'delete', name, '--yes')).toMatchObject({ id, deleted: true })
  })

  test('a label of several keys is refused with their ids, and changes none of them', async () => {
    const ids = []
    for (const _ of [1, 2])
      ids.push((await box.json<{ id: string }>('key', 'create', 'acme', '--label', 'twice')).id)
    const refused = await box.refusal('key', 'disable', 'acme/twice')
    expect(refused).toContain('Team acme has 2 keys with the label twice.')
    for (const id of ids) {
      expect(refused).toContain(id)
      expect(await box.json('key', 'show', id)).toMatchObject({ status: 'active' })
    }
  })

  test('a label that no key has is refused, with the nearest one', async () => {
    await box.json('key', 'create', 'acme', '--label', 'website')
    await box.json('key', 'create', 'acme')
    expect(await box.refusal('key', 'show', 'acme/websit')).toContain('Did you mean acme/website?')
    for (const name of ['acme/', 'acme/zzzzzz'])
      expect(await box.refusal('key', 'show', name)).toContain('changelogd key list acme')
    expect(await box.refusal('key', 'show', 'acmee/website')).toContain('Did you mean acme?')
  })
})
