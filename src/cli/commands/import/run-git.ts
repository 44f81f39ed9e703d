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
export function runGit({ env, path, what }: GitInput, ...args: string[]): AsyncGenerator<Uint8Array, void> {
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

/** All that git prints. */
export const outputOf = async (...command: Parameters<typeof runGit>): Promise<Uint8Array> =>
  Buffer.concat(await Array.fromAsync(runGit(...command)))

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

/** The fields of records: each ends with NUL, and a record with a line end. They are valid until the next is read. */
export async function* fieldsOf(
  output: AsyncIterable<Uint8Array>,
  count: number,
): AsyncGenerator<Uint8Array[]> {
  let begun: Uint8Array[] = []
  let fields: Uint8Array[] = []
  for await (const chunk of output) {
    let at = 0
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, at)) {
      const last = chunk.subarray(at, end)
      const field = begun.length === 0 ? last : Buffer.concat([...begun, last])
      fields.push(fields.length === 0 && field[0] === LINE_END ? field.subarray(1) : field)
      begun = []
      at = end + 1
      if (fields.length < count) continue
      yield fields
      fields = []
    }
    if (at < chunk.length) begun.push(chunk.slice(at))
  }
}

const LINE_END = 0x0a
