import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PICTURE_LIMITS, PICTURE_REFUSALS } from '../../domain/pictures.ts'
import { Refusal } from '../../domain/refusal.ts'
import { NOT_TAKEN, type PicturePlace } from '../../transfer/pictures/take.ts'
import { MOST_SOURCE_BYTES } from '../fetch.ts'
import { type Git, GitFailure, OUT_OF_MEMORY, TOO_LARGE, text } from './run.ts'
import { type FoundTag, LIST_TAGS, tagsIn } from './tags.ts'

/** The refs of a remote by their names; `head` is what HEAD stands for. */
export interface Refs {
  head: string | null
  ids: ReadonlyMap<string, string>
}

/** A ref takes memory here and in git, and a file in the mirror. An annotated tag counts twice. */
const MOST_REFS = 100_000

/** Asks for the branches and tags, or for some of them; `null` also asks for HEAD. Refuses very many. */
export async function listRefs(git: Git, only: readonly ('heads' | 'tags')[] | null): Promise<Refs> {
  const flags = only === null ? ['--symref'] : only.map((name) => `--${name}`)
  const ids = new Map<string, string>()
  let head: string | null = null
  const output = text(
    await git.run(['ls-remote', '--quiet', ...flags, '--', 'origin'], { isElsewhere: true }),
  )
  // There are others, such as one for each pull request.
  for (const [, id = '', name = ''] of output.matchAll(/^(.+)\t(HEAD|refs\/(?:heads|tags)\/.+)$/gm)) {
    if (name === 'HEAD' && id.startsWith('ref: ')) head = id.slice('ref: '.length)
    else ids.set(name, id)
    if (ids.size > MOST_REFS)
      throw new Refusal(`The repository at ${git.name} has more than 100,000 branches and tags.`)
  }
  return { head, ids }
}

/** The ref in the mirror that has the file. */
const FILE_REF = 'refs/changelogd/file'

/** The number of packs after which a mirror is made anew: nothing else tidies it up. */
const MOST_PACKS = 50

/** Creates the mirror, without the templates of `git init`, if it is missing or has grown. It is only a cache. */
export function openMirror(directory: string, anyId: string): void {
  const packs = join(directory, 'objects/pack')
  if (existsSync(packs)) {
    if (readdirSync(packs).filter((name) => name.endsWith('.pack')).length < MOST_PACKS) return
    rmSync(directory, { recursive: true })
  }
  for (const name of ['objects', 'refs']) mkdirSync(join(directory, name), { recursive: true, mode: 0o700 })
  writeFileSync(join(directory, 'HEAD'), 'ref: refs/heads/main\n')
  const format = anyId.length === SHA256_LENGTH ? '\tobjectFormat = sha256\n' : ''
  writeFileSync(
    join(directory, 'config'),
    `[core]\n\trepositoryFormatVersion = 1\n\tbare = true\n[extensions]\n\tpartialClone = origin\n${format}`,
  )
}

const SHA256_LENGTH = 64

const FETCH = [
  ...['fetch', '--quiet', '--no-tags', '--force', '--depth=1', '--no-write-fetch-head'],
  ...['--no-auto-maintenance', '--no-recurse-submodules'],
]

/** Fetches the commit with the file, without the contents of files if it is filtered. `from` is a ref or a commit. */
export const fetchFileRef = (git: Git, from: string, isFiltered: boolean): Promise<Uint8Array> =>
  git.run([
    ...FETCH,
    ...(isFiltered ? ['--filter=blob:none'] : ['--no-filter']),
    '--',
    'origin',
    `+${from}:${FILE_REF}`,
  ])

/** A longer tag, or one of a longer commit, is left out: git reads all of it into memory, several times over. */
const MOST_TAG_BYTES = 1024 * 1024

/** The most tags for which git may have too little memory. */
const MOST_LEFT_OUT = 10

/** Fetches tags and their commits, without files. Gives the names of those that are too long. */
export async function fetchTags(git: Git, prefix: string, names: readonly string[]): Promise<Set<string>> {
  const leftOut = new Set<string>()
  await fetchNames(git, [`refs/tags/${prefix}*`], names, leftOut)
  const format = '--format=%(refname) %(objectsize) %(*objectsize)'
  for (const line of text(await git.run(['for-each-ref', format, 'refs/tags'])).split('\n')) {
    const [name = '', ...sizes] = line.split(' ')
    if (sizes.some((size) => Number(size) > MOST_TAG_BYTES)) leftOut.add(name)
  }
  const input = [...leftOut].map((name) => `delete ${name}\n`).join('')
  if (leftOut.size > 0) await git.run(['update-ref', '--stdin'], { input })
  return leftOut
}

/** Fetches refs. If git has too little memory for all, it fetches each half, until the tag to blame is known. */
async function fetchNames(
  git: Git,
  refs: readonly string[],
  names: readonly string[],
  leftOut: Set<string>,
): Promise<void> {
  try {
    const input = refs.map((ref) => `+${ref}:${ref}\n`).join('')
    await git.run([...FETCH, '--filter=tree:0', '--stdin', '--', 'origin'], { input })
  } catch (error) {
    const isTooLarge = error instanceof GitFailure && OUT_OF_MEMORY.test(error.output)
    if (!isTooLarge || leftOut.size === MOST_LEFT_OUT) throw error
    const half = names.length >> 1
    if (half === 0) for (const name of names) leftOut.add(name)
    else
      for (const part of [names.slice(0, half), names.slice(half)]) await fetchNames(git, part, part, leftOut)
  }
}

export const storedTags = async (git: Git): Promise<FoundTag[]> => [...tagsIn(await git.run(LIST_TAGS))]

/** The content of a file, or null if there is none. Links within the repository are followed. */
export async function storedFile(git: Git, path: string): Promise<Uint8Array | null> {
  const [id, type, size] = await storedAt(git, path, '--follow-symlinks')
  if (id === undefined) return null
  if (type !== 'blob') throw new Refusal(`${path} is a directory of the repository, not a file.`)
  // A pack of a few bytes can hold hundreds of megabytes.
  if (Number(size) > MOST_SOURCE_BYTES) throw new Refusal(`${path} is larger than 20 MB.`)
  return git.run(['cat-file', 'blob', id])
}

/** Pictures of the repository of a file. No link is followed: it is no picture. */
export const storedPictures = (git: Git, file: string): PicturePlace => ({
  file,
  async read(path) {
    try {
      const [id, type, size] = await storedAt(git, path)
      if (id === undefined || type !== 'blob') return NOT_TAKEN.missing
      if (Number(size) > PICTURE_LIMITS.given) return PICTURE_REFUSALS.large
      return await git.run(['cat-file', 'blob', id])
    } catch (error) {
      if (error instanceof GitFailure && TOO_LARGE.test(error.output)) return PICTURE_REFUSALS.large
      throw error
    }
  },
})

async function storedAt(git: Git, path: string, ...flags: string[]) {
  const input = `${FILE_REF}:${path}\n`
  const found = text(await git.run(['cat-file', '--batch-check', ...flags], { input }))
  const [, id, type, size] = /^([0-9a-f]{40,}) (\w+) (\d+)\n$/.exec(found) ?? []
  return [id, type, size] as const
}
