import type { Environment } from '../../../config/config.ts'
import { Refusal } from '../../../domain/refusal.ts'
import type { TagDate } from '../../../formats/parsed.ts'
import {
  datesOf,
  type FoundTag,
  LIST_TAGS,
  noTags,
  type Repository,
  repositoryOf,
  tagsIn,
} from '../../../sources/git/tags.ts'
import { outputOf } from './run-git.ts'

/** What to read of a repository. */
export interface RepositoryOptions {
  /** Versions are tags that begin with this, without it. */
  tagPrefix?: string | undefined
  /** Whether changes are made of commits. */
  commits?: true | undefined
  /** Of commits: whether those in no version are a draft. */
  unreleased?: true | undefined
  /** Of commits: the directory or file that they change. */
  path?: string | undefined
}

/** The tags of the repository at or around a path. Refuses without git, a repository or a version's tag. */
export async function readRepository(
  env: Environment,
  path: string,
  { tagPrefix }: RepositoryOptions,
): Promise<Repository> {
  return repositoryOf(path, await tagsAt(env, path, tagPrefix))
}

/** The dates of all version tags. Refuses as `readRepository` does. */
export async function readTagDates(env: Environment, path: string): Promise<TagDate[]> {
  const tags = await tagsAt(env, path)
  const dates = datesOf(tags)
  if (dates.length === 0) throw noTags(path, tags.length)
  return dates
}

/** The tags that begin with a prefix, without it, newest first. Refuses a prefix that no tag has. */
export async function tagsAt(env: Environment, path: string, prefix = ''): Promise<FoundTag[]> {
  const all = tagsIn(await outputOf({ env, path, what: 'tags' }, ...LIST_TAGS))
  const tags = all
    .filter(({ name }) => name.startsWith(prefix))
    .map((tag) => ({ ...tag, name: tag.name.slice(prefix.length) }))
    .toArray()
  if (tags.length === 0 && prefix !== '')
    throw new Refusal(`${path} has no tag that begins with ${JSON.stringify(prefix)}.`, {
      hint: 'To list its tags: git tag',
    })
  return tags
}
