import { hashToken } from '../../domain/token.ts'
import type { StoreReads } from '../../store/queries/reads.ts'
import type { Grant } from '../../store/store.ts'
import { createReads } from '../answers/reads.ts'
import type { Cache } from '../cache.ts'
import { ApiError } from './errors.ts'

/** The bound on cached grants, and the approximate size of one. */
const MAX_BYTES = 4 * 2 ** 20
const bytesOf = ({ products }: Grant): number => 512 + 64 * products.size

/** Refused tokens have their own bound, so that unknown tokens displace no grant. */
const MAX_REFUSED_BYTES = 2 ** 20
const REFUSED_BYTES = 256
const REFUSED = {}

const BEARER = /^bearer ([A-Za-z0-9\-._~+/]+=*)$/i

export type Auth = ReturnType<typeof createAuth>

/**
 * Authenticates API keys from `Authorization` headers. Grants are cached by token hash until the data changes, so a
 * disabled key is refused by the next request. Refused tokens are cached too: every invalid token takes the same steps,
 * so that timing does not tell a disabled key from an unknown one.
 */
export function createAuth(store: StoreReads, cache: Cache, now: () => number, failed = () => {}) {
  const grants = cache.map<Grant>(MAX_BYTES, bytesOf)
  const refused = cache.map<typeof REFUSED>(MAX_REFUSED_BYTES, () => REFUSED_BYTES)

  const cachedByHash = (hash: string): Grant | null => {
    const grant = grants.get(hash)
    return grant && (grant.expiresAt === null || grant.expiresAt > now()) ? grant : null
  }

  /** The cached grant of the key in the header. Null does not mean that the key is invalid. */
  const cachedGrant = (authorization: string | null): Grant | null => {
    const token = bearerToken(authorization)
    return token === null ? null : cachedByHash(hashToken(token))
  }

  /**
   * The grant of the key in the header. Throws `unauthorized`: see `Unauthorized`. `elsewhere` is a token in another
   * place or form; it never authenticates, and the error says so.
   */
  const authenticate = async (authorization: string | null, elsewhere?: string): Promise<Grant> => {
    const token = bearerToken(authorization)
    if (token === null) throw Unauthorized.missingOrMalformed(authorization, elsewhere !== undefined)
    const hash = hashToken(token)
    const cached = cachedByHash(hash)
    if (cached) return cached
    if (refused.get(hash)) throw Unauthorized.invalid()
    const asked = cache.revision()
    const reads = createReads(store, failed)
    const grant = await reads.ask('findGrant', hash, now())
    const revision = reads.revision(asked)
    if (!grant) {
      refused.set(hash, REFUSED, revision)
      throw Unauthorized.invalid()
    }
    grants.set(hash, grant, revision)
    return grant
  }

  return { cachedGrant, authenticate }
}

/**
 * Throws `forbidden` for another team than the key's, and for a product not attached to a SELECT key. The grant alone
 * decides, before any lookup, so the response does not reveal whether they exist.
 */
export function authorize(grant: Grant, team: string, product: string): void {
  if (team !== grant.teamSlug) throw new ApiError('forbidden', 'This key belongs to another team.')
  if (!mayRead(grant, team, product)) throw new ApiError('forbidden', 'This key cannot read this product.')
}

export const mayRead = ({ teamSlug, kind, products }: Grant, team: string, product: string): boolean =>
  team === teamSlug && (kind !== 'SELECT' || products.has(product))

/** Null unless the header is strictly `Bearer <token>`, with one space and the scheme in any case. */
function bearerToken(authorization: string | null): string | null {
  return authorization === null ? null : (BEARER.exec(authorization)?.[1] ?? null)
}

const Unauthorized = {
  missingOrMalformed: (authorization: string | null, elsewhere: boolean) => {
    if (authorization !== null && /^bearer/i.test(authorization))
      return new ApiError(
        'unauthorized',
        'The Authorization header is malformed: it must be "Bearer <API_KEY>".',
      )
    const hint = elsewhere ? ' A token in the URL is never read.' : ''
    return new ApiError(
      'unauthorized',
      `The bearer token is missing: send it as "Authorization: Bearer <API_KEY>".${hint}`,
    )
  },
  /** The same error for unknown, mistyped, expired and disabled keys. */
  invalid: () => new ApiError('unauthorized', 'The API key is not valid.'),
}
