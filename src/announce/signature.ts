import type { Instant } from '../domain/records.ts'

/** Standard Webhooks 1.0.0: a secret is `whsec_` and 24 to 64 bytes in base64. */
const PREFIX = 'whsec_'
const BYTES = 32

export const newSecret = (): string =>
  PREFIX + Buffer.from(crypto.getRandomValues(new Uint8Array(BYTES))).toString('base64')

/** The key in base64. */
export const withoutPrefix = (secret: string): string => secret.slice(PREFIX.length)

/** The headers of a message. While a secret is replaced, receivers may verify with either. */
export function signatureHeaders(
  secrets: readonly string[],
  id: string,
  now: Instant,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1_000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(withoutPrefix(secret), 'base64')
    return `v1,${new Bun.CryptoHasher('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
