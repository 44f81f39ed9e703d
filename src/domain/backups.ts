import type { Instant } from './records.ts'
import { Refusal } from './refusal.ts'
import { DAY_MS } from './time/time.ts'

/** A directory of a bucket, and the backup in it that is meant. */
export interface BucketAddress {
  bucket: string
  /** Empty, or with a slash at its end. */
  directory: string
  /** Null for the newest good one. */
  name: string | null
}

const SCHEME = 's3://'
const LATEST = 'latest'

export const isPlace = (text: string): boolean => text.startsWith(SCHEME)

/** The place at `s3://BUCKET/PATH/`, with the name of a backup or `latest`; null if it is none. */
function parseBucketAddress(text: string): BucketAddress | null {
  const [, bucket, directory = '', name = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/((?:[^/]+\/)*)([^/]*))?$/.exec(text) ?? []
  if (bucket === undefined || /[\s?#\\]|^\.{1,2}\/|\/\.{1,2}\//.test(text)) return null
  return { bucket, directory, name: name === '' || name === LATEST ? null : name }
}

/** True if backups can be made there: they get names of their own. */
export const isDirectory = (text: string): boolean => text.endsWith('/') && parseBucketAddress(text) !== null

export function bucketAddressOf(text: string): BucketAddress {
  const place = parseBucketAddress(text)
  if (place) return place
  throw new Refusal(`${text} is not the address of a backup.`, {
    hint: 'Use s3://BUCKET/PATH/, with the name of a backup or latest at the end.',
  })
}

export const addressOf = ({ bucket, directory, name }: BucketAddress): string =>
  `${SCHEME}${bucket}/${directory}${name ?? ''}`

/** A backup as its name tells it. */
export interface NamedBackup {
  name: string
  at: Instant
  schema: number
  /** The id of its database; null if its name does not tell, as in older programs. */
  databaseId: string | null
}

const NAME =
  /^changelogd-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-schema(\d+)(?:-([0-9a-f]{12}))?\.db\.zst$/

/** Names in the order of the alphabet are in that of time. */
export const backupName = (at: Instant, schema: number, databaseId: string | null): string =>
  `changelogd-${new Date(at).toISOString().replace(/[-:.]/g, '')}-schema${schema}${databaseId === null ? '' : `-${databaseId}`}.db.zst`

/** Null for a file that is none of ours. */
export function readName(name: string): NamedBackup | null {
  const [, year, month, day, hour, minute, second, millisecond, schema, databaseId = null] =
    NAME.exec(name) ?? []
  if (schema === undefined) return null
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}Z`)
  return Number.isNaN(at) ? null : { name, at, schema: Number(schema), databaseId }
}

/** True if a backup counts for this database. */
export const isOf = (databaseId: string | null, backup: NamedBackup): boolean =>
  backup.databaseId === null || backup.databaseId === databaseId

/** How many backups to keep: the newest of so many days, weeks or months each. */
export type Keep = readonly { count: number; unit: Unit }[]

type Unit = 'd' | 'w' | 'm'

/** `7d,4w,12m`, or null if it is not of that form. */
export function parseKeep(text: string): Keep | null {
  const parts = text.split(',').map((part) => /^([1-9]\d{0,3})([dwm])$/.exec(part.trim()))
  return parts.every((part) => part !== null)
    ? parts.map(([, count, unit]) => ({ count: Number(count), unit: unit as Unit }))
    : null
}

/** The first Monday. */
const MONDAY_MS = 4 * DAY_MS

/** The day, week or month of a time, in UTC. */
const PERIODS: Readonly<Record<Unit, (at: number) => string | number>> = {
  d: (at) => Math.floor(at / DAY_MS),
  w: (at) => Math.floor((at - MONDAY_MS) / (7 * DAY_MS)),
  m: (at) => new Date(at).toISOString().slice(0, 7),
}

/** The backups that are not to be kept. Days, weeks and months without a backup do not count; the newest is always kept. */
export function superfluous<Backup extends NamedBackup>(backups: readonly Backup[], keep: Keep): Backup[] {
  const newestFirst = backups.toSorted((one, other) => other.at - one.at)
  const kept = new Set(newestFirst.slice(0, 1))
  for (const { count, unit } of keep) {
    const periods = new Map(newestFirst.toReversed().map((backup) => [PERIODS[unit](backup.at), backup]))
    for (const backup of [...periods.values()].toReversed().slice(0, count)) kept.add(backup)
  }
  return newestFirst.filter((backup) => !kept.has(backup))
}
