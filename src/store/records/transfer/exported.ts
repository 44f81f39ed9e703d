import { and, eq } from 'drizzle-orm'
import { checkRepository } from '../../../domain/addresses/repository.ts'
import type { ExportedKey, Product, Team } from '../../../domain/records.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { checkKeyProducts, checkName, checkPreamble, checkSlug } from '../../../domain/rules.ts'
import { type Engine, freeId, isTaken } from '../engine.ts'
import { keysWhere } from '../keys.ts'

export function exportedRecords(engine: Engine) {
  const { db, tables } = engine
  const { teams, products, changelogs, versions, changes, keys, keyTokens, keyProducts, sources } = tables

  return {
    /** With the hashes of their tokens. */
    keys: async (team: Team): Promise<ExportedKey[]> => {
      const stored = await keysWhere(engine, eq(keys.teamId, team.id))
      return stored.map(({ team: _, ...key }) => ({ ...key, tokens: key.tokens.toSorted(byAge) }))
    },

    /** Whether a team, product, version, change or source has this id. */
    exists: async (id: string): Promise<boolean> => {
      for (const table of [teams, products, versions, changes, sources])
        if (await isTaken(engine, table, id)) return true
      return false
    },

    /** A team from an export, with the same id unless that is taken. */
    addTeam: async (team: Team): Promise<Team> => {
      checkSlug(team.slug)
      checkName(team.name)
      const created = { ...team, id: await freeId(engine, teams, 'team', team.id) }
      await db.insert(teams).values(created)
      return created
    },

    /** A product and its changelog; likewise. */
    addProduct: async (team: Team, { changelog, ...product }: Omit<Product, 'team'>): Promise<Product> => {
      checkSlug(product.slug)
      for (const { name } of [product, changelog]) checkName(name)
      checkPreamble(changelog.preamble)
      checkRepository(product.repository)
      const created = { ...product, id: await freeId(engine, products, 'prod', product.id) }
      const id = await freeId(engine, changelogs, 'clog', changelog.id)
      await db.insert(products).values({ ...created, teamId: team.id })
      await db.insert(changelogs).values({ ...changelog, id, productId: created.id })
      return { ...created, team, changelog: { ...changelog, id } }
    },

    /** Creates the key, or updates the one with its id. Refuses an id of another team's key. */
    putKey: async (team: Team, { products: slugs, tokens, ...key }: ExportedKey): Promise<void> => {
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
              : `Key ${key.id} has a token that key ${taken.keyId} has already: ${token.start}….`,
          )
        await db.insert(keyTokens).values({ ...token, keyId: key.id })
      }
      await db.delete(keyProducts).where(eq(keyProducts.keyId, key.id))
      for (const slug of slugs) {
        const [product] = await db
          .select({ id: products.id })
          .from(products)
          .where(and(eq(products.teamId, team.id), eq(products.slug, slug)))
        if (!product)
          throw new Refusal(`Key ${key.id} names the product ${team.slug}/${slug}, which does not exist.`)
        await db.insert(keyProducts).values({ keyId: key.id, productId: product.id, teamId: team.id })
      }
    },
  }
}

const byAge = (one: ExportedKey['tokens'][number], other: ExportedKey['tokens'][number]): number =>
  one.createdAt - other.createdAt || (one.hash < other.hash ? -1 : 1)
