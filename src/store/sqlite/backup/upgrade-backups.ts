import { readdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Instant } from '../../../domain/records.ts'
import { shellWord } from '../../../domain/text/shell.ts'
import { shortened, stampOf } from '../../../files/names.ts'

/** The backups that upgrades make: their names, and the way back to one of them. */

/** Next to the database: the schema that is in it, and when it was made. */
export function upgradeBackupOf(database: string, schema: number, now: Instant): string {
  const real = realpathSync(database)
  return `${join(dirname(real), shortened(basename(real)))}.schema-${schema}-${stampOf(now)}.backup`
}

const NAMED = /\.schema-(\d+)-(\d{8}T\d{9}Z)\.backup$/

/**
 * What to do with a database that a newer program has upgraded, for a program that knows `schema`: the commands that
 * bring back the newest backup it can use, if there is one.
 */
export function wayBack(database: string, schema: number): string {
  const backup = newestBackup(database, schema)
  if (backup === undefined)
    return 'Run the newer program. To go back to the state before the upgrade instead, restore a backup of it: see Upgrades in docs/operating.md.'
  // Alone: its log has been copied into it by the time that the last process has closed it.
  const file = shellWord(database)
  return `Run the newer program. To go back to the state before the upgrade instead, stop the server and run: mv ${file} ${shellWord(`${database}.newer`)} && changelogd restore ${shellWord(backup)} --db ${file}`
}

function newestBackup(database: string, schema: number): string | undefined {
  const real = realpathSync(database)
  const prefix = `${shortened(basename(real))}.schema-`
  return readdirSync(dirname(real))
    .filter((name) => name.startsWith(prefix) && Number(NAMED.exec(name)?.[1]) <= schema)
    .sort((a, b) => madeAt(a).localeCompare(madeAt(b)))
    .map((name) => join(dirname(real), name))
    .at(-1)
}

const madeAt = (name: string): string => NAMED.exec(name)?.[2] ?? ''
