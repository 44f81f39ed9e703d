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
import { YamlDocument } from './document.ts'
import { Problems, type SourcePosition } from './problems.ts'
import { BY_LABEL, BY_SLUG, Section } from './section.ts'

/** What a file for `apply` says about a team. Whatever it leaves out stays as it is. */
export interface TeamEntry {
  place: SourcePosition
  slug: string
  name?: string
  visibility?: Visibility
  plan?: Plan
  /** Null if the file has no such section, and so says nothing about them. */
  products: ProductEntry[] | null
  keys: KeyEntry[] | null
}

export interface ProductEntry {
  place: SourcePosition
  slug: string
  name?: string
  status?: Status
  changelog: { name?: string; status?: Status }
}

/** A key is identified by its label, which must be unique in its team. */
export interface KeyEntry {
  place: SourcePosition
  label: string
  kind?: KeyKind
  status?: KeyStatus
  products?: string[]
  expires?: Instant
}

/** The size of a file, which is refused before the parser takes a multiple of it as memory: room for 15,000 teams with five records each. */
export const MOST_BYTES = 4_000_000
export const SPLIT = 'Split it into several files, and apply them one by one without --prune.'

/** Reads the YAML. Throws a `Refusal` that lists every problem with its place and path. */
export function readApplyFile(text: string, path: string): TeamEntry[] {
  const problems = new Problems(path)
  const document = new YamlDocument(text, problems)
  const file = new Section(document, document.root, 'the file').only('teams')
  const teams = file.sections('teams', BY_SLUG, teamEntry)
  // With --prune, a file that says nothing would delete everything.
  if (!teams) problems.note(file.place, 'teams is missing: it must be a mapping of slugs to teams')
  problems.refuseIfAny()
  return teams ?? []
}

const teamEntry = (slug: string, section: Section): TeamEntry => ({
  place: section.place,
  slug,
  ...section.only('name', 'visibility', 'plan', 'products', 'keys').text('name'),
  ...section.choice('visibility', VISIBILITIES),
  ...section.choice('plan', PLANS),
  products: section.sections('products', BY_SLUG, productEntry),
  keys: section.sections('keys', BY_LABEL, keyEntry),
})

function productEntry(slug: string, section: Section): ProductEntry {
  const changelog = section.only('name', 'status', 'changelog').section('changelog').only('name', 'status')
  return {
    place: section.place,
    slug,
    ...section.text('name'),
    ...section.choice('status', STATUSES),
    changelog: { ...changelog.text('name'), ...changelog.choice('status', STATUSES) },
  }
}

const keyEntry = (label: string, section: Section): KeyEntry => ({
  place: section.place,
  label,
  ...section.only('kind', 'status', 'products', 'expires').choice('kind', KEY_KINDS),
  ...section.choice('status', KEY_STATUSES),
  ...section.slugs('products'),
  ...section.date('expires'),
})
