import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Source } from '../../domain/records.ts'
import { Refusal } from '../../domain/refusal.ts'
import { sha256 } from '../../domain/text/sha256.ts'
import type { ChangelogSource } from '../../transfer/parse-changelog.ts'
import type { Check, CheckContext, Found, Memory } from '../check-context.ts'
import { fileOf, parseFile } from '../file.ts'
import {
  fetchFileRef,
  fetchTags,
  listRefs,
  openMirror,
  type Refs,
  storedFile,
  storedPictures,
  storedTags,
} from './mirror.ts'
import { redirectedRemote, remoteOf } from './remote.ts'
import { Git, GitFailure } from './run.ts'
import { datesOf, type FoundTag, repositoryOf } from './tags.ts'

/** Reads a file, the tags or both of a git remote, if its refs have changed. */
export async function checkGit(url: string, check: Check): Promise<Found> {
  const { source, known, full } = check
  refuseOddNames(source)
  const directory = mirrorOf(source.id, check)
  const remote = await remoteOf(await redirectedRemote(url, check), check)
  const git = await Git.open(directory, remote, url, check)
  const wanted = await wantedOf(git, check)
  const refs = sha256(JSON.stringify([wanted.file?.id, wanted.tags && [...wanted.tags]]))
  const memory: Memory = { ...known, refs }
  if (refs === known.refs && !full) return { memory, read: null }
  const { hash, isWhole, place, input } = await readAnew(git, wanted)
  const isSame = hash === known.hash && !full
  return { memory: { ...memory, hash }, read: isSame ? null : { isWhole, place, input: input() } }
}

const mirrorOf = (source: string, { gitDirectory }: Pick<CheckContext, 'gitDirectory'>): string =>
  join(gitDirectory, `${source}.git`)

/** Removes the mirrors of sources that are not among these. */
export function keepMirrors(gitDirectory: string, sources: readonly string[]): void {
  if (!existsSync(gitDirectory)) return
  const kept = new Set(sources.map((source) => mirrorOf(source, { gitDirectory })))
  for (const name of readdirSync(gitDirectory))
    if (/^src_\w+\.git$/.test(name) && !kept.has(join(gitDirectory, name)))
      rmSync(join(gitDirectory, name), { recursive: true, force: true })
}

/** Names that git allows; the others would mean something else in a refspec. */
const NAME = /^(?!.*(?:\.\.|@\{|\/\/|\.lock(?:\/|$)|\/\.|[.]$))[^\p{Cc} ~^:?*[\\-][^\p{Cc} ~^:?*[\\]*$/u

function refuseOddNames({ ref, tagPrefix }: Source): void {
  for (const name of [ref, tagPrefix])
    if (name !== null && !NAME.test(name))
      throw new Refusal(`${JSON.stringify(name)} is not a valid name in git.`)
}

/** The parts of a source to read: null if not wanted. */
interface Wanted {
  source: Source
  file: { from: string; id: string } | null
  tags: ReadonlyMap<string, string> | null
}

async function wantedOf(git: Git, check: Check): Promise<Wanted> {
  const { source } = check
  const { kind, ref, tagDates } = source
  const wantsFile = kind !== 'tags'
  const wantsTags = kind !== 'file' || tagDates
  // HEAD is told only with all refs.
  const refs = await listRefs(git, !wantsFile ? ['tags'] : ref === null ? null : ['heads', 'tags'])
  return {
    source,
    file: wantsFile ? fileRef(git.name, refs, ref ?? refs.head ?? 'HEAD') : null,
    tags: wantsTags ? tagsOf(refs, source) : null,
  }
}

function fileRef(url: string, { ids }: Refs, ref: string): { from: string; id: string } {
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(ref)) return { from: ref, id: ref }
  for (const from of [`refs/heads/${ref}`, `refs/tags/${ref}`, ref]) {
    const id = ids.get(from)
    if (id !== undefined) return { from, id }
  }
  throw ids.size === 0
    ? new Refusal(`The repository at ${url} is empty.`)
    : new Refusal(`The repository at ${url} has no branch or tag ${ref}.`, {
        kind: 'not_found',
        hint: 'Check --ref.',
      })
}

function tagsOf({ ids }: Refs, { tagPrefix }: Source): ReadonlyMap<string, string> {
  const start = `refs/tags/${tagPrefix ?? ''}`
  return new Map([...ids].filter(([name]) => name.startsWith(start) && !name.endsWith('^{}')))
}

type Read = Omit<NonNullable<Found['read']>, 'input'> & { input(): ChangelogSource; hash: string }

/**
 * A mirror that a killed process has left half done is made anew. A server that leaves out files and then does not send
 * the one that is wanted, as over ssh without the newer protocol, has to send all.
 */
async function readAnew(git: Git, wanted: Wanted, isFiltered = true): Promise<Read> {
  const isNew = !existsSync(git.mirror)
  const anyId = wanted.file?.id ?? [...(wanted.tags?.values() ?? [])][0] ?? ''
  try {
    openMirror(git.mirror, anyId)
    return await read(git, wanted, isFiltered)
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    rmSync(git.mirror, { recursive: true, force: true })
    const isRefused = isFiltered && /unadvertised object/.test(error.output)
    if (isNew && !isRefused) throw error
    return readAnew(git, wanted, !isRefused)
  }
}

async function read(git: Git, wanted: Wanted, isFiltered: boolean): Promise<Read> {
  const { source } = wanted
  const url = git.name
  const { tags, leftOut } = await readTags(git, wanted)
  const path = fileOf(source)
  if (wanted.file) await fetchFileRef(git, wanted.file.from, isFiltered)
  const file = wanted.file && (await storedFile(git, path))
  const hash = sha256(JSON.stringify([file && sha256(file), tags]))
  if (file) {
    const place = storedPictures(git, path)
    return { hash, isWhole: true, place, input: () => parseFile(`${url}: ${path}`, file, datesOf(tags)) }
  }
  if (source.kind === 'file' || source.file !== null || !wanted.tags)
    throw new Refusal(
      `The repository at ${url} has no file ${path}${source.ref ? ` at ${source.ref}` : ''}.`,
      { kind: 'not_found', hint: 'Check --file and --ref.' },
    )
  if (wanted.tags.size === 0) {
    const which = source.tagPrefix === null ? 'no tags' : `no tag that starts with ${source.tagPrefix}`
    throw new Refusal(`The repository at ${url} has ${which}.`, {
      hint: 'Follow its file with --file, or check --tag-prefix.',
    })
  }
  const { dates, ...parsed } = repositoryOf(url, tags)
  const message = 'is larger than 1 MB, skipped'
  for (const name of leftOut) parsed.warnings.push({ text: `${url}: tag ${name}`, line: 1, message })
  const input = { name: url, format: 'git', parsed, dates } as const
  return { hash, isWhole: leftOut.length === 0, input: () => input }
}

/** Tags without the prefix. Tags that are too long are left out, as are those that only the mirror still has. */
async function readTags(git: Git, { source: { tagPrefix }, tags: ids }: Wanted) {
  if (!ids || ids.size === 0) return { tags: [] as FoundTag[], leftOut: [] }
  const leftOut = await fetchTags(git, tagPrefix ?? '', [...ids.keys()])
  const tags = (await storedTags(git)).filter(({ name }) => ids.has(`refs/tags/${name}`))
  return {
    tags: tags.map((tag) => ({ ...tag, name: tag.name.slice(tagPrefix?.length ?? 0) })),
    leftOut: [...leftOut].filter((name) => ids.has(name)).map((name) => name.replace('refs/tags/', '')),
  }
}
