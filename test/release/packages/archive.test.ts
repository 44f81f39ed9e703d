import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { tarGz } from '../../../release/archive.ts'
import { checkArchive, checkRelease } from '../../../release/check.ts'
import { archiveFiles } from '../../../release/contents.ts'
import { scratch } from '../../support/scratch.ts'
import { smallRelease } from '../small-release.ts'

const release = smallRelease()
const files = archiveFiles(release)

test('an archive has the same bytes for the same files and time, in whichever order they come', async () => {
  const one = await tarGz(files, 1_700_000_000)
  expect(Buffer.compare(one, await tarGz(files.toReversed(), 1_700_000_000))).toBe(0)
  expect(Buffer.compare(one, await tarGz(files, 1_700_000_060))).not.toBe(0)
})

test('an archive has program, texts with what they link to, manual and completions, of root, with the time of the commit', async () => {
  using directory = scratch()
  const path = join(directory.path, 'changelogd-1.2.3-linux-x64.tar.gz')
  await Bun.write(path, await tarGz(files, release.source.time))
  checkArchive(directory.path, release)
  for (const [wrong, time] of [
    [files.slice(1), release.source.time],
    [files, release.source.time + 60],
    [files.map((file) => ({ ...file, executable: false })), release.source.time],
  ] as const) {
    await Bun.write(path, await tarGz(wrong, time))
    expect(() => checkArchive(directory.path, release)).toThrow('changelogd-1.2.3-linux-x64.tar.gz')
  }
})

test('a release that lacks a file is refused', () => {
  using directory = scratch()
  const { source, contents } = release
  expect(() => checkRelease(directory.path, source, contents, [])).toThrow(
    'The release: . It should be: NOTES.md',
  )
})
