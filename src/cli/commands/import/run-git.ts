import type { Environment } from '../../../config/config.ts'
import { withPeriod } from '../../../domain/errors.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { fileAt } from '../../../files/lookup.ts'
import { gitOutput, gitProgram } from '../../../sources/git/program.ts'

/** The most that git may print, which bounds memory. */
const MOST_OUTPUT = 256 * 1024 * 1024

/** A hook of git sets these to another repository. */
const OF_ANOTHER_REPOSITORY = [
  ...['GIT_DIR', 'GIT_COMMON_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_NAMESPACE', 'GIT_PREFIX'],
  ...['GIT_OBJECT_DIRECTORY', 'GIT_ALTERNATE_OBJECT_DIRECTORIES', 'GIT_SHALLOW_FILE'],
]

/** A repository, or a directory in one, and what is read of it, for messages. */
export interface GitInput {
  env: Environment
  path: string
  what: 'tags' | 'commits'
}

/** Runs git without a shell. Refuses without git or a repository, and more output than fits. */
export async function outputOf({ env, path, what }: GitInput, ...args: string[]): Promise<Uint8Array> {
  if (!fileAt(path)?.isDirectory())
    throw new Refusal(`${path} is not a directory.`, { hint: 'Name the directory of a git repository.' })
  const program = gitProgram(env.PATH, `Reading ${what}`, 'import a file.')
  const own = Object.entries(env).filter(([name]) => !OF_ANOTHER_REPOSITORY.includes(name))
  return gitOutput([program, '--no-pager', '-C', path, ...args], {
    env: {
      ...{ ...Object.fromEntries(own), LC_ALL: 'C', GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0' },
      GIT_LITERAL_PATHSPECS: '1',
    },
    mostBytes: MOST_OUTPUT,
    tooMuch: () => new Refusal(`The ${what} of ${path} have more than 256 MB.`),
    failure: (said) => gitProblem(path, what, said),
  })
}

function gitProblem(path: string, what: string, problem: string): Refusal {
  const [line = ''] = problem.replace(/^fatal: /, '').split('\n')
  if (/not a git repository/i.test(line))
    return new Refusal(`${path} is not in a git repository.`, {
      hint: 'Name the directory of one, or import a file.',
    })
  const reason = withPeriod(line.trim()).slice(0, 300)
  return new Refusal(`git cannot read the ${what} of ${path}: ${reason}`, {
    hint: /dubious ownership/.test(line)
      ? 'To trust it: git config --global --add safe.directory DIRECTORY'
      : undefined,
  })
}
