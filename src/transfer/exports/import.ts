import { addressOfHook, hookCommand, needsSecret, rotateCommand, webhookUrl } from '../../domain/hooks.ts'
import { differing } from '../../domain/importing/merge.ts'
import { pick } from '../../domain/objects.ts'
import { PictureRefused } from '../../domain/pictures.ts'
import type { Instant, Product, ProductName, Team, VersionContents } from '../../domain/records.ts'
import { Refusal, toRun } from '../../domain/refusal.ts'
import { commandLine } from '../../domain/text/shell.ts'
import { isAhead, publicationAt, publicWithDateAhead } from '../../domain/time/schedule.ts'
import { spelledOut } from '../../domain/time/time.ts'
import type { Decoded } from '../../formats/native/records.ts'
import type { Records } from '../../store/records/records.ts'
import { CREATE, findProductOr, findTeamOr, refuseMissingProduct } from '../find.ts'
import { emptyResult, type ImportOptions, type ImportResult } from '../import-result.ts'
import { importVersions, type LocatedVersion } from '../import-versions.ts'
import { lineOf, locate } from '../locate.ts'
import { type ExportedProduct, type ExportedVersion, teamsOf } from './exported-teams.ts'
import { importSource } from './import-source.ts'
import type { ExportSource } from './read-export.ts'

/** Imports the only product of an export under another name, without keys. An existing one keeps its settings. */
export async function importOnlyProduct(
  records: Records,
  name: ProductName,
  source: ExportSource,
  options: ImportOptions,
): Promise<ImportResult> {
  if (options.status)
    throw new Refusal('A changelogd export has the status of each version.', {
      hint: 'Leave out --status.',
    })
  const result = emptyResult()
  let imported: Product | null = null
  for await (const { team: owner, parts } of teamsOf(source.records()))
    for await (const part of parts) {
      if ('key' in part) continue
      if (imported)
        throw new Refusal('The file has more than one product.', {
          hint: toRun('To import them all', 'import --all', ['FILE']),
        })
      const stored = await findProductOr(records, name, async () =>
        options.create ? null : refuseMissingProduct(records, name, CREATE),
      )
      const added = async () => (result.newTeam = await records.teams.add({ ...owner, slug: name.team }))
      const team = stored?.team ?? (await findTeamOr(records, name.team, added))
      const renamed = { ...part.product, slug: name.product, formerNames: [] }
      const versions = notAhead(
        part.versions,
        (version) => {
          const hint = `To publish it then, write "status":"draft" and "scheduled":true in the file.`
          throw publicWithDateAhead({ ...renamed, team }, version, hint)
        },
        options.now,
      )
      const checked = { ...part, product: renamed, versions }
      imported = await importContents(records, team, stored, checked, result, options)
      if (!stored) {
        await importSource(records, imported, part, result)
        await importSettings(records, imported, { ...part, product: renamed })
        result.changed.products++
      }
    }
  if (!imported) throw new Refusal('The file has no product.')
  return { ...result, product: await records.products.summary(imported) }
}

/** Calls `found` for each version that is published with a future date. */
async function* notAhead(
  versions: ExportedProduct['versions'],
  found: (version: ExportedVersion['version'], where: string) => void,
  now: Instant,
): AsyncGenerator<ExportedVersion> {
  for await (const each of versions) {
    const { where, version } = each
    if (publicationAt(version, now).status === 'published' && isAhead(version.publishedAt, now))
      await locate(where, async () => found(version, where))
    yield each
  }
}

/** Fills a product from an export. A new one is published or locked only after that. */
export async function importContents(
  records: Records,
  team: Team,
  stored: Product | null,
  { where, product, pictures, versions }: ExportedProduct,
  result: ImportResult,
  options: ImportOptions,
): Promise<Product> {
  const draft = { status: 'draft' } as const
  const unlocked = { ...product, ...draft, changelog: { ...product.changelog, ...draft } }
  const target = stored ?? (await locate(where, () => records.products.add(team, unlocked)))
  for await (const { where, picture } of pictures)
    try {
      const { isNew } = await records.pictures.add(target, picture, options.now)
      if (isNew && stored) result.changed.products = Math.max(1, result.changed.products)
    } catch (error) {
      if (!(error instanceof PictureRefused)) throw error
      result.leftOut++
      result.warnings = [
        ...result.warnings,
        { line: lineOf(where), message: `${error.message} It is left out` },
      ]
    }
  await importVersions(records, target, exactly(versions), result, options)
  return target
}

/** Gives a product and its changelog the names and states of the file. Returns whether they differed. */
export async function importSettings(
  records: Records,
  stored: Product,
  { where, product }: ExportedProduct,
): Promise<boolean> {
  for (const former of product.formerNames) {
    const owner = await records.teams.find(former.team)
    const isTaken =
      owner && (owner.id !== stored.team.id || (await records.products.find(former.team, former.product)))
    if (!isTaken) await records.formerAddresses.keep(stored.id, former)
  }
  const { id: _, ...known } = stored.changelog
  const { id: __, ...wanted } = product.changelog
  const fields = pick(product, 'name', 'status', 'repository', 'language', 'subscribeUrl')
  const isSame = Object.keys(differing(stored, fields)).length === 0
  if (isSame && Bun.deepEquals(known, wanted)) return false
  await locate(where, async () => {
    const filled = await records.products.updateChangelog(stored, wanted)
    await records.products.update(filled, fields, { keepsChangelogName: true })
  })
  return true
}

async function* exactly(versions: ExportedProduct['versions']): AsyncGenerator<LocatedVersion> {
  for await (const { where, version } of versions) yield { where, incoming: { from: 'export', version } }
}

export async function importEverything(
  records: Records,
  source: ExportSource,
  options: ImportOptions,
): Promise<ImportResult> {
  const result = emptyResult()
  for await (const { where, team, parts } of teamsOf(source.records())) {
    const { stored, isUpdated } = await locate(where, () => importTeam(records, team))
    let isChanged = isUpdated
    const known = await records.keys.exported(stored)
    for await (const part of parts) {
      if ('product' in part) {
        const name = { team: stored.slug, product: part.product.slug }
        const found = await locate(part.where, () => findProductOr(records, name, async () => null))
        const warn = ({ label, publishedAt }: VersionContents, where: string) => {
          const line = lineOf(where)
          const message = `version ${label} of ${stored.slug}/${part.product.slug} is published with a date in the future: ${spelledOut(publishedAt)}`
          result.warnings = [...result.warnings, { line, message }]
        }
        const versions = notAhead(part.versions, warn, options.now)
        const product = await importContents(records, stored, found, { ...part, versions }, result, options)
        const isFollowing = await importSource(records, product, part, result)
        const hasNewSettings = await importSettings(records, product, part)
        if (isFollowing || hasNewSettings || !found) result.changed.products++
      } else if (!known.some((key) => Bun.deepEquals(key, part.key))) {
        await locate(part.where, () => records.keys.put(stored, part.key))
        result.changed.keys++
      }
    }
    for (const hook of team.hooks)
      if (!(await records.hooks.find(hook.id))) {
        const added = await locate(where, async () => {
          if (hook.url !== null && hook.kind !== 'mail')
            webhookUrl(hook.url, true, `The address of hook ${hook.id}`)
          return records.hooks.put(stored, hook)
        })
        isChanged = true
        const name = addressOfHook(added)
        const message = needsSecret(added)
          ? `hook ${name} is disabled, because exports have no secrets. To enable it, run ${commandLine(rotateCommand(added))}, then`
          : `hook ${name} is disabled, so that two databases do not announce the same releases. To enable it, run`
        const warning = { line: lineOf(where), message, command: hookCommand('enable', added) }
        result.warnings = [...result.warnings, warning]
      }
    if (isChanged) result.changed.teams++
  }
  return result
}

async function importTeam(
  records: Records,
  team: Decoded<'team'>,
): Promise<{ stored: Team; isUpdated: boolean }> {
  const { hooks: _, ...added } = team
  let isUpdated = false
  const stored = await findTeamOr(records, team.slug, () => {
    isUpdated = true
    return records.teams.add(added)
  })
  const fields = pick(team, 'name', 'visibility', 'plan', 'subscribeUrl')
  if (Object.keys(differing(stored, fields)).length === 0) return { stored, isUpdated }
  return { stored: await records.teams.update(stored, fields), isUpdated: true }
}
