import type { Environment } from '../../../config/config.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { isVersionTag, parseTags, type Tag } from '../../../formats/git-tags.ts'
import type { ParsedChangelog, Warning } from '../../../formats/parsed.ts'
import { fileAt } from '../../../store/sqlite/files/lookup.ts'

/** What git may print; it bounds the memory of a read. */
const MOST_BYTES = 64 * 1024 * 1024

/** What is asked of each tag. A tag that is not annotated has no text of its own, but that of its commit. */
const FIELDS = [
  'objecttype',
  'refname:strip=2',
  'taggerdate:unix',
  '*committerdate:unix',
  'contents:signature',
  'contents',
]
const FORMAT = FIELDS.map((field, at) =>
  at < 4 ? `%(${field})%00` : `%(if:equals=tag)%(objecttype)%(then)%(${field})%(end)%00`,
).join('')

/** Variables by which a hook of git would make it read another repository than the one at the path. */
const OF_ANOTHER_REPOSITORY = [
  ...['GIT_DIR', 'GIT_COMMON_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_NAMESPACE', 'GIT_PREFIX'],
  ...['GIT_OBJECT_DIRECTORY', 'GIT_ALTERNATE_OBJECT_DIRECTORIES', 'GIT_SHALLOW_FILE'],
]

/**
 * The annotated tags of the repository at a path, or of the one that the path is in. Tags that are not annotated and tags that
 * are no versions are left out, which is reported. Refuses if there is no git, no repository or no such tag.
 */
export async function readRepository(env: Environment, path: string): Promise<ParsedChangelog> {
  if (!fileAt(path)?.isDirectory())
    throw new Refusal(`${path} is not a directory.`, { hint: 'Name the directory of a git repository.' })
  const warnings: Warning[] = []
  const tags: Tag[] = []
  let lightweight = 0
  const nameOf = ({ name }: Pick<Tag, 'name'>) => `${path}: tag ${name}`
  for (const { isAnnotated, name, message, date } of tagsIn(await runGit(env, path))) {
    const text = nameOf({ name })
    if (!isAnnotated) lightweight++
    else if (!isVersionTag(name)) warnings.push({ text, line: 1, message: 'not a version, left out' })
    else {
      if (!message.isUtf8) warnings.push({ text, line: 1, message: 'not UTF-8, read as Windows-1252' })
      tags.push({ name, message: message.text, date })
    }
  }
  if (tags.length === 0) throw noTags(path, lightweight, warnings.length)
  if (lightweight > 0)
    warnings.push({
      ...{ text: path, line: 1 },
      message: `${lightweight} ${lightweight === 1 ? 'tag is' : 'tags are'} not annotated, left out`,
    })
  const parsed = parseTags(tags, nameOf)
  return { ...parsed, warnings: [...warnings, ...parsed.warnings] }
}

function noTags(path: string, lightweight: number, others: number): Refusal {
  const found = lightweight + others
  const only =
    found === 0
      ? 'no tags'
      : lightweight === 0
        ? 'only tags that are no versions'
        : 'only tags without a message'
  return new Refusal(`${path} has no annotated tag for a version: it has ${only}.`, {
    hint:
      found === 0
        ? 'To get those of the remote repository: git fetch --tags'
        : 'To create one: git tag --annotate v1.2.0',
  })
}

/** Runs git, without a shell. Returns what it printed. */
async function runGit(env: Environment, path: string): Promise<Uint8Array> {
  const program = Bun.which('git', { PATH: env.PATH ?? '' })
  if (program === null)
    throw new Refusal('--git needs the program git, which is not in the PATH.', {
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
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of child.stdout) {
    chunks.push(chunk)
    size += chunk.length
    if (size <= MOST_BYTES) continue
    child.kill()
    throw new Refusal(`The tags of ${path} have more than 64 MB.`)
  }
  if ((await child.exited) !== 0) throw gitProblem(path, await problem)
  return Buffer.concat(chunks)
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

/** The tags in what git printed: fields that end with NUL, and a line end behind the last one. */
function* tagsIn(output: Uint8Array): Generator<FoundTag> {
  let at = 0
  const next = (end: number): Uint8Array => {
    const found = output.indexOf(end, at)
    const field = output.subarray(at, found === -1 ? output.length : found)
    at += field.length + 1
    return field
  }
  while (at < output.length) {
    const [type = '', name = '', tagged = '', committed = ''] = [0, 0, 0, 0].map(
      (end) => decode(next(end)).text,
    )
    const signature = next(0)
    const message = next(0)
    at++
    const seconds = tagged === '' ? committed : tagged
    yield {
      ...{ isAnnotated: type === 'tag', name, date: seconds === '' ? null : Number(seconds) * 1000 },
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
