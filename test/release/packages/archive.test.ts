import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { tarGz } from '../../../release/archive.ts'
import { archiveFiles } from '../../../release/contents.ts'
import { sha256Sums } from '../../../release/sums.ts'
import { scratch } from '../../support/scratch.ts'
import { smallRelease } from '../small-release.ts'

const output = (command: string[], cwd: string): string => {
  const { stdout, stderr, success } = Bun.spawnSync(command, { cwd, env: { ...process.env, TZ: 'UTC' } })
  expect({ success, stderr: String(stderr) }).toEqual({ success: true, stderr: '' })
  return String(stdout)
}

const files = archiveFiles(smallRelease())

test('an archive has the same bytes for the same files and time, in whichever order they come', async () => {
  const one = await tarGz(files, 1_700_000_000)
  expect(Buffer.compare(one, await tarGz(files.toReversed(), 1_700_000_000))).toBe(0)
  expect(Buffer.compare(one, await tarGz(files, 1_700_000_060))).not.toBe(0)
})

test('an archive has program, texts with what they link to, manual and completions, of root, with the time of the commit', async () => {
  using directory = scratch()
  await Bun.write(join(directory.path, 'a.tar.gz'), await tarGz(files, 1_700_000_000))
  const lines = output(['tar', '--numeric-owner', '-tvzf', 'a.tar.gz'], directory.path).trim().split('\n')
  const listed = lines
    .map((line) => line.split(/\s+/))
    .map(([mode, owner, , ...rest]) => [mode, owner, ...rest])
  const time = ['2023-11-14', '22:13']
  const plain = ['-rw-r--r--', '0/0', ...time]
  const root = 'changelogd-1.2.3-linux-x64'
  expect(listed).toEqual([
    [...plain, `${root}/README.md`],
    ['-rwxr-xr-x', '0/0', ...time, `${root}/changelogd`],
    [...plain, `${root}/completions/_changelogd`],
    [...plain, `${root}/completions/changelogd.bash`],
    [...plain, `${root}/completions/changelogd.fish`],
    [...plain, `${root}/docs/reading.md`],
    [...plain, `${root}/man/man1/changelogd.1`],
  ])
})

test('sha256sum --check accepts SHA256SUMS', async () => {
  using directory = scratch()
  await Bun.write(join(directory.path, 'b.txt'), 'b')
  await Bun.write(join(directory.path, 'a.tgz'), 'a')
  await Bun.write(join(directory.path, 'SHA256SUMS'), await sha256Sums(directory.path))
  expect(output(['sha256sum', '--check', '--strict', 'SHA256SUMS'], directory.path)).toBe(
    'a.tgz: OK\nb.txt: OK\n',
  )
})
