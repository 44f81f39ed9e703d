import { expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSpoolFile } from '../../../../../src/cli/commands/import/temporary-file.ts'

test('a temporary file is for its owner only, has no name while it is open, and can be read again', async () => {
  const before = process.env.TMPDIR
  const directory = mkdtempSync(join(tmpdir(), 'changelogd-temporary-'))
  process.env.TMPDIR = directory
  try {
    using file = openSpoolFile()
    const bytes = crypto.getRandomValues(new Uint8Array(600_000))
    file.append(bytes.subarray(0, 1))
    file.append(bytes.subarray(1))
    for (const _ of ['once', 'again']) {
      const parts: Uint8Array[] = []
      for await (const chunk of file.chunks()) parts.push(chunk.slice())
      expect(Buffer.concat(parts).equals(bytes)).toBe(true)
    }
    expect(readdirSync(directory)).toEqual([])
    if (process.platform === 'linux')
      expect(openFilesIn(directory).map((path) => statSync(path).mode & 0o777)).toEqual([0o600])
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    rmSync(directory, { recursive: true })
  }
})

/** What this process has open there, also if it has no name any more. */
const openFilesIn = (directory: string): string[] =>
  readdirSync('/proc/self/fd')
    .map((name) => `/proc/self/fd/${name}`)
    .filter((path) => linkOf(path).startsWith(directory))

/** The directory's own handle is in the list, and closed by now. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
