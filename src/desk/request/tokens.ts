import { randomToken } from '../../http/entrance.ts'
import type { Writer } from './writer.ts'

/** Tokens in forms, so that no other site can send one. They last as long as the desk runs. */
export function createTokens(secret = randomToken()) {
  // An empty id is none.
  const boundTo = ({ name }: Writer) => ({ sessionId: `user ${name ?? ''}` })
  return {
    of: (writer: Writer): string => Bun.CSRF.generate(secret, { ...boundTo(writer), expiresIn: 0 }),
    // Tokens without an end would still count for a day only.
    isValid: (writer: Writer, token: string): boolean =>
      token !== '' && Bun.CSRF.verify(token, { ...boundTo(writer), secret, maxAge: 0 }),
  }
}
