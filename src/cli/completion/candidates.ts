import { addressOfHook } from '../../domain/hooks.ts'
import { address, type Key, type Version } from '../../domain/records.ts'
import type { Records } from '../../store/records/records.ts'
import { flagOn } from '../config-file.ts'
import type { Context } from '../context.ts'
import { snapshotOf } from '../session.ts'

/** In seconds. While typing, no suggestions are better than slow ones. */
const LONGEST_WAIT = 0.5

/** Values for arguments by name, each with a description. */
export type Candidates = Record<string, readonly [value: string, about: string][]>

/** Whether the next word is a new name. */
const isNewName = ([noun = '', verb]: readonly string[]): boolean =>
  ['team', 'product'].includes(noun) && verb === 'create'

export const isImportOfEverything = ([command, ...rest]: readonly string[]): boolean =>
  command === 'import' && rest.includes('--all')

/** Teams, products, versions and keys to choose from. Refuses if there is no database of this schema. */
export async function readCandidates(context: Context, words: readonly string[]): Promise<Candidates> {
  if (isNewName(words) || isImportOfEverything(words)) return {}
  const flag = flagOn(words, '--db')
  const options = { wait: LONGEST_WAIT, db: flag }
  return snapshotOf(context, options, async (records) => {
    const teams = await records.teams.list()
    const products = await records.products.list()
    const typed = words.find((word) => word.includes('/') && !word.startsWith('-') && word !== flag)
    const [team = '', slug = ''] = typed?.split('/') ?? []
    const product = await records.products.find(team, slug)
    const versions = product ? await records.versions.list(product) : []
    const keys = await Promise.all(teams.map((team) => records.keys.list(team)))
    return {
      team: teams.map((team) => [team.slug, team.name]),
      product: products.map((each) => [address(each), each.name]),
      version: versions.map((version) => [version.label, version.title]),
      key: keys.flatMap((ofTeam) => keyCandidates(ofTeam, words.at(-1))),
      hook: (await records.hooks.list()).map((hook) => [addressOfHook(hook), hook.kind]),
      number: await changeCandidates(records, versions, words),
      slug: products.map((each) => [each.slug, each.name]),
    }
  })
}

/** Keys by label, or by id if labels repeat or an id is typed. */
const keyCandidates = (keys: readonly Key[], typed = ''): Candidates[string] =>
  keys.map((key) => {
    const isAlone = keys.filter(({ label }) => label === key.label).length === 1
    const isNamed = key.label !== '' && isAlone && !typed.startsWith('key_')
    const about = `${key.team.slug} ${key.kind} ${key.label}`
    return [isNamed ? `${key.team.slug}/${key.label}` : key.id, about]
  })

/** The positions of changes in the typed version. */
async function changeCandidates(
  records: Records,
  versions: readonly Version[],
  words: readonly string[],
): Promise<Candidates[string]> {
  const typed = words.slice(0, -1)
  const version = versions.find(({ id, label }) => typed.includes(label) || typed.includes(id))
  if (!version) return []
  return (await records.changes.list(version)).map((change) => [
    String(change.position),
    `${change.type} ${change.title}`,
  ])
}
