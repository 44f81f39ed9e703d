import { address, type Key, type Product, type Team, type Version } from '../domain/records.ts'
import { Refusal } from '../domain/refusal.ts'
import type { ChangeFound, Records } from '../store/records/port.ts'
import type { ProductName } from './arguments.ts'
import { nearest } from './nearest.ts'

/** Finds what a command names. Refuses what does not exist, with the nearest name that does or how to list them. */

export async function findTeam({ teams }: Records, slug: string): Promise<Team> {
  const team = await teams.find(slug)
  if (team) return team
  const slugs = (await teams.list()).map((other) => other.slug)
  throw missing(`team ${slug}`, nearest(slug, slugs), 'changelogd team list')
}

export async function findProduct(records: Records, name: ProductName): Promise<Product> {
  const product = await records.products.find(name.team, name.product)
  if (product) return product
  const team = await findTeam(records, name.team)
  const slugs = (await records.products.list(team)).map((other) => other.slug)
  const meant = nearest(name.product, slugs)
  throw missing(
    `product ${name.team}/${name.product}`,
    meant && `${team.slug}/${meant}`,
    `changelogd product list ${team.slug}`,
  )
}

export async function findVersion(
  records: Records,
  of: ProductName,
  name: string,
): Promise<{ product: Product; version: Version }> {
  const product = await findProduct(records, of)
  const version = await records.versions.find(product, name)
  if (version) return { product, version }
  const labels = (await records.versions.list(product)).map((other) => other.label)
  throw missing(
    `version ${name} of ${address(product)}`,
    nearest(name, labels),
    `changelogd version list ${address(product)}`,
  )
}

export async function findChange({ changes }: Records, id: string): Promise<ChangeFound> {
  const found = await changes.find(id)
  // There may be millions of changes: too many to look for a similar id.
  if (!found) throw missing(`change ${id}`, null, 'changelogd change list team/product VERSION')
  return found
}

export async function findKey({ keys }: Records, id: string): Promise<Key> {
  const key = await keys.find(id)
  if (!key) throw missing(`key ${id}`, nearest(id, await keys.ids()), 'changelogd key list TEAM')
  return key
}

function missing(what: string, meant: string | null, list: string): Refusal {
  return new Refusal(`There is no ${what}.`, {
    hint: meant ? `Did you mean ${meant}?` : `To list what exists: ${list}`,
  })
}
