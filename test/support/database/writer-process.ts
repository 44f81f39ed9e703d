/**
 * Writes to the database FILE until it is killed: `bun writer-process.ts FILE PAUSE_MS`. Every transaction adds
 * a version with three changes and renames the team to the number of versions, so that one state of the data
 * can be told from a mixture of two. When its team is deleted, it prints how many it had written and ends.
 */
import { newId } from '../../../src/domain/id.ts'
import { seeder } from '../seed.ts'

const [file, pause] = process.argv.slice(2) as [string, string]
const seed = seeder(file)
const team = seed.team('written', { name: '0' })
const product = seed.product(team, 'app')
const change = { type: 'added', title: 'x'.repeat(500) }
for (let count = 1; ; count++)
  try {
    seed.db.transaction(() => {
      seed.version(product.changelogId, newId('ver'), { changes: [change, change, change] })
      seed.db.run('UPDATE team SET name = ? WHERE id = ?', [String(count), team])
    })()
    await Bun.sleep(Number(pause))
  } catch {
    process.stdout.write(`wrote ${count - 1}\n`)
    break
  }
