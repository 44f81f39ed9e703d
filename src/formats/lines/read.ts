import { cut } from '../../domain/text/cut.ts'
import { EXPORTED, MAY_BE_VERSION, VERSIONS_COMMENT } from '../changelog/comments.ts'
import { type MarkdownChangelog, readVersions, type VersionLine } from '../changelog/read.ts'
import { readHeading } from '../changelog/versions/heading.ts'
import { isUnreleased } from '../changelog/vocabulary.ts'
import { readEntries } from '../entries/read.ts'
import {
  DEFAULT_TYPE,
  FormatError,
  type ParsedChangelog,
  type ParsedVersion,
  type ReadOptions,
  tooMany,
  type UntakenLine,
  type Warning,
} from '../parsed.ts'
import { type Candidate, candidatesIn, hasNumber } from './candidates.ts'
import { type Choice, chooseVersions } from './choose.ts'
import { definedIn, type Line } from './line.ts'
import { Classifier, classify, closed, linesOf } from './lines.ts'
import { markdownOf } from './markdown.ts'

/**
 * Reads a changelog of people or generators: markdown, reStructuredText or plain lines. Our own exports, and what is written
 * as they are, have a grammar: each heading of the first two levels is `## [label]` there, and nothing else begins a version. A text without versions is not an error.
 */
export function readText(
  source: string,
  name: string,
  options: ReadOptions = {},
): MarkdownChangelog & Pick<ParsedChangelog, 'isNewestFirst'> {
  const { text, starts, isStrict, isPlain, untaken, warnings } = layoutOf(source, name, options)
  const read = readVersions(text, starts, { ...options, isStrict, isPlain })
  if (isStrict) return { ...read, untaken, ...(source.includes(VERSIONS_COMMENT) && { isNewestFirst: true }) }
  return {
    versions: starts.some((start) => 'said' in start) ? read.versions : withTitlesAsChanges(read.versions),
    warnings: [...read.warnings, ...warnings].sort((one, other) => one.line - other.line),
    preamble: read.preamble && closed(read.preamble),
    untaken,
  }
}

/** A text as markdown, and where its versions begin. Returns no `Line`: those of a long text take many times its memory. */
function layoutOf(source: string, name: string, options: ReadOptions) {
  const isMarkdown = /\.(?:mdx?|markdown|mdown)$/i.test(name)
  const raws = linesOf(source)
  const strict = exportedVersions(raws, isMarkdown)
  if (strict !== null) {
    if (strict.length > (options.mostVersions ?? strict.length)) throw tooMany(options.mostVersions ?? 0)
    const starts = new Set(strict.map(({ at }) => at))
    const text = raws.map((raw, at) => (starts.has(at) ? '' : raw)).join('\n')
    return { text, starts: strict, isStrict: true, isPlain: false, untaken: [], warnings: [] }
  }
  const { lines, open } = classify(raws, isMarkdown)
  if (lines.slice(0, 50).some(({ text }, at) => GIT_LOG.test([text, lines[at + 1]?.text].join('\n'))))
    throw new FormatError('the output of git log is not a changelog')
  const candidates = candidatesIn(lines)
  const isGuide = GUIDE_NAME.test(name)
  const isOther = isGuide || OTHER_NAME.test(name)
  const choice = chooseVersions(candidates, lines, { isInsisting: options.isInsisting, isOther, isGuide })
  const { taken } = choice
  const entries = readEntries(raws, { ...options, name, isMarkdown, choice, isOther })
  if (entries) {
    const text = markdownOf(entries.lines, [], true).text
    return { ...entries, text, isStrict: false, isPlain: false, untaken: [] }
  }
  const most = options.mostVersions ?? MOST_VERSIONS
  if (taken.length > most) throw tooMany(most)
  const { text, starts, isPlain } = markdownOf(lines, taken, isMarkdown)
  const untaken = untakenLines(lines, candidates, choice)
  const warnings: Warning[] = []
  for (const { line, written, why } of untaken)
    if (lines[line - 1]?.kind === 'heading' || line <= (taken[0]?.at ?? 0)) {
      const message = `"${cut(written.replace(/^#+\s*/, ''), 80)}" is not a version, kept as text: ${why}`
      const cause = 'a line with a version number is not a version, kept as text'
      warnings.push({ line, message, cause })
    }
  const [first] = taken
  if (first && taken.every(({ day, number }) => day !== null && number === ''))
    warnings.push({ line: first.at + 1, message: 'no line names a version, so each day is one' })
  if (open)
    warnings.push({ line: open.line, message: 'what begins here has no end: all below is a part of it' })
  if (isOther) warnings.push({ line: 1, message: 'the file does not have the name of a changelog' })
  return { text, starts, isStrict: false, isPlain, untaken, warnings }
}

/** Nobody writes as many, which bounds the time that a text takes. */
const MOST_VERSIONS = 40_000
/** Files with such names, behind any path, are seldom changelogs. */
const OTHER_NAME =
  /(?:^|[/\\])(?:readme|licen[cs]e|copying|copyright|notice|third.part|authors|install|faq|hacking|security|code.of.conduct)[^/\\]*$/i
/** Without a date, their numbers are those of what is planned, of steps or of chapters. */
const GUIDE_NAME =
  /(?:^|[/\\])(?:todo|road.?map|plans?\b|contribut|migrat|upgrad|api\b|guide|manual|tutorial|curricul|syllabus)[^/\\]*$/i
const GIT_LOG = /^commit [0-9a-f]{7,40}\b.*\n(?:Merge|Author): /

function untakenLines(
  lines: readonly Line[],
  candidates: readonly Candidate[],
  { untaken }: Choice,
): UntakenLine[] {
  const known = new Set(candidates.map(({ at }) => at))
  const reasons = new Map(untaken.map(({ candidate, why }) => [candidate.at, why]))
  return lines.flatMap((line, at) => {
    const isOther = !known.has(at) && hasNumber(line)
    const why = isOther ? 'the number may belong to something else' : reasons.get(at)
    return why === undefined ? [] : { line: at + 1, written: line.raw.trim(), why }
  })
}

export const parseMarkdown = (text: string): MarkdownChangelog => readText(text, 'CHANGELOG.md')

/** The lines that begin the versions of an export; null if it is none. */
function exportedVersions(raws: readonly string[], isMarkdown: boolean): VersionLine[] | null {
  const classifier = new Classifier(isMarkdown)
  const definitions: Line[] = []
  let mayBePreamble = raws.includes(VERSIONS_COMMENT)
  let found: { at: number; text: string }[] | null = []
  for (const [at, written] of raws.entries()) {
    const line = classifier.next(written)
    const { kind, level, indent, text, raw, isUnderlined } = line
    if (kind === 'definition') definitions.push(line)
    if (mayBePreamble && kind === 'html' && raw === VERSIONS_COMMENT) {
      mayBePreamble = false
      found = []
    }
    if (found === null || indent > 0) continue
    const isHeading = kind === 'heading'
    const isOuter = (isHeading && level <= 2) || (isUnderlined && /^[=-]/.test(text))
    if (isHeading && EXPORTED.test(raw) && saysVersion(raw)) found.push({ at, text })
    else if (isOuter && found.length > 0) found = null
    else if ((isHeading || kind === 'text') && MAY_BE_VERSION.test(raw) && !raw.includes('<!-- type: '))
      found = null
    if (found === null && !mayBePreamble) return null
  }
  const labels = definedIn(definitions)
  const versions = (found ?? []).flatMap(({ at, text }) => {
    const heading = readHeading(text, labels, true)
    return heading ? { at, level: 2, heading } : []
  })
  return versions.length > 0 && versions.length === found?.length ? versions : null
}

/** Our exports tell the status of a version whose label has no number: `## [Older versions]` is somebody else's. */
const saysVersion = (heading: string): boolean =>
  /\d|<!-- /.test(heading) || isUnreleased(/\[(.*?)\]/.exec(heading)?.[1] ?? '')

/**
 * In a file with nothing but a line for most versions, `1.2.0 - Mend the door`, the text beside a number is what changed,
 * and no title. A name is one or two words, and begins with a capital.
 */
function withTitlesAsChanges(versions: ParsedVersion[]): ParsedVersion[] {
  const titled = versions.filter(isLine)
  const sentences = titled.filter(
    ({ title }) => title.split(/\s+/).length > 2 || /^\p{Ll}|\p{Lo}{2}/u.test(title),
  )
  const isMost = titled.length >= LEAST && titled.length * 4 >= versions.length * 3
  if (!isMost || sentences.length * 2 < titled.length) return versions
  return versions.map((version) => {
    if (!isLine(version)) return version
    const changes = [{ type: DEFAULT_TYPE, title: version.title, description: null }]
    return { ...version, title: version.label, changes, source: undefined }
  })
}

/** Fewer may have names, and no changes yet. */
const LEAST = 3

const isLine = ({ label, title, description, closing, changes }: ParsedVersion): boolean =>
  changes.length === 0 &&
  description === null &&
  !closing &&
  !title.includes(label) &&
  /\p{L}{2}/u.test(title)
