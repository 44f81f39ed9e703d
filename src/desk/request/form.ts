/** The longest body that is read. */
const MOST_BYTES = 2_000_000

/** A form as the browser sent it. Of a field that comes twice, the first counts. */
export interface Form {
  /** Empty if it is missing. Line ends are those of this system. */
  text(name: string): string
  has(name: string): boolean
}

/** Null if it is no form, or too long. */
export async function readForm(request: Request): Promise<Form | null> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type)) return null
  if (Number(request.headers.get('content-length') ?? Number.NaN) > MOST_BYTES) return null
  const data = await request.formData().catch(() => null)
  return data && formOf(data)
}

const formOf = (data: Pick<FormData, 'get' | 'has'>): Form => ({
  text: (name) => {
    const value = data.get(name)
    return typeof value === 'string' ? value.replace(/\r\n?/g, '\n') : ''
  },
  has: (name) => data.has(name),
})
