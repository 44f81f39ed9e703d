import type { Environment } from '../../../config/config.ts'
import { withPeriod } from '../../../domain/errors.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { fileAt } from '../../../files/lookup.ts'
import type { TagDate } from '../../../formats/parsed.ts'
import { gitOutput, gitProgram } from '../../../sources/git/program.ts'
import { datesOf, type FoundTag, LIST_TAGS, noTags, repositoryOf, tagsIn } from '../../../sources/git/tags.ts'

export interface RepositoryOptions {
  /** Versions are tags that begin with this, without it. */
  tagPrefix?: string | undefined
  /** Makes changes from commits. */
  commits?: true | undefined
  /** With `commits`: puts commits after the last tag into a draft. */
  unreleased?: true | undefined
  /** With `commits`: only commits that change this directory or file. */
  path?: string | undefined
}

/** The tags of the repository at or around a path. Refuses without git, a repository or a version's tag. */
export async function readRepository(env: Environment, path: string, { tagPrefix }: RepositoryOptions) {
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
    throw new Refusal(`${path} has no tag that starts with ${JSON.stringify(prefix)}.`, {
      hint: 'To list its tags: git tag',
    })
  return tags
}

const MOST_OUTPUT = 256 * 1024 * 1024

/** A hook of git sets these to another repository. */
const OF_ANOTHER_REPOSITORY = [
  ...['GIT_DIR', 'GIT_COMMON_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_NAMESPACE', 'GIT_PREFIX'],
  ...['GIT_OBJECT_DIRECTORY', 'GIT_ALTERNATE_OBJECT_DIRECTORIES', 'GIT_SHALLOW_FILE'],
]

/** A repository, or a directory in one. `what` is for messages. */
export interface GitInput {
  env: Environment
  path: string
  what: 'tags' | 'commits'
}

/** Runs git without a shell. Refuses without git or a repository, and more output than fits. */
export async function outputOf({ env, path, what }: GitInput, ...args: string[]): Promise<Uint8Array> {
  if (!fileAt(path)?.isDirectory())
    throw new Refusal(`${path} is not a directory.`, { hint: 'Give the directory of a git repository.' })
  const program = gitProgram(env.PATH, `Reading ${what}`, 'import a file.')
  const kept = Object.entries(env).filter(([name]) => !OF_ANOTHER_REPOSITORY.includes(name))
  return gitOutput([program, '--no-pager', '-C', path, ...args], {
    env: {
      ...Object.fromEntries(kept),
      LC_ALL: 'C',
      GIT_NO_LAZY_FETCH: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_LITERAL_PATHSPECS: '1',
    },
    mostBytes: MOST_OUTPUT,
    tooMuch: () => new Refusal(`The ${what} of ${path} are larger than 256 MB.`),
    failure: (said) => gitProblem(path, what, said),
  })
}

function gitProblem(path: string, what: string, problem: string): Refusal {
  const [line = ''] = problem.replace(/^fatal: /, '').split('\n')
  if (/not a git repository/i.test(line))
    return new Refusal(`${path} is not in a git repository.`, {
      hint: 'Give the directory of one, or import a file.',
    })
  const reason = withPeriod(line.trim()).slice(0, 300)
  return new Refusal(`git cannot read the ${what} of ${path}: ${reason}`, {
    hint: /dubious ownership/.test(line)
      ? 'To trust it: git config --global --add safe.directory DIRECTORY'
      : undefined,
  })
}
