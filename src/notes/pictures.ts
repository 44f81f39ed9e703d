import { picturePath } from '../domain/addresses/paths.ts'
import { withPictures } from '../domain/pictures.ts'
import { mapTexts, type Texts } from '../domain/versions/texts.ts'

interface Place {
  team: { slug: string }
  product: { slug: string }
}

/** Texts whose pictures have the address where a site serves them. `base` is that of the site. */
export const withPicturesAt = <T extends Texts>({ team, product }: Place, texts: T, base: string): T =>
  mapTexts(texts, (text) => withPictures(text, (id) => base + picturePath(team.slug, product.slug, id)))
