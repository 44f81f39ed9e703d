import type { Changelog, Product, ProductName, Team } from '../domain/records.ts'
import { checkUnlocked } from '../domain/rules.ts'
import type { Records } from '../store/records/records.ts'
import * as find from '../transfer/find.ts'
import { findProduct, findProductOr, findTeam, findTeamOr } from '../transfer/find.ts'
import type { Acting } from './acting.ts'

type Update<Noun extends 'teams' | 'products'> = Parameters<Records[Noun]['update']>[1]

export const createTeam = (
  { records, now }: Acting,
  draft: Parameters<Records['teams']['create']>[0],
): Promise<Team> => records.teams.create(draft, now)

export const updateTeam = async ({ records }: Acting, slug: string, update: Update<'teams'>): Promise<Team> =>
  records.teams.update(await findTeam(records, slug), update)

/** A product after an act, and before it. */
interface Written {
  before: Product
  product: Product
}

export const findOrCreate = ({ records, now }: Acting, of: ProductName, create: boolean | undefined) =>
  find.findOrCreate(records, of, { create, now })

/** In a team that exists; or with `newTeam` in one that is created if it is missing, and not where a product was before. */
export async function createProduct(
  { records, now }: Acting,
  of: ProductName,
  draft: Omit<Parameters<Records['products']['create']>[1], 'slug'>,
  newTeam?: Pick<Team, 'name'>,
): Promise<{ product: Product }> {
  const slug = of.team
  if (newTeam) await findProductOr(records, of, async () => null)
  const team = newTeam
    ? await findTeamOr(records, slug, () =>
        records.teams.create({ slug, visibility: 'private', plan: 'free', ...newTeam }, now),
      )
    : await findTeam(records, slug)
  return { product: await records.products.create(team, { slug: of.product, ...draft }, now) }
}

export async function updateProduct(
  { records }: Acting,
  of: ProductName,
  update: Update<'products'>,
  options?: Parameters<Records['products']['update']>[2],
): Promise<Written> {
  const before = await findProduct(records, of)
  return { before, product: await records.products.update(before, update, options) }
}

export async function updateChangelog(
  { records }: Acting,
  of: ProductName,
  update: Partial<Omit<Changelog, 'id'>>,
): Promise<Written> {
  const before = await findProduct(records, of)
  return { before, product: await records.products.updateChangelog(before, update) }
}

/** Publishes a product and its changelog, also locked ones. */
export async function publishProduct({ records: { products } }: Acting, before: Product): Promise<Written> {
  const status = { status: 'published' } as const
  const product = await products.updateChangelog(await products.update(before, status), status)
  return { before, product }
}

/** Publishes a product that is not locked, and makes its team public. */
export async function makePublic(by: Acting, of: ProductName): Promise<Written> {
  const product = await findProduct(by.records, of)
  checkUnlocked(product)
  const visibility = 'public'
  const { team } = product
  if (team.visibility !== visibility) await by.records.teams.update(team, { visibility })
  return publishProduct(by, { ...product, team: { ...team, visibility } })
}

/** Adds a picture, and counts it among those that the product may have. */
export async function addPicture(
  { records, now }: Acting,
  of: ProductName,
  picture: Parameters<Records['pictures']['add']>[1],
  mostBytes: number,
) {
  const product = await findProduct(records, of)
  const added = await records.pictures.add(product, picture, now, mostBytes)
  return { product, picture: added.id, added }
}
