import { picturePath } from '../domain/addresses/paths.ts'
import { withPictures } from '../domain/pictures.ts'

/** Writes the addresses of pictures into a text. */
export type AddressPictures = <Text extends string | null | undefined>(text: Text) => Text

export const asStored: AddressPictures = (text) => text

/** Addresses the pictures of a product where a site serves them: at their path, behind the `base` of the site. */
export const picturesOf =
  (team: string, product: string, base: () => string = () => ''): AddressPictures =>
  (text) =>
    withPictures(text, (id) => base() + picturePath(team, product, id))
