/** Longer bodies are read only to give their text back, or not at all. */
const MOST_BYTES = 2_000_000

/** A form as the browser sent it. Of a field that comes twice, the first counts. */
export interface Form {
  readonly isTooLong: boolean
  /** Empty if it is missing. Line ends are those of this system. */
  text(name: string): string
  has(name: string): boolean
}

/** Null if it is no form. */
export async function readForm(request: Request): Promise<Form | null> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type)) return null
  const body = await request.bytes()
  const data = await new Response(body, { headers: { 'content-type': type } }).formData().catch(() => null)
  return (
    data && {
      isTooLong: body.length > MOST_BYTES,
      text: (name) => {
        const value = data.get(name)
        return typeof value === 'string' ? value.replace(/\r\n?/g, '\n') : ''
      },
      has: (name) => data.has(name),
    }
  )
}
