import type { ProductName } from '../../domain/records.ts'
import { PICTURE_TYPE } from '../../http/answers/cached-response.ts'
import type { Visit } from '../visit.ts'
import { notFoundPage } from './refused.ts'

/** A picture of a product, also one that no version shows: previews show what is not saved. */
export async function pictureFile(
  visit: Visit,
  { team, product: slug, picture }: ProductName & { picture: string },
): Promise<Response> {
  const found = await visit.desk.read(async ({ products, pictures }) => {
    const product = await products.find(team, slug)
    return product && pictures.find(product, picture)
  })
  return found
    ? new Response(new Uint8Array(found.bytes), { headers: { 'content-type': PICTURE_TYPE } })
    : notFoundPage(visit)
}
