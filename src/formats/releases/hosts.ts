import type { Instant, VersionDraft } from '../../domain/records.ts'
import { withoutV } from '../../domain/rules.ts'
import type { VersionFacts } from '../../domain/versions/properties.ts'
import { readYanked } from '../../domain/versions/standing.ts'
import { writtenTime } from '../changelog/versions/dates.ts'
import { FormatError } from '../parsed.ts'
import type { FoundObject } from './objects.ts'

export interface Release
  extends Pick<VersionDraft, 'label' | 'title' | 'date' | 'status' | keyof VersionFacts> {
  /** Empty if the file has no texts, as from `gh release list`. */
  body: string
  /** The page of the release; empty if the file does not tell. */
  page: string
}

/** A draft without a tag is called by its name. What is no pre-release any more has no flag. */
export function githubRelease(found: FoundObject): Release {
  if ('tagName' in found.value) return githubRelease(asApiRelease(found))
  const isDraft = found.value.draft === true
  return {
    ...names(found, isDraft),
    date: time(found, 'published_at') ?? (isDraft ? null : time(found, 'created_at')),
    status: isDraft ? 'draft' : 'published',
    prerelease: found.value.prerelease === true || null,
    body: words(found.value.body),
    page: words(found.value.html_url ?? found.value.url),
  }
}

/** A release of `gh release list` and `gh release view`, with the names of the API: `isDraft` is `draft`, `tagName` `tag_name`. */
function asApiRelease({ value, line }: FoundObject): FoundObject {
  const nameOf = (name: string) => name.replace(/^is(?=[A-Z])/, '').replace(/(?<=.)[A-Z]/g, '_$&')
  const named = Object.entries(value).map(([name, field]) => [nameOf(name).toLowerCase(), field])
  return { value: Object.fromEntries(named), line }
}

/** An upcoming release is a draft with its planned date. */
export function gitlabRelease(found: FoundObject): Release {
  return {
    ...names(found, false),
    date: time(found, 'released_at') ?? time(found, 'created_at'),
    status: found.value.upcoming_release === true ? 'draft' : 'published',
    body: words(found.value.description),
    page: words((found.value._links as Record<string, unknown> | undefined)?.self),
  }
}

function names({ value, line }: FoundObject, isDraft: boolean): Pick<Release, 'label' | 'title' | 'yanked'> {
  const { title: name, isYanked } = readYanked(words(value.name).replace(/\s+/g, ' ').trim())
  const tag = words(value.tag_name).replace(/\s+/g, ' ').trim()
  const label = isDraft && /^(untagged-.*)?$/.test(tag) ? name || tag : tag
  if (label === '')
    throw new FormatError(`line ${line}: a release without tag_name; expected releases from the API`)
  const title = withoutV(name) === withoutV(label) ? label : name || label
  return { label, title, ...(isYanked && { yanked: '' }) }
}

const words = (value: unknown): string => (typeof value === 'string' ? value : '')

function time({ value, line }: FoundObject, field: string): Instant | null {
  const given = value[field]
  if (given === null || given === undefined) return null
  const instant = typeof given === 'string' ? writtenTime(given) : null
  if (instant === null)
    throw new FormatError(`line ${line}: ${field} must be a time, not ${JSON.stringify(given)}`)
  return instant
}
