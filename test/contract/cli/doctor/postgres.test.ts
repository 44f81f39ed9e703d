import { describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { checkDatabase } from '../../../../src/store/postgres/doctor.ts'
import { SCHEMA_VERSION } from '../../../../src/store/postgres/migrations.ts'
import { doctorForEach } from './examined.ts'

describe('the doctor of a PostgreSQL database', () => {
  const { box, examined, only } = doctorForEach('PostgreSQL')

  test('finds nothing wrong with a fresh one, a line for each thing, and changes nothing', async () => {
    const before = await box.state()
    const { status, stdout, stderr } = await box.words('doctor')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout.match(/^.+?(?= {2,}\S)/gm)).toEqual(stdout.match(/^ok/gm))
    const checks = ['database', 'clock', 'schema', 'privileges', 'contents', 'pictures', 'settings']
    expect((await examined()).checks).toEqual(checks)
    expect(await box.state()).toEqual(before)
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

  test('names a trigger that is off, a column and a table that are missing', async () => {
    for (const [statement, message] of [
      ['ALTER TABLE team DISABLE TRIGGER team_revision', 'no trigger team_revision'],
      ['ALTER TABLE version DROP COLUMN description CASCADE', 'no column version.description'],
      ['DROP TABLE api_key_product', 'no column api_key_product.key_id'],
    ] as const) {
      box.write(statement)
      const found = await only()
      expect(found).toMatchObject({ state: 'wrong', check: 'schema' })
      expect(found.message).toContain(message)
    }
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
    await sql.unsafe(`revoke select on worker_hook_secret, kept, kept_part from ${url.username}`)
    expect((await examined([], { DATABASE_URL: url.href })).status).toBe(0)
    const { stdout } = await box.run(['doctor'], { DATABASE_URL: url.href })
    expect(stdout).toContain('can only read: enough for serve')
  })

  test('names a schema that is missing, older or too new', async () => {
    for (const [statement, state, message] of [
      ['UPDATE changelogd SET schema = 1', 'warn', `1; this program needs ${SCHEMA_VERSION}`],
      ['UPDATE changelogd SET oldest_program = 99', 'wrong', 'of a newer changelogd'],
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
