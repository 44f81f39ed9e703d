import type { ChangeDraft } from '../../domain/records.ts'
import { COUNTING, DERIVED_COLUMNS, derivedOf } from '../../domain/versions/derived.ts'

export const newEdition = (): number => Math.floor(Math.random() * 2 ** 48)

/** True without valid counts: those by other rules, or by an older program, are none. */
export const UNDERIVED = `kinds is null or derived_by is null or derived_by <> ${COUNTING}`

/** A statement of either engine, with its values. */
export interface Query {
  sql: string
  values: (string | null)[]
}

/** Runs a statement at once, or is awaited. */
export type Ask<Rows = unknown[][] | Promise<unknown[][]>> = (query: Query) => Rows

const COLUMNS = Object.keys(DERIVED_COLUMNS)

/** How many versions are read and written at a time. */
const BATCH = 200

/**
 * Writes the derived columns (domain/versions/derived.ts) of versions that lack them, and that their text has changed:
 * at the end of each transaction that writes, and of an upgrade. It yields statements and gets their rows, so that one
 * body serves a synchronous and an asynchronous engine.
 */
function* missing(): Generator<Query, void, unknown[][]> {
  for (;;) {
    const versions = (yield {
      sql: `select id, label, description from version where ${UNDERIVED} limit ${BATCH}`,
      values: [],
    }) as [id: string, label: string, description: string | null][]
    if (versions.length === 0) return
    const rows = (yield {
      sql: `select version_id, type, type_label, title, description
        from change where version_id in (${versions.map((_, at) => `$${at + 1}`).join()})`,
      values: versions.map(([id]) => id),
    }) as [
      versionId: string,
      type: string,
      typeLabel: string | null,
      title: string,
      description: string | null,
    ][]
    const changes = Map.groupBy(rows, ([versionId]) => versionId)
    const derived = versions.map(([id, label, description]) => {
      const drafts = (changes.get(id) ?? []).map(
        ([, type, typeLabel, title, description]): ChangeDraft => ({ type, typeLabel, title, description }),
      )
      const { derivedBy: _, ...columns } = derivedOf(label, drafts, description)
      return [id, String(newEdition()), ...Object.values(columns)]
    })
    yield {
      sql: `update version set edition = cast(derived.column2 as bigint), derived_by = ${COUNTING}, ${COLUMNS.map((name, at) => `${name} = derived.column${at + 3}`)}
        from (values ${derived.map(({ length }, row) => `(${Array.from({ length }, (_, at) => `$${row * length + at + 1}`)})`).join()}) as derived
        where version.id = derived.column1`,
      values: derived.flat(),
    }
  }
}

/** For an engine that answers at once. */
export function derive(run: Ask<unknown[][]>): void {
  const steps = missing()
  for (let step = steps.next(); !step.done; ) step = steps.next(run(step.value))
}

/** For one that is awaited. */
export async function deriveAwaiting(run: Ask): Promise<void> {
  const steps = missing()
  for (let step = steps.next(); !step.done; ) step = steps.next(await run(step.value))
}
