import { addressOfHook, hookCommand, rotateCommand, webhookUrl } from '../../domain/hooks.ts'
import type { Team, VersionContents } from '../../domain/records.ts'
import { spelledOut } from '../../domain/time/time.ts'
import type { Decoded } from '../../formats/native/records.ts'
import type { Records } from '../../store/records/records.ts'
import { emptyResult, type ImportOptions, type ImportResult } from '../import-result.ts'
import { lineOf, locate } from '../locate.ts'
import type { ExportSource } from '../source.ts'
import { teamsOf } from './exported-teams.ts'
import { importContents, importSettings, notAhead } from './import-product.ts'
import { importSource } from './import-source.ts'

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
        const found = await records.products.find(stored.slug, part.product.slug)
        const warn = ({ label, publishedAt }: VersionContents, where: string) => {
          const line = lineOf(where)
          const message = `version ${label} of ${stored.slug}/${part.product.slug} is public with a date ahead: ${spelledOut(publishedAt)}`
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
          if (hook.url !== null) webhookUrl(hook.url, true, `The address of hook ${hook.id}`)
          return records.hooks.put(stored, hook)
        })
        isChanged = true
        const message = `hook ${addressOfHook(added)} is disabled, because exports have no secrets. To give it one, use ${rotateCommand(added)}, and then`
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
  const { hooks: _, ...fields } = team
  const stored = await records.teams.find(team.slug)
  const { name, visibility, plan } = team
  if (stored && stored.name === name && stored.visibility === visibility && stored.plan === plan)
    return { stored, isUpdated: false }
  const updated = stored
    ? await records.teams.update(stored, { name, visibility, plan })
    : await records.teams.add(fields)
  return { stored: updated, isUpdated: true }
}
