/**
 * `transaction PORT ADDRESS HOW`: what the client, PostgreSQL and HTTP need for the read of a changelog, and nothing else: a bare
 * fetch handler, one transaction with the statements of the server, `JSON.stringify`. `HOW` is `plain`, as the documentation of the
 * client shows it, or `pipelined`, in as few round trips as the server.
 */
import { SQL, type TransactionSQL } from 'bun'
import { readStatements } from '../../../src/store/queries/dialects.ts' with { type: 'macro' }
import type { Read, Step } from '../../../src/store/queries/read.ts'
import { READS } from '../../../src/store/queries/reads.ts'
import type { ChangelogRead } from '../../../src/store/store.ts'

const [port, address = '', how] = process.argv.slice(2)
const sql = new SQL(address, { max: 4 })
const statements = readStatements('postgres')
/** The first part of a list, as the server reads it. */
const PAGE = { limit: 250, after: null, since: null, withChanges: false }

type Found = ChangelogRead | null

Bun.serve({
  hostname: '127.0.0.1',
  port: Number(port),
  fetch: async () => {
    const context = { statements, now: Date.now() }
    const read = READS.readChangelog(context, 'public', 'team-0', 'product-0', PAGE)
    const found = await (how === 'plain' ? plain(read) : pipelined(read))
    return new Response(JSON.stringify(bodyOf(found)), { headers: { 'content-type': 'application/json' } })
  },
})

function plain(read: Read<Found>): Promise<Found> {
  return sql.begin('isolation level repeatable read read only', async (client) => {
    await client.unsafe('select revision from changelogd').values()
    return rest(client, read, read.next())
  })
}

async function pipelined(read: Read<Found>): Promise<Found> {
  using client = await sql.reserve()
  const step = read.next()
  if (step.done) return step.value
  const [, , first] = await Promise.all([
    client`begin isolation level repeatable read read only`.execute(),
    client`select revision from changelogd`.values().execute(),
    run(client, step.value),
  ])
  const found = await rest(client, read, read.next(first))
  client`commit`.catch(() => {})
  return found
}

async function rest(
  client: Pick<TransactionSQL, 'unsafe'>,
  read: Read<Found>,
  step: IteratorResult<Step, Found>,
): Promise<Found> {
  let next = step
  while (!next.done) next = read.next(await run(client, next.value))
  return next.value
}

const run = (client: Pick<TransactionSQL, 'unsafe'>, { statement, values }: Step) =>
  client.unsafe<unknown[][]>(statement.sql, values).values()

function bodyOf(found: Found) {
  if (!found) throw new Error('There is no such changelog.')
  const { team, product, changelog } = found
  const versions = found.versions.map(({ id, label, title, status, publishedAt, changeCount }) => ({
    id,
    object: 'changelog.version',
    version: label,
    title,
    status,
    publishedAt: new Date(Number(publishedAt)).toISOString(),
    changeCount: Number(changeCount),
  }))
  return { data: { object: 'changelog', team, product, changelog, versions } }
}
