import { readdirSync } from 'node:fs'
import { Refusal } from '../src/domain/refusal.ts'
import { archiveFiles, archiveName, type Contents, type PlatformRelease } from './contents.ts'
import { packedName } from './npm/packages.ts'
import { packageFiles, packageVersion, SETTINGS_FILE } from './packages/tree.ts'
import { PLATFORMS, type Platform } from './platforms.ts'
import type { Source } from './source.ts'

/** Refuses a release unless it has every file, those `asked` for too, and each is what the tools that install it take it for. */
export function checkRelease(
  out: string,
  source: Source,
  contents: Contents,
  asked: readonly string[],
): void {
  const packaged = PLATFORMS.filter(({ libc }) => libc === 'glibc')
  const files = [
    ...['NOTES.md', 'install.sh', `changelogd-${source.version}.cdx.json`, 'Packages', 'Release', ...asked],
    ...[packedName(source, 'cli'), packedName(source, 'client')],
    ...PLATFORMS.flatMap((each) => [`${archiveName(source, each)}.tar.gz`, packedName(source, each.name)]),
    ...packaged.flatMap((each) => [debOf(source, each), rpmOf(source, each)]),
  ]
  same('The release', readdirSync(out), [...files, 'SHA256SUMS'])
  const summed = output(['sha256sum', '--check', '--strict', 'SHA256SUMS'], out)
  same(
    'SHA256SUMS',
    linesOf(summed),
    files.map((name) => `${name}: OK`),
  )
  for (const platform of PLATFORMS) {
    const release = { source, contents, platform, program: new Uint8Array() }
    checkArchive(out, release)
    if (!packaged.includes(platform)) continue
    checkDeb(out, release)
    checkRpm(out, release)
  }
}

const debOf = ({ version }: Source, { cpu }: Platform): string =>
  `changelogd_${packageVersion(version)}_${cpu === 'x64' ? 'amd64' : 'arm64'}.deb`

const rpmOf = ({ version }: Source, { cpu }: Platform): string =>
  `changelogd-${packageVersion(version)}-1.${cpu === 'x64' ? 'x86_64' : 'aarch64'}.rpm`

export function checkArchive(out: string, release: PlatformRelease): void {
  const name = `${archiveName(release.source, release.platform)}.tar.gz`
  const listed = linesOf(output(['tar', '--numeric-owner', '-tvzf', name], out))
  const found = listed.map((line) => line.replace(/^(\S+ \S+) +\d+/, '$1'))
  const time = new Date(release.source.time * 1_000).toISOString().slice(0, 16).replace('T', ' ')
  const expected = archiveFiles(release).map(
    ({ path, executable }) => `-rw${executable ? 'xr-xr-x' : '-r--r--'} 0/0 ${time} ${path}`,
  )
  same(name, found, expected)
}

export function checkDeb(out: string, release: PlatformRelease): void {
  const { source, platform } = release
  const name = debOf(source, platform)
  const [, cpu = ''] = /_(\w+)\.deb$/.exec(name) ?? []
  const field = (of: string) => output(['dpkg-deb', '--field', name, of], out).trim()
  same(name, ['Package', 'Version', 'Architecture'].map(field), [
    ...['changelogd', packageVersion(source.version), cpu],
  ])
  const entries = linesOf(output(['dpkg-deb', '--contents', name], out))
  const files = entries.filter((line) => !line.startsWith('d'))
  same(`The files of ${name}`, files.map(lastWord), [
    ...packageFiles(release, 'vendor-completions').map(({ path }) => `./${path}`),
  ])
  const executable = files.filter((line) => line.startsWith('-rwxr-xr-x')).map(lastWord)
  same(`What can be run in ${name}`, executable, ['./usr/bin/changelogd'])
  same(`The owners in ${name}`, [...new Set(entries.map((line) => line.split(/\s+/)[1]))], ['root/root'])
  const kept = linesOf(output(['dpkg-deb', '--info', name, 'conffiles'], out))
  same(`What ${name} does not overwrite`, kept, [`/${SETTINGS_FILE}`])
}

export function checkRpm(out: string, release: PlatformRelease): void {
  const { source, platform } = release
  const name = rpmOf(source, platform)
  const [, cpu = ''] = /\.(\w+)\.rpm$/.exec(name) ?? []
  const query = (...args: string[]) => linesOf(output(['rpm', '--query', '--package', name, ...args], out))
  const fields = ['NAME', 'VERSION', 'ARCH', 'BUILDTIME', 'BUILDHOST'].map((field) => `%{${field}}\\n`)
  same(name, query('--queryformat', fields.join('')), [
    ...['changelogd', packageVersion(source.version), cpu, String(source.time), 'changelogd'],
  ])
  const attributes = '[%{FILEMODES:perms} %{FILEUSERNAME} %{FILEGROUPNAME} %{FILENAMES}\\n]'
  const entries = query('--queryformat', attributes)
  same(`The files of ${name}`, entries.filter((line) => line.startsWith('-')).map(lastWord), [
    ...packageFiles(release, 'site-functions').map(({ path }) => `/${path}`),
  ])
  const others = entries.filter((line) => !/^(-rw-r--r--|drwxr-xr-x) root root /.test(line))
  same(`What is not plain in ${name}`, others, [
    '-rwxr-xr-x root root /usr/bin/changelogd',
    `-rw-r----- root changelogd /${SETTINGS_FILE}`,
    'drwx------ changelogd changelogd /var/lib/changelogd',
  ])
  same(`What ${name} does not overwrite`, query('--configfiles'), [`/${SETTINGS_FILE}`])
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '')
const lastWord = (line: string): string => line.split(/\s+/).at(-1) ?? ''

/** Whatever their order. */
function same(what: string, found: readonly unknown[], expected: readonly unknown[]): void {
  if (Bun.deepEquals(found.toSorted(), expected.toSorted())) return
  throw new Refusal(`${what}: ${found.join(', ')}. It should be: ${expected.join(', ')}`)
}

/** What a program of the system prints. */
function output(command: [string, ...string[]], cwd: string): string {
  const { success, stdout, stderr } = Bun.spawnSync(command, { cwd, env: { ...process.env, TZ: 'UTC' } })
  if (!success) throw new Refusal(`${command.join(' ')} failed: ${stdout}${stderr}`)
  return String(stdout)
}
