/**
 * `transaction ADDRESS WARMUPS REPEATS`: what the client and PostgreSQL need for the read of a changelog, with no server around
 * them: one transaction with the statements of the server, on one connection. Prints the milliseconds of each repeat, and
 * how many versions it read.
 */
import { SQL } from 'bun'
import { readsOf } from '../../src/store/queries/reads.ts'
import { readStatements } from '../../src/store/queries/statements.ts'

const [address = '', warmups, repeats] = process.argv.slice(2)
const sql = new SQL(address, { max: 1 })
const reads = readsOf(readStatements('postgres'))
/** The first part of a list, as the server reads it. */
const PAGE = { limit: 250, after: null, since: null, withChanges: false }

const times: number[] = []
let versions = 0
for (let round = 0; round < Number(warmups) + Number(repeats); round++) {
  const began = performance.now()
  await sql.begin('isolation level repeatable read read only', async (client) => {
    const read = reads.changelog('public', 'team-0', 'product-0', PAGE)
    const run = ({ statement, values }: { statement: { sql: string }; values: unknown[] }) =>
      client.unsafe<unknown[][]>(statement.sql, values).values()
    let step = read.next()
    if (step.done) throw new Error('a read runs a statement')
    const [, first] = await Promise.all([
      client.unsafe('select revision from changelogd').values(),
      run(step.value),
    ])
    step = read.next(first)
    while (!step.done) step = read.next(await run(step.value))
    versions = step.value?.versions.length ?? 0
  })
  if (round >= Number(warmups)) times.push(performance.now() - began)
}
console.log(JSON.stringify({ times, versions }))
process.exit()
