import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Entry } from '../archive.ts'
import type { PlatformRelease } from '../contents.ts'
import type { Platform } from '../platforms.ts'
import type { Source } from '../source.ts'
import postinst from './deb/postinst.sh' with { type: 'text' }
import postrm from './deb/postrm.sh' with { type: 'text' }
import prerm from './deb/prerm.sh' with { type: 'text' }
import { runTool } from './tool.ts'
import { packageFiles, packageVersion, SETTINGS_FILE, writeTree } from './tree.ts'

const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' }

/** One thread: with more of them, the number would be part of the bytes. */
const COMPRESSION = ['-Zxz', '-z1', '--threads-max=1']

/** Builds the .deb for Linux with glibc into `directory`, and returns its name. */
export function buildDeb(
  directory: string,
  scratch: string,
  release: PlatformRelease,
  compression = COMPRESSION,
): string {
  const { source, platform } = release
  const files = packageFiles(release, 'vendor-completions')
  const tree = join(scratch, `deb-${platform.cpu}`)
  writeTree(tree, [...files, ...debControl(source, platform, files)], source.time)
  const name = `changelogd_${packageVersion(source.version)}_${ARCHITECTURES[platform.cpu]}.deb`
  runTool(['dpkg-deb', '--root-owner-group', ...compression, '--build', tree, join(directory, name)], {
    SOURCE_DATE_EPOCH: String(source.time),
  })
  return name
}

/** What dpkg knows of the package, and runs. */
export function debControl(source: Source, platform: Platform, files: readonly Entry[]): Entry[] {
  const bytes = files.reduce((sum, { data }) => sum + data.length, 0)
  const sums = files.map(({ path, data }) => `${createHash('md5').update(data).digest('hex')}  ${path}\n`)
  const control = `Package: changelogd
Version: ${packageVersion(source.version)}
Architecture: ${ARCHITECTURES[platform.cpu]}
Maintainer: The changelogd authors <changelogd@localhost>
Installed-Size: ${Math.ceil(bytes / 1024)}
Depends: libc6 (>= 2.17), adduser
Section: web
Priority: optional
Description: stores product changelogs and serves them over HTTP
 ${source.description}
`
  return [
    { path: 'DEBIAN/control', data: control },
    { path: 'DEBIAN/conffiles', data: `/${SETTINGS_FILE}\n` },
    { path: 'DEBIAN/md5sums', data: sums.join('') },
    { path: 'DEBIAN/postinst', data: postinst, executable: true },
    { path: 'DEBIAN/prerm', data: prerm, executable: true },
    { path: 'DEBIAN/postrm', data: postrm, executable: true },
  ]
}
