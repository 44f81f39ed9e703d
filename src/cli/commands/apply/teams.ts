import type { Acting } from '../../../acts/acting.ts'
import { ACTS } from '../../../acts/acts.ts'
import { NONE, repositoryOf } from '../../../domain/addresses/repository.ts'
import { address, type Key, type Product, type Team } from '../../../domain/records.ts'
import { isRefusal, Refusal } from '../../../domain/refusal.ts'
import { findProductOr, findTeamOr } from '../../../transfer/find.ts'
import type { Deletion } from '../../../transfer/undo/deletion.ts'
import { changelogNameNotes } from '../product.ts'
import { type ApplyFile, entriesIn, listUrlIn, type ProductEntry, type TeamEntry } from './file.ts'
import { applySource } from './follow.ts'
import { applyHook, pruneHooks } from './hook.ts'
import { applyKey } from './key.ts'
import { type ApplyRun, differences, type Step } from './step.ts'

export interface Applying extends Pick<ApplyRun, 'hooks' | 'followPrivate'> {
  prune: boolean
  drop(deletions: readonly [Deletion, ...Deletion[]]): Promise<unknown>
}

/** Creates, updates and deletes everything, and returns the steps. Throws a `Refusal` with every problem and position. */
export async function applyTeams(
  by: Acting,
  { document, teams }: ApplyFile,
  { prune, drop, ...given }: Applying,
): Promise<Step[]> {
  const { records } = by
  const run: ApplyRun = { ...by, steps: [], endings: [], ...given }
  /** Turns a refusal into a problem and continues: nothing will be committed then. */
  const noting = async (names: readonly string[], work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (!isRefusal(error)) throw error
      document.note(names, error.hint ? `${error.message} ${error.hint}` : error.message)
    }
  }
  for (const [slug, entry] of teams)
    await noting(['teams', slug], async () => {
      const team = await applyTeam(run, slug, entry)
      for (const [name, product] of entriesIn(entry.products))
        await noting(['teams', slug, 'products', name], async () => {
          const applied = await applyProduct(run, team, name, product)
          if (product.follow) await applySource(run, applied, product.follow)
        })
      const keys = entry.keys ? await records.keys.list(team) : []
      for (const [label, key] of entriesIn(entry.keys))
        await noting(['teams', slug, 'keys', label], () => applyKey(run, team, keys, label, key))
      const entries = (entry.hooks ?? []).map((hook) => hook ?? {})
      const hooks = entry.hooks ? await records.hooks.list(team) : []
      const named = new Set<string>()
      for (const [at, hook] of entries.entries())
        await noting(['teams', slug, 'hooks', String(at)], () =>
          applyHook(run, team, hooks, entries, hook, named),
        )
      if (!prune) return
      pruneHooks(run, hooks, named)
      await pruneTeam(run, team, entry, keys)
    })
  document.refuseIfAny()
  if (prune) await pruneTeams(run, teams)
  const [first, ...others] = run.endings.map(({ deletion }) => deletion)
  if (first) await drop([first, ...others])
  for (const ending of run.endings) await ending.replace?.()
  return run.steps
}

async function applyTeam(
  run: ApplyRun,
  slug: string,
  { products: _, keys: __, hooks: ___, subscribeUrl, ...fields }: TeamEntry,
): Promise<Team> {
  const wanted = {
    ...fields,
    ...(subscribeUrl !== undefined && { subscribeUrl: listUrlIn(subscribeUrl) ?? null }),
  }
  const team = await findTeamOr(run.records, slug, () => {
    const name = needed('team', slug, wanted)
    const draft = { slug, visibility: 'private', plan: 'free', ...wanted, name } as const
    run.steps.push({ action: 'create', record: 'team', name: slug, changes: { ...differences({}, draft) } })
    return ACTS.createTeam.run(run, draft)
  })
  const changes = differences(team, wanted)
  if (!changes) return team
  run.steps.push({ action: 'update', record: 'team', name: slug, changes })
  return ACTS.updateTeam.run(run, slug, wanted)
}

async function applyProduct(
  run: ApplyRun,
  team: Team,
  slug: string,
  { changelog: ofChangelog, follow: _, repository, language, subscribeUrl, ...fields }: ProductEntry,
): Promise<Product> {
  const name = `${team.slug}/${slug}`
  const changelog = ofChangelog ?? {}
  const wanted = {
    ...fields,
    ...(repository !== undefined && { repository: repository === NONE ? null : repositoryOf(repository) }),
    ...(language !== undefined && { language: language === NONE ? null : language }),
    ...(subscribeUrl !== undefined && { subscribeUrl: listUrlIn(subscribeUrl) ?? null }),
  }
  const of = { team: team.slug, product: slug }
  const found = await findProductOr(run.records, of, async () => {
    const draft = { slug, status: 'draft', ...wanted, name: needed('product', slug, wanted) } as const
    run.steps.push({ action: 'create', record: 'product', name, changes: { ...differences({}, draft) } })
    // Locked last, because nothing can be changed after that.
    await ACTS.createProduct.run(run, of, { ...draft, status: 'draft' })
    await ACTS.updateChangelog.run(run, of, { status: draft.status, ...changelog })
    return (await ACTS.updateProduct.run(run, of, { status: draft.status })).product
  })
  const updates = [
    async (product: Product): Promise<Product> => {
      const changes = differences(product, wanted)
      if (!changes) return product
      // A changelog name in the file is a step of its own.
      const keepsChangelogName = changelog.name !== undefined
      const { product: updated } = await ACTS.updateProduct.run(run, of, wanted, { keepsChangelogName })
      const [note] = keepsChangelogName ? [] : changelogNameNotes(product, updated)
      run.steps.push({ action: 'update', record: 'product', name, changes, ...(note && { note }) })
      return updated
    },
    async (product: Product): Promise<Product> => {
      const changes = differences(product.changelog, changelog)
      if (!changes) return product
      run.steps.push({ action: 'update', record: 'changelog', name, changes })
      return (await ACTS.updateChangelog.run(run, of, changelog)).product
    },
  ]
  if (wanted.status === 'locked') updates.reverse()
  let product = found
  for (const update of updates) product = await update(product)
  return product
}

async function pruneTeam(
  { records, steps, endings }: ApplyRun,
  team: Team,
  entry: TeamEntry,
  keys: readonly Key[],
): Promise<void> {
  const labels = entry.keys && entriesIn(entry.keys)
  for (const key of labels ? keys : [])
    if (!labels?.has(key.label)) {
      // Not kept: a deleted key never works again.
      await records.keys.delete(key)
      const name = `${team.slug}/${key.label || key.id}`
      steps.push({ action: 'delete', record: 'key', name, changes: {} })
    }
  const slugs = entry.products && entriesIn(entry.products)
  for (const product of slugs ? await records.products.list(team) : [])
    if (!slugs?.has(product.slug)) {
      const held = await records.products.holdings(product)
      endings.push({ deletion: { product } })
      steps.push({ action: 'delete', record: 'product', name: address(product), changes: {}, held })
    }
}

async function pruneTeams({ records, steps, endings }: ApplyRun, named: ApplyFile['teams']): Promise<void> {
  for (const team of await records.teams.list())
    if (!named.has(team.slug)) {
      const held = await records.teams.holdings(team)
      endings.push({ deletion: { team } })
      steps.push({ action: 'delete', record: 'team', name: team.slug, changes: {}, held })
    }
}

function needed(record: 'team' | 'product', slug: string, { name }: { name?: string }): string {
  if (name === undefined) throw new Refusal(`The ${record} ${slug} is new, so the file must give its name.`)
  return name
}
