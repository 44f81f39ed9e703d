import { join } from 'node:path'
import type { Instant, Source, SourceMemory } from '../domain/records.ts'
import { defectIn, Refusal, type RefusalKind } from '../domain/refusal.ts'
import { isLocalPath } from '../domain/sources.ts'
import { plain } from '../domain/text/controls.ts'
import { isPrerelease } from '../domain/versions/standing.ts'
import { fileAt } from '../files/lookup.ts'
import { tooMany } from '../formats/parsed.ts'
import { refuseDestination } from '../outgoing/destination.ts'
import { OutgoingError } from '../outgoing/errors.ts'
import type { SourceDraft } from '../store/records/types.ts'
import { asRefusal, type ChangelogSource } from '../transfer/parse-changelog.ts'
import type { PicturePlace } from '../transfer/pictures/take.ts'
import { type Check, type CheckContext, type Found, recalled, remembering } from './check-context.ts'
import { checkFile, checkPath, MOST_VERSIONS } from './file.ts'
import { checkGit } from './git/check.ts'
import { sshDestination } from './git/remote.ts'
import { movedTo, type Origin, originByName, originOf } from './origin.ts'
import { Postponed, type Quotas } from './quotas.ts'
import { checkReleases } from './releases.ts'

/** The longest that a check may take, with all its requests: a slow host must not hold up others. */
const MOST_MS = 5 * 60_000

export type Checked = { memory: SourceMemory } & (
  | { state: 'unchanged' }
  /**
   * `isWhole` is false if only the newest part was read: versions missing from it may still exist. `text` is how many
   * characters of text there are, and how many the whole source had before, if that is known.
   */
  | {
      state: 'fetched'
      input: ChangelogSource
      isWhole: boolean
      text: { before: number | null; now: number }
      /** Where the pictures of the text are; null if none are wanted. */
      place: PicturePlace | null
    }
  /** Nobody was asked, or the host has asked for a pause: nothing is known and nothing is wrong. */
  | { state: 'postponed'; until: Instant; reason: string; remedy: string | null }
  /** `reason` and `remedy` are sentences. */
  | { state: 'failed'; kind: RefusalKind; reason: string; remedy: string | null }
)

/**
 * Asks a source for changes since the check that left `memory`, which is `{}` for the first one. Throws the
 * reason of `signal` once that is aborted; everything that can go wrong with a source is a result.
 */
export async function check(source: Source, memory: SourceMemory, context: CheckContext): Promise<Checked> {
  const { pause: _, ...known } = recalled(memory)
  const deadline = AbortSignal.timeout(context.mostMs ?? MOST_MS)
  const redirects: string[] = []
  const onMoved = (url: string) => void redirects.push(url)
  const signal = AbortSignal.any([context.signal, deadline])
  const limited = { ...context, source, known, onMoved, signal }
  try {
    const { origin, found } = await originOf(limited)
    const { memory: learned, read } = await checkAt(origin, limited)
    if (read) {
      const { name, parsed } = read.input
      if (parsed.versions.length > MOST_VERSIONS) throw asRefusal(name, tooMany(MOST_VERSIONS))
      if (source.stable) parsed.versions = parsed.versions.filter((version) => !isPrerelease(version))
    }
    const now = read && textIn(read.input)
    const before = context.full ? null : learned.moved
    const [to = null] = redirects
    const moved = to && (before ?? (await movedTo(origin, to, limited)))
    const text = now !== null && read?.isWhole && { text: now }
    const reader = known.reader !== undefined && { reader: known.reader }
    const next = { memory: remembering({ ...learned, ...text, moved, ...found, ...reader }) }
    if (!read || now === null) return { state: 'unchanged', ...next }
    const place = (source.pictures && read.place) || null
    return { state: 'fetched', ...read, text: { before: known.text ?? null, now }, place, ...next }
  } catch (thrown) {
    context.signal.throwIfAborted()
    const late = `Reading the source took longer than ${(context.mostMs ?? MOST_MS) / 1000} seconds.`
    const error = deadline.aborted ? new Refusal(late) : thrown
    if (error instanceof Postponed) {
      const { message: reason, until, quota } = error
      const why = { reason, remedy: source.tokenFile === null ? error.remedy : null }
      const paused = remembering({ ...known, pause: { quota, until, why } })
      return { state: 'postponed', memory: paused, until, ...why }
    }
    const refusal = error instanceof Refusal ? error : defectIn('The source', error)
    const { kind, message } = refusal
    return { state: 'failed', memory, kind, reason: plain(message), remedy: remedyOf(refusal) }
  }
}

/** Obeys a pause that a host has asked an earlier process for, which `memory` remembers. */
export function obeyPause(memory: SourceMemory, quotas: Quotas): void {
  const { pause } = recalled(memory)
  if (pause) quotas.pause(pause.quota, pause.until)
}

const textIn = ({ parsed }: ChangelogSource): number =>
  parsed.versions
    .flatMap(({ description, closing, changes }) => [
      description,
      closing,
      ...changes.flatMap((change) => [change.title, change.description]),
    ])
    .reduce((sum, text) => sum + (text?.length ?? 0), 0)

function checkAt(origin: Origin, check: Check): Promise<Found> {
  if (origin.way === 'path') return checkPath(origin.path, check)
  if (origin.way === 'git') return checkGit(origin.url, check)
  if (origin.way === 'file' || check.source.kind === 'file') return checkFile(origin, check)
  return checkReleases(origin, check)
}

function remedyOf(error: Refusal): string | null {
  if (error instanceof OutgoingError && error.fault === 'private')
    return 'To allow private addresses, set FOLLOW_PRIVATE=true.'
  return error.hint ?? null
}

/** Refuses a source that could never be read with these settings and the files of this machine. Asks nobody. */
export function refuseImpossible(source: SourceDraft, allowPrivate: boolean): void {
  const { url, tokenFile } = source
  const destination = /^https?:/.test(url) ? new URL(url) : isLocalPath(url) ? null : sshDestination(url)
  if (destination) refuseDestination(destination, allowPrivate, remedyOf)
  const origin = originByName(source)
  if (isLocalPath(url) && origin?.way === 'git') checkRepository(origin)
  if (tokenFile === null) return
  const found = fileAt(tokenFile)
  if (!found?.isFile())
    throw new Refusal(`The token file ${tokenFile} ${found ? 'is not a file' : 'does not exist'}.`, {
      hint: 'Create it with only the token in it.',
    })
}

/** Refuses a directory that is no repository, bare or with a work tree. */
function checkRepository({ url: path }: Extract<Origin, { way: 'git' }>): void {
  if (fileAt(join(path, '.git')) || (fileAt(join(path, 'HEAD')) && fileAt(join(path, 'objects')))) return
  throw new Refusal(`${path} is a directory, but not a git repository.`, {
    hint: 'Give a repository, or a file in the directory, such as CHANGELOG.md.',
  })
}
