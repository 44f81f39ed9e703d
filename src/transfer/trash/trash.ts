import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { databaseName } from '../../domain/addresses/database.ts'
import type { Instant } from '../../domain/records.ts'
import { OutcomeUnknown, Refusal, Unavailable } from '../../domain/refusal.ts'
import { shellWord } from '../../domain/text/shell.ts'
import { createDirectory } from '../../files/access.ts'
import { fileError } from '../../files/errors.ts'
import { fileInstead } from '../../files/lookup.ts'
import {
  fill,
  inPieces,
  missingDirectory,
  moveIntoPlace,
  sync,
  type TemporaryFile,
  temporaryFileBeside,
} from '../../files/temporary.ts'
import { writeLines } from '../../formats/native/write.ts'
import type { Records } from '../../store/records/records.ts'
import { type Deletion, overwrittenIn, partOf, recordsOf } from '../deletion.ts'
import { pruneTrash, trashName } from './directory.ts'

/** Keeps what a command deletes, for `undo`. */
export interface Trash {
  /** `what` is for messages. Refuses if it cannot be kept. */
  keep(records: Records, what: string, deletions: readonly [Deletion, ...Deletion[]]): Promise<Kept>
}

export interface Kept {
  file: string
  /** The command that restores it. */
  undo: string
}

/** Where a process keeps what it deletes from a database. */
export interface TrashPlace {
  database: string
  directory: string
  now(): Instant
  /** How the user names the database in commands; by default they find it. */
  db?: string | undefined
}

/**
 * Runs `work`, which deletes in a transaction what it keeps, and calls `settle` before the commit: then the file is
 * complete and on disk. After a failure nothing stays in the trash, unless it may be the only copy. A process killed in
 * between leaves a file of records that still exist, which `undo` refuses.
 */
export async function withTrash<T>(
  place: () => TrashPlace,
  work: (trash: Trash, settle: () => Promise<void>) => Promise<T>,
): Promise<T> {
  let temporary: TemporaryFile | undefined
  let kept: Kept | undefined
  const keep: Trash['keep'] = async (records, what, deletions) => {
    const { database, directory, now, db } = place()
    const file = join(directory, trashName(partOf(deletions[0]), now()))
    const parts = deletions.map(partOf)
    kept = await refusing(file, async () => {
      provide(directory)
      const identity = await records.transfer.identity()
      const deleted = {
        ...{ what, database: databaseName(database), ids: parts.flatMap(({ ids }) => ids) },
        ...(identity !== null && { identity }),
        ...(await overwrittenIn(records, parts)),
      }
      temporary?.[Symbol.dispose]()
      temporary = temporaryFileBeside(file)
      await fill(temporary.path, inPieces(writeLines(recordsOf(records, parts), deleted)))
      return { file, undo: commandToUndo(file, { db }) }
    })
    return kept
  }
  const settle = async () => {
    const [from, to] = [temporary?.path, kept?.file]
    if (from && to) await refusing(to, () => moveIntoPlace(from, to, false))
  }
  let done: T
  try {
    done = await work({ keep }, settle)
  } catch (error) {
    if (kept && error instanceof OutcomeUnknown) throw perhapsDeleted(error, kept)
    if (kept) rmSync(kept.file, { force: true })
    throw error
  } finally {
    temporary?.[Symbol.dispose]()
  }
  // The deletion is committed: a failure here must not lose the copy.
  if (kept) pruneTrash(dirname(kept.file), place().now())
  return done
}

export const commandToUndo = (file: string, { db }: { db?: string | undefined }): string =>
  `changelogd undo ${shellWord(file)}${db === undefined ? '' : ` --db ${shellWord(db)}`}`

/** For the owner only: deleted records may be private. */
function provide(directory: string): void {
  if (fileInstead(directory)) throw notKept(missingDirectory(directory))
  const created = createDirectory(directory)
  if (created !== undefined) sync(dirname(created))
}

/** If the file system refuses, the error says that nothing was deleted, and how to go on. */
async function refusing<T>(file: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    // Other errors are the database's.
    if (!(thrown instanceof Error && 'syscall' in thrown)) throw thrown
    const error = fileError(thrown, file, `Cannot write ${file}`)
    throw error instanceof Refusal ? notKept(error) : error
  }
}

const perhapsDeleted = (error: OutcomeUnknown, kept: Kept): OutcomeUnknown =>
  new OutcomeUnknown(`${error.message} A copy of what it deletes is in ${kept.file}.`, {
    hint: `${error.hint} To bring it back: ${kept.undo}`,
    cause: error,
    result: error.result ?? kept,
  })

const notKept = (error: Refusal): Unavailable =>
  new Unavailable(`Nothing was deleted, because a copy cannot be kept. ${error.message}`, {
    hint: [error.hint, 'To keep it in another directory, set TRASH_DIR.'].filter(Boolean).join(' '),
    cause: error,
  })
