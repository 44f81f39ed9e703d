import { pictureFile, pictureType } from '../../domain/pictures.ts'
import { checkedNames, type Names } from '../reading/addresses.ts'
import type { Asked } from '../reading/parameters.ts'
import { notFound } from '../request/errors.ts'
import { fileHeaders } from './body.ts'

/** A picture that a public version shows, or what is derived from it. */
export function picture(asked: Asked<keyof Names | 'picture'>): Promise<Response> {
  const { responder, context, params } = asked
  const { team, product, picture: file } = params
  const named = pictureFile(file)
  if (!named) throw notFound()
  const names = { ...checkedNames(params), picture: named.id }
  return responder.short(context, names, async (reads) => {
    const found = await reads.ask('readPicture', 'public', team, product, named.id, named.form)
    return (
      found && { kind: 'body', text: found.bytes, headers: headersOf(asked), type: pictureType(found.bytes) }
    )
  })
}

/** Opened by itself, it is a page that may do nothing. */
const headersOf = (asked: Parameters<typeof fileHeaders>[0]) => ({
  ...fileHeaders(asked),
  'content-security-policy': "default-src 'none'; sandbox",
})
