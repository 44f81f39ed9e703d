import { expect, test } from 'bun:test'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openForServing } from '../../../../src/store/sqlite/serve.ts'
import { scratch } from '../../../support/scratch.ts'
import { seeder } from '../../../support/seed.ts'

test('the revision changes with every commit of another connection, and only then', () => {
  using directory = scratch()
  const path = join(directory.path, 'x.db')
  const seed = seeder(path)
  const store = openForServing(path)
  const seen = new Set([store.revision()])
  for (let round = 1; round <= 20; round++) {
    seed.team(`team-${round}`)
    const revision = store.revision()
    seen.add(revision)
    expect(store.revision()).toBe(revision)
    seed.db.query('SELECT * FROM team').all()
    expect(store.revision()).toBe(revision)
  }
  expect(seen.size).toBe(21)
  store.close()
  seed.db.close()
})

test('a link is followed to the database, whatever lies next to the link', () => {
  using directory = scratch()
  const [real, link] = [join(directory.path, 'real.db'), join(directory.path, 'link.db')]
  const seed = seeder(real)
  symlinkSync('real.db', link)
  writeFileSync(`${link}-shm`, new Uint8Array(32_768))
  const store = openForServing(link)
  const before = store.revision()
  seed.team('acme')
  expect(store.revision()).not.toBe(before)
  store.close()
  seed.db.close()
})
