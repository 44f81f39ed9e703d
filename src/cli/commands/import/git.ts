import type { Environment } from '../../../config/config.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { fileAt } from '../../../files/lookup.ts'
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
import { bounded } from '../../files.ts'

/** The most that git may print, which bounds memory. */
const MOST_BYTES = 64 * 1024 * 1024

/** A hook of git sets these to another repository. */
const OF_ANOTHER_REPOSITORY = [
  ...['GIT_DIR', 'GIT_COMMON_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_NAMESPACE', 'GIT_PREFIX'],
  ...['GIT_OBJECT_DIRECTORY', 'GIT_ALTERNATE_OBJECT_DIRECTORIES', 'GIT_SHALLOW_FILE'],
]

/** The tags of the repository at or around a path. Refuses without git, a repository or a version's tag. */
export const readRepository = async (env: Environment, path: string): Promise<Repository> =>
  repositoryOf(path, await tagsAt(env, path))

/** The dates of all version tags. Refuses as `readRepository` does. */
export async function readTagDates(env: Environment, path: string): Promise<TagDate[]> {
  const tags = [...(await tagsAt(env, path))]
  const dates = datesOf(tags)
  if (dates.length === 0) throw noTags(path, tags.length)
  return dates
}

async function tagsAt(env: Environment, path: string): Promise<Iterable<FoundTag>> {
  if (!fileAt(path)?.isDirectory())
    throw new Refusal(`${path} is not a directory.`, { hint: 'Name the directory of a git repository.' })
  return tagsIn(await runGit(env, path))
}

/** Without a shell. */
async function runGit(env: Environment, path: string): Promise<Uint8Array> {
  const program = Bun.which('git', { PATH: env.PATH ?? '' })
  if (program === null)
    throw new Refusal('Reading tags needs the program git, which is not in the PATH.', {
      hint: 'Install git, or import a file.',
    })
  const own = Object.entries(env).filter(([name]) => !OF_ANOTHER_REPOSITORY.includes(name))
  const child = Bun.spawn([program, '--no-pager', '-C', path, ...LIST_TAGS], {
    env: { ...Object.fromEntries(own), LC_ALL: 'C', GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0' },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const problem = new Response(child.stderr).text()
  const tooLarge = () => {
    child.kill()
    return new Refusal(`The tags of ${path} have more than 64 MB.`)
  }
  const output = await Array.fromAsync(bounded(child.stdout, MOST_BYTES, tooLarge))
  if ((await child.exited) !== 0) throw gitProblem(path, await problem)
  return Buffer.concat(output)
}

function gitProblem(path: string, problem: string): Refusal {
  const [line = ''] = problem.replace(/^fatal: /, '').split('\n')
  if (/not a git repository/i.test(line))
    return new Refusal(`${path} is not in a git repository.`, {
      hint: 'Name the directory of one, or import a file.',
    })
  const reason = line.trim().replace(/\.?$/, '.').slice(0, 300)
  return new Refusal(`git cannot read the tags of ${path}: ${reason}`, {
    hint: /dubious ownership/.test(line)
      ? 'To trust it: git config --global --add safe.directory DIRECTORY'
      : undefined,
  })
}
