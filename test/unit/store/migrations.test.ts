import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { SCHEMA_VERSION as POSTGRES } from '../../../src/store/postgres/migrations.ts'
import { SCHEMA_VERSION as SQLITE } from '../../../src/store/sqlite/migrations.ts'

test.each([
  ['sqlite', SQLITE],
  ['postgres', POSTGRES],
])('every migration in drizzle/%s is in the list of the program', (engine, schema) => {
  const files = readdirSync(join(import.meta.dir, '../../../drizzle', engine))
  expect(files.filter((name) => name.endsWith('.sql'))).toHaveLength(schema)
})
