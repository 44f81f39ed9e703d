import { randomToken } from '../../http/entrance.ts'
import type { Writer } from './writer.ts'

/** Tokens in forms, so that no other site can send one. They last as long as the desk runs. */
export function createTokens() {
  const secret = randomToken()
  const secretOf = ({ name }: Writer): string => `${secret} ${name ?? ''}`
  return {
    of: (writer: Writer): string => Bun.CSRF.generate(secretOf(writer), { expiresIn: 0 }),
    isValid: (writer: Writer, token: string): boolean =>
      token !== '' && Bun.CSRF.verify(token, { secret: secretOf(writer) }),
  }
}

export type Tokens = ReturnType<typeof createTokens>
