import type { VersionField } from '../domain/importing/correction.ts'
import { changeFields } from '../domain/importing/imported.ts'
import { differing, propertiesInFile } from '../domain/importing/merge.ts'
import {
  countChanges,
  mergeChanges,
  NO_CHANGES,
  type WantedChange,
} from '../domain/importing/merge-changes.ts'
import type { Change, ChangeDraft, Instant, Product, Version } from '../domain/records.ts'
import { inTurns } from '../domain/turns.ts'
import { changeTexts, versionProperties } from '../domain/versions/properties.ts'
import type { ParsedVersion } from '../formats/parsed.ts'
import type { Records } from '../store/records/records.ts'
import type { PutVersion, VersionUpdate } from '../store/records/types.ts'
import { findChange, findVersion } from './find.ts'

/** Saves like the commands `version` and `change`: as an edit, and what did not change keeps its id. */

export interface Saved extends PutVersion {
  version: Version
}

/** A stored version as opened, and its parsed text. */
export interface Opened {
  version: Version
  changes: readonly Change[]
  section: ParsedVersion
}

export async function createVersion(
  records: Records,
  product: Product,
  { changes, ...parsed }: ParsedVersion,
  now: Instant,
): Promise<Saved> {
  const { label, title, date } = parsed
  const draft = { label, title, date, ...versionProperties(parsed), status: 'draft' } as const
  const version = await records.versions.create(product, draft, now)
  await inTurns(changes, (change) => records.changes.add(product, version, change, null))
  await keepSource(records, version, parsed.source)
  const changeCount = changes.length
  return {
    outcome: 'added',
    label,
    fields: [],
    corrections: [],
    changes: { ...NO_CHANGES, added: changeCount },
    version: { ...version, changeCount },
  }
}

/** Updates a stored version where the text was edited. */
export async function updateVersion(
  records: Records,
  product: Product,
  { version, changes, section }: Opened,
  edited: ParsedVersion,
  now: Instant,
): Promise<Saved> {
  // As parsed from their text: how a text is written is no change.
  const known = section.changes.map((change, at) => ({ ...change, id: changes[at]?.id ?? '' }))
  const merge = mergeChanges(known, edited.changes)
  if (merge) await writeChanges(records, product, version, known, merge)
  const update = fieldsOf(section, edited)
  const fields = Object.keys(update) as VersionField[]
  const name = { team: product.team.slug, product: product.slug }
  const { version: fresh } = await findVersion(records, name, version.id)
  const updated = fields.length > 0 ? await records.versions.update(product, fresh, update, now) : fresh
  await keepSource(records, updated, edited.source)
  const isChanged = merge !== null || fields.length > 0 || edited.source !== section.source
  return {
    outcome: isChanged ? 'updated' : 'unchanged',
    label: updated.label,
    fields,
    changes: merge ? countChanges(known, merge) : NO_CHANGES,
    corrections: [],
    version: updated,
  }
}

/** The text is the source of the stored version. */
const keepSource = async (
  records: Records,
  version: Version,
  source: ParsedVersion['source'],
): Promise<void> => records.versions.keepSource(version, await records.changes.list(version), source ?? null)

/** The edited fields. Removing the date from the text changes nothing. */
function fieldsOf(before: ParsedVersion, after: ParsedVersion): VersionUpdate {
  const { label, title, date } = after
  return differing<VersionUpdate>(
    { ...before, ...propertiesInFile(before), date: before.date ?? Number.NaN },
    { label, title, ...propertiesInFile(after), ...(date !== null && { date }) },
  )
}

async function writeChanges(
  records: Records,
  product: Product,
  version: Version,
  known: readonly Change[],
  { changes: wanted, removed }: { changes: readonly WantedChange[]; removed: readonly string[] },
): Promise<void> {
  const found = (id: string) => findChange(records, { id })
  await inTurns(removed, async (id) => records.changes.delete(await found(id)))

  const kept = wanted.flatMap(({ id }) => id ?? [])
  const order = known.map(({ id }) => id).filter((id) => !removed.includes(id))
  await inTurns(kept, async (id, at) => {
    if (order[at] === id) return
    await records.changes.move(await found(id), at + 1)
    order.splice(order.indexOf(id), 1)
    order.splice(at, 0, id)
  })

  const byId = new Map(known.map((change) => [change.id, change]))
  await inTurns(wanted, async ({ id, imported: _, ...change }, at) => {
    const before = id === null ? undefined : byId.get(id)
    if (id === null || !before) await records.changes.add(product, version, change, at + 1)
    else if (!Bun.deepEquals(changeFields(before), changeFields(change)))
      await records.changes.update(await found(id), updateOf(before, change))
  })
}

/** The fields that differ. A type includes its heading. */
function updateOf(before: ChangeDraft, after: ChangeDraft): Partial<ChangeDraft> {
  const { type, typeLabel = null, title } = after
  const isSameType = changeFields(before).type === changeFields(after).type
  return { ...differing(before, { title, ...changeTexts(after) }), ...(!isSameType && { type, typeLabel }) }
}
