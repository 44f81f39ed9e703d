import { chmodSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PACKAGE } from '../../src/config/package.ts'
import { type Entry, gzip, modeOf } from '../archive.ts'
import type { PlatformRelease } from '../contents.ts'

/** Where the packages keep their settings. It is never overwritten. */
export const SETTINGS_FILE = PACKAGE.settings.slice(1)

export const DOCUMENTATION = 'usr/share/doc/changelogd'

/** The files that a package installs. `zsh` is where the distribution keeps completions for it. */
export function packageFiles({ contents, program }: PlatformRelease, zsh: string): Entry[] {
  const { manuals, completions, license, pages, units, settings } = contents
  return [
    { path: PACKAGE.program.slice(1), data: program, executable: true },
    ...units.map(({ path, data }) => ({ path: `usr/lib/systemd/system/${path}`, data })),
    { path: SETTINGS_FILE, data: settings },
    ...manuals.map(({ path, data }) => ({ path: `usr/share/man/man1/${path}.gz`, data: gzip(data) })),
    { path: 'usr/share/bash-completion/completions/changelogd', data: completions.bash },
    { path: `usr/share/zsh/${zsh}/_changelogd`, data: completions.zsh },
    { path: 'usr/share/fish/vendor_completions.d/changelogd.fish', data: completions.fish },
    { path: `${DOCUMENTATION}/copyright`, data: license },
    ...pages.map(({ path, data }) => ({ path: `${DOCUMENTATION}/${path}`, data })),
  ]
}

/** A version as dpkg and rpm order it: 0.2.0~rc.1 is before 0.2.0. */
export const packageVersion = (version: string): string => version.replace('-', '~')

/** Writes files below `directory`, with the modes and the time of a release whatever the umask. */
export function writeTree(directory: string, entries: readonly Entry[], time: number): void {
  for (const entry of entries) {
    const path = join(directory, entry.path)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, entry.data)
    chmodSync(path, modeOf(entry))
  }
  const below = readdirSync(directory, { recursive: true, withFileTypes: true })
  for (const file of below) {
    const path = join(file.parentPath, file.name)
    if (file.isDirectory()) chmodSync(path, 0o755)
    utimesSync(path, time, time)
  }
  chmodSync(directory, 0o755)
  utimesSync(directory, time, time)
}
