import type { Source } from '../domain/records.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Decoded } from '../domain/text/decode.ts'
import { sha256 } from '../domain/text/sha256.ts'
import { fileError } from '../files/errors.ts'
import { databaseFiles, fileAt, isSame, notAFile } from '../files/lookup.ts'
import { decodeAny } from '../files/read.ts'
import { detectFormat } from '../formats/detect.ts'
import type { TagDate } from '../formats/parsed.ts'
import { asRefusal, type ChangelogSource, parseChangelog } from '../transfer/parse-changelog.ts'
import { picturesBeside } from '../transfer/pictures/beside.ts'
import type { Check, Found } from './check-context.ts'
import { fetchFor, MOST_SOURCE_BYTES, refuseFailure, validatorsOf } from './fetch.ts'
import type { Origin } from './origin.ts'
import { type AskedFile, besideUrl, picturesOnHost } from './pictures.ts'

/** The file of a repository whose source names none. */
export const USUAL_FILE = 'CHANGELOG.md'

export const fileOf = ({ file }: Pick<Source, 'file'>): string => file ?? USUAL_FILE

/** Importing very many versions would block the worker for minutes. */
export const MOST_VERSIONS = 20_000

/** A file of any format that `import` reads, but not an export. Refuses what an outage leaves in the place of one. */
export function parseFile(name: string, bytes: Uint8Array, tags: readonly TagDate[] = []): ChangelogSource {
  const { text, others } = changelogText(name, bytes)
  try {
    const format = detectFormat(name.replace(/[?#].*$/, ''), text)
    if (format === 'json' || format === 'changesets')
      throw new Refusal(`${name} is a changelogd export and cannot be followed.`, {
        hint: 'Follow the CHANGELOG.md of the other server, or import the export.',
      })
    return parseChangelog(name, text, format, { tags, others, mostVersions: MOST_VERSIONS })
  } catch (error) {
    throw asRefusal(name, error)
  }
}

/** Refuses an empty file, a web page, what is no text, and a Git LFS pointer. */
export function changelogText(name: string, bytes: Uint8Array): Decoded {
  const read = decodeAny(name, bytes)
  const { text } = read
  if (text.trim() === '') throw new Refusal(`${name} is empty.`)
  if (PAGE.test(text))
    throw new Refusal(`${name} is a web page, perhaps a sign-in page, not a changelog.`, {
      hint: 'Check the address. For a private repository, give a token with --token-file.',
    })
  if (text.startsWith(LFS_POINTER))
    throw new Refusal(`${name} is in Git LFS, which is not supported.`, {
      hint: 'Keep the changelog in the repository itself.',
    })
  return read
}

const PAGE = /^\s*(?:<!--(?:(?!-->).)*-->\s*)*(?:<\?xml[^>]*>\s*)?<(?:!doctype html|html|head|body)\b/is
const LFS_POINTER = 'version https://git-lfs.github.com/spec/v1'

/** Reads one file, by the API of a host or at its own address. */
export async function checkFile(origin: FileOrigin, check: Check): Promise<Found> {
  const { known, full } = check
  const { missing, name, ...asked } = askedOf(origin, check.source)
  const { headers, root } = asked
  const url = asked.urlOf(asked.file)
  const since = full || known.hash === undefined ? undefined : known.validators
  const answer = await fetchFor(url, check, { headers, ...(since && { since }) })
  if (answer.status === 304) return { memory: known, read: null }
  refuseFailure(url, answer, name, missing)
  const hash = sha256(answer.body)
  const memory = { ...known, hash, validators: validatorsOf(url, answer) }
  if (hash === known.hash && !full) return { memory, read: null }
  const rest = url.slice(root.length)
  // A repository that was renamed redirects each of its files.
  const isMoved = origin.way === 'host' && answer.url.endsWith(rest)
  const from = isMoved ? answer.url.slice(0, -rest.length) : root
  const urlOf = (path: string) => from + asked.urlOf(path).slice(root.length)
  const place = picturesOnHost({ ...asked, root: from, urlOf }, check)
  return { memory, read: { input: parseFile(name, answer.body), isWhole: true, place } }
}

type FileOrigin = Extract<Origin, { way: 'file' | 'host' }>

function askedOf(origin: FileOrigin, source: Source): AskedFile & { name: string; missing: string } {
  if (origin.way === 'file') {
    const headers = (token: string | null): Record<string, string> =>
      token === null ? {} : { authorization: `Bearer ${token}` }
    const { url } = origin
    return { ...besideUrl(url), name: url, headers, missing: `There is no file at ${url}.` }
  }
  const { host, base, repository } = origin
  const file = fileOf(source)
  const where = source.ref === null ? '' : ` at ${source.ref}`
  return {
    file,
    root: `${base}/`,
    urlOf: (path) => base + host.file(path, source.ref),
    name: `${repository}/${file}`,
    headers: host.headers,
    missing: `${new URL(source.url).host} has no file ${file}${where} in ${repository}, or your token cannot read it.`,
  }
}

export async function checkPath(path: string, check: Check): Promise<Found> {
  const { known, database, full } = check
  const found = fileAt(path)
  if (!found) throw new Refusal(`There is no file ${path}.`, { kind: 'not_found', hint: 'Check the path.' })
  const kind = notAFile(found)
  if (kind) throw new Refusal(`${path} ${kind}.`)
  if (databaseFiles(database).some((file) => isSame(found, fileAt(file))))
    throw new Refusal(`${path} belongs to the database.`, { kind: 'not_found', hint: 'Give a changelog.' })
  if (found.size > MOST_SOURCE_BYTES) throw new Refusal(`${path} is larger than 20 MB.`)
  const stat = [found.ino, found.size, found.mtimeMs, found.ctimeMs].join(' ')
  if (stat === known.stat && !full) return { memory: known, read: null }
  const bytes = await Bun.file(path)
    .slice(0, MOST_SOURCE_BYTES)
    .bytes()
    .catch((error: unknown) => {
      throw fileError(error, path, `Cannot read ${path}`)
    })
  const hash = sha256(bytes)
  const memory = { ...known, stat, hash }
  if (hash === known.hash && !full) return { memory, read: null }
  const place = picturesBeside(path, database)
  return { memory, read: { input: parseFile(path, bytes), isWhole: true, place } }
}
