import { address, type Key, type Product, type Team } from '../domain/records.ts'
import { Refusal } from '../domain/refusal.ts'
import { formatInstant } from '../domain/time.ts'
import type { Records } from '../store/port.ts'
import type { KeyEntry, ProductEntry, TeamEntry } from './apply-file.ts'
import { findProduct } from './lookup.ts'

/** One record that `apply` makes, changes or deletes, and how. */
export interface Step {
  action: 'create' | 'update' | 'delete'
  record: 'team' | 'product' | 'changelog' | 'key'
  name: string
  changes: Record<string, { from: string | null; to: string | null }>
  /** Of a new key, this once. */
  token?: string
}

/** Makes everything as the entries say, and says what that took. Run again, it takes nothing. */
export async function applyTeams(
  records: Records,
  entries: readonly TeamEntry[],
  prune: boolean,
  now: number,
): Promise<Step[]> {
  const steps: Step[] = []
  for (const entry of entries) {
    const team = await applyTeam(records, entry, steps, now)
    for (const product of entry.products ?? []) await applyProduct(records, team, product, steps, now)
    const keys = await records.keys.list(team)
    for (const key of entry.keys ?? []) await applyKey(records, team, keys, key, steps, now)
    if (prune) await pruneTeam(records, team, entry, keys, steps)
  }
  const named = new Set(entries.map((entry) => entry.slug))
  if (prune)
    for (const team of await records.teams.list())
      if (!named.has(team.slug)) {
        await records.teams.delete(team)
        steps.push({ action: 'delete', record: 'team', name: team.slug, changes: {} })
      }
  return steps
}

async function applyTeam(records: Records, entry: TeamEntry, steps: Step[], now: number): Promise<Team> {
  const { products: _, keys: __, ...wanted } = entry
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
  records: Records,
  team: Team,
  { changelog, ...wanted }: ProductEntry,
  steps: Step[],
  now: number,
): Promise<void> {
  const name = `${team.slug}/${wanted.slug}`
  let product = await records.products.find(team.slug, wanted.slug)
  if (!product) {
    const draft = { status: 'draft', ...wanted, name: needed('product', wanted) } as const
    steps.push({ action: 'create', record: 'product', name, changes: differences({}, draft) })
    product = await records.products.create(team, draft, now)
  } else {
    const changes = differences(product, wanted)
    if (!isNothing(changes)) {
      steps.push({ action: 'update', record: 'product', name, changes })
      product = await records.products.update(product, wanted)
    }
  }
  const changes = differences(product.changelog, changelog)
  if (isNothing(changes)) return
  steps.push({ action: 'update', record: 'changelog', name, changes })
  await records.products.updateChangelog(product, changelog)
}

async function applyKey(
  records: Records,
  team: Team,
  keys: readonly Key[],
  entry: KeyEntry,
  steps: Step[],
  now: number,
): Promise<void> {
  const name = `${team.slug}/${entry.label}`
  const [found, ...others] = keys.filter((key) => key.label === entry.label)
  if (others.length > 0)
    throw new Refusal(
      'conflict',
      `Team ${team.slug} has several keys labelled ${entry.label}: delete all but one.`,
    )
  const products: Product[] = []
  for (const slug of entry.products ?? [])
    products.push(await findProduct(records, { team: team.slug, product: slug }))
  const kind = entry.kind ?? found?.kind ?? (products.length > 0 ? 'SELECT' : 'FULL')
  if (!found) {
    const draft = { kind, label: entry.label, products, expiresAt: entry.expires ?? null }
    const { key, token } = await records.keys.create(team, draft, now)
    if (entry.status === 'disabled') await records.keys.update(key, { status: 'disabled' }, now)
    const changes = differences({}, { kind, ...keyFields(entry) })
    steps.push({ action: 'create', record: 'key', name, changes, token })
    return
  }
  if (kind !== found.kind)
    throw new Refusal(
      'conflict',
      `Key ${name} is a ${found.kind} key, and a key stays what it is: give the ${kind} key another label.`,
    )
  const changes = differences(
    keyFields({ ...found, expires: found.expiresAt ?? undefined }),
    keyFields(entry),
  )
  if (isNothing(changes)) return
  steps.push({ action: 'update', record: 'key', name, changes })
  const { status = found.status, expires = found.expiresAt } = entry
  await records.keys.update(found, { status, expiresAt: expires }, now)
  if (!changes.products) return
  await records.keys.attach(found, products)
  const extra = found.products.filter((slug) => !entry.products?.includes(slug))
  const detached: Product[] = []
  for (const slug of extra) detached.push(await findProduct(records, { team: team.slug, product: slug }))
  if (detached.length > 0) await records.keys.detach(found, detached)
}

async function pruneTeam(
  records: Records,
  team: Team,
  entry: TeamEntry,
  keys: readonly Key[],
  steps: Step[],
): Promise<void> {
  const labels = entry.keys?.map((key) => key.label)
  for (const key of labels ? keys : [])
    if (!labels?.includes(key.label)) {
      await records.keys.delete(key)
      steps.push({
        action: 'delete',
        record: 'key',
        name: `${team.slug}/${key.label || key.id}`,
        changes: {},
      })
    }
  const slugs = entry.products?.map((product) => product.slug)
  for (const product of slugs ? await records.products.list(team) : [])
    if (!slugs?.includes(product.slug)) {
      await records.products.delete(product)
      steps.push({ action: 'delete', record: 'product', name: address(product), changes: {} })
    }
}

/** The fields of a key that may differ, as text. */
const keyFields = (key: { status?: string; expires?: number | undefined; products?: readonly string[] }) => ({
  ...(key.status === undefined ? {} : { status: key.status }),
  ...(key.expires === undefined ? {} : { expires: formatInstant(key.expires) }),
  ...(key.products === undefined ? {} : { products: [...key.products].sort().join(' ') }),
})

/** The wanted fields that are not so yet. */
function differences(is: object, wanted: object): Step['changes'] {
  const current: Record<string, unknown> = { ...is }
  const differing = Object.entries(wanted).filter(([field, value]) => current[field] !== value)
  return Object.fromEntries(
    differing.map(([field, to]) => [field, { from: (current[field] as string) ?? null, to: String(to) }]),
  )
}

const isNothing = (changes: Step['changes']): boolean => Object.keys(changes).length === 0

function needed(record: 'team' | 'product', entry: { slug: string; name?: string }): string {
  if (entry.name === undefined)
    throw new Refusal(
      'bad_request',
      `There is no ${record} ${entry.slug} yet, and to make it the file must give its name.`,
    )
  return entry.name
}
