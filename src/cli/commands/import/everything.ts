import type { Team } from '../../../domain/records.ts'
import { Refusal } from '../../../domain/refusal.ts'
import type { Decoded } from '../../../formats/native/records.ts'
import type { Records } from '../../../store/records/port.ts'
import { teamsOf } from './exported-teams.ts'
import { importContents, importSettings } from './product.ts'
import { emptyResult, type ImportOptions, type ImportResult } from './result.ts'
import type { Source } from './source.ts'

/** Imports everything that a complete export holds. */
export async function importEverything(
  records: Records,
  source: Source,
  options: ImportOptions,
): Promise<ImportResult> {
  if (source.format !== 'json')
    throw new Refusal('Only an export of changelogd holds everything.', {
      hint: 'To import this file, name a product: changelogd import TEAM/PRODUCT FILE',
    })
  const result = emptyResult()
  for await (const { team, parts } of teamsOf(source.records())) {
    const here = await importTeam(records, team, result)
    const known = await records.transfer.keys(here)
    for await (const part of parts) {
      if ('product' in part) {
        const found = await records.products.find(here.slug, part.product.slug)
        const product = await importContents(records, here, found, part, result, options)
        await importSettings(records, product, part.product, result)
      } else if (!known.some((key) => Bun.deepEquals(key, part.key))) {
        await records.transfer.putKey(here, part.key)
        result.records++
      }
    }
  }
  return result
}

/** The team as the file has it, created or updated. */
async function importTeam(records: Records, team: Decoded<'team'>, result: ImportResult): Promise<Team> {
  const here = await records.teams.find(team.slug)
  const { name, visibility, plan } = team
  if (here && here.name === name && here.visibility === visibility && here.plan === plan) return here
  result.records++
  return here ? records.teams.update(here, { name, visibility, plan }) : records.transfer.addTeam(team)
}
