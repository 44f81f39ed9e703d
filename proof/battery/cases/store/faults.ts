import { chmodSync, chownSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contents } from '../../../../test/support/database/contents.ts'
import { removedAtEnd } from '../../../../test/support/leftovers.ts'
import { publicPath } from '../../../../test/support/servers/server.ts'
import { type Case, type Row, Tally } from '../../support/case.ts'
import { copyDatabase, Place, PROGRAM, type Result } from '../../support/place.ts'
import { getOnce } from '../../support/socket.ts'

const isRoot = process.getuid?.() === 0
/** A user with no rights here, since permissions do not stop root. */
const STRANGER = 65_534
const underStranger = isRoot
  ? ['setpriv', `--reuid=${STRANGER}`, `--regid=${STRANGER}`, '--clear-groups']
  : []

export default {
  name: 'faults',
  how: 'Commands are run on a full disk (a small tmpfs), on files and directories that must not be written, and with directories and FIFOs in place of files. Each must refuse with one line that says why, and leave the data as it was.',
  run: async () => [await fullDisk(), await readOnly(), await wrongFiles()],
} satisfies Case

type Ended = Pick<Result, 'status' | 'stderr'>

/** One line for people and status 1: no stack, no hanging. */
const isRefusal = ({ status, stderr }: Ended): boolean =>
  status === 1 && /^changelogd: [^\n]+\n$/.test(stderr)

/** The line says what to do, after its first sentence. */
const isHelpful = (result: Ended): boolean => isRefusal(result) && /[.!] \S/.test(result.stderr)

const shown = (what: string, { status, stderr }: Ended): string =>
  `${what}: status ${status ?? 'none, it hung'}: ${stderr}`

async function fullDisk(): Promise<Row> {
  const tally = new Tally(
    'On a full disk a command refuses and says so, nothing is lost, and the server serves on',
  )
  if (!isRoot) return tally.leftOut('needs root, to mount a small file system')
  await using place = new Place()
  const disk = place.at('disk')
  mkdirSync(disk)
  const mounted = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=2m', 'changelogd-battery', disk])
  if (mounted.exitCode !== 0) return tally.leftOut('mounting a file system is not permitted here')
  const unmount = removedAtEnd(() => Bun.spawnSync(['umount', '--lazy', disk]))
  try {
    place.database = join(disk, 'changelogd.db')
    place.fill((seed) => seed.product(seed.team('acme'), 'app'))
    const server = await place.serve()
    const before = await place.export()
    const large = place.at('CHANGELOG.md')
    writeFileSync(
      large,
      `# Changelog\n\n## [1.0.0] - 2020-01-01\n\n### Added\n\n${'- Something new\n'.repeat(20_000)}`,
    )
    const commands = [
      ['import', 'acme/app', large],
      ['backup', join(disk, 'backup.db')],
      ['export', '--all', '--output', join(disk, 'export.jsonl')],
    ]
    for (const [index, args] of commands.entries()) {
      // After the first command, to which the disk is large enough to begin with.
      if (index === 1) Bun.spawnSync(['dd', 'if=/dev/zero', `of=${join(disk, 'filler')}`, 'bs=4096'])
      const result = await place.run(args, { killAfter: 60_000 })
      tally.count(isHelpful(result) && /disk|space/i.test(result.stderr), () =>
        shown(args[0] as string, result),
      )
      const seen = (await getOnce(server.port, publicPath('acme', 'app', `?limit=${1 + index}`)))?.status
      tally.count(seen === 200, () => `the server: ${seen} after ${args[0]}`)
    }
    rmSync(join(disk, 'filler'), { force: true })
    tally.count((await place.export()) === before, () => 'the data has changed')
    const { status } = await place.run(['team', 'update', 'acme', '--name', 'New'])
    tally.count(status === 0, () => 'a command fails although there is space again')
    await server.stop()
  } finally {
    unmount()
  }
  return tally.row('a disk of 2 MB')
}

async function readOnly(): Promise<Row> {
  const tally = new Tally(
    'Without permission to write, a command refuses, says what to do, and changes nothing',
  )
  const tries: [string, number, number][] = [
    ['a read-only file', 0o400, 0o700],
    ['a read-only directory', 0o600, 0o500],
    ['a read-only file in a read-only directory', 0o400, 0o500],
    ['a file without any permission', 0o000, 0o700],
  ]
  for (const [what, fileMode, directoryMode] of tries) {
    await using place = new Place()
    const directory = place.at('data')
    mkdirSync(directory)
    const original = place.at('original.db')
    place.fill((seed) => seed.product(seed.team('acme'), 'app'), original)
    const before = contents(original)
    // A file alone, which nothing has open.
    place.database = join(directory, 'changelogd.db')
    await place.must('backup', place.database, '--db', original)
    // Where the stranger can execute it: the way to the repository may be closed to others.
    const program = place.at('changelogd')
    copyFileSync(PROGRAM, program)
    for (const [file, mode] of [
      [place.directory, 0o755],
      [program, 0o755],
      [place.database, fileMode],
      [directory, directoryMode],
    ] as const) {
      if (isRoot) chownSync(file, STRANGER, STRANGER)
      chmodSync(file, mode)
    }
    const child = place.start([...underStranger, program, 'team', 'update', 'acme', '--name', 'Changed'])
    const [stderr, status] = [await new Response(child.stderr).text(), await child.exited]
    tally.count(isHelpful({ status, stderr }), () => shown(what, { status, stderr }))
    chmodSync(directory, 0o700)
    chmodSync(place.database, 0o600)
    copyDatabase(place.database, place.at('after.db'))
    tally.count(contents(place.at('after.db')) === before, () => `${what}: the data has changed`)
  }
  return tally.row(isRoot ? 'as a user without rights' : '')
}

async function wrongFiles(): Promise<Row> {
  const tally = new Tally(
    'A directory, FIFO or other wrong file as an argument is refused at once, and nothing changes',
  )
  await using place = new Place()
  place.fill((seed) => seed.product(seed.team('acme'), 'app'))
  const before = await place.export()
  const directory = place.at('directory')
  const fifo = place.at('fifo')
  mkdirSync(directory)
  Bun.spawnSync(['mkfifo', fifo])
  writeFileSync(place.at('empty'), '')
  writeFileSync(place.at('text'), 'This is no database.\n'.repeat(1_000))
  const tries = [
    ...[directory, fifo, place.at('empty'), place.at('text'), place.at('missing'), '/dev/null'].flatMap(
      (file) => [
        ['restore', file, '--yes'],
        ['status', '--db', file],
      ],
    ),
    ...[directory, fifo, place.at('empty'), '/dev/null'].flatMap((file) => [
      ['backup', file],
      ['backup', file, '--force'].slice(0, file.endsWith('empty') ? 2 : 3),
    ]),
    ['backup', place.at('missing/backup.db')],
    ['import', 'acme/app', directory],
    ['apply', directory],
  ]
  for (const args of tries) {
    const result = await place.run(args, { killAfter: 15_000 })
    const isCopy = args[0] === 'backup' || args[0] === 'restore'
    const explained = isCopy && [directory, fifo].includes(args[1] ?? '') ? isHelpful : isRefusal
    tally.count(explained(result), () => shown(args.join(' ').replaceAll(place.directory, ''), result))
  }
  tally.count((await place.export()) === before, () => 'the data has changed')
  return tally.row('')
}
