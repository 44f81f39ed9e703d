import { Value } from '@sinclair/typebox/value'
import { ErrorEnvelope } from '../../../src/http/api/openapi/response-schemas.ts'
import { ERRORS, type ErrorCode } from '../../../src/http/request/errors.ts'

const CODES = Object.keys(ERRORS) as ErrorCode[]
const CODE_OF = Object.fromEntries(CODES.map((code) => [ERRORS[code].status, code]))

/**
 * Fails unless the response is documented, has the documented body, and reveals nothing internal. An error of a page is a
 * page.
 */
export async function expectDocumented(response: Response, context: unknown): Promise<void> {
  const text = await response.text()
  if ([200, 204, 302, 304].includes(response.status)) return
  const code = CODE_OF[response.status]
  if (!code) throw new Error(`${JSON.stringify(context)}: undocumented status ${response.status}`)
  const isPage = response.headers.get('content-type') === 'text/html; charset=utf-8'
  const body = isPage ? null : JSON.parse(text)
  const isComplete = isPage
    ? text.endsWith('</html>\n')
    : Value.Check(ErrorEnvelope, body) && body.error.code === code
  if (!isComplete) throw new Error(`${JSON.stringify(context)}: ${text}`)
  if (/sqlite|select |\bat .*:\d+|node_modules|stack/i.test(text))
    throw new Error(`reveals something internal: ${text}`)
  if (response.status === 500) throw new Error(`${JSON.stringify(context)}: 500`)
}
