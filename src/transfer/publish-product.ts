import type { Product } from '../domain/records.ts'
import type { Records } from '../store/records/records.ts'

/** Publishes a product with its changelog. */
export async function publishProduct(records: Records, product: Product): Promise<Product> {
  const status = { status: 'published' } as const
  return records.products.updateChangelog(await records.products.update(product, status), status)
}
