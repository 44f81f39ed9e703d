import { expect, test } from 'bun:test'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openNow } from '../../../../../src/store/sqlite/serve.ts'
import { mapFile } from '../../../../../src/store/sqlite/serving/mapped-file.ts'
import { scratch } from '../../../../support/scratch.ts'
import { seeder } from '../../../../support/seed.ts'

/** More reads of the revision than it takes until the header is mapped. */
const MANY = 1_500

/** How often a file is mapped that only this program's own code maps as read-only. */
const mapsOf = (file: string): number =>
  readFileSync('/proc/self/maps', 'utf8')
    .split('\n')
    .filter((line) => line.endsWith(file) && line.includes(' r--s ')).length

test('what is written to a mapped file is in its words, until it is unmapped', () => {
  using directory = scratch()
  const path = join(directory.path, 'x')
  writeFileSync(path, new Uint32Array([1, 2, 3]))
  const file = openSync(path, 'r+')
  const mapped = mapFile(file, 2)
  expect([...(mapped?.words ?? [])]).toEqual([1, 2])
  writeFileSync(file, new Uint32Array([4, 5, 6]))
  expect([...(mapped?.words ?? [])]).toEqual([4, 5])
  expect(mapsOf(path)).toBe(1)
  mapped?.unmap()
  expect(mapsOf(path)).toBe(0)
  closeSync(file)
})

test('what cannot be mapped is null', () => {
  using directory = scratch()
  const folder = openSync(directory.path, 'r')
  expect(mapFile(folder, 1)).toBeNull()
  closeSync(folder)
  expect(mapFile(-1, 1)).toBeNull()
})

test('a server that has read the revision often maps it once, sees every commit, and leaves no map behind', () => {
  using directory = scratch()
  const path = join(directory.path, 'x.db')
  const seed = seeder(path)
  const store = openNow(path)
  const read = () => new Set(Array.from({ length: MANY }, store.revision))
  const [before] = read()
  expect(mapsOf(`${path}-shm`)).toBe(1)
  const seen = [before]
  for (let round = 1; round <= 20; round++) {
    seed.team(`team-${round}`)
    const revisions = read()
    expect(revisions.size).toBe(1)
    seen.push(...revisions)
  }
  expect(new Set(seen).size).toBe(21)
  expect(mapsOf(`${path}-shm`)).toBe(1)
  store.close()
  expect(mapsOf(`${path}-shm`)).toBe(0)
  seed.db.close()
})
