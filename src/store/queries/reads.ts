import { sql } from 'drizzle-orm'
import { keyedRule, publicRule } from '../visibility.ts'
import {
  changelogStatements,
  ofChangelog,
  readNeighbors,
  readNewer,
  readOverview,
  readPage,
  readStamp,
  readStretch,
} from './changelog.ts'
import { directoryStatements, readDirectory, readProductsOfKey, readUndated } from './directory.ts'
import { formerStatement, readFormer } from './former.ts'
import { findGrant, keyStatements } from './keys.ts'
import { readPicture } from './pictures.ts'
import { readNear } from './ranges.ts'
import { all, type Read, type ReadContext } from './read.ts'
import { type Dialect, statement } from './statement.ts'
import { readContents, readNewerInTimeline, readTimeline, timelineStatements } from './timeline.ts'
import type { Revision, Stamped } from './types.ts'
import { readVersion } from './versions.ts'

/** Every read of a server. `Store` has a method for each, without the context. */
const reads = {
  ping,
  findGrant,
  readWork,
  readChangelog: ofChangelog(null, readPage),
  readVersion: ofChangelog(null, readVersion),
  readNear: ofChangelog(null, readNear),
  readOverview: ofChangelog(null, readOverview),
  readStretch: ofChangelog(null, readStretch),
  readStamp: ofChangelog(null, readStamp),
  readNeighbors: ofChangelog(null, readNeighbors),
  readNewer: ofChangelog([], readNewer),
  readPicture: ofChangelog(null, readPicture),
  readDirectory,
  readUndated,
  readFormer,
  readProductsOfKey,
  readTimeline,
  readContents,
  readNewerInTimeline,
}

export type ReadName = keyof typeof reads

export type Given<Name extends ReadName> =
  Parameters<(typeof reads)[Name]> extends [unknown, ...infer Values] ? Values : never
export type Found<Name extends ReadName> =
  ReturnType<(typeof reads)[Name]> extends Read<infer Result> ? Result : never

/** The reads with types for a call by a variable name. */
export const READS: {
  [Name in ReadName]: (context: StoreContext, ...given: Given<Name>) => Read<Found<Name>>
} = reads

export type StoreReads = {
  [Name in ReadName]: (...given: Given<Name>) => Soon<Stamped<Found<Name>>>
}

export interface Snapshots {
  /**
   * Runs long work, all of whose reads see the state of the data at revision `at`, beside any writer. Throws `TooLong` from a
   * read that begins after `LONG_READ_MS`.
   */
  snapshot<T>(work: (reads: StoreReads, at: Revision) => Promise<T>): Promise<Stamped<T>>
}

/** A promise only if it must wait, as for PostgreSQL. */
export type Soon<T> = T | Promise<T>

/** The store with some of its reads replaced, those of snapshots too. `at` is the revision of a snapshot. */
export const withReads = <Store extends StoreReads & Snapshots>(
  store: Store,
  replace: (reads: StoreReads, at?: Revision) => Partial<StoreReads>,
): Store => ({
  ...store,
  ...replace(store),
  snapshot: (work) => store.snapshot((reads, at) => work({ ...reads, ...replace(reads, at) }, at)),
})

/** Maps all reads by one function, so that engines and wrappers name none. */
export const mapReads = (
  read: <Name extends ReadName>(name: Name, given: Given<Name>) => Soon<Stamped<Found<Name>>>,
): StoreReads =>
  Object.fromEntries(
    Object.keys(reads).map((name) => [name, (...given: never) => read(name as ReadName, given)]),
  ) as StoreReads

export type StoreContext = ReadContext<Statements>

/** A real read, to see that the engine answers. */
function* ping({ statements }: StoreContext): Read<void> {
  yield* all(statements.anyTeam, {})
}

function* readWork({ statements }: StoreContext): Read<boolean> {
  return (yield* all(statements.work, {})).length > 0
}

const WORK = `exists (select 1 from source where not paused) or exists (select 1 from hook where status = 'active')`

type Statements = ReturnType<typeof statementsOf>

/** The statements of all reads. Statements of an audience have its rule of visibility. */
export function statementsOf(dialect: Dialect) {
  const { builder, tables } = dialect
  const anyTeam = () => builder.select({ id: tables.teams.id }).from(tables.teams).limit(1)
  return {
    forPublic: changelogStatements(dialect, publicRule(tables)),
    forKey: changelogStatements(dialect, keyedRule(tables)),
    ...directoryStatements(dialect),
    timeline: timelineStatements(dialect),
    former: formerStatement(dialect),
    ...keyStatements(dialect),
    anyTeam: statement(anyTeam()),
    work: statement(anyTeam().where(sql.raw(WORK))),
  }
}
