import { ok, type Result, wrong } from '../../domain/finding.ts'
import { type Hint, Refusal, toRun } from '../../domain/refusal.ts'
import { storedPictureId } from '../../domain/webp.ts'
import type { ContentRule } from './content-rules.ts'
import { type Ask, awaiting, wrongIds } from './derivation.ts'

export interface Fault {
  message: string
  /** The statements that mend it, or else what helps; if neither is there, a backup does. */
  mend?: string[] | undefined
  remedy?: string
}

/** Stored values that differ from what they follow from, or that no command writes. The schema must be whole. */
export async function contentFaults(rules: readonly ContentRule[], ask: Ask): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const { message, isDerived, ...query } of rules) {
    const [[count, id] = []] = await ask(query)
    const fault = { message: `${message} (rows: ${count}, such as ${id})`, mend: isDerived ? [] : undefined }
    if (Number(count) > 0) faults.push(fault)
  }
  const [id, ...others] = await awaiting(wrongIds(), ask)
  if (id) faults.push({ message: `${WRONG_COUNTS} (rows: ${others.length + 1}, such as ${id})`, mend: [] })
  const [picture, ...more] = await strangePictures(ask, storedPictureId)
  if (picture) faults.push({ message: `${DAMAGED} (rows: ${more.length + 1}, such as ${picture[1]})` })
  return faults
}

/** Pictures with bytes of another id. Reads one at a time: all of them may not fit into memory. */
export async function strangePictures(
  ask: Ask,
  idOf: (bytes: Uint8Array) => string | null | Promise<string | null>,
): Promise<[changelogId: string, id: string][]> {
  const strange: [string, string][] = []
  const all = await ask({ sql: 'select changelog_id, id from picture', values: [] })
  for (const row of all as typeof strange) {
    const sql = 'select bytes from picture where changelog_id = $1 and id = $2'
    const [[bytes] = []] = await ask({ sql, values: row })
    if ((await idOf(bytes as Uint8Array)) !== row[1]) strange.push(row)
  }
  return strange
}

const DAMAGED = 'picture.bytes are not those that the id was made from'
const WRONG_COUNTS = 'version.kinds or version.precedence is not what the version says'

export function faultResult(faults: readonly Fault[], fine: string, restore: string | Hint): Result {
  // Unrepairable faults come first.
  const first = faults.find(({ mend }) => !mend) ?? faults[0]
  if (!first) return ok(fine)
  const toRepair = toRun('To repair it', 'migrate', [], { repair: true })
  const { message, mend, remedy = mend ? toRepair : restore } = first
  return wrong(faults.length > 1 ? `${message}, and ${faults.length - 1} more` : message, remedy)
}

/** Fill the tables of triggers; derived columns come afterwards. */
const REFILL = [
  'delete from version_picture',
  'delete from derived_picture',
  `update version set kinds = null, pictures = null,
    change_count = (select count(*) from change where change.version_id = version.id)`,
  'delete from public_version',
  'delete from public_product',
  'update team set visibility = visibility',
]

/** The messages of faults: of those that were mended, and of those that only a backup mends. */
export interface Repaired {
  mended: string[]
  left: string[]
}

/** Mends the faults of a schema, then derived values. Refuses if it cannot mend the schema. */
export async function repair(
  schema: readonly Fault[],
  rules: readonly ContentRule[],
  ask: Ask,
): Promise<Repaired> {
  const hopeless = schema.find(({ mend }) => !mend)
  if (hopeless)
    throw new Refusal(`The schema cannot be repaired, so nothing was changed: ${hopeless.message}.`, {
      hint: hopeless.remedy ?? 'Restore a backup.',
    })
  for (const sql of schema.flatMap(({ mend = [] }) => mend)) await ask({ sql, values: [] })
  const faults = [...schema, ...(await contentFaults(rules, ask))]
  for (const sql of REFILL) await ask({ sql, values: [] })
  const messages = ({ message }: Fault) => message
  return {
    mended: faults.filter(({ mend }) => mend).map(messages),
    left: faults.filter(({ mend }) => !mend).map(messages),
  }
}
