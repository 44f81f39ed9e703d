import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../../../../src/domain/refusal.ts'
import { createWaiting } from '../../../../src/store/engines/wait.ts'
import { openNow } from '../../../../src/store/sqlite/commands.ts'
import { openForOneRequest, openNow as openForServing } from '../../../../src/store/sqlite/serve.ts'
import { scratch } from '../../../support/scratch.ts'
import { seeder } from '../../../support/seed.ts'

let directory: ReturnType<typeof scratch>
const at = (name: string) => join(directory.path, name)

beforeEach(() => {
  directory = scratch()
})
afterEach(() => directory[Symbol.dispose]())

/** The refusal of an opening. */
async function refused(open: () => Promise<{ close(): void }>): Promise<Refusal> {
  try {
    ;(await open()).close()
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal)
    return error as Refusal
  }
  throw new Error('it was opened')
}

/** A database file with this in it. */
function database(name: string, ...statements: string[]): string {
  using db = new Database(at(name))
  for (const statement of statements) db.run(statement)
  return at(name)
}

describe.each([
  { name: 'for reading', open: async (path: string) => openNow(path, 'read') },
  { name: 'for one request', open: (path: string) => openForOneRequest(path, createWaiting()) },
])('opening $name', ({ open }) => {
  test('says that a server may still have a database that was removed', async () => {
    writeFileSync(at('x.db-wal'), '')
    expect((await refused(() => open(at('x.db')))).message).toContain('was deleted, but')
    expect(readdirSync(directory.path)).toEqual(['x.db-wal'])
  })

  test('leaves an empty file empty', async () => {
    writeFileSync(at('x.db'), '')
    const { message, hint } = await refused(() => open(at('x.db')))
    expect(message).toBe(`${at('x.db')} has no schema yet.`)
    expect(hint).toContain('changelogd migrate')
    expect(readFileSync(at('x.db'))).toHaveLength(0)
  })

  test('refuses a newer schema, another program’s file and a directory', async () => {
    const newer = database('newer.db', 'PRAGMA application_id = 0x636c6764', 'PRAGMA user_version = 999')
    expect((await refused(() => open(newer))).message).toContain('newer changelogd')
    const foreign = database('foreign.db', 'CREATE TABLE precious (thing TEXT)')
    expect((await refused(() => open(foreign))).message).toContain('not a changelogd database')
    mkdirSync(at('directory'))
    expect((await refused(() => open(at('directory')))).message).toContain('is a directory, not a file')
  })

  test('changes nothing in a database, and a server goes on seeing what is committed', async () => {
    const seed = seeder(at('x.db'))
    const server = openForServing(at('x.db'))
    for (let round = 0; round < 3; round++) {
      const before = server.revision()
      ;(await open(at('x.db'))).close()
      expect(server.revision()).toBe(before)
      seed.team(`team-${round}`)
      expect(server.revision()).not.toBe(before)
    }
    await server.ping()
    server.close()
    seed.db.close()
  })
})

test('a copy in one file is read without another file being left behind, or the copy being changed', async () => {
  const seed = seeder(at('x.db'))
  seed.team('acme')
  mkdirSync(at('copies'))
  const copy = at('copies/copy.db')
  seed.db.run('VACUUM INTO ?', [copy])
  seed.db.close()
  const before = readFileSync(copy)
  const store = openNow(copy, 'read')
  expect(await store.snapshot(({ teams }) => teams.list())).toMatchObject([{ slug: 'acme' }])
  store.close()
  expect(readFileSync(copy)).toEqual(before)
  expect(readdirSync(at('copies'))).toEqual(['copy.db'])
})

test('a dry run where there is no database tries a new one that leaves no file', async () => {
  const team = { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'free' } as const
  const store = openNow(at('deep/x.db'), 'dry run')
  const planned = await store.transaction(({ teams }) => teams.create(team, 0), { commit: false })
  expect(planned.slug).toBe('acme')
  store.close()
  expect(readdirSync(directory.path)).toEqual([])
})
