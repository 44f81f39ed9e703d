import { statSync } from 'node:fs'

/** Where the .deb and the .rpm put things; the unit of the service has the same places. */
export const PACKAGE = {
  program: '/usr/bin/changelogd',
  settings: '/etc/changelogd/changelogd.env',
  /** The working directory of the service. */
  directory: '/var/lib/changelogd',
  /** Its database, unless the settings name another. */
  database: 'file:/var/lib/changelogd/changelogd.db',
  user: 'changelogd',
} as const

/** Whether a program is the one that a package has installed with its settings, and not a checkout or a binary elsewhere. */
export function isPackaged(program: string): boolean {
  if (program !== PACKAGE.program) return false
  try {
    statSync(PACKAGE.settings)
    return true
  } catch (error) {
    // Settings that this user may not even look up are there.
    return !(error instanceof Error && 'code' in error && error.code === 'ENOENT')
  }
}
