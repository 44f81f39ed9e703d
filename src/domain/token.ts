/**
 * API key tokens: `clk_`, 32 random base62 characters (190 bits), and 6 more that are a checksum of the rest.
 * The checksum lets a command or a scanner tell a typing error or a false hit from a key. The server does not use it:
 * it would refuse a mistyped key sooner than an unknown one. Only the SHA-256 of a token is stored.
 */
const PREFIX = 'clk_'
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const TOKEN = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`)

export function newToken(): string {
  let body = PREFIX
  while (body.length < PREFIX.length + RANDOM_LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(RANDOM_LENGTH))) {
      // 248 is the largest multiple of 62 in a byte: larger bytes would favour the first characters.
      if (byte < 248 && body.length < PREFIX.length + RANDOM_LENGTH) body += BASE62[byte % 62]
    }
  }
  return body + checksum(body)
}

/** Checks form and checksum. */
export function isToken(text: string): boolean {
  if (!TOKEN.test(text)) return false
  const body = text.slice(0, -CHECKSUM_LENGTH)
  return text.endsWith(checksum(body))
}

/** The hexadecimal SHA-256 by which a token is stored and found. */
export const hashToken = (token: string): string => Bun.SHA256.hash(token, 'hex')

/** The first characters of a token: enough to recognise it in a list, too few to use it. */
export const tokenStart = (token: string): string => token.slice(0, PREFIX.length + 4)

function checksum(body: string): string {
  let rest = Bun.hash.crc32(body)
  let text = ''
  for (let digit = 0; digit < CHECKSUM_LENGTH; digit++) {
    text = BASE62[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}
