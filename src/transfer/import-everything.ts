import { rotateCommand } from '../domain/hooks.ts'
import type { Team, VersionContents } from '../domain/records.ts'
import { spelledOut } from '../domain/time/time.ts'
import type { Decoded } from '../formats/native/records.ts'
import type { Records } from '../store/records/types.ts'
import { teamsOf } from './exported-teams.ts'
import { importContents, importSettings, notAhead } from './import-product.ts'
import { emptyResult, type ImportOptions, type ImportResult } from './import-result.ts'
import { importSource } from './import-source.ts'
import { lineOf, locate } from './locate.ts'
import type { ExportSource } from './source.ts'

export async function importEverything(
  records: Records,
  source: ExportSource,
  options: ImportOptions,
): Promise<ImportResult> {
  const result = emptyResult()
  for await (const { where, team, parts } of teamsOf(source.records())) {
    const stored = await locate(where, () => importTeam(records, team, result))
    const known = await records.transfer.keys(stored)
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
        const isUpdated = await importSettings(records, product, part)
        if (isFollowing || isUpdated || !found) result.changed.products++
      } else if (!known.some((key) => Bun.deepEquals(key, part.key))) {
        await locate(part.where, () => records.transfer.putKey(stored, part.key))
        result.changed.keys++
      }
    }
    for (const hook of team.hooks)
      if (!(await records.hooks.find(hook.id))) {
        await locate(where, () => records.transfer.putHook(stored, hook))
        const message = `hook ${hook.id} of ${stored.slug} is disabled, because exports have no secrets. To give it one, use ${rotateCommand(hook)}, and then: changelogd hook enable ${hook.id}`
        result.warnings = [...result.warnings, { line: lineOf(where), message }]
      }
  }
  return result
}

async function importTeam(records: Records, team: Decoded<'team'>, result: ImportResult): Promise<Team> {
  const { hooks: _, ...fields } = team
  const stored = await records.teams.find(team.slug)
  const { name, visibility, plan } = team
  if (stored && stored.name === name && stored.visibility === visibility && stored.plan === plan)
    return stored
  result.changed.teams++
  return stored ? records.teams.update(stored, { name, visibility, plan }) : records.transfer.addTeam(fields)
}
