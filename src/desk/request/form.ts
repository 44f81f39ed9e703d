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

/** Uploads are read one after the other, as each takes its memory several times over. Nobody waits long for a slow one. */
let lastUpload: Promise<unknown> = Promise.resolve()
const LONGEST_TURN_MS = 10_000
const turnEnds = () => new Promise((end) => setTimeout(end, LONGEST_TURN_MS).unref())

const isShort = ({ headers }: Request) => Number(headers.get('content-length') ?? Infinity) <= MOST_BYTES

/** Of somebody who may not write: others never wait for it. Null if it is no form, or longer than one with a text. */
export const readShortForm = async (request: Request): Promise<Form | null> =>
  request.method === 'POST' && isShort(request) ? readForm(request) : null

/** Null if it is no form. */
export async function readForm(request: Request): Promise<Form | null> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type)) return null
  const reading = isShort(request) ? request.bytes() : lastUpload.then(() => request.bytes())
  if (!isShort(request)) lastUpload = Promise.race([reading.catch(() => {}), turnEnds()])
  const body = await reading
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
