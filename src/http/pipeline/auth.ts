import { hashToken, isToken } from '../../domain/token.ts'
import type { Grant, Store } from '../../store/port.ts'
import { ApiError } from '../responses/errors.ts'
import type { Fresh } from './cache.ts'

/** How much is remembered of keys between two changes of the data, and about what one takes. */
const MOST_BYTES = 4 * 2 ** 20
const bytesOf = ({ products }: Grant): number => 512 + 64 * products.size

const BEARER = /^bearer ([A-Za-z0-9\-._~+/]+=*)$/i

export type Auth = ReturnType<typeof createAuth>

/**
 * Reads API keys from `Authorization` headers. A key is remembered by its hash while the data stays the same,
 * so a key that is disabled is refused by the next request.
 */
export function createAuth(store: Store, fresh: Fresh, now: () => number) {
  const known = fresh.map<Grant>(MOST_BYTES, bytesOf)

  /** The grant of a key that has been seen since the data last changed; null says nothing. */
  const recall = (authorization: string | null): Grant | null => {
    const token = bearerToken(authorization)
    if (token === null) return null
    const grant = known.get(hashToken(token))
    return grant && (grant.expiresAt === null || grant.expiresAt > now()) ? grant : null
  }

  /**
   * The grant of the key in the header. Throws `unauthorized`: see `Unauthorized` for when. `elsewhere` is a
   * token found in another place or form, which never authenticates: the refusal says so.
   */
  const authenticate = async (authorization: string | null, elsewhere?: string): Promise<Grant> => {
    const token = bearerToken(authorization)
    if (token === null) throw Unauthorized.missingOrMalformed(authorization, elsewhere !== undefined)
    const remembered = recall(authorization)
    if (remembered) return remembered
    if (!isToken(token)) throw Unauthorized.invalid()
    const hash = hashToken(token)
    const revision = fresh.revision()
    const grant = await store.findGrant(hash, now())
    if (!grant) throw Unauthorized.invalid()
    known.set(hash, grant, revision)
    return grant
  }

  return { recall, authenticate }
}

/**
 * Refuses, by the key alone and before anything is looked up, a team that is not the key's and a product that
 * the key is not for. So the answer does not tell whether they exist.
 */
export function authorize(grant: Grant, team: string, product: string): void {
  if (team !== grant.teamSlug) throw new ApiError('forbidden', 'This key belongs to another team.')
  if (grant.kind === 'SELECT' && !grant.products.has(product))
    throw new ApiError('forbidden', 'This key may not read this product.')
}

/** The token of a header that is strictly `Bearer <token>`, one space, the scheme in any case; or null. */
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
    const hint = elsewhere ? ' A token in the address is never read.' : ''
    return new ApiError(
      'unauthorized',
      `The bearer token is missing: send it as "Authorization: Bearer <API_KEY>".${hint}`,
    )
  },
  /** Unknown, expired and disabled keys get one answer. */
  invalid: () => new ApiError('unauthorized', 'The API key is not valid.'),
}
