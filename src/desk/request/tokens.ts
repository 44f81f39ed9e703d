import { randomToken } from '../../http/entrance.ts'
import type { Writer } from './writer.ts'

type Named = Pick<Writer, 'name'>

/** Tokens in forms, so that no other site can send one. They last as long as the desk runs. */
export function createTokens(secret = randomToken()) {
  // An empty id is none.
  const boundTo = ({ name }: Named) => ({ sessionId: `user ${name ?? ''}` })
  return {
    of: (writer: Named): string => Bun.CSRF.generate(secret, { ...boundTo(writer), expiresIn: 0 }),
    // Tokens without an end would still count for a day only.
    isValid: (writer: Named, token: string): boolean =>
      token !== '' && Bun.CSRF.verify(token, { ...boundTo(writer), secret, maxAge: 0 }),
  }
}
