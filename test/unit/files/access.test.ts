import { expect, test } from 'bun:test'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isReadableByAll } from '../../../src/files/access.ts'
import { scratch } from '../../support/scratch.ts'

test('a file is readable by all if all may read it and search every directory above it', () => {
  using place = scratch()
  const [directory, file] = [join(place.path, 'a'), join(place.path, 'a/b.md')]
  mkdirSync(directory)
  writeFileSync(file, '')
  const found = [0o755, 0o754].map((mode) =>
    [0o644, 0o640].map((fileMode) => {
      chmodSync(place.path, 0o755)
      chmodSync(directory, mode)
      chmodSync(file, fileMode)
      return isReadableByAll(file)
    }),
  )
  expect(found).toEqual([
    [true, false],
    [false, false],
  ])
})
