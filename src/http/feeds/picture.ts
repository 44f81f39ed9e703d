import { isPictureId, PICTURE_ENDING } from '../../domain/pictures.ts'
import { PICTURE_TYPE } from '../answers/cached-response.ts'
import { checkedNames, type Names } from '../reading/addresses.ts'
import type { Asked } from '../reading/parameters.ts'
import { notFound } from '../request/errors.ts'
import { fileHeaders } from './body.ts'

/** A picture that a public version shows. */
export function picture(asked: Asked<keyof Names | 'picture'>): Promise<Response> {
  const { responder, context, params } = asked
  const { team, product, picture: file } = params
  const id = file.slice(0, -PICTURE_ENDING.length)
  if (!file.endsWith(PICTURE_ENDING) || !isPictureId(id)) throw notFound()
  const names = { ...checkedNames(params), picture: id }
  return responder.short(context, names, async (reads) => {
    const found = await reads.ask('readPicture', 'public', team, product, id)
    return found && { kind: 'body', text: found.bytes, headers: headersOf(asked), type: PICTURE_TYPE }
  })
}

/** Opened by itself, it is a page that may do nothing. */
const headersOf = (asked: Parameters<typeof fileHeaders>[0]) => ({
  ...fileHeaders(asked),
  'content-security-policy': "default-src 'none'; sandbox",
})
