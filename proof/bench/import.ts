/**
 * How long an export and an import take: `bun run build && bun bench/import.ts [VERSIONS] [ROUNDS]`.
 *
 * Each round fills a database through two prepared statements in one transaction: the reference. Then the binary
 * exports that database, imports the file into an empty one, imports it there again, and exports that. Both databases
 * have the same schema, triggers included, and the same pragmas. The reference has its rows in memory; an import is a
 * whole command, from its start to its end. It is an error if the second export differs from the first.
 */
import { Database } from 'bun:sqlite'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newId } from '../../src/domain/id.ts'
import { openNow } from '../../src/store/sqlite/commands.ts'
import { root, scratch, tidily } from './processes.ts'

const VERSIONS = Number(process.argv[2] ?? 100_000)
const ROUNDS = Number(process.argv[3] ?? 2)
const CHANGES = 7
const FIRST_RELEASE = Date.UTC(2020, 0, 1)

/** In seconds. */
interface Cost {
  time: number
  processor: number
}

type Row = (string | number | null)[]

await tidily(async () => {
  const versions = newRows()
  for (let round = 1; round <= ROUNDS; round++) {
    const at = (name: string) => join(scratch, `${round}-${name}`)
    const inserts = insertRows(at('plain.db'), versions)
    const exported = await changelogd(
      'export',
      '--all',
      '--output',
      at('plain.jsonl'),
      '--db',
      at('plain.db'),
    )
    const imported = await changelogd('import', '--all', at('plain.jsonl'), '--db', at('copy.db'))
    const again = await changelogd('import', '--all', at('plain.jsonl'), '--db', at('copy.db'))
    await changelogd('export', '--all', '--output', at('copy.jsonl'), '--db', at('copy.db'))
    if (Bun.spawnSync(['cmp', at('plain.jsonl'), at('copy.jsonl')]).exitCode !== 0)
      throw new Error('The copy exports other bytes than the original.')
    const megabytes = Math.round(Bun.file(at('plain.jsonl')).size / 1e6)
    console.log(`${VERSIONS} versions with ${CHANGES} changes each, ${megabytes} MB, round ${round}`)
    console.log(`  prepared inserts  ${described(inserts)}`)
    console.log(`  import            ${described(imported)}, ${compared(inserts, imported)}`)
    console.log(`  import again      ${described(again)}`)
    console.log(`  export            ${described(exported)}`)
  }
})

/** A version's row and those of its changes, in the order in which a first import writes them. */
function newRows(): { version: Row; changes: Row[] }[] {
  return Array.from({ length: VERSIONS }, (_, number) => {
    const id = newId('ver')
    const description = number % 3 === 0 ? 'Some words about this release, and why one would want it.' : null
    const publishedAt = FIRST_RELEASE + number * 765_432
    return {
      version: [
        id,
        `1.${number}.0`,
        `Release ${number}`,
        'published',
        publishedAt,
        1,
        FIRST_RELEASE,
        description,
      ],
      changes: Array.from({ length: CHANGES }, (_, place) => {
        const title = `Something works that did not work before, number ${place} of ${number}`
        const more = place % 4 === 3 ? 'A longer text about the change.\n\nWith a paragraph.' : null
        return [newId('chg'), id, place + 1, ['added', 'fixed', 'changed'][place % 3] as string, title, more]
      }),
    }
  }).reverse()
}

function insertRows(path: string, rows: ReturnType<typeof newRows>): Cost {
  openNow(path, 'create').close()
  const db = new Database(path, { readwrite: true, strict: true })
  for (const pragma of ['synchronous = FULL', 'foreign_keys = ON', 'temp_store = MEMORY'])
    db.run(`PRAGMA ${pragma}`)
  const [team, product, changelog] = [newId('team'), newId('prod'), newId('clog')]
  db.run(`INSERT INTO team VALUES ('${team}', 'acme', 'Acme', 'public', 'paid', ${FIRST_RELEASE})`)
  db.run(`INSERT INTO product VALUES ('${product}', '${team}', 'app', 'App', 'published', ${FIRST_RELEASE})`)
  db.run(`INSERT INTO changelog VALUES ('${changelog}', '${product}', 'Changelog', 'published', NULL)`)
  const version = db.prepare(
    `INSERT INTO version (id, label, title, status, published_at, dated, created_at, description, changelog_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, '${changelog}')`,
  )
  const change = db.prepare(
    'INSERT INTO change (id, version_id, position, type, title, description) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const start = performance.now()
  const before = process.cpuUsage()
  db.run('BEGIN IMMEDIATE')
  for (const row of rows) {
    version.run(...row.version)
    for (const each of row.changes) change.run(...each)
  }
  db.run('COMMIT')
  const { user, system } = process.cpuUsage(before)
  const cost = { time: (performance.now() - start) / 1e3, processor: (user + system) / 1e6 }
  db.close()
  return cost
}

async function changelogd(...args: string[]): Promise<Cost & { memory: number }> {
  const start = performance.now()
  const child = Bun.spawn([join(root, 'dist/changelogd'), ...args], { env: {}, stdout: 'ignore' })
  let memory = 0
  // Not by resourceUsage, whose peak includes that of this process before the child became another program.
  const watching = setInterval(() => {
    memory = Math.max(memory, peakBytes(child.pid))
  }, 20)
  const status = await child.exited
  clearInterval(watching)
  if (status !== 0) throw new Error(`changelogd ${args.join(' ')} ended with ${status}`)
  const processor = Number(child.resourceUsage()?.cpuTime.total) / 1e6
  return { time: (performance.now() - start) / 1e3, processor, memory }
}

/** The most memory that a process has had in use; 0 once it has ended. */
function peakBytes(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

function described({ time, processor, memory }: Cost & { memory?: number }): string {
  const peak = memory === undefined ? '' : `, at most ${Math.round(memory / 1e6)} MB`
  return `${time.toFixed(1)} s, ${processor.toFixed(1)} s of processor time${peak}`
}

function compared(reference: Cost, cost: Cost): string {
  const [time, processor] = [reference.time / cost.time, reference.processor / cost.processor]
  return `${time.toFixed(2)} x the speed of the inserts (${processor.toFixed(2)} x by processor time)`
}
