import { renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Entry } from '../archive.ts'
import type { PlatformRelease } from '../contents.ts'
import type { Source } from '../source.ts'
import scripts from './rpm/scripts.spec' with { type: 'text' }
import { runTool } from './tool.ts'
import { DOCUMENTATION, packageFiles, packageVersion, SETTINGS_FILE, writeTree } from './tree.ts'

const ARCHITECTURES = { x64: 'x86_64', arm64: 'aarch64' }

/** What makes the same bytes anywhere, and leaves the binary as it is: stripped, it would lose the program. */
const MACROS = {
  _buildhost: 'changelogd',
  use_source_date_epoch_as_buildtime: '1',
  clamp_mtime_to_source_date_epoch: '1',
  source_date_epoch_from_changelog: '0',
  _binary_payload: 'w1.xzdio',
  __os_install_post: '%{nil}',
  debug_package: '%{nil}',
  _build_id_links: 'none',
}

/** Builds the .rpm for Linux with glibc into `directory`, and returns its name. */
export function buildRpm(directory: string, scratch: string, release: PlatformRelease): string {
  const { source, platform } = release
  const files = packageFiles(release, 'site-functions')
  const top = join(scratch, `rpm-${platform.cpu}`)
  const tree = join(top, 'tree')
  writeTree(tree, files, source.time)
  const spec = join(top, 'changelogd.spec')
  writeFileSync(spec, rpmSpec(source, files))
  const architecture = ARCHITECTURES[platform.cpu]
  const macros = Object.entries({ ...MACROS, _topdir: top, tree }).flatMap(([name, value]) => [
    '--define',
    `${name} ${value}`,
  ])
  runTool(['rpmbuild', '-bb', '--target', `${architecture}-linux`, ...macros, spec], {
    SOURCE_DATE_EPOCH: String(source.time),
  })
  const name = `changelogd-${packageVersion(source.version)}-1.${architecture}.rpm`
  renameSync(join(top, 'RPMS', architecture, name), join(directory, name))
  return name
}

/** The spec of a package of `files`, which are in the directory that the macro `tree` names. */
export function rpmSpec(source: Source, files: readonly Entry[]): string {
  const listed = files.filter(({ path }) => path !== SETTINGS_FILE).map(({ path }) => `/${path}`)
  const documents = files.filter(({ path }) => path.startsWith(DOCUMENTATION))
  const directories = [...new Set(documents.map(({ path }) => dirname(path)))]
  return `Name: changelogd
Version: ${packageVersion(source.version)}
Release: 1
Summary: Stores product changelogs and serves them over HTTP
License: ${source.license}
AutoReqProv: no
Requires: glibc >= 2.17
Requires(pre): (shadow-utils or shadow)

%description
${source.description}

%install
cp -a %{tree}/. %{buildroot}
mkdir -p %{buildroot}/var/lib/changelogd

%files
%defattr(-, root, root)
${listed.join('\n')}
%dir /etc/changelogd
${directories.map((path) => `%dir /${path}`).join('\n')}
%config(noreplace) %attr(0640, root, changelogd) /${SETTINGS_FILE}
%dir %attr(0700, changelogd, changelogd) /var/lib/changelogd

${scripts}`
}
