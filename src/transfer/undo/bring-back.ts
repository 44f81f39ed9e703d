import {
  address,
  type Change,
  type ExportedHook,
  type Hook,
  type Instant,
  type Product,
  type Source,
  type Team,
  type Version,
} from '../../domain/records.ts'
import { type Hint, Refusal, toRun } from '../../domain/refusal.ts'
import { otherSpellings } from '../../domain/rules.ts'
import type { Decoded } from '../../formats/native/records.ts'
import type { KeptHead } from '../../store/records/kept.ts'
import type { Records } from '../../store/records/records.ts'
import { type ExportedProduct, type ExportedVersion, teamsOf } from '../exports/exported-teams.ts'
import { importContents, importSettings } from '../exports/import.ts'
import type { ExportSource } from '../exports/read-export.ts'
import { emptyResult } from '../import-result.ts'
import { importVersions } from '../import-versions.ts'
import { stateOf } from './deletion.ts'

interface UndoRun {
  records: Records
  ids: ReadonlySet<string>
  overwritten: KeptHead['overwritten']
  now: Instant
  /** The restored products, by their old slugs. */
  products: Map<string, Product>
  /** Keys that no longer exist, and so get no product back. */
  lostKeys: string[]
  /** The restored hooks, which are disabled. `isRenamed` if another hook has its name now. */
  hooks: (Hook & { isRenamed: boolean })[]
}

/**
 * Restores everything that a kept state says was deleted, with the same ids. Refuses if its name is taken, or its parent
 * does not exist. Returns the ids of keys that had a product attached and no longer exist, and the hooks.
 */
export async function bringBack(
  records: Records,
  source: ExportSource,
  { ids: all, overwritten }: Pick<KeptHead, 'ids' | 'overwritten'>,
  now: Instant,
): Promise<Pick<UndoRun, 'lostKeys' | 'hooks'>> {
  const ids = new Set(all)
  const run: UndoRun = { records, ids, overwritten, now, products: new Map(), lostKeys: [], hooks: [] }
  for await (const { team: kept, parts } of teamsOf(source.records())) {
    const isWhole = ids.has(kept.id)
    const team = isWhole
      ? await bringBackTeam(records, kept)
      : parentOf(await records.teams.list(), kept, `Team ${kept.slug}`)
    run.products.clear()
    for await (const part of parts)
      if ('product' in part) {
        if (isWhole || ids.has(part.product.id)) await bringBackProduct(run, team, part)
        else {
          const { source, slug } = part.product
          const name = `Product ${team.slug}/${slug}`
          const product = parentOf(await records.products.list(team), part.product, name)
          if (source && ids.has(source.id)) await bringBackSource(run, product, source)
          else await bringBackContents(run, product, part.versions)
        }
      } else if (isWhole) await records.keys.put(team, part.key)
      else await attachAgain(run, team, part.key)
    for (const hook of kept.hooks)
      if (isWhole || ids.has(hook.id) || run.products.has(hook.product ?? ''))
        await bringBackHook(run, team, hook)
  }
  return run
}

async function bringBackTeam(records: Records, kept: Decoded<'team'>): Promise<Team> {
  const other = await records.teams.find(kept.slug)
  if (other)
    throw taken(
      `team ${kept.slug}`,
      other.id === kept.id,
      toRename('team update', [kept.slug], { slug: `${kept.slug}-new` }),
    )
  const { hooks: _, ...team } = kept
  return sameId(kept.id, await records.teams.add(team))
}

async function bringBackProduct(run: UndoRun, team: Team, part: ExportedProduct): Promise<void> {
  const { records, now } = run
  const { product } = part
  const name = `${team.slug}/${product.slug}`
  const other = await records.products.find(team.slug, product.slug)
  if (other)
    throw taken(
      `product ${name}`,
      other.id === product.id,
      toRename('product update', [name], { slug: `${product.slug}-new` }),
    )
  const versions = withFreeIds(records, part.versions)
  const back = await importContents(records, team, null, { ...part, versions }, emptyResult(), { now })
  sameId(product.id, back)
  sameId(product.changelog.id, back.changelog)
  if (product.source) await records.sources.put(back, product.source)
  await importSettings(records, back, part)
  run.products.set(product.slug, back)
}

/** Restores a source in the place of its replacement, if that is still there. */
async function bringBackSource({ records, ids }: UndoRun, product: Product, source: Source): Promise<void> {
  const other = await records.sources.find(product)
  if (other?.id === source.id) throw isBack(`The source of ${address(product)}`)
  if (other && ids.has(other.id)) await records.sources.delete(other)
  else if (other)
    throw new Refusal(`${address(product)} now follows ${other.url}.`, {
      kind: 'exists',
      hint: toRun('Run this again after', 'follow remove', [address(product)]),
    })
  sameId(source.id, await records.sources.put(product, source))
}

/** Restores versions or changes of a product that still exists. */
async function bringBackContents(
  run: UndoRun,
  product: Product,
  kept: ExportedProduct['versions'],
): Promise<void> {
  const { records, ids, overwritten, now } = run
  if (overwritten) await makeRoom(run, product, overwritten.state)
  const stored = await records.versions.list(product)
  const ofId = new Map(stored.map((version) => [version.id, version]))
  const ofLabel = new Map(stored.map((version) => [version.label, version]))
  // An old label that now leads to another version stays with that one.
  const leading = new Set([...(await records.versions.formerLabels(product)).values()].flat())
  async function* deleted() {
    for await (const { where, version } of kept)
      if (ids.has(version.id)) {
        const spellings = [version.label, ...otherSpellings(version.label)]
        const other = ofId.get(version.id) ?? spellings.flatMap((label) => ofLabel.get(label) ?? [])[0]
        if (other) throw versionTaken(product, other, version)
        if (await records.transfer.exists(version.id)) throw idTaken(version.id)
        const formerLabels = version.formerLabels.filter((label) => !leading.has(label))
        yield { where, incoming: { from: 'export', version: { ...version, formerLabels } } as const }
      } else
        for (const [at, change] of version.changes.entries())
          if (ids.has(change.id))
            await bringBackChange(records, product, ofId.get(version.id), change, at + 1)
  }
  await importVersions(records, product, deleted(), emptyResult(), { now })
}

/** Deletes versions that were overwritten, unless they were changed since: that would be lost. */
async function makeRoom({ records, ids }: UndoRun, product: Product, state: string): Promise<void> {
  if ((await stateOf(records, product.id, ids)) !== state)
    throw new Refusal(`Versions of ${address(product)} were restored already, or changed since.`, {
      kind: 'exists',
    })
  for (const id of ids) await records.versions.delete(product, { id })
}

async function bringBackChange(
  records: Records,
  product: Product,
  version: Version | undefined,
  change: Change,
  position: number,
): Promise<void> {
  if (!version) throw gone(`The version of the change, in ${address(product)},`)
  if (await records.changes.find(change.id)) throw isBack(`The change "${change.title}"`)
  await records.changes.restore(product, version, change, position)
}

/** Disabled: its secret was deleted with it. */
async function bringBackHook({ records, hooks }: UndoRun, team: Team, hook: ExportedHook): Promise<void> {
  if (await records.hooks.find(hook.id)) throw isBack(`Hook ${team.slug}/${hook.name ?? hook.id}`)
  const restored = await records.hooks.put(team, hook)
  hooks.push({ ...restored, isRenamed: hook.name !== undefined && restored.name !== hook.name })
}

/** Attaches restored products to a key again. Other changes of the key stay. */
async function attachAgain(
  { records, products, lostKeys }: UndoRun,
  team: Team,
  kept: Decoded<'key'>,
): Promise<void> {
  const key = await records.keys.find(kept.id)
  if (key?.team.id !== team.id || key.kind !== 'SELECT') lostKeys.push(kept.id)
  else
    await records.keys.attach(
      key,
      kept.products.flatMap((slug) => products.get(slug) ?? []),
    )
}

type Named = Pick<Team, 'id' | 'slug'>

/** The one with its id, even under another slug; else the one with its slug. */
function parentOf<T extends Named>(all: readonly T[], kept: Named, name: string): T {
  const found = all.find(({ id }) => id === kept.id) ?? all.find(({ slug }) => slug === kept.slug)
  if (!found) throw gone(name)
  return found
}

/** An import would give a version whose id is taken another one. */
async function* withFreeIds(
  records: Records,
  versions: AsyncIterable<ExportedVersion>,
): AsyncGenerator<ExportedVersion> {
  for await (const each of versions) {
    if (await records.transfer.exists(each.version.id)) throw idTaken(each.version.id)
    yield each
  }
}

function sameId<T extends { id: string }>(id: string, created: T): T {
  if (created.id !== id) throw idTaken(id)
  return created
}

const idTaken = (id: string): Refusal =>
  new Refusal(`The id ${id} is already used in this database.`, {
    kind: 'exists',
    hint: 'Delete the record with this id first.',
  })

const versionTaken = (
  product: Product,
  { id, label }: Version,
  deleted: Pick<Version, 'id' | 'label'>,
): Refusal =>
  taken(
    `version ${label} of ${address(product)}`,
    id === deleted.id,
    toRename('version update', [address(product), label], { label: `${label}-new` }),
    label === deleted.label ? '' : `, and an import would take ${deleted.label} for the same version`,
  )

const taken = (what: string, isSame: boolean, hint: Hint, reason = ''): Refusal =>
  isSame
    ? isBack(what.charAt(0).toUpperCase() + what.slice(1))
    : new Refusal(`There is now another ${what}${reason}.`, {
        kind: 'exists',
        hint,
      })

const toRename = (...[name, args, options]: [string, string[], Record<string, string>]): Hint =>
  toRun('Delete or rename it, then run this again. To rename it', name, args, options)

const isBack = (what: string): Refusal => new Refusal(`${what} already exists.`, { kind: 'exists' })

const gone = (what: string): Refusal =>
  new Refusal(`${what} no longer exists.`, {
    kind: 'not_found',
    hint: toRun('If it was deleted, undo that first. To list deletions', 'undo'),
  })
