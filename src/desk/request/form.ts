import { pause } from '../../domain/time/waiting.ts'
import { createTurns } from '../../domain/turns.ts'

/** Longer bodies are read only to give their text back, or not at all. */
const MOST_BYTES = 2_000_000

/** A form as the browser sent it. Of a field that comes twice, the first counts. */
export interface Form {
  readonly isTooLong: boolean
  /** Empty if it is missing. Line ends are those of this system. */
  text(name: string): string
  has(name: string): boolean
  /** Null if none was chosen: browsers then send an empty one without a name. */
  file(name: string): File | null
}

const inTurn = createTurns()
const LONGEST_TURN_MS = 1_000

/** Uploads are read one after the other, as each takes its memory several times over. Nobody waits long for a slow one. */
async function upload(request: Request, whose: unknown): Promise<Uint8Array> {
  const { reading } = await inTurn(whose, async () => {
    const reading = request.bytes()
    await Promise.race([reading.catch(() => {}), pause(LONGEST_TURN_MS)])
    return { reading }
  })
  return reading
}

const isShort = ({ headers }: Request) => Number(headers.get('content-length') ?? Infinity) <= MOST_BYTES

/** Of somebody who may not write: others never wait for it. Null if it is no form, or longer than one with a text. */
export const readShortForm = async (request: Request): Promise<Form | null> =>
  request.method === 'POST' && isShort(request) ? readForm(request) : null

/** Null if it is no form. Long ones take turns by `whose` they are. */
export async function readForm(request: Request, whose?: unknown): Promise<Form | null> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type)) return null
  const body = isShort(request) ? await request.bytes() : await upload(request, whose)
  const data = await new Response(body, { headers: { 'content-type': type } }).formData().catch(() => null)
  const file = (name: string): File | null => {
    const value = data?.get(name)
    return value instanceof File && (value.size > 0 || value.name) ? value : null
  }
  return (
    data && {
      isTooLong: body.length - (file('picture')?.size ?? 0) > MOST_BYTES,
      file,
      text: (name) => {
        const value = data.get(name)
        return typeof value === 'string' ? value.replace(/\r\n?/g, '\n') : ''
      },
      has: (name) => data.has(name),
    }
  )
}
