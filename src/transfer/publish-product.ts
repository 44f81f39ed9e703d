import type { Product } from '../domain/records.ts'
import type { Records } from '../store/records/records.ts'

export async function publishProduct(records: Records, product: Product): Promise<Product> {
  const status = { status: 'published' } as const
  return records.products.updateChangelog(await records.products.update(product, status), status)
}
