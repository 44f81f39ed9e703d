/**
 * A process that writes into the database FILE until it is killed: `bun hammer.ts FILE`. Every transaction adds
 * a version with three changes and renames the team to the number of versions, so that any one state of the
 * data can be told from a mixture of two. When its team is taken away, it says how many it had written.
 */
import { newId } from '../../src/domain/id.ts'
import { seeder } from './seed.ts'

const seed = seeder(process.argv[2] as string)
const team = seed.team('hammered', { name: '0' })
const product = seed.product(team, 'app')
const change = { type: 'added', title: 'x'.repeat(500) }
process.stdout.write('writing\n')
for (let count = 1; ; count++)
  try {
    seed.db.transaction(() => {
      seed.version(product.changelogId, newId('ver'), { changes: [change, change, change] })
      seed.db.run('UPDATE team SET name = ? WHERE id = ?', [String(count), team])
    })()
  } catch {
    process.stdout.write(`wrote ${count - 1}\n`)
    break
  }
