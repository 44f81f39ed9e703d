import { basename, dirname, join } from 'node:path'
import { databaseName, isPostgres } from '../../domain/addresses/database.ts'
import { orNull } from '../../domain/errors.ts'
import { exactStat, isSame } from '../../files/lookup.ts'
import type { Deleted } from '../../formats/native/records.ts'
import type { Records } from '../../store/records/records.ts'

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
