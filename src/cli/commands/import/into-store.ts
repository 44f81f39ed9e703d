import type { IncomingVersion } from '../../../domain/merge.ts'
import type { Instant, MovedKey, Product, Team, VersionStatus } from '../../../domain/records.ts'
import { Refusal } from '../../../domain/refusal.ts'
import type { NativeEvent, NativeProduct, NativeTeam, NativeVersion } from '../../../formats/native/native.ts'
import type { ParsedVersion, Warning } from '../../../formats/parsed.ts'
import type { ProductSummary, Records } from '../../../store/records/port.ts'
import type { ProductName } from '../../arguments.ts'
import { findProduct } from '../../lookup.ts'
import type { Source } from './source.ts'

export interface ImportWishes {
  /** The status of new versions, whatever the file says. */
  status?: VersionStatus | undefined
  create?: true | undefined
  prune?: true | undefined
  now: Instant
}

/** What an import did, in versions. */
export interface Brought {
  /** Where it went, if that was one product. */
  product: ProductSummary | null
  added: number
  updated: number
  unchanged: number
  /** Here and not in the file, and left alone. */
  skipped: number
  pruned: number
  /** Teams, products and keys made or changed. */
  records: number
  warnings: readonly Warning[]
}

/** Brings a file into one product, which is made first if that is wished and there is none. */
export async function bringIn(
  records: Records,
  name: ProductName,
  source: Source,
  wishes: ImportWishes,
): Promise<Brought> {
  const brought = nothingYet()
  if (source.format === 'json') {
    if (wishes.status)
      throw new Refusal('An export of changelogd has the status of each version: leave out --status.')
    await bringOne(records, name, source.events, brought, wishes)
  } else {
    const { versions, preamble, warnings } = source.parsed
    const product = await findOrCreate(records, name, wishes)
    // Releases have no introduction, and so say nothing about one.
    if (source.format === 'keepachangelog' && preamble !== product.changelog.preamble)
      await records.products.updateChangelog(product, { preamble })
    await bringVersions(records, product, incoming(versions, wishes), brought, wishes)
    brought.warnings = warnings
  }
  const product = await findProduct(records, name)
  return { ...brought, product: await records.products.summary(product) }
}

/** Brings in everything that a complete export holds. */
export async function bringAll(records: Records, source: Source, wishes: ImportWishes): Promise<Brought> {
  if (source.format !== 'json')
    throw new Refusal('Only an export of changelogd holds everything: name a product to import this.')
  const brought = nothingYet()
  let team: Team | null = null
  let keys: readonly MovedKey[] = []
  // A key names products, so it waits until they are there.
  const putKeys = async () => {
    const known = team ? await records.transfer.keys(team) : []
    for (const key of keys) {
      if (known.some((other) => Bun.deepEquals(other, key))) continue
      await records.transfer.putKey(team as Team, key)
      brought.records++
    }
  }
  for await (const part of parts(source.events)) {
    if (part.kind === 'team') {
      await putKeys()
      team = await bringTeam(records, part.team, brought)
      keys = part.team.keys ?? []
    } else if (team) {
      const here = await records.products.find(team.slug, part.product.slug)
      const filled = await bringProduct(records, team, here, part, brought, wishes)
      await bringSettings(records, filled, part.product, brought)
    }
  }
  await putKeys()
  return brought
}

/** Brings in the one product of an export, under the name it is to have here. */
async function bringOne(
  records: Records,
  name: ProductName,
  events: AsyncIterable<NativeEvent>,
  brought: Brought,
  wishes: ImportWishes,
): Promise<void> {
  let owner: NativeTeam | null = null
  let isDone = false
  for await (const part of parts(events)) {
    if (part.kind === 'team') {
      owner = part.team
      continue
    }
    if (isDone) throw new Refusal('The file holds more than one product: changelogd import --all FILE')
    isDone = true
    const product = { ...part.product, slug: name.product }
    const found = await records.products.find(name.team, name.product)
    const here = found ?? (wishes.create ? null : await findProduct(records, name))
    const team =
      here?.team ??
      (await records.teams.find(name.team)) ??
      (await records.transfer.addTeam({ ...(owner as NativeTeam), slug: name.team }))
    const filled = await bringProduct(records, team, here, { ...part, product }, brought, wishes)
    // What is here already keeps its own settings: only its contents come in.
    if (!here) await bringSettings(records, filled, product, brought)
  }
  if (!isDone) throw new Refusal('The file holds no product.')
}

/** The team as the file has it, made or changed. */
async function bringTeam(
  records: Records,
  { keys: _, ...team }: NativeTeam,
  brought: Brought,
): Promise<Team> {
  const here = await records.teams.find(team.slug)
  const { name, visibility, plan } = team
  if (here && here.name === name && here.visibility === visibility && here.plan === plan) return here
  brought.records++
  return here ? records.teams.update(here, { name, visibility, plan }) : records.transfer.addTeam(team)
}

/** Fills a product from an export. One that is new is neither published nor locked before it is filled. */
async function bringProduct(
  records: Records,
  team: Team,
  here: Product | null,
  { product, versions }: { product: NativeProduct; versions: AsyncIterable<NativeVersion> },
  brought: Brought,
  wishes: ImportWishes,
): Promise<Product> {
  const draft = { status: 'draft' } as const
  const open = { ...product, ...draft, changelog: { ...product.changelog, ...draft } }
  const target = here ?? (await records.transfer.addProduct(team, open))
  await bringVersions(records, target, exactly(versions), brought, wishes)
  return target
}

/** Names and states of a product and its changelog as the file has them, by the rules for changing them. */
async function bringSettings(
  records: Records,
  here: Product,
  { name, status, changelog }: NativeProduct,
  brought: Brought,
): Promise<void> {
  const { id: _, ...known } = here.changelog
  const { id: __, ...wanted } = changelog
  if (here.name === name && here.status === status && Bun.deepEquals(known, wanted)) return
  brought.records++
  await records.products.update(await records.products.updateChangelog(here, wanted), { name, status })
}

async function bringVersions(
  records: Records,
  product: Product,
  versions: Iterable<IncomingVersion> | AsyncIterable<IncomingVersion>,
  brought: Brought,
  wishes: ImportWishes,
): Promise<void> {
  const intake = await records.transfer.importVersions(product, wishes.now)
  let put = 0
  for await (const version of versions) {
    brought[await named(version.version.label, () => intake.put(version))]++
    put++
  }
  if (wishes.prune) brought.pruned += await intake.prune()
  const { publishedCount, draftCount } = await records.products.summary(product)
  brought.skipped += publishedCount + draftCount - put
}

/** What is refused says of which version. */
async function named<T>(label: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(`Version ${label}: ${error.message}`, { hint: error.hint, cause: error })
  }
}

/**
 * The versions of a changelog in the order in which they are to be put: oldest first, so that of two of one
 * day the newer one gets the newer id.
 */
function incoming(versions: readonly ParsedVersion[], { status }: ImportWishes): IncomingVersion[] {
  const dates = versions.flatMap(({ date }) => date ?? [])
  const rises = dates.filter((date, at) => at > 0 && date > (dates[at - 1] as number)).length
  const falls = dates.filter((date, at) => at > 0 && date < (dates[at - 1] as number)).length
  const newestFirst = rises > falls ? versions.toReversed() : versions
  return newestFirst
    .map((version, at) => ({
      from: 'changelog' as const,
      version,
      newStatus: status ?? null,
      rank: at + 1,
    }))
    .reverse()
}

async function* exactly(versions: AsyncIterable<NativeVersion>): AsyncGenerator<IncomingVersion> {
  for await (const { version: label, ...rest } of versions)
    yield { from: 'export', version: { ...rest, label } }
}

type Part =
  | { kind: 'team'; team: NativeTeam }
  | { kind: 'product'; product: NativeProduct; versions: AsyncIterable<NativeVersion> }

/** Events by what they belong to: each product with its versions, which must be read before the next part. */
async function* parts(events: AsyncIterable<NativeEvent>): AsyncGenerator<Part> {
  const rest = events[Symbol.asyncIterator]()
  let next = await rest.next()
  async function* versions(): AsyncGenerator<NativeVersion> {
    while (!next.done && next.value.kind === 'version') {
      yield next.value.version
      next = await rest.next()
    }
  }
  while (!next.done) {
    const event = next.value
    next = await rest.next()
    if (event.kind === 'team') yield event
    else if (event.kind === 'product') yield { ...event, versions: versions() }
  }
}

async function findOrCreate(
  records: Records,
  name: ProductName,
  { create, now }: ImportWishes,
): Promise<Product> {
  const found = await records.products.find(name.team, name.product)
  if (found || !create) return found ?? findProduct(records, name)
  const team =
    (await records.teams.find(name.team)) ??
    (await records.teams.create(
      { slug: name.team, name: name.team, visibility: 'private', plan: 'free' },
      now,
    ))
  return records.products.create(team, { slug: name.product, name: name.product, status: 'draft' }, now)
}

const nothingYet = (): Brought => ({
  product: null,
  added: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  pruned: 0,
  records: 0,
  warnings: [],
})
