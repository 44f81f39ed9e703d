import { lstatSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { databaseName, isPostgres } from '../../domain/addresses/database.ts'
import { nullIf, orNull } from '../../domain/errors.ts'
import { newId } from '../../domain/id.ts'
import type { Instant } from '../../domain/records.ts'
import { readChunks } from '../../files/read.ts'
import { type DeletedFile, readDeleted } from '../../formats/native/read.ts'
import { FormatError } from '../../formats/parsed.ts'
import type { Records } from '../../store/records/records.ts'
import { compressed } from './keep.ts'

/** Deletions that programs before 0.5.0 kept as files, to be taken into the database. */

interface OldFile {
  path: string
  at: Instant
}

/** Time, content and a random number: `2026-01-02T03-04-05-678Z-version-acme-app-0123abcd.jsonl`. */
const NAME =
  /^(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d)-(\d{3}Z)-(?:team|product|version|change|source|hook)-[a-z0-9-]+-[0-9a-f]{8}\.jsonl$/

/** The time in the name of a copy; null for another file. */
function momentOf(name: string): Instant | null {
  const moment = Date.parse(name.replace(NAME, '$1$2:$3:$4.$5'))
  return NAME.test(name) && !Number.isNaN(moment) ? moment : null
}

/** The copies in a trash, and in the one next to the database, oldest first. */
export function oldFiles(database: string, trash: string): OldFile[] {
  const beside = isPostgres(database) ? [] : [join(dirname(database), 'trash')]
  const distinct = new Map([trash, ...beside].map((each) => [orNull(() => realpathSync(each)) ?? each, each]))
  return [...distinct.values()]
    .flatMap((directory) =>
      (orNull(() => readdirSync(directory)) ?? []).flatMap((name) => {
        const at = momentOf(name)
        return at === null ? [] : [{ path: join(directory, name), at }]
      }),
    )
    .filter(({ path }) => lstatSync(path, { throwIfNoEntry: false })?.isFile())
    .sort((a, b) => a.at - b.at)
}

/** Takes in the copies that are of this database. Returns their paths. */
export async function takeInOldFiles(
  records: Records,
  database: string,
  files: readonly OldFile[],
): Promise<string[]> {
  const taken: string[] = []
  for (const { path, at } of files) {
    const deleted = await readDeleted(readChunks(path)).catch(nullIf((error) => error instanceof FormatError))
    if (!deleted || !(await isFrom(records, database, deleted))) continue
    const { what, ids, label, overwritten, team, product } = deleted
    const [first = ''] = ids
    await records.kept.add(
      {
        id: newId('kept'),
        at,
        act: overwritten ? 'overwritten' : 'deleted',
        who: null,
        teamId: team ?? '',
        productId: first === team ? null : product,
        versionId: first.startsWith('ver_') && ids.length === 1 ? first : null,
        head: { what, ids, label, ...(overwritten && { overwritten }) },
      },
      compressed(readChunks(path)),
    )
    taken.push(path)
  }
  return taken
}

/** True if a copy has records of this database, whatever its address was then and is now. Ids are unique: a team that exists proves it. */
const isFrom = async (records: Records, database: string, deleted: DeletedFile): Promise<boolean> =>
  deleted.database === databaseName(database) ||
  (deleted.identity !== undefined && deleted.identity === (await records.transfer.identity())) ||
  (deleted.team !== null && records.transfer.exists(deleted.team))
