import { LATEST } from '../domain/addresses/paths.ts'
import { addressOfHook } from '../domain/hooks.ts'
import { Refused } from '../domain/reasons.ts'
import {
  address,
  type Hook,
  type Instant,
  type Key,
  type Product,
  type ProductName,
  type Team,
  type Version,
} from '../domain/records.ts'
import { type Hint, Refusal, toRun, withHint } from '../domain/refusal.ts'
import { nearest } from '../domain/text/nearest.ts'
import { latestOf } from '../domain/versions/order.ts'
import type { Records } from '../store/records/records.ts'
import type { ChangeFound, Followed } from '../store/records/types.ts'

/** Finds the named record. Refuses a missing one, with the nearest name or how to list them. */

export async function findTeam(records: Records, slug: string): Promise<Team> {
  const { teams } = records
  const team = await teams.find(slug)
  if (team) return team
  await refuseFormerTeam(records, slug)
  const slugs = (await teams.list()).map((other) => other.slug)
  if (slugs.length === 0)
    throw new Refusal(`There is no team ${slug}. The database is empty.`, {
      kind: 'not_found',
      hint: toRun('To create it', 'team create', [slug]),
    })
  throw missing(`team ${slug}`, ['team list'], slug, slugs)
}

/** Sources of the products of a team, or all. */
export async function sourcesOf(records: Records, slug: string | undefined): Promise<Followed[]> {
  const team = slug === undefined ? null : await findTeam(records, slug)
  const all = await records.sources.list()
  return team ? all.filter(({ product }) => product.team.id === team.id) : all
}

export async function findSource(records: Records, name: ProductName): Promise<Followed> {
  const product = await findProduct(records, name)
  const source = await records.sources.find(product)
  if (source) return { source, product }
  throw new Refusal(`${address(product)} has no source.`, {
    kind: 'not_found',
    hint: toRun('To follow a repository or a file', 'follow', [address(product), 'https://…']),
  })
}

export async function findProduct(records: Records, name: ProductName): Promise<Product> {
  const product = await records.products.find(name.team, name.product)
  if (product) return product
  if ((await records.teams.list()).length === 0)
    throw new Refusal(`There is no product ${name.team}/${name.product}. The database is empty.`, {
      kind: 'not_found',
      hint: firstProduct(name),
    })
  await refuseFormer(records, name)
  const team = await findTeam(records, name.team)
  const slugs = (await records.products.list(team)).map((other) => other.slug)
  const list = ['product list', team.slug] as const
  throw missing(`product ${name.team}/${name.product}`, list, name.product, slugs, `${team.slug}/`)
}

export function firstProduct({ team, product }: ProductName): Hint {
  const name = `${team}/${product}`
  return {
    ...toRun('To create the product from a file', 'import', [name, 'CHANGELOG.md'], { create: true }),
    or: toRun('To write it in your editor', 'edit', [name], { create: true }),
  }
}

/** The team with this slug, or what `make` creates: not where a team was before, as that would end its redirects. */
export async function findTeamOr(records: Records, slug: string, make: () => Promise<Team>): Promise<Team> {
  const found = await records.teams.find(slug)
  if (found) return found
  await refuseFormerTeam(records, slug)
  return make()
}

/** The same for a product, also below a team that was renamed. */
export async function findProductOr<Made extends Product | null>(
  records: Records,
  name: ProductName,
  make: () => Promise<Made>,
): Promise<Product | Made> {
  const found = await records.products.find(name.team, name.product)
  if (found) return found
  await refuseFormer(records, name)
  return make()
}

/** A hint for commands that could create the product. */
export const CREATE: Hint = { text: 'To create the product too, add --create.' }

/** With `create`, a missing product is created as a draft, and its team as a private one. */
export async function findOrCreate(
  records: Records,
  name: ProductName,
  { create, now }: { create?: boolean | undefined; now: Instant },
): Promise<{ product: Product; newTeam: Team | null }> {
  let newTeam: Team | null = null
  const product = await findProductOr(records, name, async () => {
    if (!create) return refuseMissingProduct(records, name, CREATE)
    const named = (slug: string) => ({ slug, name: slug })
    const team = await findTeamOr(records, name.team, async () => {
      const draft = { ...named(name.team), visibility: 'private', plan: 'free' } as const
      newTeam = await records.teams.create(draft, now)
      return newTeam
    })
    return records.products.create(team, { ...named(name.product), status: 'draft' }, now)
  })
  return { product, newTeam }
}

async function refuseFormer(records: Records, name: ProductName): Promise<void> {
  const now = await records.formerAddresses.present(name)
  if (now) throw renamed('product', `${name.team}/${name.product}`, `${now.team}/${now.product}`)
  if (!(await records.teams.find(name.team))) await refuseFormerTeam(records, name.team)
}

async function refuseFormerTeam(records: Records, slug: string): Promise<void> {
  const now = await records.formerAddresses.presentTeam(slug)
  if (now !== null) throw renamed('team', slug, now)
}

const renamed = (noun: 'team' | 'product', name: string, now: string): Refusal =>
  new Refused('renamed', { noun, name }, { kind: 'not_found', hint: `The ${noun} is now ${now}.` })

/** Refuses a missing product, with the nearest name, if any, and `hint`. */
export async function refuseMissingProduct(records: Records, name: ProductName, hint: Hint): Promise<never> {
  const error = await findProduct(records, name).catch((thrown: unknown) => thrown)
  // What was renamed says what to do.
  if (!(error instanceof Refusal) || error instanceof Refused) throw error
  const meant = error.hint?.startsWith('Did you mean') ? `${error.hint} ` : ''
  throw withHint(error, { ...hint, text: meant + hint.text })
}

export async function findVersion(
  records: Records,
  of: ProductName,
  name: string,
): Promise<{ product: Product; version: Version }> {
  const product = await findProduct(records, of)
  const version = await records.versions.find(product, name)
  if (version) return { product, version }
  const all = await records.versions.list(product)
  const former = await records.versions.formerLabels(product)
  const holder = all.find(({ id }) => former.get(id)?.includes(name))
  const labels = all.map(({ label }) => label)
  const list = ['version list', address(product)] as const
  const error = missing(`version ${name} of ${address(product)}`, list, name, labels)
  if (holder) throw withHint(error, `Version ${name} is now ${holder.label}.`)
  const newest = name === LATEST ? latestIn(all) : undefined
  throw newest ? withHint(error, `Use the label of the newest release, ${newest.label}.`) : error
}

const latestIn = (all: readonly Version[]) => latestOf(all.filter(({ status }) => status === 'published'))

/** For commands that show or edit a version: `latest` is the newest release, unless a version has that label. */
export async function findShown(
  records: Records,
  of: ProductName,
  name: string,
): ReturnType<typeof findVersion> {
  const product = await findProduct(records, of)
  if (name !== LATEST || (await records.versions.find(product, name))) return findVersion(records, of, name)
  const version = latestIn(await records.versions.list(product))
  if (version) return { product, version }
  throw new Refusal(`${address(product)} has no published version that is not yanked.`, {
    kind: 'not_found',
    hint: toRun('To list what exists', 'version list', [address(product)]),
  })
}

/** A change is named by its position in a version, or by its id. */
export type ChangeName = { of: ProductName; version: string; position: number } | { id: string }

export async function findChange(records: Records, name: ChangeName): Promise<ChangeFound> {
  if ('id' in name) {
    const found = await records.changes.find(name.id)
    // Too many changes to search for a similar id.
    if (!found) throw missing(`change ${name.id}`, ['change list', 'TEAM/PRODUCT', 'VERSION'])
    return found
  }
  const { product, version } = await findVersion(records, name.of, name.version)
  const change = (await records.changes.list(version))[name.position - 1]
  if (change) return { change, version, product }
  throw missing(`change ${name.position} of ${address(product)} ${version.label}`, [
    'change list',
    address(product),
    version.label,
  ])
}

/** Finds a key by id, or by `team/label` if that is unique. */
export async function findKey(records: Records, name: string): Promise<Key> {
  const { keys } = records
  const [slug = '', ...rest] = name.split('/')
  if (rest.length === 0) {
    const key = await keys.find(name)
    if (!key) throw missing(`key ${name}`, ['key list', 'TEAM'], name, await keys.ids())
    return key
  }
  const label = rest.join('/')
  const labelled = (await keys.list(await findTeam(records, slug))).filter((key) => key.label !== '')
  const [key, ...others] = labelled.filter((each) => each.label === label)
  if (!key) {
    const labels = labelled.map((each) => each.label)
    throw missing(`key ${name}`, ['key list', slug], label, labels, `${slug}/`)
  }
  if (others.length > 0)
    throw new Refusal(`Team ${slug} has ${others.length + 1} keys with the label ${label}.`, {
      hint: `Use an id: ${[key, ...others].map(({ id }) => id).join(', ')}`,
    })
  return key
}

/** Finds a hook by id, or by `team/name`. */
export async function findHook(records: Records, text: string): Promise<Hook> {
  const [slug = '', name] = text.split('/')
  const team = name === undefined ? undefined : await findTeam(records, slug)
  const all = await records.hooks.list(team)
  const shownName = (hook: Hook) => (team ? addressOfHook(hook) : hook.id)
  const found = all.find((hook) => shownName(hook) === text)
  if (found) return found
  throw missing(`hook ${text}`, ['hook list', ...(team ? [slug] : [])], text, all.map(shownName))
}

/** Names the nearest of the others, or else the command that lists them. */
function missing(
  what: string,
  [list, ...args]: readonly [string, ...string[]],
  name = '',
  others: readonly string[] = [],
  prefix = '',
): Refusal {
  const meant = nearest(name, others)
  return new Refusal(`There is no ${what}.`, {
    kind: 'not_found',
    hint: meant ? `Did you mean ${prefix}${meant}?` : toRun('To list what exists', list, args),
  })
}
