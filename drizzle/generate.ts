/** `bun run generate NAME`: writes the migration that a changed src/store/schema.ts needs. */
import { $, Glob } from 'bun'

const [name] = Bun.argv.slice(2)
if (!name) throw new Error('say what the migration does, in a word or two: bun run generate add-preamble')
await $`bunx drizzle-kit generate --config drizzle/config.ts --name ${name}`

// Drizzle has no word for STRICT, so every table a migration creates is made so here; nor for the tables that
// lie in the order of their primary key.
const CLUSTERED = /^CREATE TABLE `(__new_)?version` /

for (const file of new Glob('*.sql').scanSync(`${import.meta.dir}/sqlite`)) {
  const path = `${import.meta.dir}/sqlite/${file}`
  const sql = await Bun.file(path).text()
  await Bun.write(path, sql.replace(/(CREATE TABLE [^;]*\n\));/g, strict))
}

function strict(_: string, table: string): string {
  return `${table} STRICT${CLUSTERED.test(table) ? ', WITHOUT ROWID' : ''};`
}
