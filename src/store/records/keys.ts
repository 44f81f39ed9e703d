import { and, asc, desc, eq, getTableColumns, gt, inArray, isNull, lte, ne, or, type SQL } from 'drizzle-orm'
import { newId } from '../../domain/id.ts'
import type { ExportedKey, Instant, Key, Product, Team } from '../../domain/records.ts'
import { Refusal, toRun } from '../../domain/refusal.ts'
import {
  checkExpiry,
  checkKeyProducts,
  checkName,
  checkPlanForKeys,
  checkSelect,
  endOfOverlap,
  keyStatus,
} from '../../domain/rules.ts'
import { hashToken, newToken, tokenStart } from '../../domain/token.ts'
import type { Engine } from './engine.ts'
import type { FindProduct } from './products.ts'

interface KeyDraft extends Pick<Key, 'kind' | 'label' | 'expiresAt'> {
  products: readonly Product[]
}

export function keyRecords(engine: Engine, findProduct: FindProduct) {
  const { db, tables } = engine
  const { keys, keyTokens, keyProducts } = tables

  const find = async (id: string): Promise<Key | null> => {
    const [key] = await keysWhere(engine, eq(keys.id, id))
    return key ? withoutHashes(key) : null
  }

  const reread = async (id: string): Promise<Key> => (await find(id)) as Key

  const addToken = async (keyId: string, now: Instant): Promise<string> => {
    const token = newToken()
    const row = { hash: hashToken(token), keyId, start: tokenStart(token), createdAt: now, expiresAt: null }
    await db.insert(keyTokens).values(row)
    return token
  }

  const attach = async (key: Pick<Key, 'id' | 'team'>, chosen: readonly Product[]): Promise<void> => {
    const rows = chosen.map(({ id }) => ({ keyId: key.id, productId: id, teamId: key.team.id }))
    if (rows.length > 0) await db.insert(keyProducts).values(rows).onConflictDoNothing()
  }

  return {
    list: async (team: Team): Promise<Key[]> =>
      (await keysWhere(engine, eq(keys.teamId, team.id))).map(withoutHashes),
    find,
    ids: async (): Promise<string[]> =>
      (await db.select({ id: keys.id }).from(keys).orderBy(asc(keys.id))).map((row) => row.id),

    /** The token is not stored. Refuses a team on the free plan. */
    create: async (
      team: Team,
      { kind, label, products, expiresAt }: KeyDraft,
      now: Instant,
    ): Promise<{ key: Key; token: string }> => {
      checkPlanForKeys(team)
      checkKeyProducts(kind, products)
      checkExpiry(expiresAt, now)
      if (label !== '') checkName(label, 'label')
      const id = newId('key')
      const row = { id, teamId: team.id, kind, status: 'active', label, createdAt: now, expiresAt } as const
      await db.insert(keys).values(row)
      await attach({ id, team }, products)
      const token = await addToken(id, now)
      return { key: await reread(id), token }
    },

    update: async (
      key: Key,
      update: Partial<Pick<Key, 'status' | 'expiresAt'>>,
      now: Instant,
    ): Promise<Key> => {
      if (update.expiresAt !== undefined && update.expiresAt !== key.expiresAt)
        checkExpiry(update.expiresAt, now)
      const { status, expiresAt } = { ...key, ...update }
      await db.update(keys).set({ status, expiresAt }).where(eq(keys.id, key.id))
      return { ...key, status, expiresAt }
    },

    /** Ignores products that are attached already. */
    attach: async (key: Key, chosen: readonly Product[]): Promise<Key> => {
      checkSelect(key)
      await attach(key, chosen)
      return reread(key.id)
    },

    /** Refuses to leave a key without a product. */
    detach: async (key: Key, chosen: readonly Product[]): Promise<Key> => {
      checkSelect(key)
      const ids = chosen.map(({ id }) => id)
      await db
        .delete(keyProducts)
        .where(and(eq(keyProducts.keyId, key.id), inArray(keyProducts.productId, ids)))
      const left = await reread(key.id)
      if (left.products.length === 0)
        throw new Refusal(`Key ${key.id} would be left without a product.`, {
          hint: toRun('To disable it', 'key disable', [key.id]),
        })
      return left
    },

    /** Gives the key a new token; older ones expire now, or after `overlap` milliseconds. */
    rotate: async (key: Key, overlap: number, now: Instant): Promise<{ key: Key; token: string }> => {
      if (keyStatus(key, now) === 'expired')
        throw new Refusal(`Key ${key.id} has expired, so a new token would not work either.`, {
          hint: toRun('To create another key', 'key create', [key.team.slug]),
        })
      await db.delete(keyTokens).where(and(eq(keyTokens.keyId, key.id), lte(keyTokens.expiresAt, now)))
      const token = await addToken(key.id, now)
      const older = and(eq(keyTokens.keyId, key.id), ne(keyTokens.hash, hashToken(token)))
      if (overlap === 0) await db.delete(keyTokens).where(older)
      else {
        const end = endOfOverlap(overlap, now)
        // A token that ends sooner keeps its end.
        const longer = or(isNull(keyTokens.expiresAt), gt(keyTokens.expiresAt, end))
        await db.update(keyTokens).set({ expiresAt: end }).where(and(older, longer))
      }
      return { key: await reread(key.id), token }
    },

    delete: async ({ id }: Key): Promise<void> => db.delete(keys).where(eq(keys.id, id)),

    exported: async (team: Team): Promise<ExportedKey[]> => {
      const stored = await keysWhere(engine, eq(keys.teamId, team.id))
      return stored.map(({ team: _, ...key }) => ({ ...key, tokens: key.tokens.toSorted(byAge) }))
    },

    /** Creates the key, or updates the one with its id. Refuses an id of another team's key. */
    put: async (team: Team, { products: slugs, tokens, ...key }: ExportedKey): Promise<void> => {
      // A SELECT key whose products were deleted has none, and reads nothing.
      if (slugs.length > 0) checkKeyProducts(key.kind, slugs)
      if (key.label !== '') checkName(key.label, 'label')
      const [other] = await db.select().from(keys).where(eq(keys.id, key.id))
      if (other && other.teamId !== team.id)
        throw new Refusal(`Key ${key.id} belongs to another team in this database, not to ${team.slug}.`)
      await db
        .insert(keys)
        .values({ ...key, teamId: team.id })
        .onConflictDoUpdate({ target: keys.id, set: key })
      await db.delete(keyTokens).where(eq(keyTokens.keyId, key.id))
      for (const token of tokens) {
        const [taken] = await db.select().from(keyTokens).where(eq(keyTokens.hash, token.hash))
        if (taken)
          throw new Refusal(
            taken.keyId === key.id
              ? `Key ${key.id} has the token ${token.start}… twice.`
              : `Key ${key.id} has the same token as key ${taken.keyId}: ${token.start}….`,
          )
        await db.insert(keyTokens).values({ ...token, keyId: key.id })
      }
      await db.delete(keyProducts).where(eq(keyProducts.keyId, key.id))
      for (const slug of slugs) {
        const product = await findProduct(team.slug, slug)
        if (!product)
          throw new Refusal(`Key ${key.id} is for product ${team.slug}/${slug}, which does not exist.`)
        await attach({ id: key.id, team }, [product])
      }
    },
  }
}

/** A key with the hashes of its tokens, which only an export may contain. */
type StoredKey = ExportedKey & Pick<Key, 'team'>

const withoutHashes = (key: StoredKey): Key => ({
  ...key,
  tokens: key.tokens.map(({ hash: _, ...token }) => token),
})

async function keysWhere({ db, tables }: Engine, where: SQL): Promise<StoredKey[]> {
  const { teams, products, keys, keyTokens, keyProducts } = tables
  const rows = await db
    .select({ key: keys, team: teams })
    .from(keys)
    .innerJoin(teams, eq(teams.id, keys.teamId))
    .where(where)
    .orderBy(asc(keys.id))
  const attached = await db
    .select({ keyId: keyProducts.keyId, slug: products.slug })
    .from(keyProducts)
    .innerJoin(keys, eq(keys.id, keyProducts.keyId))
    .innerJoin(products, eq(products.id, keyProducts.productId))
    .where(where)
    .orderBy(asc(products.slug))
  const tokens = await db
    .select(getTableColumns(keyTokens))
    .from(keyTokens)
    .innerJoin(keys, eq(keys.id, keyTokens.keyId))
    .where(where)
    .orderBy(desc(keyTokens.createdAt), isNull(keyTokens.expiresAt))
  const productsOf = Map.groupBy(attached, ({ keyId }) => keyId)
  const tokensOf = Map.groupBy(tokens, ({ keyId }) => keyId)
  return rows.map(({ key: { teamId: _, ...key }, team }) => ({
    ...key,
    team,
    products: (productsOf.get(key.id) ?? []).map(({ slug }) => slug),
    tokens: (tokensOf.get(key.id) ?? []).map(({ keyId: _, ...token }) => token),
  }))
}

const byAge = (one: ExportedKey['tokens'][number], other: ExportedKey['tokens'][number]): number =>
  one.createdAt - other.createdAt || (one.hash < other.hash ? -1 : 1)
