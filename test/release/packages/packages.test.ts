import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { buildDeb } from '../../../release/packages/deb.ts'
import { buildRpm } from '../../../release/packages/rpm.ts'
import { describeNeeding } from '../../support/needs.ts'
import { scratch } from '../../support/scratch.ts'
import { smallRelease } from '../small-release.ts'

const output = (...command: string[]): string => {
  const { stdout, stderr, success } = Bun.spawnSync(command)
  if (!success) throw new Error(String(stderr))
  return String(stdout)
}

/** The bytes of a package that is built in a directory of its own. */
async function built(build: typeof buildDeb, release = smallRelease()) {
  const directory = scratch()
  const name = build(directory.path, join(directory.path, 'work'), release)
  const path = join(directory.path, name)
  return { name, path, bytes: await Bun.file(path).bytes(), [Symbol.dispose]: directory[Symbol.dispose] }
}

const INSTALLED = [
  '/etc/changelogd/changelogd.env',
  '/usr/bin/changelogd',
  '/usr/lib/systemd/system/changelogd.service',
  '/usr/lib/systemd/system/changelogd-worker.service',
  '/usr/lib/systemd/system/changelogd-verify.service',
  '/usr/lib/systemd/system/changelogd-verify.timer',
  '/usr/share/bash-completion/completions/changelogd',
  '/usr/share/doc/changelogd/README.md',
  '/usr/share/doc/changelogd/copyright',
  '/usr/share/doc/changelogd/docs/reading.md',
  '/usr/share/fish/vendor_completions.d/changelogd.fish',
  '/usr/share/man/man1/changelogd.1.gz',
]

const PRERELEASE = { ...smallRelease(), source: { ...smallRelease().source, version: '2.0.0-rc.1' } }

describeNeeding('dpkg-deb', Bun.which('dpkg-deb') !== null, 'the .deb', () => {
  test('has the same bytes wherever and whenever it is built', async () => {
    using one = await built(buildDeb)
    using other = await built(buildDeb)
    expect(Buffer.compare(one.bytes, other.bytes)).toBe(0)
    // Its parts are an archive, with a time of its own.
    expect(new TextDecoder().decode(one.bytes.subarray(0, 40))).toContain('debian-binary   1700000000')
  })

  test('is of its version and architecture, with the settings as a conffile', async () => {
    using deb = await built(buildDeb, smallRelease('linux-arm64'))
    expect(deb.name).toBe('changelogd_1.2.3_arm64.deb')
    const field = (name: string) => output('dpkg-deb', '--field', deb.path, name).trim()
    expect(['Package', 'Version', 'Architecture'].map(field)).toEqual(['changelogd', '1.2.3', 'arm64'])
    expect(output('dpkg-deb', '--info', deb.path, 'conffiles')).toBe('/etc/changelogd/changelogd.env\n')
  })

  test('installs program, unit, settings, manual and completions, all of root', async () => {
    using deb = await built(buildDeb)
    const entries = output('dpkg-deb', '--contents', deb.path).trim().split('\n')
    const files = entries.map((line) => line.split(/\s+/)).filter(([mode]) => !mode?.startsWith('d'))
    expect(new Set(files.map(([, owner]) => owner))).toEqual(new Set(['root/root']))
    expect(files.map((parts) => parts.at(-1)?.slice(1)).toSorted()).toEqual(
      [...INSTALLED, '/usr/share/zsh/vendor-completions/_changelogd'].toSorted(),
    )
    expect(files.find((parts) => parts.at(-1) === './usr/bin/changelogd')?.[0]).toBe('-rwxr-xr-x')
  })

  test('of a prerelease is older than that of the release', async () => {
    using deb = await built(buildDeb, PRERELEASE)
    const version = output('dpkg-deb', '--field', deb.path, 'Version').trim()
    expect(Bun.spawnSync(['dpkg', '--compare-versions', version, 'lt', '2.0.0']).exitCode).toBe(0)
  })

  test('comes with scripts that a plain shell can read', () => {
    const directory = join(import.meta.dir, '../../../release/packages/deb')
    for (const name of ['postinst', 'prerm', 'postrm']) output('sh', '-n', join(directory, `${name}.sh`))
  })
})

describeNeeding('rpm', Bun.which('rpmbuild') !== null, 'the .rpm', () => {
  test('has the same bytes wherever and whenever it is built', async () => {
    using one = await built(buildRpm)
    using other = await built(buildRpm)
    expect(Buffer.compare(one.bytes, other.bytes)).toBe(0)
    const origin = output(
      'rpm',
      '--query',
      '--package',
      one.path,
      '--queryformat',
      '%{BUILDTIME} %{BUILDHOST}',
    )
    expect(origin).toBe('1700000000 changelogd')
  })

  test('is of its version and architecture, with settings that upgrades leave as they are', async () => {
    using rpm = await built(buildRpm, smallRelease('linux-arm64'))
    expect(rpm.name).toBe('changelogd-1.2.3-1.aarch64.rpm')
    const query = (...args: string[]) => output('rpm', '--query', '--package', rpm.path, ...args)
    expect(query('--queryformat', '%{NAME} %{VERSION} %{ARCH}')).toBe('changelogd 1.2.3 aarch64')
    expect(query('--configfiles')).toBe('/etc/changelogd/changelogd.env\n')
    const attributes = query(
      '--queryformat',
      '[%{FILENAMES} %{FILEMODES:perms} %{FILEUSERNAME} %{FILEGROUPNAME}\\n]',
    )
    expect(attributes).toContain('/etc/changelogd/changelogd.env -rw-r----- root changelogd\n')
    expect(attributes).toContain('/usr/bin/changelogd -rwxr-xr-x root root\n')
    expect(attributes).toContain('/var/lib/changelogd drwx------ changelogd changelogd\n')
  })

  test('installs program, unit, settings, manual and completions', async () => {
    using rpm = await built(buildRpm)
    const files = output('rpm', '--query', '--package', rpm.path, '--list').trim().split('\n')
    const all = [
      ...INSTALLED,
      '/etc/changelogd',
      '/usr/share/doc/changelogd',
      '/usr/share/doc/changelogd/docs',
      '/usr/share/zsh/site-functions/_changelogd',
      '/var/lib/changelogd',
    ]
    expect(files.toSorted()).toEqual(all.toSorted())
  })

  test('of a prerelease is older than that of the release', async () => {
    using rpm = await built(buildRpm, PRERELEASE)
    expect(rpm.name).toBe('changelogd-2.0.0~rc.1-1.x86_64.rpm')
  })
})
