import { address, type Key, type Product, type Team } from '../../../domain/records.ts'
import { Refusal, Unavailable } from '../../../domain/refusal.ts'
import type { Records } from '../../../store/records/types.ts'
import { changelogNameNotes } from '../product.ts'
import type { ProductEntry, TeamEntry } from './file.ts'
import { applyHook, pruneHooks } from './hook.ts'
import { applyKey } from './key.ts'
import { Problems, type SourcePosition } from './problems.ts'
import { applySource } from './source.ts'
import { type ApplyRun, differences, isNothing, type Step } from './step.ts'

/** Creates and updates everything, and returns the steps. Throws a `Refusal` with every problem and position. */
export async function applyTeams(
  records: Records,
  entries: readonly TeamEntry[],
  { path, prune, ...given }: { path: string; prune: boolean } & Omit<ApplyRun, 'records' | 'steps'>,
): Promise<Step[]> {
  const run: ApplyRun = { records, steps: [], ...given }
  const problems = new Problems(path)
  for (const entry of entries)
    await noting(problems, entry.place, async () => {
      const team = await applyTeam(run, entry)
      for (const product of entry.products ?? [])
        await noting(problems, product.place, async () => {
          const applied = await applyProduct(run, team, product)
          if (product.follow) await applySource(run, applied, product.follow)
        })
      const keys = await records.keys.list(team)
      for (const key of entry.keys ?? [])
        await noting(problems, key.place, () => applyKey(run, team, keys, key))
      const hooks = entry.hooks ? await records.hooks.list(team) : []
      const named = new Set<string>()
      for (const hook of entry.hooks ?? [])
        await noting(problems, hook.place, () => applyHook(run, team, hooks, entry.hooks ?? [], hook, named))
      if (prune) await pruneHooks(run, hooks, named)
      if (prune) await pruneTeam(run, team, entry, keys)
    })
  problems.refuseIfAny()
  if (prune) await pruneTeams(run, new Set(entries.map((entry) => entry.slug)))
  return run.steps
}

/** Turns a refusal into a problem and continues: nothing will be committed then. */
async function noting(problems: Problems, place: SourcePosition, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Refusal) || error instanceof Unavailable) throw error
    problems.note(place, error.hint ? `${error.message} ${error.hint}` : error.message)
  }
}

async function applyTeam({ records, steps, now }: ApplyRun, entry: TeamEntry): Promise<Team> {
  const { place: _, products: __, keys: ___, hooks: ____, ...wanted } = entry
  const found = await records.teams.find(entry.slug)
  if (!found) {
    const draft = { visibility: 'private', plan: 'free', ...wanted, name: needed('team', entry) } as const
    steps.push({ action: 'create', record: 'team', name: entry.slug, changes: differences({}, draft) })
    return records.teams.create(draft, now)
  }
  const changes = differences(found, wanted)
  if (isNothing(changes)) return found
  steps.push({ action: 'update', record: 'team', name: entry.slug, changes })
  return records.teams.update(found, wanted)
}

async function applyProduct(
  { records, steps, now }: ApplyRun,
  team: Team,
  { place: _, changelog, follow: __, ...wanted }: ProductEntry,
): Promise<Product> {
  const name = `${team.slug}/${wanted.slug}`
  const found = await records.products.find(team.slug, wanted.slug)
  if (!found) {
    const draft = { status: 'draft', ...wanted, name: needed('product', wanted) } as const
    steps.push({ action: 'create', record: 'product', name, changes: differences({}, draft) })
    // Locked last, because nothing can be changed after that.
    const created = await records.products.create(team, { ...draft, status: 'draft' }, now)
    const filled = await records.products.updateChangelog(created, { status: draft.status, ...changelog })
    return records.products.update(filled, { status: draft.status })
  }
  const updates = [
    async (product: Product): Promise<Product> => {
      const changes = differences(product, wanted)
      if (isNothing(changes)) return product
      // A changelog name in the file is a step of its own.
      const keepsChangelogName = changelog.name !== undefined
      const updated = await records.products.update(product, wanted, { keepsChangelogName })
      const [note] = keepsChangelogName ? [] : changelogNameNotes(product, updated)
      steps.push({ action: 'update', record: 'product', name, changes, ...(note && { note }) })
      return updated
    },
    async (product: Product): Promise<Product> => {
      const changes = differences(product.changelog, changelog)
      if (isNothing(changes)) return product
      steps.push({ action: 'update', record: 'changelog', name, changes })
      return records.products.updateChangelog(product, changelog)
    },
  ]
  if (wanted.status === 'locked') updates.reverse()
  let product = found
  for (const update of updates) product = await update(product)
  return product
}

async function pruneTeam(
  { records, steps }: ApplyRun,
  team: Team,
  entry: TeamEntry,
  keys: readonly Key[],
): Promise<void> {
  const labels = entry.keys?.map((key) => key.label)
  for (const key of labels ? keys : [])
    if (!labels?.includes(key.label)) {
      await records.keys.delete(key)
      const name = `${team.slug}/${key.label || key.id}`
      steps.push({ action: 'delete', record: 'key', name, changes: {} })
    }
  const slugs = entry.products?.map((product) => product.slug)
  for (const product of slugs ? await records.products.list(team) : [])
    if (!slugs?.includes(product.slug)) {
      const held = await records.products.holdings(product)
      await records.products.delete(product)
      steps.push({ action: 'delete', record: 'product', name: address(product), changes: {}, held })
    }
}

async function pruneTeams({ records, steps }: ApplyRun, named: ReadonlySet<string>): Promise<void> {
  for (const team of await records.teams.list())
    if (!named.has(team.slug)) {
      const held = await records.teams.holdings(team)
      await records.teams.delete(team)
      steps.push({ action: 'delete', record: 'team', name: team.slug, changes: {}, held })
    }
}

function needed(record: 'team' | 'product', entry: { slug: string; name?: string }): string {
  if (entry.name === undefined)
    throw new Refusal(`The ${record} ${entry.slug} does not exist yet, so the file must give its name.`)
  return entry.name
}
