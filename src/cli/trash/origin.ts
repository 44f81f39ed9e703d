import { realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { databaseName, isPostgres } from '../../domain/addresses/database.ts'
import { exactStat, isSame } from '../../files/lookup.ts'
import type { Deleted } from '../../formats/native/records.ts'
import type { Records } from '../../store/records/types.ts'

/** From which database a file of the trash is, in whatever way that was addressed then and is now. */

/** What the file at `path`, in a directory that exists, is to say of the database; null if PostgreSQL does not tell. */
export const identityOf = async (records: Records, database: string, path: string): Promise<string | null> =>
  isPostgres(database)
    ? records.transfer.identity()
    : relative(realpathSync(dirname(path)), realpathSync(database))

/** Whether what the file at `path` says was deleted was deleted from this database; `team` is the one that it was in. */
export async function isFrom(
  records: Records,
  database: string,
  path: string,
  { team, ...deleted }: Deleted & { team: string | null },
): Promise<boolean> {
  if (deleted.database === databaseName(database)) return true
  const isKnown = isPostgres(database)
    ? deleted.identity !== undefined && deleted.identity === (await records.transfer.identity())
    : namesFile(database, path, deleted)
  // Ids are not given twice: a team that is here tells, if it was not deleted itself.
  return isKnown || (team !== null && records.transfer.exists(team))
}

/** Whether a file of the trash names the database by its path, or by its place, if both have moved together. */
function namesFile(database: string, path: string, deleted: Deleted): boolean {
  if (isPostgres(deleted.database)) return false
  // 0.2.0 did not note the place. By default the trash is beside the database.
  const place = deleted.identity ?? join('..', basename(deleted.database))
  try {
    const found = exactStat(database)
    const named = [deleted.database, resolve(realpathSync(dirname(path)), place)]
    return named.some((each) => isSame(found, exactStat(each)))
  } catch {
    return false
  }
}
