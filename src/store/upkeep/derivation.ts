import { namesOf } from '../../domain/objects.ts'
import type { ChangeDraft } from '../../domain/records.ts'
import { DERIVED_COLUMNS, DERIVING, derivedOf } from '../../domain/versions/derived.ts'
import { newEdition, UNDERIVED } from '../tables/derived.ts'

/** A statement of either engine, with its values. */
export interface Query {
  sql: string
  values: (string | null)[]
}

/** Runs a statement at once, or is awaited. */
export type Ask = (query: Query) => unknown[][] | Promise<unknown[][]>

const COLUMNS = namesOf(DERIVED_COLUMNS)

type Steps<T> = Generator<Query, T, unknown[][]>

/** An old note would remove a picture as soon as no version shows it any more. */
const IS_SHOWN_AGAIN = `unshown_at is not null and exists
  (select 1 from version_picture where changelog_id = picture.changelog_id and picture_id = picture.id)`

/** Else only the rules are others: the text is what it was, and no news for hooks. */
const IS_REWORDED = 'version.kinds is null or version.derived_by is null'

const BATCH = 200
/** How many versions are written in a transaction of their own. */
export const GROUP = 5 * BATCH

/**
 * Writes the derived columns (domain/versions/derived.ts) of versions that lack them, and that their text has changed:
 * at the end of each transaction that writes, and of an upgrade. It yields statements and gets their rows, so that one
 * body serves a synchronous and an asynchronous engine. True if it stops at `most` versions, and there may be more.
 */
export function* deriving(most = Number.POSITIVE_INFINITY): Steps<boolean> {
  for (let written = 0; written < most; written += BATCH) {
    const versions = yield* derivedWhere(UNDERIVED)
    if (versions.length === 0) {
      // An update of no row would raise the revision of PostgreSQL.
      const noted = yield { sql: `select 1 from picture where ${IS_SHOWN_AGAIN} limit 1`, values: [] }
      if (noted.length > 0)
        yield { sql: `update picture set unshown_at = null where ${IS_SHOWN_AGAIN}`, values: [] }
      return false
    }
    const derived = versions.map(({ id, columns }) => [id, String(newEdition()), ...columns])
    yield {
      sql: `update version set edition = case when ${IS_REWORDED} then cast(derived.column2 as bigint) else edition end,
        derived_by = ${DERIVING}, ${COLUMNS.map((name, at) => `${name} = derived.column${at + 3}`)}
        from (values ${derived.map(({ length }, row) => `(${Array.from({ length }, (_, at) => `$${row * length + at + 1}`)})`).join()}) as derived
        where version.id = derived.column1`,
      values: derived.flat(),
    }
  }
  return true
}

/** The ids of versions whose derived columns are not what follows from their text. */
export function* wrongIds(): Steps<string[]> {
  const wrong: string[] = []
  for (let last = ''; ; ) {
    const versions = yield* derivedWhere(
      `not (${UNDERIVED}) and derived_by = ${DERIVING} and id > $1 order by id`,
      last,
    )
    if (versions.length === 0) return wrong
    wrong.push(
      ...versions.filter(({ stored, columns }) => !Bun.deepEquals(stored, columns)).map(({ id }) => id),
    )
    last = versions.at(-1)?.id ?? ''
  }
}

interface DerivedVersion {
  id: string
  stored: (string | null)[]
  columns: (string | null)[]
}

/** Some versions with their derived columns, as they are stored and as they follow from the text. */
function* derivedWhere(condition: string, ...values: string[]): Steps<DerivedVersion[]> {
  const versions = (yield {
    sql: `select id, label, description, closing, ${COLUMNS} from version where ${condition} limit ${BATCH}`,
    values,
  }) as [
    id: string,
    label: string,
    description: string | null,
    closing: string | null,
    ...stored: (string | null)[],
  ][]
  const rows = (yield {
    sql: `select version_id, type, type_label, title, description
      from change where version_id in (${versions.map((_, at) => `$${at + 1}`).join() || 'null'})`,
    values: versions.map(([id]) => id),
  }) as [
    versionId: string,
    type: string,
    typeLabel: string | null,
    title: string,
    description: string | null,
  ][]
  const changes = Map.groupBy(rows, ([versionId]) => versionId)
  return versions.map(([id, label, description, closing, ...stored]) => {
    const drafts = (changes.get(id) ?? []).map(
      ([, type, typeLabel, title, description]): ChangeDraft => ({ type, typeLabel, title, description }),
    )
    const derived = derivedOf({ label, changes: drafts, description, closing })
    return { id, stored, columns: COLUMNS.map((name) => derived[name]) }
  })
}

/** Runs steps on an engine that is awaited. */
export async function awaiting<T>(steps: Steps<T>, run: Ask): Promise<T> {
  for (let step = steps.next(); ; step = steps.next(await run(step.value))) if (step.done) return step.value
}
