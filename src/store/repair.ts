import { ok, type Result, wrong } from '../domain/finding.ts'
import { Refusal } from '../domain/refusal.ts'

/** A fault of a database. */
export interface Fault {
  message: string
  /** The statements that mend it, or else what helps; if neither is there, a backup does. */
  mend?: string[] | undefined
  remedy?: string
}

/** As `doctor` says it. */
export function faultResult(faults: readonly Fault[], fine: string, restore: string): Result {
  // Unrepairable faults come first.
  const first = faults.find(({ mend }) => !mend) ?? faults[0]
  if (!first) return ok(fine)
  const { message, mend, remedy = mend ? 'To repair it: changelogd migrate --repair' : restore } = first
  return wrong(faults.length > 1 ? `${message}, and ${faults.length - 1} more` : message, remedy)
}

/** Fill the tables of triggers; derived columns come afterwards. */
const REFILL = [
  `update version set kinds = null, precedence = null,
    change_count = (select count(*) from change where change.version_id = version.id)`,
  'delete from public_version',
  'delete from public_product',
  'update team set visibility = visibility',
]

/** Mends the faults of a schema, and returns their messages. Refuses all if it cannot mend one. */
export async function repair(faults: readonly Fault[], run: (sql: string) => unknown): Promise<string[]> {
  const hopeless = faults.find(({ mend }) => !mend)
  if (hopeless)
    throw new Refusal(`The schema cannot be repaired, so nothing was changed: ${hopeless.message}.`, {
      hint: hopeless.remedy ?? 'Restore a backup.',
    })
  for (const sql of [...faults.flatMap(({ mend = [] }) => mend), ...REFILL]) await run(sql)
  return faults.map(({ message }) => message)
}
