import { describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { checkDatabase } from '../../../../src/store/postgres/doctor.ts'
import { SCHEMA_VERSION } from '../../../../src/store/postgres/migrations.ts'
import { doctorForEach } from './examined.ts'

describe('the doctor of a PostgreSQL database', () => {
  const { box, examined, only } = doctorForEach('PostgreSQL')

  test('finds nothing wrong with a fresh one, a line for each thing', async () => {
    const { status, stdout, stderr } = await box.words('doctor')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const parts = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/).slice(0, 2))
    expect(parts).toEqual([
      ['ok', 'database'],
      ['ok', 'clock'],
      ['ok', 'schema'],
      ['ok', 'privileges'],
      ['ok', 'public list'],
      ['ok', 'trash'],
      ['ok', 'settings'],
    ])
  })

  test('warns of a clock that is more than a second off, as scheduled versions go public by it', async () => {
    for (const [off, state] of [
      [-1_500, 'warn'],
      [0, 'ok'],
      [1_500, 'warn'],
    ] as const) {
      const findings = await checkDatabase(box.database, () => Date.now() + off)
      expect(findings.find(({ check }) => check === 'clock')).toMatchObject({ state })
    }
  })

  test('changes nothing', async () => {
    const before = await box.state()
    await examined()
    expect(await box.state()).toEqual(before)
  })

  test.each([
    ['a trigger', 'DROP TRIGGER change_added ON change', 'no trigger change_added'],
    ['a trigger that is off', 'ALTER TABLE team DISABLE TRIGGER team_revision', 'no trigger team_revision'],
    ['a column', 'ALTER TABLE version DROP COLUMN description CASCADE', 'no column version.description'],
    ['a table', 'DROP TABLE api_key_product', 'no column api_key_product.key_id'],
  ])('misses %s', async (_, statement, message) => {
    box.write(statement)
    expect(await only()).toMatchObject({
      state: 'wrong',
      check: 'schema',
      message: expect.stringContaining(message),
    })
  })

  test('misses what is there but does not work, and its remedy creates it again', async () => {
    for (const statement of [
      'DROP INDEX version_range',
      'ALTER TABLE version DISABLE TRIGGER ALL',
      'ALTER TABLE changelog DROP CONSTRAINT changelog_product_id_product_id_fk',
      'DROP FUNCTION changelogd_relabel CASCADE; CREATE INDEX mine ON version (title)',
    ])
      box.write(statement)
    expect(await only()).toMatchObject({ check: 'schema', message: expect.stringContaining('no function') })
    expect((await box.run(['migrate', '--repair'])).status).toBe(1)
    box.write(
      'CREATE FUNCTION changelogd_relabel() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RETURN NEW; END$$',
    )
    const { remedy } = await only()
    const { status, stderr } = await box.paste(remedy?.replace(/.*: /, '') ?? '')
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: expect.stringContaining('no index version_range'),
    })
    expect((await examined()).faults).toEqual([])
  })

  test('says what a role may, and that only reading is enough to serve', async () => {
    await using sql = new SQL(box.database, { max: 1 })
    const url = new URL(box.database)
    url.username = `doctor_${url.pathname.slice(1)}`
    await sql.unsafe(`create role ${url.username} login`)
    expect(await only([], { DATABASE_URL: url.href })).toMatchObject({
      state: 'wrong',
      message: expect.stringContaining('permission denied'),
    })
    await sql.unsafe(`grant select on all tables in schema public to ${url.username}`)
    expect((await examined([], { DATABASE_URL: url.href })).status).toBe(1)
    await sql.unsafe(`revoke select on worker_hook_secret from ${url.username}`)
    expect((await examined([], { DATABASE_URL: url.href })).status).toBe(0)
    const { stdout } = await box.run(['doctor'], { DATABASE_URL: url.href })
    expect(stdout).toContain('may only read: enough for serve')
  })

  test('names a schema that is missing, older or too new', async () => {
    for (const [statement, state, message] of [
      ['UPDATE changelogd SET schema = 1', 'warn', `1, older than this program's ${SCHEMA_VERSION}`],
      ['UPDATE changelogd SET oldest_program = 99', 'wrong', 'made by a newer changelogd'],
      ['DROP TABLE changelogd', 'warn', 'none yet'],
    ] as const) {
      box.write(statement)
      expect(await only()).toMatchObject({
        state,
        check: 'schema',
        message: expect.stringContaining(message),
      })
    }
  })
})
