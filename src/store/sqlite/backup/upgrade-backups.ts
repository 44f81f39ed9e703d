import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Instant } from '../../../domain/records.ts'
import { shellWord } from '../../../domain/text/shell.ts'
import { shortened, timeInName } from '../../../files/leftovers.ts'
import { resolvedPath } from '../../../files/lookup.ts'

/** Named after the schema in it, and its time. */
export function upgradeBackupOf(database: string, schema: number, now: Instant): string {
  const real = resolvedPath(database)
  return `${join(dirname(real), shortened(basename(real)))}.schema-${schema}-${timeInName(now)}.backup`
}

const NAMED = /\.schema-(\d+)-(\d{8}T\d{9}Z)\.backup$/

/** How a program that knows `schema` restores the newest backup it can use, after a newer one has upgraded. */
export function wayBack(database: string, schema: number): string {
  const backup = newestBackup(database, schema)
  if (backup === undefined) return 'Run the newer program, or restore a backup from before the upgrade.'
  // Without its log, which has been copied into it once the last process has closed it.
  const file = shellWord(database)
  return `Run the newer program. To undo the upgrade instead, stop the server and run: mv ${file} ${shellWord(`${database}.newer`)} && changelogd restore ${shellWord(backup)} --db ${file}`
}

/** The newest that was kept before an upgrade, of this schema or an older one. */
export function newestBackup(database: string, schema: number): string | undefined {
  const real = resolvedPath(database)
  const prefix = `${shortened(basename(real))}.schema-`
  return readdirSync(dirname(real))
    .filter((name) => name.startsWith(prefix) && Number(NAMED.exec(name)?.[1]) <= schema)
    .sort((a, b) => madeAt(a).localeCompare(madeAt(b)))
    .map((name) => join(dirname(real), name))
    .at(-1)
}

const madeAt = (name: string): string => NAMED.exec(name)?.[2] ?? ''
