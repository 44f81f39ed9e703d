import { expect, test } from 'bun:test'
import { SQL } from 'bun'
import { createWaiting } from '../../../../src/store/engines/wait.ts'
import { open } from '../../../../src/store/open.ts'
import { checkDatabase } from '../../../../src/store/postgres/doctor.ts'
import { postgres } from '../../../support/postgres/cluster.ts'

test('a role that only reads gets no secrets of hooks and nothing deleted from the migration, and doctor names one that was given both', async () => {
  const cluster = await postgres()
  const address = await cluster.create({ bare: true })
  const [reader, writer] = [`reader_${process.pid}`, `writer_${process.pid}`]
  await using sql = new SQL(address, { max: 1 })
  for (const role of [reader, writer]) await sql.unsafe(`create role ${role}`)
  await sql.unsafe(`alter default privileges grant select on tables to ${reader}`)
  await sql.unsafe(`alter default privileges grant select, insert, update, delete on tables to ${writer}`)
  ;(await open(address, 'create', createWaiting())).close()
  const may = async (role: string, table: string) =>
    (await sql.unsafe(`select has_table_privilege('${role}', '${table}', 'select') as may`))[0].may
  expect([await may(reader, 'hook'), await may(reader, 'worker_hook_secret')]).toEqual([true, false])
  expect(await may(writer, 'worker_hook_secret')).toBe(true)
  expect([await may(reader, 'kept'), await may(reader, 'kept_part')]).toEqual([false, false])

  const secrets = async () => (await checkDatabase(address)).filter(({ check }) => check === 'secrets')
  expect(await secrets()).toEqual([])
  await sql.unsafe(`grant select on all tables in schema public to ${reader}`)
  expect(await secrets()).toEqual([
    {
      check: 'secrets',
      state: 'wrong',
      message: `role ${reader} is read-only, but can read secrets of hooks or deleted content`,
      remedy: `As the owner, run: REVOKE ALL ON worker_hook_secret, kept_part, kept FROM ${reader}`,
    },
  ])
  for (const role of [reader, writer]) await sql.unsafe(`drop owned by ${role}; drop role ${role}`).simple()
})
