/** `bun run generate NAME`: writes the migrations that a changed src/store/tables/schema.ts or bookkeeping.ts needs. */
import { $, Glob } from 'bun'

const [name] = Bun.argv.slice(2)
if (!name) throw new Error('say what the migration does, in a word or two: bun run generate add-preamble')

// SQLite: Drizzle has no word for STRICT, so every table a migration creates is made so here; nor for the tables that lie in
// the order of their primary key.
const CLUSTERED = /^CREATE TABLE `(__new_)?((public_)?version|version_picture)` /
for (const folder of ['sqlite', 'bookkeeping'])
  await generate('sqlite', folder, (sql) =>
    sql.replace(
      /(CREATE TABLE [^;]*\n\));/g,
      (_, table: string) => `${table} STRICT${CLUSTERED.test(table) ? ', WITHOUT ROWID' : ''};`,
    ),
  )

// PostgreSQL: nor for the order of texts, which is that of their bytes whatever the database's own is. The schema is the one
// that the connection names.
await generate('postgresql', 'postgres', (sql) =>
  sql
    .replace(/(^\t|ADD COLUMN )("\w+" text)\b(?! COLLATE)/gm, `$1$2 COLLATE "C"`)
    .replaceAll(`"public".`, ''),
)

async function generate(dialect: string, folder: string, finish: (sql: string) => string): Promise<void> {
  const out = `drizzle/${folder}`
  await $`bunx drizzle-kit generate --dialect ${dialect} --schema drizzle/${folder}-tables.ts --out ${out} --name ${name}`
  for (const file of new Glob('*.sql').scanSync(out)) {
    const path = `${out}/${file}`
    await Bun.write(path, finish(await Bun.file(path).text()))
  }
}
