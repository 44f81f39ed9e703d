/** Drizzle has no word for STRICT, so every table a generated migration creates is made so here. */
import { Glob } from 'bun'

for (const name of new Glob('*.sql').scanSync(import.meta.dir)) {
  const file = Bun.file(`${import.meta.dir}/${name}`)
  const sql = await file.text()
  const strict = sql.replace(/(CREATE TABLE [^;]*\n\));/g, '$1 STRICT;')
  if (strict !== sql) await Bun.write(file, strict)
}
