export const sha256 = (content: string | Uint8Array, digest: 'base64url' | 'hex' = 'base64url'): string =>
  new Bun.CryptoHasher('sha256').update(content).digest(digest)
