import type { Product, ProductName } from '../domain/records.ts'
import { checkUnlocked } from '../domain/rules.ts'
import { findProduct } from '../transfer/find.ts'
import type { Acting } from './acting.ts'

interface Published {
  product: Product
}

/** Publishes a product and its changelog, also locked ones. */
export async function publishProduct(
  { records: { products } }: Acting,
  product: Product,
): Promise<Published> {
  const status = { status: 'published' } as const
  return { product: await products.updateChangelog(await products.update(product, status), status) }
}

/** Publishes a product that is not locked, and makes its team public. */
export async function makePublic(by: Acting, of: ProductName): Promise<Published> {
  const product = await findProduct(by.records, of)
  checkUnlocked(product)
  const visibility = 'public'
  const { team } = product
  if (team.visibility !== visibility) await by.records.teams.update(team, { visibility })
  return publishProduct(by, { ...product, team: { ...team, visibility } })
}
