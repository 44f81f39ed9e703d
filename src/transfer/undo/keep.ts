import { isId, newId } from '../../domain/id.ts'
import { Refused } from '../../domain/reasons.ts'
import type { Instant, Product } from '../../domain/records.ts'
import { Refusal, toRun } from '../../domain/refusal.ts'
import { inPieces } from '../../files/temporary.ts'
import { writeLines } from '../../formats/native/write.ts'
import { isForUndo, type KeptState } from '../../store/records/kept.ts'
import type { Records } from '../../store/records/records.ts'
import { type ExportSource, readExport } from '../exports/read-export.ts'
import { type Deletion, overwrittenIn, type Part, partOf, recordsOf, stateOf } from './deletion.ts'

/** What was kept for undo. */
export type Kept = Pick<KeptState, 'id'>

interface Act {
  /** As messages name what is deleted. */
  what: string
  now: Instant
  who?: string | null
  /** Keeps nothing for undo, and removes what was kept of it before. */
  forget?: boolean | undefined
}

/**
 * Deletes records with what they contain, and keeps all of it for undo, but not without an act, in a dry run. Versions that
 * were overwritten are only kept.
 */
export async function deleteRecords(
  records: Records,
  act: Act | null,
  deletions: readonly [Deletion, ...Deletion[]],
): Promise<Kept | null> {
  if (act?.forget) for (const deletion of deletions) await forget(records, deletion)
  const kept = act && !act.forget ? await keep(records, act, deletions) : null
  for (const deletion of deletions) await remove(records, deletion)
  return kept
}

async function remove(records: Records, deletion: Deletion): Promise<void> {
  if ('team' in deletion) return records.teams.delete(deletion.team)
  if ('hook' in deletion) return records.hooks.delete(deletion.hook)
  if ('change' in deletion) return records.changes.delete(deletion.change)
  if ('source' in deletion) return records.sources.delete(deletion.source)
  if (!('versions' in deletion)) return records.products.delete(deletion.product)
  const { product, versions, overwritten = [] } = deletion
  const stay = new Set(overwritten.map(({ id }) => id))
  for (const id of versions) if (!stay.has(id)) await records.versions.delete(product, { id })
}

async function keep(
  records: Records,
  { what, now, who = null }: Act,
  deletions: readonly [Deletion, ...Deletion[]],
): Promise<Kept> {
  const parts = deletions.map(partOf)
  const [{ team, product, versions }, ...others] = parts as [Part, ...Part[]]
  const ids = parts.flatMap((part) => part.ids)
  const [version = null, ...further] = others.length === 0 ? (versions ?? []) : []
  const isOne = version !== null && further.length === 0
  const overwritten = await overwrittenIn(records, parts)
  const label = isOne && product ? ((await records.versions.find(product, version))?.label ?? null) : null
  const state = {
    id: newId('kept'),
    at: now,
    act: overwritten ? ('overwritten' as const) : ('deleted' as const),
    who,
    teamId: team.id,
    productId: product?.id ?? null,
    versionId: isOne ? version : null,
    head: { what, ids, label, ...(overwritten && { overwritten }) },
  }
  await records.kept.add(state, compressed(inPieces(writeLines(recordsOf(records, parts)))))
  return { id: state.id }
}

/** Removes every state that has what is deleted, and what contains it. */
async function forget(records: Records, deletion: Deletion): Promise<void> {
  const { ids, versions } = partOf(deletion)
  for (const id of new Set([...ids, ...(versions ?? [])])) await records.kept.forget(id)
}

/** Pieces as they are stored. */
export async function* compressed(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield await Bun.zstdCompress(piece)
}

/** States of records that are still gone, newest first; only of a product, if it is given. Of repeated deletions, the last. */
export async function keptStates(records: Records, product?: { id: string }): Promise<KeptState[]> {
  const states: KeptState[] = []
  const seen = new Set<string>()
  for (const state of await records.kept.list(product)) {
    const { ids, overwritten } = state.head
    const key = ids.join(' ')
    // One id tells: everything of a state is brought back, or nothing. Overwritten versions exist, so their content tells.
    const isBack = overwritten
      ? (await stateOf(records, overwritten.product, ids)) !== overwritten.state
      : await records.transfer.exists(ids[0] ?? '')
    if (!isBack && !seen.has(key)) states.push(state)
    seen.add(key)
  }
  return states
}

/** The newest state of a deleted version of a product, or of the one with this id. Null for none. */
export async function keptVersion(
  records: Records,
  product: Product,
  id?: string,
): Promise<KeptState | null> {
  const isWanted = ({ head: { ids } }: KeptState) => isId('ver', ids[0] ?? '') && ids[0] === (id ?? ids[0])
  return (await keptStates(records, product)).find(isWanted) ?? null
}

/** The newest state. */
export const newestKept = async (records: Records): Promise<KeptState> =>
  (await keptStates(records))[0] ?? nothingKept()

export function nothingKept(): never {
  throw new Refused('nothingKept', {}, { kind: 'not_found' })
}

/** Refuses an id that nothing has, such as that of a state that was brought back. */
export async function findKept(records: Records, id: string): Promise<KeptState> {
  const found = await records.kept.find(id)
  if (found && isForUndo(found)) return found
  const why = isId('kept', id)
    ? 'It may have been brought back already.'
    : 'The id of a deletion begins with kept_.'
  throw new Refusal(`Nothing is kept as ${id}. ${why}`, {
    kind: 'not_found',
    hint: toRun('To list what can be undone', 'undo'),
  })
}

/** The records of a state. */
export const recordsIn = (records: Records, { id }: Kept): Promise<ExportSource> =>
  readExport({
    name: id,
    chunks: async function* () {
      for await (const piece of records.kept.pieces(id)) yield await Bun.zstdDecompress(piece)
    },
  })
