import { addressOf, type BucketAddress, isOf, type NamedBackup } from '../domain/backups.ts'
import { Refusal, toRun } from '../domain/refusal.ts'
import { spelledOut } from '../domain/time/time.ts'
import type { Identity } from '../store/sqlite/backup/backup.ts'
import type { Noted } from '../store/sqlite/backup/restore.ts'

export interface Chosen {
  backup: Backup
  /** A sentence about the choice; null if it is the newest there. */
  remark: string | null
}

/** The backups that count for the database `here`: any, if it is not there or has no content. */
export const backupsFor = (here: Identity, backups: readonly Backup[]): readonly Backup[] =>
  here.hasContent ? backups.filter((backup) => isOf(here.databaseId, backup)) : backups

/**
 * The backup that a place names, or the newest one of the database `here`. For no database, or one without content, the
 * newest of all, unless they are of several. `backups` are all that are there, newest first.
 */
export function chooseBackup(backups: readonly Backup[], place: BucketAddress, here: Identity): Chosen {
  const directory = addressOf({ ...place, name: null })
  const [newest] = backups
  if (place.name !== null || !newest) {
    const backup = backups.find(({ name }) => name === place.name)
    if (backup) return { backup, remark: null }
    throw new Refusal(
      place.name === null
        ? `There is no backup at ${directory}.`
        : `There is no good backup ${addressOf(place)}.`,
      { hint: toRun('To list the backups', 'backup list', [directory]) },
    )
  }
  if (here.hasContent) {
    const [backup] = backupsFor(here, backups)
    if (!backup)
      throw new Refusal(`No backup at ${directory} is of this database.`, {
        hint: `To use the newest backup of another database, give its address: ${newest.address}`,
      })
    const remark = `The newest backup at ${directory} is of another database. This is the newest of this one.`
    return { backup, remark: backup === newest ? null : remark }
  }
  const newestOfEach = Map.groupBy(
    backups.filter(({ databaseId }) => databaseId !== null),
    ({ databaseId }) => databaseId,
  )
  if (newestOfEach.size <= 1) return { backup: newest, remark: null }
  const choices = [...newestOfEach.values()].flatMap(([first]) => (first ? [first] : []))
  throw new Refusal(`The backups at ${directory} are of ${choices.length} databases.`, {
    hint: `Give the address of one. The newest of each: ${choices.map(({ address, at }) => `${address} of ${spelledOut(at)}`).join(', ')}`,
  })
}

export interface Note extends Noted {
  /** Hash and size of the file, decompressed. */
  sha256: string
  bytes: number
}

export interface Backup extends NamedBackup {
  address: string
  compressedBytes: number
}
