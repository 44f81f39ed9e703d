import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { tarGz } from '../../release/archive.ts'
import { archiveFiles } from '../../release/contents.ts'
import { sha256Sums } from '../../release/sums.ts'
import { describeNeeding } from '../support/needs.ts'
import { scratch } from '../support/scratch.ts'
import { smallRelease } from './small-release.ts'

const HERE = `${process.platform}-${process.arch}`
const SCRIPT = join(import.meta.dir, '../../release/install.sh')
const ARCHIVE = `changelogd-1.2.3-${HERE}.tar.gz`

const directory = scratch()
const place = join(directory.path, 'release')
const script = join(place, 'install.sh')
const prefix = join(directory.path, 'prefix')
const temporary = join(directory.path, 'temporary')
mkdirSync(temporary)
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: async ({ url }) => {
    const file = Bun.file(join(place, new URL(url).pathname))
    return (await file.exists()) ? new Response(file) : new Response(null, { status: 404 })
  },
})
const address = server.url.href.replace(/\/$/, '')

afterAll(async () => {
  await server.stop(true)
  directory[Symbol.dispose]()
})

/** Puts a release of this program into `place`. */
async function publish(program: string): Promise<void> {
  await Bun.write(join(place, ARCHIVE), await tarGz(archiveFiles(smallRelease(HERE, program)), 1_700_000_000))
  await Bun.write(join(place, 'SHA256SUMS'), await sha256Sums(place))
}

/** The script as a release has it that was built for `released`. */
const scriptFor = async (released: string) =>
  (await Bun.file(SCRIPT).text()).replaceAll('@VERSION@', '1.2.3').replaceAll('@ADDRESS@', released)

beforeAll(async () => {
  await Bun.write(script, await scriptFor(''))
})
beforeEach(async () => {
  await Bun.$`rm -rf ${prefix} ${join(place, 'SHA256SUMS')}`
  await publish('#!/bin/sh\necho 1.2.3\n')
})
afterEach(() => expect(readdirSync(temporary)).toEqual([]))

async function install(args: string[], env: Record<string, string> = {}) {
  const options = {
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, TMPDIR: temporary, ...env },
  } as const
  const child = Bun.spawn(['sh', script, '--prefix', prefix, ...args], options)
  const [stdout, stderr, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { stdout, stderr, status }
}

const installed = () => {
  const found = readdirSync(prefix, { recursive: true, withFileTypes: true })
  return found
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name).slice(prefix.length + 1))
}

const FILES = [
  ...['bin/changelogd', 'share/bash-completion/completions/changelogd'],
  ...['share/fish/vendor_completions.d/changelogd.fish', 'share/man/man1/changelogd.1'],
  ...['share/zsh/site-functions/_changelogd'],
]

/** A PATH on which only this program can download. */
function pathWith(downloader: string): string {
  const bin = join(directory.path, `bin-${downloader}`)
  mkdirSync(bin, { recursive: true })
  const tools = 'sh uname id find dirname basename mktemp sed cut sha256sum tar gzip mkdir cp chmod mv rm cat'
  for (const tool of [...tools.split(' '), downloader]) symlinkSync(Bun.which(tool) ?? '', join(bin, tool))
  return bin
}

for (const downloader of ['curl', 'wget'])
  describeNeeding(downloader, Bun.which(downloader) !== null, `install.sh with ${downloader}`, () => {
    test('installs program, manual and completions of the address', async () => {
      const result = await install(['--from', address], { PATH: pathWith(downloader) })
      expect(result).toMatchObject({ status: 0, stderr: '' })
      expect(result.stdout).toContain(`Installed changelogd 1.2.3: ${prefix}/bin/changelogd\n`)
      expect(installed().toSorted()).toEqual(FILES)
      expect(String(Bun.spawnSync([join(prefix, 'bin/changelogd')]).stdout)).toBe('1.2.3\n')
    })
  })

describeNeeding('curl', Bun.which('curl') !== null, 'install.sh without --from', () => {
  test('installs from the address that the release was built for, if the release is not beside it', async () => {
    const piped = { stdin: new Blob([await scriptFor(address)]), stdout: 'ignore', cwd: temporary } as const
    expect(await Bun.spawn(['sh', '-s', '--', '--prefix', prefix], piped).exited).toBe(0)
    expect(installed().toSorted()).toEqual(FILES)
  })
})

describeNeeding('curl', Bun.which('curl') !== null, 'the README', () => {
  test('has one line that installs a release', async () => {
    const readme = await Bun.file(join(import.meta.dir, '../../README.md')).text()
    const line = readme.match(/^curl .*install\.sh[^#\n]*/m)?.[0].trimEnd() ?? ''
    const command = `${line.replaceAll('https://example.com/changelogd', address)} --prefix ${prefix}`
    expect(await Bun.spawn(['sh', '-c', command], { stdout: 'ignore' }).exited).toBe(0)
    expect(installed().toSorted()).toEqual(FILES)
  })
})

describe('install.sh', () => {
  test('installs from its own directory without an address', async () => {
    expect(await install([])).toMatchObject({ status: 0, stderr: '' })
    expect(installed().toSorted()).toEqual(FILES)
  })

  test('says in --help where the release may be and where it installs', async () => {
    const { stdout, status } = await install(['--help'])
    expect({ stdout, status }).toEqual({
      status: 0,
      stdout: `Usage: sh install.sh [--from ADDRESS-OR-DIRECTORY] [--prefix DIRECTORY]
  --from    web address or directory with the files of the release (default: the directory of this script)
  --prefix  directory to install to (default: /usr/local for root, ~/.local for other users)
`,
    })
    expect(existsSync(prefix)).toBe(false)
  })

  test('alone, without the release beside it, names --from', async () => {
    const alone = join(directory.path, 'alone')
    await Bun.write(join(alone, 'install.sh'), Bun.file(script))
    const { exitCode, stderr } = Bun.spawnSync(['sh', 'install.sh', '--prefix', prefix], { cwd: alone })
    expect({ exitCode, stderr: String(stderr) }).toEqual({
      exitCode: 1,
      stderr:
        'install.sh: The release is not beside this script. Say where it is: sh install.sh --from ADDRESS-OR-DIRECTORY\n',
    })
    expect(existsSync(prefix)).toBe(false)
  })

  test('leaves the installed program as it is if the sum is wrong', async () => {
    await install([])
    await Bun.write(
      join(place, ARCHIVE),
      await tarGz(archiveFiles(smallRelease(HERE, 'evil')), 1_700_000_000),
    )
    const { status, stderr } = await install(['--from', place])
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/has the sum .* not .* as in SHA256SUMS\. Nothing was installed\.\n$/),
    })
    expect(String(Bun.spawnSync([join(prefix, 'bin/changelogd')]).stdout)).toBe('1.2.3\n')
    expect(installed().toSorted()).toEqual(FILES)
  })

  test.each<[string, () => Promise<unknown>, string[], string]>([
    [
      'SHA256SUMS does not name the archive',
      () => Bun.write(join(place, 'SHA256SUMS'), `${'0'.repeat(64)}  other.tar.gz\n`),
      [],
      `install.sh: SHA256SUMS does not name ${ARCHIVE}.\n`,
    ],
    [
      'the program does not run here',
      () => publish('#!/bin/sh\nexit 127\n'),
      [],
      'does not run on this machine',
    ],
    ['the download fails', async () => {}, ['--from', `${address}/nowhere`], 'Cannot download'],
  ])('installs nothing if %s', async (_, prepare, args, said) => {
    await prepare()
    const { status, stderr } = await install(args)
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(said) })
    expect(existsSync(prefix)).toBe(false)
  })

  test.each(['SIGHUP', 'SIGINT', 'SIGTERM'] as const)('leaves nothing behind after %s', async (signal) => {
    await publish('#!/bin/sh\necho running >&2\nexec sleep 600\n')
    const env = { ...process.env, TMPDIR: temporary }
    // A process group of its own, as in a terminal: the signal is for the program too.
    const child = spawn('sh', [script, '--prefix', prefix], { env, detached: true })
    await once(child.stderr, 'data')
    process.kill(-(child.pid ?? 0), signal)
    await once(child, 'close')
    expect(child.exitCode).toBeGreaterThan(128)
    expect(existsSync(prefix)).toBe(false)
  })

  test('says what to do where it cannot write', async () => {
    await Bun.write(prefix, 'a file')
    expect(await install([])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        `install.sh: Cannot write ${prefix}/share/man/man1/changelogd.1. Name another directory with --prefix, or run this as root.\n`,
      ),
    })
  })

  test('asks users other than root for a directory if they have no home', async () => {
    const bin = join(directory.path, 'bin-user')
    await Bun.write(join(bin, 'id'), '#!/bin/sh\necho 1000\n')
    chmodSync(join(bin, 'id'), 0o755)
    const { HOME: _, ...env } = process.env
    const { stderr } = Bun.spawnSync(['sh', script], { env: { ...env, PATH: `${bin}:${env.PATH}` } })
    expect(String(stderr)).toBe('install.sh: HOME is not set: name a directory with --prefix.\n')
  })

  test('lets every user run the program, whatever the umask is', async () => {
    const { exitCode } = Bun.spawnSync(['sh', '-c', `umask 077; exec sh ${script} --prefix ${prefix}`])
    expect(exitCode).toBe(0)
    for (const path of ['', 'bin', 'bin/changelogd', 'share/man/man1'])
      expect([path, statSync(join(prefix, path)).mode & 0o777]).toEqual([path, 0o755])
  })
})
