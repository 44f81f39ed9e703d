import { Type } from '@sinclair/typebox'
import type { Cursor } from '../../store/store.ts'
import { readCursor, writeCursor } from '../reading/paging.ts'
import { ApiError } from '../request/errors.ts'

export const cursor = Type.Optional(
  Type.String({ maxLength: 200, description: '`next` from the previous response.' }),
)
export const next = Type.Optional(
  Type.String({ description: 'The `cursor` of the next page, if there is one.' }),
)

export const wrongCursor = () =>
  new ApiError('bad_request', 'cursor must be `next` from a previous response.')

/** The position where a cut answer continues: after `skip` changes of the versions after `after`, up to `to`. */
export const writePlace = (skip: number, after: Cursor | null, to = ''): string =>
  [skip, after ? writeCursor(after) : '', to].join('.')

export function placeIn(cursor = '0..'): { skip: number; after: Cursor | null; to?: string } {
  const [, skip, after, to] = /^(\d{1,7})\.([\w-]*)\.(.*)$/.exec(cursor) ?? []
  if (skip === undefined) throw wrongCursor()
  return { skip: Number(skip), after: after ? readCursor(after) : null, ...(to && { to }) }
}
