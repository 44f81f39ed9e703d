import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { Sandbox } from '../../../support/sandbox.ts'
import { ENGINES } from '../../../support/servers/server.ts'

interface Released {
  id: string
  publishedAt: string
  url: string
}

const FILE = `# Changelog

## [Unreleased]

### Added

- Search

## [1.0.0] - 2026-01-02

### Added

- Everything
`

describe.each(ENGINES)('release on %s', (engine) => {
  const box = new Sandbox(engine)
  const PUBLIC = '/public/teams/acme/products/app/changelog'

  beforeAll(async () => {
    await box.renew()
    await box.json('team', 'create', 'acme', '--name', 'Acme', '--visibility', 'public')
    await box.json('product', 'create', 'acme/app', '--name', 'App')
    writeFileSync(box.at('CHANGELOG.md'), FILE)
    await box.json('import', 'acme/app', box.at('CHANGELOG.md'))
  })
  afterAll(() => box.close())

  test('turns the unreleased draft into a published version dated now, with its id and its changes', async () => {
    const draft = await box.json<{ changes: unknown[] }>('version', 'show', 'acme/app', 'Unreleased')
    const before = Date.now()
    const released = await box.json<Released>('release', 'acme/app', '1.1.0')
    expect(released).toMatchObject({
      ...{ version: '1.1.0', title: '1.1.0', status: 'published', public: false },
      url: 'http://127.0.0.1:3000/changelog/acme/app/1.1.0',
    })
    expect(Date.parse(released.publishedAt)).toBeWithin(before, Date.now() + 1)
    const {
      version: _,
      title: __,
      status: ___,
      publishedAt: ____,
      ...kept
    } = draft as Record<string, unknown>
    const shown = await box.json('version', 'show', 'acme/app', '1.1.0')
    expect(shown).toMatchObject({ ...kept, dateKnown: true })
  })

  test('the file it came from does not bring the draft back, and its date becomes the day of the file', async () => {
    const { id } = await box.json<Released>('version', 'show', 'acme/app', '1.1.0')
    const again = await box.json('import', 'acme/app', box.at('CHANGELOG.md'))
    expect(again).toMatchObject({ added: 0, updated: 0, unchanged: 2 })
    const today = new Date().toISOString().slice(0, 10)
    writeFileSync(box.at('CHANGELOG.md'), FILE.replace('[Unreleased]', `[1.1.0] - ${today}`))
    await box.json('import', 'acme/app', box.at('CHANGELOG.md'))
    expect(await box.json('version', 'show', 'acme/app', '1.1.0')).toMatchObject({
      ...{ id, status: 'published' },
      publishedAt: `${today}T00:00:00.000Z`,
    })
  })

  test('says what still hides the version, and --publish publishes product and changelog too', async () => {
    await box.json('version', 'create', 'acme/app', 'Unreleased', '--description', 'Faster.')
    const hidden = await box.words('release acme/app 1.2.0')
    expect(hidden).toEqual({
      status: 0,
      stdout: 'Released version 1.2.0 of acme/app: http://127.0.0.1:3000/changelog/acme/app/1.2.0\n',
      stderr:
        'Still hidden: the product is a draft; its changelog is a draft. To change that: changelogd publish acme/app\n',
    })
    expect((await box.seenByApi(PUBLIC)).status).toBe(404)
    await box.json('version', 'create', 'acme/app', 'Unreleased', '--description', 'Smaller.')
    const released = await box.words('release acme/app 1.3.0 --publish')
    expect(released).toMatchObject({ status: 0, stderr: '' })
    const seen = await box.seenByApi(PUBLIC)
    expect(seen.data?.versions?.[0]).toMatchObject({ version: '1.3.0', status: 'published' })
    await box.json('team', 'update', 'acme', '--visibility', 'private')
    await box.json('version', 'create', 'acme/app', 'Unreleased', '--description', 'Both.')
    const quiet = await box.words('release acme/app 1.4.0 --publish')
    expect(quiet.stderr).toContain('team acme is private')
    await box.json('team', 'update', 'acme', '--visibility', 'public')
  })

  test('the printed address is that of the page', async () => {
    await box.json('version', 'create', 'acme/app', 'Unreleased', '--description', 'Found.')
    const server = await box.serve()
    const { url } = await box.json<Released>('release', 'acme/app', '2 beta/1', '--public-url', server)
    expect(url).toBe(`${server}/changelog/acme/app/2%20beta%2F1`)
    await box.seenByApi(PUBLIC)
    const page = await fetch(url)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Found.')])
  })

  test('a date and a title are taken, and a draft keeps its own title', async () => {
    await box.json('version', 'create', 'acme/app', 'Unreleased', '--description', 'x', '--title', 'Big')
    const dated = ['--date', '2026-02-03T04:05:06Z']
    expect(await box.json('release', 'acme/app', '3.0.0', ...dated)).toMatchObject({
      ...{ title: 'Big', publishedAt: '2026-02-03T04:05:06.000Z' },
    })
    await box.json(
      'version',
      'create',
      'acme/app',
      'Unreleased',
      '--description',
      'x',
      '--date',
      '2020-01-01',
    )
    const named = await box.json<Released>('release', 'acme/app', '4.0.0', '--title', 'Bigger')
    expect(named).toMatchObject({ title: 'Bigger' })
    expect(named.publishedAt > '2026-02').toBe(true)
  })

  test('what cannot be released is refused with what would be right', async () => {
    const refused = async (label: string) => box.refusal('release', 'acme/app', label)
    expect(await refused('9.0.0')).toContain(
      'acme/app has no unreleased draft. To write one: changelogd edit acme/app',
    )
    await box.json('version', 'create', 'acme/app', 'Unreleased')
    expect(await refused('9.0.0')).toContain('The unreleased draft of acme/app is empty.')
    await box.json('version', 'update', 'acme/app', 'Unreleased', '--description', 'x')
    expect(await refused('1.0.0')).toContain('There is a version 1.0.0 of acme/app already')
    await box.json('version', 'create', 'acme/app', '9.1.0')
    expect(await refused('9.1.0')).toContain('To publish it: changelogd version publish acme/app 9.1.0')
    await box.json('version', 'schedule', 'acme/app', '9.1.0', '--at', '2099-12-01T09:00Z')
    expect(await refused('9.1.0')).toContain(
      'already, and it is scheduled. To see it: changelogd version show acme/app 9.1.0',
    )
    expect(await box.refusal('release', 'acme/app', '9.0.0', '--at', '2020-01-01')).toContain(
      '2020-01-01 00:00 UTC is in the past. Give a later time. To publish it now: changelogd release acme/app VERSION',
    )
    expect(await refused('Unreleased')).toContain('changelogd release acme/app 1.0.0')
    await box.json('product', 'update', 'acme/app', '--status', 'locked')
    expect(await refused('9.0.0')).toContain('The product acme/app is locked.')
    await box.json('product', 'update', 'acme/app', '--status', 'published')
    expect(await box.json('version', 'show', 'acme/app', 'Unreleased')).toMatchObject({ status: 'draft' })
  })
})
