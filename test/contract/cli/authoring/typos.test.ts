import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Sandbox } from '../../../support/sandbox.ts'
import { ENGINES } from '../../../support/servers/server.ts'

describe.each(ENGINES)('typing errors on %s', (engine) => {
  const box = new Sandbox(engine)
  const add = (type: string, title = 'x', product = 'acme/app') =>
    box.run(['change', 'add', product, '1.0.0', '--type', type, title])

  beforeAll(async () => {
    await box.renew()
    await box.json('team', 'create', 'acme', '--name', 'Acme', '--visibility', 'public')
    for (const product of ['acme/app', 'acme/web']) {
      await box.json('product', 'create', product, '--name', 'P', '--status', 'published')
      await box.json('version', 'create', product, '1.0.0')
    }
  })
  afterAll(() => box.close())

  test('a type that no other change has is kept, with a warning that names the nearest', async () => {
    const { status, stdout, stderr } = await add('addd', 'Search')
    expect([status, stdout]).toEqual([0, expect.stringContaining('addd "Search"')])
    expect(stderr).toBe(
      'No other change of acme/app has the type addd. Did you mean added? To change it: changelogd change update acme/app 1.0.0 1 --type added\n',
    )
    const mended = await box.words('change update acme/app 1.0.0 1 --type added')
    expect(mended).toMatchObject({ status: 0, stderr: '' })
    const again = await box.words('change update acme/app 1.0.0 1 --type fixxed')
    expect(again.stderr).toContain('Did you mean fixed?')
    await box.json('change', 'delete', 'acme/app', '1.0.0', '1', '--yes')
  })

  test('the usual types and those that the product has need no warning', async () => {
    for (const type of ['added', 'changed', 'deprecated', 'removed', 'fixed', 'security'])
      expect(await add(type)).toMatchObject({ status: 0, stderr: '' })
    expect((await add('performance')).stderr).toBe('No other change of acme/app has the type performance.\n')
    expect(await add('performance')).toMatchObject({ status: 0, stderr: '' })
    expect((await add('perfomance')).stderr).toContain('Did you mean performance?')
    expect((await add('performance', 'x', 'acme/web')).stderr).toContain('No other change of acme/web')
  })

  test('a type is written in lowercase, however it is typed', async () => {
    const change = ['change', 'add', 'acme/app', '1.0.0', 'y', '--type', 'Fixed']
    expect(await box.json(...change)).toMatchObject({ type: 'fixed', typeLabel: 'Fixed' })
    const first = ['change', 'update', 'acme/app', '1.0.0', '1', '--type', 'SECURITY']
    expect(await box.json(...first)).toMatchObject({ type: 'security', typeLabel: 'Security' })
  })

  test('publishing what is published, and hiding what is hidden, says so and writes nothing', async () => {
    expect((await box.words('version publish acme/app 1.0.0')).stdout).toBe(
      'Published version 1.0.0 of acme/app.\n',
    )
    const published = await box.state()
    const again = await box.words('version publish acme/app 1.0.0')
    expect(again).toEqual({
      status: 0,
      stdout: 'Version 1.0.0 of acme/app is already published.\n',
      stderr: '',
    })
    expect(await box.state()).toEqual(published)
    const hidden = await box.words('version draft acme/app 1.0.0')
    expect(hidden.stdout).toBe('Version 1.0.0 of acme/app is a draft again and no longer public.\n')
    const draft = await box.state()
    expect((await box.words('version draft acme/app 1.0.0')).stdout).toBe(
      'Version 1.0.0 of acme/app is already a draft, and hidden.\n',
    )
    expect(await box.state()).toEqual(draft)
  })

  test('an update that hides a version says so', async () => {
    const update = (status: string) => box.words(`version update acme/app 1.0.0 --status ${status}`)
    expect((await update('published')).stderr).toBe('')
    expect((await update('draft')).stderr).toBe(
      'Version 1.0.0 of acme/app is a draft again and no longer public.\n',
    )
    expect((await update('draft')).stderr).toBe('')
    await box.json('version', 'schedule', 'acme/app', '1.0.0', '--at', '2099-12-01T09:00Z')
    expect((await update('draft')).stderr).toBe(
      'Version 1.0.0 of acme/app is no longer scheduled: it stays a draft.\n',
    )
  })
})
