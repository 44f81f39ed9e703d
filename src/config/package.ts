import { statSync } from 'node:fs'
import { codeOf } from '../domain/errors.ts'

/** Paths of the .deb and the .rpm, also in the unit of the service. */
export const PACKAGE = {
  program: '/usr/bin/changelogd',
  settings: '/etc/changelogd/changelogd.env',
  /** The working directory of the service. */
  directory: '/var/lib/changelogd',
  /** The database of the service, unless the settings name another. */
  database: 'file:/var/lib/changelogd/changelogd.db',
  user: 'changelogd',
} as const

/** True if a package installed this program with its settings. False for a checkout or a binary elsewhere. */
export function isPackaged(program: string): boolean {
  if (program !== PACKAGE.program) return false
  try {
    statSync(PACKAGE.settings)
    return true
  } catch (error) {
    // Settings that this user may not look up do exist.
    return codeOf(error) !== 'ENOENT'
  }
}
