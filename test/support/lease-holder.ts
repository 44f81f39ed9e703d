/** Takes a lease of a database, says so, and keeps it until it is killed: `bun lease-holder.ts DATABASE NAME`. */
import { openBookkeeping } from '../../src/store/bookkeeping/open.ts'

const [database = '', name = ''] = Bun.argv.slice(2)
const { leases } = await openBookkeeping(database)
process.stdout.write(`${await leases.take(name)}\n`)
await new Promise(() => setInterval(() => {}, 1_000))
