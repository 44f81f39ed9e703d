import { lstatSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { databaseName, isPostgres } from '../../domain/addresses/database.ts'
import { orNull } from '../../domain/errors.ts'
import type { Instant } from '../../domain/records.ts'
import { OutcomeUnknown, Refusal, Unavailable } from '../../domain/refusal.ts'
import { commandLine } from '../../domain/text/shell.ts'
import { DAY_MS, formatInstant } from '../../domain/time/time.ts'
import { createDirectory } from '../../files/access.ts'
import { fileError } from '../../files/errors.ts'
import { exactStat, fileInstead, isSame } from '../../files/lookup.ts'
import {
  fill,
  inPieces,
  missingDirectory,
  moveIntoPlace,
  sync,
  type TemporaryFile,
  temporaryFileBeside,
} from '../../files/temporary.ts'
import type { Deleted } from '../../formats/native/records.ts'
import { writeLines } from '../../formats/native/write.ts'
import type { Records } from '../../store/records/records.ts'
import { type Deletion, overwrittenIn, type Part, partOf, recordsOf } from './deletion.ts'

export interface Trash {
  /** `what` is for messages. Refuses if it cannot be kept. */
  keep(records: Records, what: string, deletions: readonly [Deletion, ...Deletion[]]): Promise<Kept>
}

export interface Kept {
  file: string
  undo: string
}

/** Where a process keeps records deleted from a database. */
export interface TrashPlace {
  database: string
  directory: string
  now(): Instant
  /** How the user names the database in commands; by default they find it. */
  db?: string | undefined
}

/**
 * Runs `work`, which deletes records in a transaction, keeps them, and calls `settle` before the commit: then the file is
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
        what,
        database: databaseName(database),
        ids: parts.flatMap(({ ids }) => ids),
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
  commandLine({ name: 'undo', args: [file], options: { db: db ?? null } })

/** Creates the directory for its owner only: deleted records may be private. */
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
  new OutcomeUnknown(`${error.message} The deleted records are in ${kept.file}.`, {
    hint: `${error.hint} To undo: ${kept.undo}`,
    cause: error,
    result: error.result ?? kept,
  })

const notKept = (error: Refusal): Unavailable =>
  new Unavailable(`Nothing was deleted, because it could not be kept for undo. ${error.message}`, {
    hint: [error.hint, 'To use another directory, set TRASH_DIR.'].filter(Boolean).join(' '),
    cause: error,
  })

/** Older files are removed with the next deletion. */
export const KEPT_DAYS = 30

/** Time, content and a random number: `2026-01-02T03-04-05-678Z-version-acme-app-0123abcd.jsonl`. */
const NAME =
  /^(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d)-(\d{3}Z)-(?:team|product|version|change|source|hook)-[a-z0-9-]+-[0-9a-f]{8}\.jsonl$/

function trashName({ kind, team, product }: Part, now: Instant): string {
  const owner = product ? `${team.slug}-${product.slug}` : team.slug
  const at = formatInstant(now).replaceAll(/[:.]/g, '-')
  return `${at}-${kind}-${owner}-${crypto.randomUUID().slice(0, 8)}.jsonl`
}

/** The time in the name of a copy; null for another file. */
function momentOf(name: string): Instant | null {
  const moment = Date.parse(name.replace(NAME, '$1$2:$3:$4.$5'))
  return NAME.test(name) && !Number.isNaN(moment) ? moment : null
}

/** Copies of deleted records in the directories, newest first. */
export function trashFiles(...directories: readonly string[]): { path: string; at: Instant }[] {
  const distinct = new Map(
    directories.toReversed().map((each) => [orNull(() => realpathSync(each)) ?? each, each]),
  )
  return [...distinct.values()]
    .flatMap((directory) =>
      (orNull(() => readdirSync(directory)) ?? []).flatMap((name) => {
        const at = momentOf(name)
        return at === null ? [] : [{ path: join(directory, name), at }]
      }),
    )
    .filter(({ path }) => lstatSync(path, { throwIfNoEntry: false })?.isFile())
    .sort((a, b) => b.at - a.at)
}

/** Removes old copies. If one cannot be removed, the next deletion tries again. */
const pruneTrash = (directory: string, now: Instant): void =>
  void orNull(() => {
    for (const { path, at } of trashFiles(directory))
      if (now - at > KEPT_DAYS * DAY_MS) rmSync(path, { force: true })
  })

/**
 * True if the file at `path` has records of this database, whatever its address was then and is now; `team` is the one
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
