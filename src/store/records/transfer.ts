import { and, asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { newId } from '../../domain/id.ts'
import { differing, mergeChanges } from '../../domain/merge.ts'
import type { Instant, Product, Version } from '../../domain/records.ts'
import { Refusal } from '../../domain/refusal.ts'
import {
  checkChange,
  checkKeyProducts,
  checkName,
  checkSlug,
  checkUnlocked,
  checkVersion,
  dateOnImport,
  dateOnUpdate,
} from '../../domain/rules.ts'
import { changelogs, changes, keyProducts, keys, keyTokens, products, teams, versions } from '../schema.ts'
import { type Engine, inserter } from './insert.ts'
import type { IncomingVersion, TransferRecords, VersionContents } from './port.ts'
import { labelTaken, versionColumns } from './versions.ts'

/** How many versions are read at a time. */
const PAGE = 500

type Known = Omit<Version, 'changeCount'>

export function transferRecords(engine: Engine): TransferRecords {
  const { db } = engine
  const insertVersion = inserter(engine, versions)
  const insertChange = inserter(engine, changes)
  const statements = prepareStatements(engine)

  async function* contents(product: Product): AsyncGenerator<VersionContents> {
    let last = { at: Number.MAX_SAFE_INTEGER, id: '' }
    for (;;) {
      const found = await statements.page.all({ changelogId: product.changelog.id, ...last })
      for (const version of found)
        yield { ...version, changes: await statements.changesOf.all({ versionId: version.id }) }
      const end = found.at(-1)
      if (!end) return
      last = { at: end.publishedAt, id: end.id }
    }
  }

  const add = async (
    product: Product,
    incoming: IncomingVersion,
    id: string,
    now: Instant,
  ): Promise<void> => {
    checkUnlocked(product)
    const { label, title, description, exact } = incoming
    const status = incoming.newStatus ?? incoming.status
    const { publishedAt, dated, createdAt } = exact ?? {
      ...dateOnImport({ ...incoming, status }, now),
      createdAt: now,
    }
    const row = { id, label, title, status, publishedAt, dated, description, createdAt }
    await insertVersion({ ...row, changeCount: 0, changelogId: product.changelog.id })
    // Where the version had to take another id, it is a copy, and so are its changes.
    const keepsIds = id === exact?.id
    let position = 0
    for (const { type, title, description, id: given } of incoming.changes) {
      const changeId = keepsIds && given !== undefined ? given : newId('chg')
      position++
      await insertChange({ id: changeId, versionId: id, position, type, title, description })
    }
  }

  /** Brings a version that is here in step; says whether anything differed. */
  const update = async (
    product: Product,
    known: Known,
    incoming: IncomingVersion,
    now: Instant,
  ): Promise<boolean> => {
    const wanted = asWanted(known, incoming, now)
    const differs = Object.keys(differing<Known>(known, wanted)).length > 0
    const merge = mergeChanges(await statements.changesOf.all({ versionId: known.id }), incoming.changes)
    if (!differs && !merge) return false
    checkUnlocked(product)
    if (incoming.label !== known.label) {
      const [other] = await statements.byLabel.all({
        changelogId: product.changelog.id,
        label: incoming.label,
      })
      if (other) throw labelTaken(product, incoming.label)
    }
    if (differs) await db.update(versions).set(wanted).where(eq(versions.id, known.id))
    if (!merge) return true
    if (merge.removed.length > 0) await db.delete(changes).where(inArray(changes.id, merge.removed))
    for (const [at, { id, type, title, description }] of merge.changes.entries()) {
      const row = { position: at + 1, type, title, description }
      if (id === null) await insertChange({ ...row, id: newId('chg'), versionId: known.id })
      else await db.update(changes).set(row).where(eq(changes.id, id))
    }
    return true
  }

  return {
    contents,

    keys: async (team) => {
      const found = await db.select().from(keys).where(eq(keys.teamId, team.id)).orderBy(asc(keys.id))
      return Promise.all(
        found.map(async ({ teamId: _, ...key }) => {
          const attached = await db
            .select({ slug: products.slug })
            .from(keyProducts)
            .innerJoin(products, eq(products.id, keyProducts.productId))
            .where(eq(keyProducts.keyId, key.id))
            .orderBy(asc(products.slug))
          const tokens = await db
            .select({
              hash: keyTokens.hash,
              start: keyTokens.start,
              createdAt: keyTokens.createdAt,
              expiresAt: keyTokens.expiresAt,
            })
            .from(keyTokens)
            .where(eq(keyTokens.keyId, key.id))
            .orderBy(asc(keyTokens.createdAt), asc(keyTokens.hash))
          return { ...key, products: attached.map(({ slug }) => slug), tokens }
        }),
      )
    },

    begin: async (product, now) => {
      const changelogId = product.changelog.id
      const isNone = async (where?: SQL) =>
        (await db.select({ id: versions.id }).from(versions).where(where).limit(1)).length === 0
      const isFirst = await isNone()
      const isEmpty = await isNone(eq(versions.changelogId, changelogId))
      const labels = new Set<string>()
      const ids = new Set<string>()

      /** The version here that an incoming one is, if any; and the id it has or gets. */
      const match = async ({
        label,
        exact,
      }: IncomingVersion): Promise<{ known: Known | null; id: string }> => {
        const [same] = exact && !isFirst ? await statements.byId.all({ id: exact.id }) : []
        if (same && same.changelogId === changelogId) return { known: same, id: same.id }
        const [known] = isEmpty ? [] : await statements.byLabel.all({ changelogId, label })
        if (known) return { known, id: known.id }
        return { known: null, id: exact && !same ? exact.id : newId('ver') }
      }

      return {
        put: async (incoming) => {
          checkVersion(incoming)
          for (const change of incoming.changes) checkChange(change)
          if (labels.has(incoming.label))
            throw new Refusal(`There are two versions ${incoming.label} in the file.`)
          labels.add(incoming.label)
          const { known, id } = await match(incoming)
          if (ids.has(id)) throw new Refusal(`There are two versions with the id ${id} in the file.`)
          ids.add(id)
          if (known) return (await update(product, known, incoming, now)) ? 'updated' : 'unchanged'
          await add(product, incoming, id, now)
          return 'added'
        },

        prune: async () => {
          const all = await db
            .select({ id: versions.id, label: versions.label })
            .from(versions)
            .where(eq(versions.changelogId, changelogId))
          const gone = all.filter(({ label }) => !labels.has(label))
          if (gone.length > 0) checkUnlocked(product)
          for (const { id } of gone) await db.delete(versions).where(eq(versions.id, id))
          return gone.length
        },
      }
    },

    addTeam: async (team) => {
      checkSlug(team.slug)
      checkName(team.name)
      const [taken] = await db.select().from(teams).where(eq(teams.id, team.id))
      const made = { ...team, id: taken ? newId('team') : team.id }
      await db.insert(teams).values(made)
      return made
    },

    addProduct: async (team, { changelog, ...product }) => {
      checkSlug(product.slug)
      for (const { name } of [product, changelog]) checkName(name)
      const [taken] = await db.select().from(products).where(eq(products.id, product.id))
      const [takenChangelog] = await db.select().from(changelogs).where(eq(changelogs.id, changelog.id))
      const made = { ...product, id: taken ? newId('prod') : product.id }
      const madeChangelog = { ...changelog, id: takenChangelog ? newId('clog') : changelog.id }
      await db.insert(products).values({ ...made, teamId: team.id })
      await db.insert(changelogs).values({ ...madeChangelog, productId: made.id })
      return { ...made, team, changelog: madeChangelog }
    },

    putKey: async (team, { products: slugs, tokens, ...key }) => {
      checkKeyProducts(key.kind, slugs)
      if (key.label !== '') checkName(key.label)
      const [other] = await db.select().from(keys).where(eq(keys.id, key.id))
      if (other && other.teamId !== team.id)
        throw new Refusal(`Key ${key.id} belongs to another team here, not to ${team.slug}.`)
      await db
        .insert(keys)
        .values({ ...key, teamId: team.id })
        .onConflictDoUpdate({ target: keys.id, set: key })
      await db.delete(keyTokens).where(eq(keyTokens.keyId, key.id))
      for (const token of tokens) await db.insert(keyTokens).values({ ...token, keyId: key.id })
      await db.delete(keyProducts).where(eq(keyProducts.keyId, key.id))
      for (const slug of slugs) {
        const [product] = await db
          .select({ id: products.id })
          .from(products)
          .where(and(eq(products.teamId, team.id), eq(products.slug, slug)))
        if (!product)
          throw new Refusal(`Key ${key.id} names the product ${team.slug}/${slug}, which is not there.`)
        await db.insert(keyProducts).values({ keyId: key.id, productId: product.id, teamId: team.id })
      }
    },
  }
}

/** What a version that is here becomes by an incoming one. */
function asWanted(known: Known, incoming: IncomingVersion, now: Instant) {
  const { label, title, description, exact, date } = incoming
  if (exact) {
    const { publishedAt, dated } = exact
    return { label, title, description, status: incoming.status, publishedAt, dated }
  }
  const status = isNewlyPublished(known, incoming) ? 'published' : known.status
  const dates = dateOnUpdate(known, date === null ? { status } : { status, date }, now)
  return { title, description, status, ...dates }
}

/**
 * Whether a file publishes a version now: it gives it a date that it has not given it before. A version that
 * somebody has hidden by hand is not brought back by the file it came from.
 */
const isNewlyPublished = (known: Known, { status, date, newStatus }: IncomingVersion): boolean =>
  status === 'published' &&
  newStatus === undefined &&
  date !== null &&
  !(known.dated && known.publishedAt === date)

function prepareStatements({ db }: Engine) {
  const { changeCount: _, ...columns } = versionColumns
  const here = eq(versions.changelogId, sql.placeholder('changelogId'))
  return {
    page: db
      .select(columns)
      .from(versions)
      .where(
        and(
          here,
          sql`(${versions.publishedAt}, ${versions.id}) < (${sql.placeholder('at')}, ${sql.placeholder('id')})`,
        ),
      )
      .orderBy(desc(versions.publishedAt), desc(versions.id))
      .limit(PAGE)
      .prepare(),

    byLabel: db
      .select(columns)
      .from(versions)
      .where(and(here, eq(versions.label, sql.placeholder('label'))))
      .prepare(),

    byId: db
      .select({ ...columns, changelogId: versions.changelogId })
      .from(versions)
      .where(eq(versions.id, sql.placeholder('id')))
      .prepare(),

    changesOf: db
      .select({ id: changes.id, type: changes.type, title: changes.title, description: changes.description })
      .from(changes)
      .where(eq(changes.versionId, sql.placeholder('versionId')))
      .orderBy(asc(changes.position), asc(changes.id))
      .prepare(),
  }
}
