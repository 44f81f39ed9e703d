import { dirname, join } from 'node:path'
import { isPostgres } from '../../domain/addresses/database.ts'
import { nullIf } from '../../domain/errors.ts'
import { isId } from '../../domain/id.ts'
import type { Instant } from '../../domain/records.ts'
import { readChunks } from '../../files/read.ts'
import { type DeletedFile, readDeleted } from '../../formats/native/read.ts'
import { FormatError } from '../../formats/parsed.ts'
import type { Records } from '../../store/records/records.ts'
import { stateOf } from './deletion.ts'
import { isFrom, trashFiles } from './trash.ts'

export interface KeptFile {
  path: string
  at: Instant
  deleted: DeletedFile
}

/** Records deleted from this database that do not exist, newest first; of repeated deletions, the last copy. */
export async function keptFiles(records: Records, database: string, trash: string): Promise<KeptFile[]> {
  /** Sources that gave way when undo brought back those that they had replaced. */
  const undone = new Set<string>()
  const kept = await Array.fromAsync(eachKeptFile(records, database, trash, undone))
  return kept.filter(({ deleted }) => !undone.has(deleted.ids[0] ?? ''))
}

/** The same one by one, for who needs only the newest, also with sources that were `undone`. Reads files as it goes. */
export async function* eachKeptFile(
  records: Records,
  database: string,
  trash: string,
  undone = new Set<string>(),
): AsyncGenerator<KeptFile> {
  const seen = new Set<string>()
  for (const file of trashFiles(...trashDirectories(database, trash))) {
    const deleted = await deletedIn(file.path)
    if (!deleted || !(await isFrom(records, database, file.path, deleted))) continue
    const { ids, overwritten } = deleted
    // One id tells: everything in a file is restored, or nothing. Overwritten versions exist, so their content tells.
    const isBack = overwritten
      ? (await stateOf(records, overwritten.product, ids)) !== overwritten.state
      : await records.transfer.exists(ids[0] ?? '')
    if (isBack) {
      for (const id of ids) if (isId('src', id) && !(await records.transfer.exists(id))) undone.add(id)
      continue
    }
    const key = ids.join(' ')
    if (key === '' || !seen.has(key)) yield { ...file, deleted }
    seen.add(key)
  }
}

/** The trash, and the one next to a link to the database, or from before `TRASH_DIR` was set. */
const trashDirectories = (database: string, trash: string): string[] => [
  trash,
  ...(isPostgres(database) ? [] : [join(dirname(database), 'trash')]),
]

/** Reads what a file keeps; null if it lacks its first line. */
const deletedIn = (path: string): Promise<DeletedFile | null> =>
  readDeleted(readChunks(path)).catch(nullIf((error) => error instanceof FormatError))
