import { existsSync, lstatSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { databaseName, isPostgres } from '../../domain/addresses/database.ts'
import { orNull } from '../../domain/errors.ts'
import type { Instant } from '../../domain/records.ts'
import { DAY_MS, formatInstant } from '../../domain/time/time.ts'
import { exactStat, isSame } from '../../files/lookup.ts'
import type { Deleted } from '../../formats/native/records.ts'
import type { Records } from '../../store/records/records.ts'
import type { Part } from '../deletion.ts'

/** Older files are removed with the next deletion. */
export const KEPT_DAYS = 30

/** Time, content and a random number: `2026-01-02T03-04-05-678Z-version-acme-app-0123abcd.jsonl`. */
const NAME =
  /^(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d)-(\d{3}Z)-(?:team|product|version|change|source|hook)-[a-z0-9-]+-[0-9a-f]{8}\.jsonl$/

export function trashName({ kind, team, product }: Part, now: Instant): string {
  const owner = product ? `${team.slug}-${product.slug}` : team.slug
  const at = formatInstant(now).replaceAll(/[:.]/g, '-')
  return `${at}-${kind}-${owner}-${crypto.randomUUID().slice(0, 8)}.jsonl`
}

/** The time in the name of one of our files; otherwise null. */
function momentOf(name: string): Instant | null {
  const moment = Date.parse(name.replace(NAME, '$1$2:$3:$4.$5'))
  return NAME.test(name) && !Number.isNaN(moment) ? moment : null
}

/** Our files in the directories, newest first. */
export function trashFiles(...directories: readonly string[]): { path: string; at: Instant }[] {
  const distinct = new Map(directories.toReversed().map((each) => [realPath(each), each]))
  return [...distinct.values()]
    .flatMap((directory) =>
      namesIn(directory).flatMap((name) => {
        const at = momentOf(name)
        return at === null ? [] : [{ path: join(directory, name), at }]
      }),
    )
    .filter(({ path }) => lstatSync(path, { throwIfNoEntry: false })?.isFile())
    .sort((a, b) => b.at - a.at)
}

/** Removes our old files. With one that cannot be removed, the next deletion tries again. */
export const pruneTrash = (directory: string, now: Instant): void =>
  void orNull(() => {
    for (const { path, at } of trashFiles(directory))
      if (now - at > KEPT_DAYS * DAY_MS) rmSync(path, { force: true })
  })

const realPath = (directory: string): string => (existsSync(directory) ? realpathSync(directory) : directory)

const namesIn = (directory: string): string[] => orNull(() => readdirSync(directory)) ?? []

/**
 * Whether the file at `path` has records of this database, whatever its address was then and is now; `team` is the one
 * they were in.
 */
export async function isFrom(
  records: Records,
  database: string,
  path: string,
  { team, ...deleted }: Deleted & { team: string | null },
): Promise<boolean> {
  if (deleted.database === databaseName(database)) return true
  const isKnown =
    deleted.identity === undefined
      ? isBeside(database, path, deleted)
      : deleted.identity === (await records.transfer.identity())
  // Ids are unique: a team that still exists here proves it.
  return isKnown || (team !== null && records.transfer.exists(team))
}

/** 0.2.0 did not note the identity. By default the trash is next to the database. */
function isBeside(database: string, path: string, deleted: Deleted): boolean {
  if (isPostgres(database) || isPostgres(deleted.database)) return false
  const beside = join(dirname(path), '..', basename(deleted.database))
  return orNull(() => isSame(exactStat(database), exactStat(beside))) === true
}
