import { type ChangeDraft, LIMITS } from '../../domain/records.ts'
import { NUMBER } from '../../domain/versions/number-in-line.ts'
import { changeFromText, prefixOf } from '../changelog/changes.ts'
import { asParagraph, fromParagraph } from '../changelog/titles.ts'
import { escapePlain } from '../markdown/inline.ts'
import { oneLine } from '../markdown/lines.ts'
import { DEFAULT_TYPE } from '../parsed.ts'
import { CONVENTIONAL, isForUsers } from './types.ts'

/** The parsed message of a commit. */
export interface Message {
  /** The subject first, then further conventional subjects in the body, as release-please has them. */
  subjects: Subject[]
  /** The number of the pull request that a merge names: `#12`, or `!12` on GitLab. */
  pullRequest: string | null
  isMerge: boolean
  /** Reverted hashes, else numbers of pull requests, else a subject. Empty if it reverts nothing. */
  reverts: string[]
}

export interface Subject {
  /** The text as written, without the line that says what was merged. */
  header: string
  /** Null if it is not conventional. */
  type: string | null
  scope: string | null
  text: string
  isBreaking: boolean
  /** The texts of BREAKING CHANGE footers. */
  notes: string[]
}

/** More of a message is not read, which bounds the work. */
const MOST_CHARACTERS = 16_384

/** `:sparkles: feat(ui)!: log in` */
const HEADER =
  /^(?:(?::\w+:|\p{Extended_Pictographic}\uFE0F?)\s*)?(?<type>\w+)(?:\((?<scope>[^()]*)\))?(?<mark>!?):\s*(?<subject>\S.*)$/u
const MERGE =
  /^(?:Merge (?:pull request #\d+ from |(?:remote-tracking )?branch(?:es)? |tag |commit )|Merged in .*\(pull request #\d+\)).*/

/** A further conventional subject begins a paragraph. */
const FURTHER = new RegExp(
  `\\n\\s*\\n(?=(?:${Object.keys(CONVENTIONAL).join('|')})(?:\\([^()\\n]*\\))?!?: \\S)`,
)

/** Null if the message is empty. */
export function readMessage(message: string): Message | null {
  const text = message.slice(0, MOST_CHARACTERS).trim()
  if (text === '') return null
  const merge = MERGE.exec(text)?.[0] ?? null
  const subjects = text
    .slice(merge?.length ?? 0)
    .split(FURTHER)
    .flatMap((part) => (part.trim() === '' ? [] : readSubject(part.trim())))
  return {
    subjects,
    pullRequest: merge === null ? null : pullRequestIn(merge, text),
    isMerge: merge !== null,
    reverts: subjects[0] === undefined ? [] : revertedBy(subjects[0], text),
  }
}

/** Where a footer begins: `BREAKING CHANGE: …`, `Signed-off-by: …`, `Refs #12`. */
const FOOTER = /\n(?=(?:\*\s+)?BREAKING[ -]CHANGE:|[\w-]+(?:: +\S| #\d))/i
const NOTE = /^(?:\*\s+)?BREAKING[ -]CHANGE:(?<text>[\s\S]*)$/i

function readSubject(message: string): Subject {
  const end = message.search(/\n|$/)
  // Copied, because a slice would keep the whole message in memory.
  const header = Buffer.from(message.slice(0, end))
    .toString()
    .replace(/^BREAKING[ -]CHANGES?(?=[(:])/i, 'breaking')
  const { type, scope = '', mark, subject = header } = HEADER.exec(header)?.groups ?? {}
  const known = typeOf(header, type)
  const notes = message
    .slice(end)
    .split(FOOTER)
    .flatMap((footer) => NOTE.exec(footer)?.groups?.text?.trim() ?? [])
  return {
    header: oneLine(header),
    type: known ?? null,
    text: oneLine(known === undefined ? header : subject),
    scope: known === undefined ? null : oneLine(scope) || null,
    isBreaking: notes.length > 0 || mark === '!' || known === 'breaking-changes',
    notes: notes.filter((note) => note !== ''),
  }
}

/** A revert is conventional if what it reverts is. */
function typeOf(header: string, written: string | undefined): string | undefined {
  const quoted = quotedIn(header)
  if (quoted === null) return CONVENTIONAL[written?.toLowerCase() ?? '']
  return readSubject(quoted.header).type ? 'reverts' : undefined
}

/** `Merge pull request #12 from …`, `Merged in … (pull request #12)`, `See merge request acme/app!12`. */
function pullRequestIn(merge: string, message: string): string | null {
  const number = /pull request (#\d+)/.exec(merge)?.[1]
  return number ?? /^See merge request \S*(!\d+)$/m.exec(message)?.[1] ?? null
}

interface Quoted {
  verb: string
  header: string
}

/** `Revert "…"`, `Revert "…" (#13)`, `Reapply "…"`. */
function quotedIn(text: string): Quoted | null {
  const [, verb, header] = (text.length <= LIMITS.title && /^(Revert|Reapply) "(.*\S.*)"/.exec(text)) || []
  return verb === undefined || header === undefined ? null : { verb, header }
}

function revertedBy({ header, type, text }: Subject, message: string): string[] {
  const quoted = quotedIn(header)
  if (quoted === null && type !== 'reverts') return []
  const named = message.match(/^(?:This reverts commit|Refs:)\s.*$/gm)?.join(' ') ?? ''
  const hashes = named.match(/\b[0-9a-f]{7,64}\b/g)
  if (hashes) return hashes.map(shortHash)
  const pullRequest = /^Reverts \S*(#\d+)\s*$/m.exec(message)?.[1]
  return [pullRequest ?? quoted?.header ?? text]
}

/** Commits of one version are told apart by this. */
const shortHash = (hash: string): string => hash.slice(0, 7)

/** The names by which a revert may name the commit. */
export const namesOf = (hash: string, { header }: Subject): string[] => [
  ...[shortHash(hash), header],
  ...(/\((#\d+)\)$/.exec(header)?.slice(1) ?? []),
]

/**
 * A subject as a change, or null if it is not for users. What a commit reverts is shown as `Reverts`, or as itself if a
 * revert was reverted.
 */
export function changeOf(subject: Subject): ChangeDraft | null {
  const { type, scope, text, isBreaking, notes } = subject
  const quoted = quotedIn(subject.header)
  if (quoted !== null || type === 'reverts') return changeOfRevert(quoted ?? { verb: 'Revert', header: text })
  if (!isBreaking && (type === null ? isNoise(text) : !isForUsers(type))) return null
  const kind = { type: isBreaking ? 'breaking-changes' : (type ?? DEFAULT_TYPE) }
  const title = fromParagraph(prefixOf(scope) + escapePlain(text))
  // Most are only a title, which need not be parsed.
  if (notes.length === 0 && title.length <= LIMITS.title) return { ...kind, title, description: null }
  return changeFromText([asParagraph(escapePlain(text)), ...notes].join('\n\n'), kind, scope)
}

function changeOfRevert({ verb, header }: Quoted): ChangeDraft | null {
  const inner = quotedIn(header)
  const isBack = verb === 'Reapply' || inner?.verb === 'Revert'
  const change = changeOf(readSubject(verb === 'Revert' && inner?.verb === 'Revert' ? inner.header : header))
  return change === null || isBack ? change : { ...change, type: 'reverts' }
}

/** `1.2.0`, `Release v1.2.0`, `Bump version to 1.2.0`; `fixup! …`. */
const NOISE = new RegExp(
  `^(?:(?:(?:bump|prepare|release|version|publish|tag|cut|set|new|for|to|the|of)[\\s:-]+)*(?:[\\w.@/-]+[@/-])?${NUMBER}(?:\\s+release)?\\.?|(?:fixup|squash|amend)! .*)$`,
  'i',
)

const isNoise = (text: string): boolean => text.length <= 120 && NOISE.test(text)
