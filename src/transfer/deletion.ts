import type { ExportedHook, Hook, Product, Source, Team, VersionContents } from '../domain/records.ts'
import type { ExportRecord } from '../formats/native/records.ts'
import type { ChangeFound, Records } from '../store/records/types.ts'

/** A team or a product with its content, versions of a product by id, a change, what a product follows, or a hook. */
export type Deletion =
  | { team: Team }
  | { product: Product }
  | { product: Product; versions: ReadonlySet<string> }
  | { change: ChangeFound }
  /** `replacedBy` is the id of what the product follows instead. */
  | { product: Product; source: Source; replacedBy?: string }
  | { hook: Hook }

export interface Part {
  kind: 'team' | 'product' | 'version' | 'change' | 'source' | 'hook'
  /** Without the ids of its content. */
  ids: readonly string[]
  team: Team
  /** What is deleted or contains it; null for a team or a hook. */
  product: Product | null
  /** The versions concerned; null for all. */
  versions: ReadonlySet<string> | null
}

export function partOf(deletion: Deletion): Part {
  if ('team' in deletion)
    return { kind: 'team', ids: [deletion.team.id], team: deletion.team, product: null, versions: null }
  if ('hook' in deletion) {
    const { id, team } = deletion.hook
    return { kind: 'hook', ids: [id], team, product: null, versions: null }
  }
  const { product } = 'change' in deletion ? deletion.change : deletion
  const team = product.team as Team
  if ('versions' in deletion)
    return { kind: 'version', ids: [...deletion.versions], team, product, versions: deletion.versions }
  if ('source' in deletion)
    return {
      ...{ kind: 'source', team, product, versions: new Set() },
      ids: [deletion.source.id, ...(deletion.replacedBy === undefined ? [] : [deletion.replacedBy])],
    }
  if (!('change' in deletion)) return { kind: 'product', ids: [product.id], team, product, versions: null }
  const { change, version } = deletion.change
  return { kind: 'change', ids: [change.id], team, product, versions: new Set([version.id]) }
}

/** What is deleted, and what it is in; with a product its hooks and the keys it is attached to, with a team all of them. */
export async function* recordsOf(records: Records, parts: readonly Part[]): AsyncGenerator<ExportRecord> {
  for (const ofTeam of Map.groupBy(parts, ({ team }) => team.id).values()) {
    const { team } = ofTeam[0] as Part
    const isWhole = ofTeam.some(({ kind }) => kind === 'team')
    yield {
      team: { ...team, hooks: (await records.transfer.hooks(team)).filter(isDeleted(ofTeam, isWhole)) },
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
        for await (const version of records.transfer.contents(product)) yield { version }
      } else {
        const ids = new Set(chosen.flatMap((versions) => [...(versions ?? [])]))
        for await (const version of versionsOf(records, product, ids)) yield { version }
      }
    }
    if (deleted.size === 0 && !isWhole) continue
    for (const key of await records.transfer.keys(team))
      if (isWhole || key.products.some((slug) => deleted.has(slug))) yield { key }
  }
}

/** As exports have a product. */
export const withSource = async (records: Records, product: Product) => ({
  ...product,
  source: await records.sources.find(product),
})

/** Whether a hook goes with these parts: with its team, with its product, or by itself. */
const isDeleted = (parts: readonly Part[], isWhole: boolean) => (hook: ExportedHook) =>
  isWhole ||
  parts.some(
    ({ kind, ids, product }) =>
      ids.includes(hook.id) || (kind === 'product' && product?.slug === hook.product),
  )

/** Only these versions: a product may have many others. */
async function* versionsOf(
  records: Records,
  product: Product,
  ids: ReadonlySet<string>,
): AsyncGenerator<VersionContents> {
  const former = await records.versions.formerLabels(product)
  const [only, ...others] = ids
  if (only === undefined) return
  const found =
    others.length === 0 ? [await records.versions.find(product, only)] : await records.versions.list(product)
  for (const version of found) {
    if (!version || !ids.has(version.id)) continue
    const changes = await records.changes.list(version)
    yield {
      ...withoutNull(version),
      formerLabels: former.get(version.id) ?? [],
      changes: changes.map(({ position: _, ...change }) => withoutNull(change)),
    }
  }
}

/** The native format has no empty hashes. */
const withoutNull = <T extends { imported?: string | null | undefined }>(record: T): T => ({
  ...record,
  imported: record.imported ?? undefined,
})
