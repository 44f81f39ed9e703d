import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { newId } from '../../../src/domain/id.ts'
import { openNow } from '../../../src/store/sqlite/commands.ts'
import { compare, figure } from '../figures.ts'
import { PROGRAM, run, scratch } from '../processes.ts'
import type { Bench, Row } from './row.ts'

const VERSIONS = 100_000
const CHANGES = 7
const FIRST_RELEASE = Date.UTC(2020, 0, 1)

type Values = (string | number | null)[]

/**
 * Each round fills a database through two prepared statements in one transaction: the reference. Then the binary
 * exports that database, imports the file into an empty one, imports it there again, and exports that. Both databases
 * have the same schema, triggers included, and the same pragmas. The reference has its rows in memory; an import is a
 * whole command, from its start to its end. It is an error if the second export differs from the first.
 */
export const TRANSFER: Row = {
  name: 'transfer',
  title: `export and import of ${VERSIONS.toLocaleString('en')} versions with ${CHANGES} changes each`,
  async measure({ effort }: Bench) {
    const isQuick = effort.rounds === 1
    const versions = newRows(isQuick ? VERSIONS / 50 : VERSIONS)
    const samples = new Map<string, number[]>()
    for (let round = 1; round <= (isQuick ? 1 : 2); round++) {
      const [filled, copy] = ['filled', 'copy'].map((name) => join(scratch, `${name}-${round}`)) as [
        string,
        string,
      ]
      const take = (name: string, seconds: number) =>
        samples.set(name, [...(samples.get(name) ?? []), seconds])
      take('prepared inserts', insertRows(`${filled}.db`, versions))
      take(
        'export',
        await changelogd('export', '--all', '--output', `${filled}.jsonl`, '--db', `${filled}.db`),
      )
      for (const name of ['import', 'import again'])
        take(name, await changelogd('import', '--all', `${filled}.jsonl`, '--db', `${copy}.db`))
      await changelogd('export', '--all', '--output', `${copy}.jsonl`, '--db', `${copy}.db`)
      if (Bun.spawnSync(['cmp', `${filled}.jsonl`, `${copy}.jsonl`]).exitCode !== 0)
        throw new Error('The copy exports other bytes than the original.')
    }
    const figures = [...samples].map(([name, seconds]) => figure(name, 's', seconds))
    return { figures, comparisons: [compare(figures, 'import', 'prepared inserts', null)] }
  },
}

/** A version's row and those of its changes, in the order in which a first import writes them. */
function newRows(count: number): { version: Values; changes: Values[] }[] {
  return Array.from({ length: count }, (_, number) => {
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

/** In seconds. */
function insertRows(path: string, rows: ReturnType<typeof newRows>): number {
  openNow(path, 'create').close()
  const db = new Database(path, { readwrite: true, strict: true })
  for (const pragma of ['synchronous = FULL', 'foreign_keys = ON', 'temp_store = MEMORY'])
    db.run(`PRAGMA ${pragma}`)
  const [team, product, changelog] = [newId('team'), newId('prod'), newId('clog')]
  db.run(
    `INSERT INTO team (id, slug, name, visibility, plan, created_at) VALUES ('${team}', 'acme', 'Acme', 'public', 'paid', ${FIRST_RELEASE})`,
  )
  db.run(
    `INSERT INTO product (id, team_id, slug, name, status, created_at) VALUES ('${product}', '${team}', 'app', 'App', 'published', ${FIRST_RELEASE})`,
  )
  db.run(
    `INSERT INTO changelog (id, product_id, name, status) VALUES ('${changelog}', '${product}', 'Changelog', 'published')`,
  )
  const version = db.prepare(
    `INSERT INTO version (id, label, title, status, published_at, dated, created_at, description, changelog_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, '${changelog}')`,
  )
  const change = db.prepare(
    'INSERT INTO change (id, version_id, position, type, title, description) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const start = performance.now()
  db.run('BEGIN IMMEDIATE')
  for (const row of rows) {
    version.run(...row.version)
    for (const each of row.changes) change.run(...each)
  }
  db.run('COMMIT')
  const seconds = (performance.now() - start) / 1e3
  db.close()
  return seconds
}

/** How many seconds a command takes. */
async function changelogd(...args: string[]): Promise<number> {
  const start = performance.now()
  await run([PROGRAM, ...args], { core: 'all' })
  return (performance.now() - start) / 1e3
}
