import type { ExportedHook, Hook, Product, Source, Team, VersionContents } from '../../domain/records.ts'
import type { ExportRecord } from '../../formats/native/records.ts'
import type { KeptHead } from '../../store/records/kept.ts'
import type { Records } from '../../store/records/records.ts'
import type { ChangeFound } from '../../store/records/types.ts'

/** A team or a product with its content, versions of a product by id, a change, a source, or a hook. */
export type Deletion =
  | { team: Team }
  | { product: Product }
  /** `overwritten` are versions that stay with another content, as they were. */
  | { product: Product; versions: ReadonlySet<string>; overwritten?: readonly VersionContents[] }
  | { change: ChangeFound }
  /** `replacedBy` is the id of the next source. */
  | { product: Product; source: Source; replacedBy?: string }
  | { hook: Hook }

export interface Part {
  kind: 'team' | 'product' | 'version' | 'change' | 'source' | 'hook'
  /** The ids of the deleted records, without those of their content. */
  ids: readonly string[]
  team: Team
  /** The deleted or containing one; null for a team or a hook. */
  product: Product | null
  /** The versions concerned; null for all. */
  versions: ReadonlySet<string> | null
  overwritten?: readonly VersionContents[] | undefined
}

export function partOf(deletion: Deletion): Part {
  if ('team' in deletion)
    return { kind: 'team', ids: [deletion.team.id], team: deletion.team, product: null, versions: null }
  if ('hook' in deletion)
    return { kind: 'hook', ids: [deletion.hook.id], team: deletion.hook.team, product: null, versions: null }
  const { product } = 'change' in deletion ? deletion.change : deletion
  const team = product.team as Team
  if ('versions' in deletion) return { kind: 'version', ids: [...deletion.versions], team, ...deletion }
  if ('source' in deletion) {
    const { source, replacedBy } = deletion
    const ids = replacedBy === undefined ? [source.id] : [source.id, replacedBy]
    return { kind: 'source', ids, team, product, versions: new Set() }
  }
  if (!('change' in deletion)) return { kind: 'product', ids: [product.id], team, product, versions: null }
  const { change, version } = deletion.change
  return { kind: 'change', ids: [change.id], team, product, versions: new Set([version.id]) }
}

/** Deleted records and their parents; with a product its hooks and the keys it is attached to, with a team all of them. */
export async function* recordsOf(records: Records, parts: readonly Part[]): AsyncGenerator<ExportRecord> {
  for (const ofTeam of Map.groupBy(parts, ({ team }) => team.id).values()) {
    const { team } = ofTeam[0] as Part
    const isWhole = ofTeam.some(({ kind }) => kind === 'team')
    yield {
      team: { ...team, hooks: (await records.hooks.exported(team)).filter(isDeleted(ofTeam, isWhole)) },
    }
    const products = isWhole
      ? await records.products.list(team)
      : ofTeam.flatMap(({ product }) => product ?? [])
    const deleted = new Set<string>()
    for (const product of products) {
      const chosen = ofTeam.filter((part) => part.product?.id === product.id).map(({ versions }) => versions)
      yield { product: await withSource(records, product) }
      if (isWhole || chosen.includes(null)) {
        deleted.add(product.slug)
        for await (const picture of records.pictures.contents(product)) yield { picture }
        for await (const version of records.transfer.contents(product)) yield { version }
      } else {
        const ids = new Set(chosen.flatMap((versions) => [...(versions ?? [])]))
        const before = new Map(ofTeam.flatMap((part) => part.overwritten ?? []).map((old) => [old.id, old]))
        for await (const version of records.transfer.contents(product, ids))
          yield { version: before.get(version.id) ?? version }
      }
    }
    if (deleted.size === 0 && !isWhole) continue
    for (const key of await records.keys.exported(team))
      if (isWhole || key.products.some((slug) => deleted.has(slug))) yield { key }
  }
}

/** A product with its source and former names, as exports have it. */
export const withSource = async (records: Records, product: Product) => ({
  ...product,
  formerNames: await records.formerAddresses.list(product),
  source: await records.sources.find(product),
})

/** True if a hook goes with these parts: with its team, with its product, or by itself. */
const isDeleted = (parts: readonly Part[], isWhole: boolean) => (hook: ExportedHook) =>
  isWhole ||
  parts.some(
    ({ kind, ids, product }) =>
      ids.includes(hook.id) || (kind === 'product' && product?.slug === hook.product),
  )

/** How `undo` knows whether versions are still as they were overwritten. */
export async function overwrittenIn(
  records: Records,
  [part]: readonly Part[],
): Promise<KeptHead['overwritten']> {
  if (!part?.product || !part.overwritten?.length) return undefined
  const { id: product } = part.product
  const ids = part.overwritten.map(({ id }) => id)
  return { product, state: await stateOf(records, product, ids) }
}

export async function stateOf(records: Records, productId: string, ids: Iterable<string>): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
  for (const product of (await records.products.list()).filter(({ id }) => id === productId))
    for await (const version of records.transfer.contents(product, new Set(ids)))
      hash.update(JSON.stringify(version))
  return hash.digest('hex')
}
