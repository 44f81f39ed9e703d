import {
  type Instant,
  KEY_KINDS,
  KEY_STATUSES,
  type KeyKind,
  type KeyStatus,
  PLANS,
  type Plan,
  STATUSES,
  type Status,
  VISIBILITIES,
  type Visibility,
} from '../../../domain/records.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { Section } from './section.ts'

/** What a file for `apply` says about a team. Whatever it leaves out stays as it is. */
export interface TeamEntry {
  slug: string
  name?: string
  visibility?: Visibility
  plan?: Plan
  /** Null if the file has no such section, and so says nothing about them. */
  products: ProductEntry[] | null
  keys: KeyEntry[] | null
}

export interface ProductEntry {
  slug: string
  name?: string
  status?: Status
  changelog: { name?: string; status?: Status }
}

/** A key is identified by its label, which must be unique in its team. */
export interface KeyEntry {
  label: string
  kind?: KeyKind
  status?: KeyStatus
  products?: string[]
  expires?: Instant
}

/** Reads the YAML. Throws a `Refusal` that lists every problem with its path. */
export function readApplyFile(text: string): TeamEntry[] {
  let document: unknown
  try {
    document = Bun.YAML.parse(text)
  } catch (error) {
    throw new Refusal(`The file is not YAML: ${error instanceof Error ? error.message : error}`)
  }
  const problems: string[] = []
  const teams = new Section(document, 'the file', problems).only('teams').entries('teams', true, teamEntry)
  // With --prune, a file that says nothing would delete everything.
  if (!teams && problems.length === 0) problems.push('teams: missing, expected a mapping of slugs to teams')
  if (problems.length > 0) throw new Refusal(`Nothing was applied.\n  ${problems.join('\n  ')}`)
  return teams ?? []
}

const teamEntry = (slug: string, section: Section): TeamEntry => ({
  slug,
  ...section.only('name', 'visibility', 'plan', 'products', 'keys').text('name'),
  ...section.choice('visibility', VISIBILITIES),
  ...section.choice('plan', PLANS),
  products: section.entries('products', true, productEntry),
  keys: section.entries('keys', false, keyEntry),
})

function productEntry(slug: string, section: Section): ProductEntry {
  const changelog = section.only('name', 'status', 'changelog').section('changelog').only('name', 'status')
  return {
    slug,
    ...section.text('name'),
    ...section.choice('status', STATUSES),
    changelog: { ...changelog.text('name'), ...changelog.choice('status', STATUSES) },
  }
}

const keyEntry = (label: string, section: Section): KeyEntry => ({
  label,
  ...section.only('kind', 'status', 'products', 'expires').choice('kind', KEY_KINDS),
  ...section.choice('status', KEY_STATUSES),
  ...section.slugs('products'),
  ...section.date('expires'),
})
