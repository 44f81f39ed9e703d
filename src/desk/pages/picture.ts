import { parse } from 'node:path'
import type { Acting } from '../../acts/acting.ts'
import { ACTS } from '../../acts/acts.ts'
import { picturePath } from '../../domain/addresses/paths.ts'
import { type PictureForm, PictureRefused, pictureAddress, pictureType } from '../../domain/pictures.ts'
import { said } from '../../domain/reasons.ts'
import type { ProductName } from '../../domain/records.ts'
import { pictureMarkdown } from '../../formats/markdown/pictures.ts'
import { type RewrittenPicture, rewritePicture } from '../../transfer/pictures/rewrite.ts'
import { perform } from '../perform.ts'
import type { Desk, Named, Sent, Visit } from '../visit.ts'
import { notFoundPage } from './refused.ts'

/** A picture of a product, also one that no version shows: previews show what is not saved. */
export async function pictureFile(
  visit: Visit,
  { team, product: slug }: ProductName,
  { id, form }: { id: string; form: PictureForm | null },
): Promise<Response> {
  const found = await visit.desk.read(async ({ products, pictures }) => {
    const product = await products.find(team, slug)
    return product && pictures.bytes(product, id, form)
  })
  return found
    ? new Response(new Uint8Array(found), { headers: { 'content-type': pictureType(found) } })
    : notFoundPage(visit)
}

/** A picture of a form, ready to be stored. */
interface SentPicture extends RewrittenPicture {
  name: string
}

/** The picture that a form has, decoded before the database is locked; null without one. Refuses it in the language of the desk. */
export async function pictureIn({ desk, form, writer }: Sent): Promise<SentPicture | null> {
  const file = form.file('picture')
  if (!file) return null
  // Without a name, there is no text that stands for it.
  const { name = '' } = file
  try {
    return { ...(await rewritePicture(name, await file.bytes(), writer.name)), name: parse(name).name }
  } catch (error) {
    if (!(error instanceof PictureRefused)) throw error
    throw said(`${name || desk.words.pictures.picture}: ${desk.words.pictures[error.fault]}`)
  }
}

/** Adds it to the product: its id, and the Markdown that shows it. */
export async function addPicture(
  by: Acting,
  of: ProductName,
  { name, ...picture }: SentPicture,
  { config }: Desk,
) {
  const added = await ACTS.addPicture.run(by, of, picture, config.picturesMaxBytes)
  return { ...added, shown: pictureMarkdown(added.picture, name) }
}

/** Takes a picture for the script of the editor, before the text is saved. */
export async function takePicture(visit: Sent, { team, product: slug }: Named): Promise<Response> {
  const { desk } = visit
  const sent = await pictureIn(visit)
  if (!sent) return Response.json({ problem: desk.words.pictures.empty })
  const { name, ...picture } = sent
  const most = desk.config.picturesMaxBytes
  const { picture: id } = await perform(visit, ACTS.addPicture, { team, product: slug }, picture, most)
  const shown = pictureMarkdown(id, name)
  return Response.json({ shown, address: pictureAddress(id), src: desk.base + picturePath(team, slug, id) })
}
