import type { Environment } from '../../../config/config.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { decode } from '../../../domain/text/decode.ts'
import type { Commit } from '../../../formats/commits/history.ts'
import { readMessage } from '../../../formats/commits/message.ts'
import { parseCommits } from '../../../formats/commits/read.ts'
import { isVersionTag } from '../../../formats/git-tags.ts'
import { fieldsIn, noTags } from '../../../sources/git/tags.ts'
import { type GitInput, outputOf, type RepositoryOptions, tagsAt } from './git.ts'

/**
 * The versions of a repository from its tags, with changes from the commits between them. Refuses as `readRepository`
 * does, and a shallow clone, whose older commits are missing.
 */
export async function readCommits(env: Environment, path: string, options: RepositoryOptions) {
  const { tagPrefix, unreleased, path: within } = options
  const input: GitInput = { env, path, what: 'commits' }
  const found = await tagsAt(env, path, tagPrefix)
  const tags = found
    .filter(({ name }) => isVersionTag(name))
    .map(({ name, message, date }) => ({ name, message: message.text, date }))
  if (tags.length === 0 && !unreleased) throw noTags(path, found.length)
  if ((await gitText(input, 'rev-parse', '--is-shallow-repository')) === 'true')
    throw new Refusal(`${path} is a shallow clone. Its older commits are missing.`, {
      hint: 'To get them: git fetch --unshallow --tags',
    })
  const head = unreleased ? await gitText(input, 'rev-parse', 'HEAD') : undefined
  const all = ['-c', 'log.follow=false', 'log', '--no-show-signature', '--encoding=UTF-8', '--tags']
  const log = head ? [...all, head] : all
  const commits = await commitsIn(input, log, tagPrefix)
  const wanted = within === undefined ? undefined : await commitsOf(input, log, within)
  return parseCommits({ tags, commits, wanted, head, name: path })
}

async function gitText(input: GitInput, ...args: string[]): Promise<string> {
  return decode(await outputOf(input, ...args)).text.trim()
}

/** Sorts commits by date, but children before parents. */
const IN_ORDER = ['--date-order', '--decorate=full', '--decorate-refs=refs/tags/*']
const FORMAT = '--format=tformat:%H%x00%P%x00%D%x00%B%x00'

async function commitsIn(input: GitInput, log: string[], prefix = ''): Promise<Commit[]> {
  const start = `tag: refs/tags/${prefix}`
  const output = await outputOf(input, ...log, ...IN_ORDER, FORMAT)
  return [...fieldsIn(output, 4)].map((fields) => {
    const [hash = '', parents = '', names = '', message = ''] = fields.map((field) => decode(field).text)
    const tags = names.split(', ').flatMap((name) => (name.startsWith(start) ? name.slice(start.length) : []))
    const ofParents = parents === '' ? [] : parents.split(' ')
    return { hash, parents: ofParents, tags, message: readMessage(message) }
  })
}

/** The commits that change a path, on every branch. */
async function commitsOf(input: GitInput, log: string[], path: string): Promise<Set<string>> {
  const hashes = await gitText(input, ...log, '--full-history', '--no-merges', '--format=%H', '--', path)
  if (hashes === '')
    throw new Refusal(`No commit of ${input.path} changes ${path}.`, {
      hint: 'Give a directory or file of the repository.',
    })
  return new Set(hashes.split('\n'))
}
