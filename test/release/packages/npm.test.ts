import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Entry } from '../../../release/archive.ts'
import { launcherPackage, platformPackage } from '../../../release/npm/packages.ts'
import { writeTree } from '../../../release/packages/tree.ts'
import { PLATFORMS } from '../../../release/platforms.ts'
import { describeNeeding } from '../../support/needs.ts'
import { scratch } from '../../support/scratch.ts'
import { smallRelease } from '../small-release.ts'

const { source, contents } = smallRelease()
const manifestOf = (entries: readonly Entry[]) =>
  JSON.parse(String(entries.find(({ path }) => path === 'package/package.json')?.data))

describe('the npm packages', () => {
  test('of the platforms say on which system, processor and C library they can be installed', () => {
    const fields = PLATFORMS.map(({ name }) => manifestOf(platformPackage(smallRelease(name))))
    expect(fields.map(({ name, os, cpu, libc }) => [name, ...os, ...cpu, ...(libc ?? [])].join(' '))).toEqual(
      [
        ...['@changelogd/linux-x64 linux x64 glibc', '@changelogd/linux-arm64 linux arm64 glibc'],
        ...['@changelogd/linux-x64-musl linux x64 musl', '@changelogd/linux-arm64-musl linux arm64 musl'],
        ...['@changelogd/darwin-x64 darwin x64', '@changelogd/darwin-arm64 darwin arm64'],
      ],
    )
  })

  test('of the platforms are optional dependencies of the launcher, in its very version', () => {
    const { name, bin, version, optionalDependencies } = manifestOf(launcherPackage(source, contents))
    const names = PLATFORMS.map(({ name }) => [`@changelogd/${name}`, '1.2.3'])
    expect({ name, bin, version, optionalDependencies }).toEqual({
      name: '@changelogd/cli',
      bin: { changelogd: 'launcher.cjs' },
      version: '1.2.3',
      optionalDependencies: Object.fromEntries(names),
    })
  })
})

/** This machine, as the packages name it. The tests run on glibc or on macOS. */
const HERE = `${process.platform}-${process.arch}`

/** Runs the launcher where the platform package of this machine has this program, or is missing. */
async function launched(program: string | null, args: string[] = [], supported = true) {
  using directory = scratch()
  const write = (place: string, entries: readonly Entry[]) =>
    writeTree(
      join(directory.path, place),
      entries.map((entry) => ({ ...entry, path: entry.path.replace('package/', '') })),
      source.time,
    )
  write('node_modules/@changelogd/cli', launcherPackage(source, contents))
  if (program !== null)
    write(`node_modules/@changelogd/${HERE}`, platformPackage(smallRelease(HERE, program)))
  if (!supported) {
    const manifest = join(directory.path, 'node_modules/@changelogd/cli/package.json')
    await Bun.write(manifest, JSON.stringify({ optionalDependencies: { '@changelogd/plan9-x64': '1.2.3' } }))
  }
  const launcher = join(directory.path, 'node_modules/@changelogd/cli/launcher.cjs')
  const child = Bun.spawn(['node', launcher, ...args], { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const stdout = child.stdout.getReader()
  const first = new TextDecoder().decode((await stdout.read()).value)
  if (first.startsWith('ready')) child.kill('SIGTERM')
  const [stderr, status] = await Promise.all([new Response(child.stderr).text(), child.exited])
  return { stdout: first, stderr, status, signal: child.signalCode }
}

describeNeeding('node', Bun.which('node') !== null, 'the launcher', () => {
  test('runs the program of this platform with the arguments, and ends with its status', async () => {
    const { stdout, status } = await launched('#!/bin/sh\necho "[$1][$2]"\nexit 7\n', ['a b', '--json'])
    expect({ stdout, status }).toEqual({ stdout: '[a b][--json]\n', status: 7 })
  })

  test('passes a signal on, and waits for the program to end', async () => {
    const program = "#!/bin/sh\ntrap 'exit 5' TERM\necho ready\nfor _ in $(seq 200); do sleep 0.05; done\n"
    expect(await launched(program)).toMatchObject({ status: 5, signal: null })
  })

  test('ends by the signal that ended the program', async () => {
    expect(await launched('#!/bin/sh\nkill -KILL $$\n')).toMatchObject({ signal: 'SIGKILL' })
  })

  test('says which platforms are supported where this one is not', async () => {
    const { stderr, status } = await launched(null, [], false)
    expect({ stderr, status }).toEqual({
      stderr: `changelogd: There is no program for ${HERE}. Supported platforms: plan9-x64.\n`,
      status: 1,
    })
  })

  test('says which package is missing', async () => {
    const { stderr, status } = await launched(null)
    expect(stderr).toContain(`The package @changelogd/${HERE} is not installed.`)
    expect(status).toBe(1)
  })
})
