import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { Instant } from '../../domain/records.ts'
import { all, type Read, type ReadContext } from './read.ts'
import { type Dialect, isNearest, statement } from './statement.ts'
import type { Grant } from './types.ts'

/** Null if the key is unknown, disabled or expired at `now`. */
export function* findGrant(
  { statements }: ReadContext<KeyStatements>,
  tokenHash: string,
  now: Instant,
): Read<Grant | null> {
  const [found] = yield* all(statements.grant, { hash: tokenHash, now })
  if (!found) return null
  const { tokenExpiresAt, keyExpiresAt, ...grant } = found
  const attached = yield* all(statements.attachedProducts, { keyId: grant.keyId })
  return {
    ...grant,
    products: new Set(attached.map(({ slug }) => slug)),
    expiresAt: earliest(tokenExpiresAt, keyExpiresAt),
  }
}

function earliest(a: Instant | null, b: Instant | null): Instant | null {
  if (a === null) return b
  return b === null ? a : Math.min(a, b)
}

type KeyStatements = ReturnType<typeof keyStatements>

export function keyStatements({ builder, tables, checkedLast }: Dialect) {
  const { teams, products, keys, keyTokens, keyProducts } = tables
  const now = sql.placeholder('now')
  const hash = sql.placeholder('hash')
  return {
    /** Unknown, disabled and expired tokens take the same steps: see `isNearest`. */
    grant: statement(
      builder
        .select({
          keyId: keys.id,
          teamId: teams.id,
          teamSlug: teams.slug,
          kind: keys.kind,
          keyExpiresAt: keys.expiresAt,
          tokenExpiresAt: keyTokens.expiresAt,
        })
        .from(keyTokens)
        .innerJoin(keys, eq(keys.id, keyTokens.keyId))
        .innerJoin(teams, eq(teams.id, keys.teamId))
        .where(
          and(
            isNearest(keyTokens.hash, keyTokens, [keyTokens.hash], [hash]),
            checkedLast(
              and(
                eq(keyTokens.hash, hash),
                eq(keys.status, 'active'),
                or(isNull(keys.expiresAt), gt(keys.expiresAt, now)),
                or(isNull(keyTokens.expiresAt), gt(keyTokens.expiresAt, now)),
              ),
            ),
          ),
        ),
    ),

    attachedProducts: statement(
      builder
        .select({ slug: products.slug })
        .from(keyProducts)
        .innerJoin(products, eq(products.id, keyProducts.productId))
        .where(eq(keyProducts.keyId, sql.placeholder('keyId'))),
    ),
  }
}
