import type { Cursor } from '../../store/store.ts'

export const writeCursor = ({ publishedAt, id }: Cursor): string =>
  Buffer.from(`${publishedAt} ${id}`).toString('base64url')

/** Undefined if `writeCursor` did not write it. */
export function readCursor(cursor: string): Cursor | undefined {
  const parts = /^(-?\d{1,16}) (ver_[0-9a-z]{1,64})$/.exec(
    Buffer.from(cursor, 'base64url').toString('latin1'),
  )
  const position = parts && { publishedAt: Number(parts[1]), id: parts[2] as string }
  return position && writeCursor(position) === cursor ? position : undefined
}

/** The position below this one: whatever is newer than it is at this one or above. */
export const positionBelow = ({ publishedAt, id }: Cursor): Cursor => ({
  publishedAt,
  id: `${id.slice(0, -1)}${String.fromCharCode(id.charCodeAt(id.length - 1) - 1)}~`,
})
