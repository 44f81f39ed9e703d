/**
 * Writes to the database FILE until it is killed: `bun writer-process.ts FILE PAUSE_MS`. Every transaction gives the team, the
 * changelog and all versions of written/app the next number as name or title, so that one state can be told from a mixture of
 * two. After each commit it prints the number.
 */
import { seeder } from '../../../test/support/seed.ts'
import { fillWritten } from './written.ts'

const [file, pause] = process.argv.slice(2) as [string, string]
const seed = seeder(file)
let count = Number(
  seed.db.query<{ name: string }, []>("SELECT name FROM team WHERE slug = 'written'").get()?.name,
)
if (Number.isNaN(count)) {
  seed.db.transaction(() => fillWritten(seed, 0))()
  count = 0
}
const changelog = seed.db
  .query<{ id: string }, []>(
    "SELECT c.id FROM changelog c JOIN product p ON p.id = c.product_id JOIN team t ON t.id = p.team_id WHERE t.slug = 'written'",
  )
  .get()?.id as string
for (;;) {
  const text = String(++count)
  seed.db.run('BEGIN IMMEDIATE')
  seed.db.run("UPDATE team SET name = ? WHERE slug = 'written'", [text])
  seed.db.run('UPDATE changelog SET name = ? WHERE id = ?', [text, changelog])
  seed.db.run('UPDATE version SET title = ? WHERE changelog_id = ?', [text, changelog])
  seed.db.run('COMMIT')
  process.stdout.write(`${count}\n`)
  await Bun.sleep(Number(pause))
}
