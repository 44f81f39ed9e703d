import type { Environment } from '../../../config/config.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { fileAt } from '../../../files/lookup.ts'
import { isVersionTag, parseTags, type Tag } from '../../../formats/git-tags.ts'
import type { ParsedChangelog, TagDate, Warning } from '../../../formats/parsed.ts'
import { bounded } from '../../files.ts'

/** The most that git may print, which bounds memory. */
const MOST_BYTES = 64 * 1024 * 1024

/** The fields of each tag. One that is not annotated has the text and the date of its commit. */
const FIELDS = [
  'objecttype',
  'refname:strip=2',
  'taggerdate:unix',
  '*committerdate:unix',
  'committerdate:unix',
  'contents:signature',
  'contents',
]
const FORMAT = FIELDS.map((field, at) =>
  at < 5 ? `%(${field})%00` : `%(if:equals=tag)%(objecttype)%(then)%(${field})%(end)%00`,
).join('')

/** A hook of git sets these to another repository. */
const OF_ANOTHER_REPOSITORY = [
  ...['GIT_DIR', 'GIT_COMMON_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_NAMESPACE', 'GIT_PREFIX'],
  ...['GIT_OBJECT_DIRECTORY', 'GIT_ALTERNATE_OBJECT_DIRECTORIES', 'GIT_SHALLOW_FILE'],
]

export interface Repository extends ParsedChangelog {
  /** Dates of versions whose tags are not annotated, and so have no text. */
  dates: TagDate[]
}

/** The tags of the repository at or around a path. Refuses without git, a repository or a version's tag. */
export async function readRepository(env: Environment, path: string): Promise<Repository> {
  const warnings: Warning[] = []
  const tags: Tag[] = []
  const dates: TagDate[] = []
  let others = 0
  const nameOf = ({ name }: Pick<Tag, 'name'>) => `${path}: tag ${name}`
  for (const { isAnnotated, name, message, date } of await tagsAt(env, path)) {
    const text = nameOf({ name })
    if (!isVersionTag(name)) {
      others++
      if (isAnnotated) warnings.push({ text, line: 1, message: 'not a version, left out' })
    } else if (isAnnotated) {
      if (!message.isUtf8) warnings.push({ text, line: 1, message: 'not UTF-8, read as Windows-1252' })
      tags.push({ name, message: message.text, date })
    } else if (date !== null) dates.push({ label: name, date })
  }
  if (tags.length + dates.length === 0) throw noTags(path, others)
  if (dates.length > 0)
    warnings.push({
      ...{ text: path, line: 1 },
      message: `${dates.length} ${dates.length === 1 ? 'tag is' : 'tags are'} not annotated: only the dates of stored versions are taken from them`,
    })
  const parsed = parseTags(tags, nameOf)
  return { ...parsed, dates, warnings: [...warnings, ...parsed.warnings] }
}

/** The dates of all version tags. Refuses as `readRepository` does. */
export async function readTagDates(env: Environment, path: string): Promise<TagDate[]> {
  const tags = [...(await tagsAt(env, path))]
  const dates = tags
    .filter(({ name }) => isVersionTag(name))
    .flatMap(({ name, date }) => (date === null ? [] : [{ label: name, date }]))
  if (dates.length === 0) throw noTags(path, tags.length)
  return dates
}

async function tagsAt(env: Environment, path: string): Promise<Iterable<FoundTag>> {
  if (!fileAt(path)?.isDirectory())
    throw new Refusal(`${path} is not a directory.`, { hint: 'Name the directory of a git repository.' })
  return tagsIn(await runGit(env, path))
}

const noTags = (path: string, others: number): Refusal =>
  new Refusal(
    `${path} has no tag for a version: it has ${others === 0 ? 'no tags' : 'only tags that are no versions'}.`,
    {
      hint:
        others === 0
          ? 'To get those of the remote repository: git fetch --tags'
          : 'To create one: git tag --annotate v1.2.0',
    },
  )

/** Without a shell. */
async function runGit(env: Environment, path: string): Promise<Uint8Array> {
  const program = Bun.which('git', { PATH: env.PATH ?? '' })
  if (program === null)
    throw new Refusal('Reading tags needs the program git, which is not in the PATH.', {
      hint: 'Install git, or import a file.',
    })
  const own = Object.entries(env).filter(([name]) => !OF_ANOTHER_REPOSITORY.includes(name))
  const child = Bun.spawn(
    [
      ...[program, '--no-pager', '-C', path, 'for-each-ref', 'refs/tags', `--format=${FORMAT}`],
      ...['--sort=-version:refname', '--sort=-creatordate'],
    ],
    {
      env: { ...Object.fromEntries(own), LC_ALL: 'C', GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0' },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    },
  )
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

interface FoundTag extends Omit<Tag, 'message'> {
  isAnnotated: boolean
  message: { text: string; isUtf8: boolean }
}

/** Parses git's output: fields end with NUL, and the last one of a tag with a line end. */
function* tagsIn(output: Uint8Array): Generator<FoundTag> {
  let at = 0
  const next = (end: number): Uint8Array => {
    const found = output.indexOf(end, at)
    const field = output.subarray(at, found === -1 ? output.length : found)
    at += field.length + 1
    return field
  }
  while (at < output.length) {
    const [type = '', name = '', ...dates] = [0, 0, 0, 0, 0].map((end) => decode(next(end)).text)
    const signature = next(0)
    const message = next(0)
    at++
    const seconds = dates.find((date) => date !== '')
    yield {
      ...{ isAnnotated: type === 'tag', name, date: seconds === undefined ? null : Number(seconds) * 1000 },
      message: decode(message.subarray(0, message.length - signature.length)),
    }
  }
}

function decode(bytes: Uint8Array): { text: string; isUtf8: boolean } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), isUtf8: true }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), isUtf8: false }
  }
}
