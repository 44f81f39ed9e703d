import { realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { databaseName, isPostgres } from '../../domain/addresses/database.ts'
import { orNull } from '../../domain/errors.ts'
import { exactStat, isSame } from '../../files/lookup.ts'
import type { Deleted } from '../../formats/native/records.ts'
import type { Records } from '../../store/records/records.ts'

/** From which database a file of the trash is, whatever its address was then and is now. */

/** How the file at `path` identifies the database; null if PostgreSQL does not tell. */
export const identityOf = async (records: Records, database: string, path: string): Promise<string | null> =>
  isPostgres(database)
    ? records.transfer.identity()
    : relative(realpathSync(dirname(path)), realpathSync(database))

/** Whether the file at `path` has records of this database; `team` is the one they were in. */
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
  // Ids are unique: a team that still exists here proves it.
  return isKnown || (team !== null && records.transfer.exists(team))
}

/** Whether a file names the database by its path, or relative to itself, if both have moved together. */
function namesFile(database: string, path: string, deleted: Deleted): boolean {
  if (isPostgres(deleted.database)) return false
  // 0.2.0 did not note the identity. By default the trash is next to the database.
  const place = deleted.identity ?? join('..', basename(deleted.database))
  const isNamed = orNull(() => {
    const found = exactStat(database)
    const named = [deleted.database, resolve(realpathSync(dirname(path)), place)]
    return named.some((each) => isSame(found, exactStat(each)))
  })
  return isNamed === true
}
