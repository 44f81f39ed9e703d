import { picturePath } from '../domain/addresses/paths.ts'
import { withPictures } from '../domain/pictures.ts'
import type { Change } from '../domain/records.ts'

interface Place {
  team: { slug: string }
  product: { slug: string }
}

interface Texts {
  title: string
  description?: string | null
  closing?: string | null
  source?: string | null | undefined
  changes?: Change[]
}

/** Texts whose pictures have the address where a site serves them. `base` is that of the site. */
export function withPicturesAt<T extends Partial<Texts>>(
  { team, product }: Place,
  texts: T,
  base: string,
): T {
  const addressOf = (id: string): string => base + picturePath(team.slug, product.slug, id)
  const moved = <Some extends Partial<Texts>>(some: Some): Some => {
    let result = some
    for (const name of ['title', 'description', 'closing', 'source'] as const) {
      const text = withPictures(some[name], addressOf)
      if (text !== some[name]) result = { ...result, [name]: text }
    }
    return result
  }
  const own = moved(texts)
  const changes = texts.changes?.map(moved)
  // Nearly all texts have none.
  return changes?.some((change, at) => change !== texts.changes?.[at]) ? { ...own, changes } : own
}
