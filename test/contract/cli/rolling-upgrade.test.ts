import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type Sandbox, withProduct } from '../../support/sandbox.ts'
import { until } from '../../support/until.ts'

const CHANGELOG = '/public/teams/acme/products/app/changelog'

describe('a release that a node of an older program writes after the upgrade', () => {
  let box: Sandbox
  beforeEach(async () => {
    box = await withProduct('PostgreSQL')
    // As a program of schema 2 does.
    box.write(`INSERT INTO version (id, changelog_id, label, title, status, published_at, dated, created_at)
      SELECT 'ver_old', id, '2.0.0-rc.1', '2.0.0-rc.1', 'published', 1000, true, 1000 FROM changelog`)
    box.write(`INSERT INTO change (id, version_id, position, type, title)
      VALUES ('chg_old', 'ver_old', 1, 'breaking', 'Drop x')`)
    expect(await labels('prereleases=no')).toEqual(['2.0.0-rc.1'])
  })
  afterEach(() => box.close())

  const labels = async (query: string) =>
    (await box.seenByApi(`${CHANGELOG}?${query}`)).data?.versions?.map(({ version }) => version)

  const expectDerived = async () => {
    expect(await labels('prereleases=no')).toEqual([])
    expect(await labels('include=changes&kind=breaking')).toEqual(['2.0.0-rc.1'])
    expect(await labels('from=1.0.0')).toEqual(['2.0.0-rc.1'])
    expect((await box.words('doctor')).stdout).toContain('no wrong counts or values')
  }

  test('is named by doctor, whose remedy makes it right', async () => {
    const { findings } = JSON.parse((await box.words('doctor --json')).stdout)
    const found = findings.find(({ check }: { check: string }) => check === 'contents')
    expect(found).toMatchObject({
      state: 'wrong',
      message: 'version.kinds is missing or counts other changes (rows: 1, such as ver_old)',
    })
    await box.paste(found.remedy.replace(/.*: /, ''))
    await expectDerived()
  })

  test('is right after the next migrate', async () => {
    expect((await box.words('migrate')).stdout).toContain('is up to date')
    await expectDerived()
  })

  test('leaves all others as the newer program counted them', async () => {
    // As 0.3.0 does at the end of each transaction that writes.
    box.write(`UPDATE version SET kinds = '1:2/fixed=1' WHERE kinds IS NULL OR kinds NOT LIKE '%:2/%'`)
    expect((await box.words('migrate')).stdout).toContain('is up to date')
    await box.json('version', 'create', 'acme/app', '3.0.0-rc.1', '--status', 'published')
    box.write(`UPDATE version SET kinds = '1:2/fixed=1' WHERE kinds IS NULL OR kinds NOT LIKE '%:2/%'`)
    expect((await box.words('doctor')).stdout).toContain('no wrong counts or values')
    expect(await labels('prereleases=no')).toEqual([])
  })

  test('is right once a worker of the new program has looked', async () => {
    box.start(['worker'])
    await until(async () => (await labels('prereleases=no'))?.length === 0)
    await expectDerived()
  })
})
