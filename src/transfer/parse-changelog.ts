import { repositoryIn, repositoryOfRelease } from '../domain/addresses/repository.ts'
import { Refusal, toRun } from '../domain/refusal.ts'
import { cut } from '../domain/text/cut.ts'
import type { Format } from '../formats/detect.ts'
import { parseDebian } from '../formats/lines/debian.ts'
import { readText } from '../formats/lines/read.ts'
import {
  FormatError,
  fillDates,
  NOT_UTF_8,
  type ParsedChangelog,
  type ReadOptions,
  type TagDate,
  type UntakenLine,
} from '../formats/parsed.ts'
import { parseReleases } from '../formats/releases/read.ts'
import { parseRush } from '../formats/rush.ts'
import type { TakenPicture } from './pictures/take.ts'

/** A parsed file, folder or repository. */
export interface ChangelogSource {
  /** How messages name the input. */
  name: string
  format: Exclude<Format, 'json'> | 'git'
  parsed: ParsedChangelog
  /** Repositories: dates of versions without content. */
  dates?: readonly TagDate[]
  /** Pictures that its versions show, taken from beside the file. */
  pictures?: readonly TakenPicture[]
}

type FileFormat = Exclude<Format, 'json' | 'changesets'>

/**
 * Parses the text of a file called `name`. Refuses a text that cannot be understood, and one without versions. Only some
 * formats keep to `mostVersions`: count the versions of the result where they matter.
 */
export function parseChangelog(
  name: string,
  text: string,
  format: FileFormat,
  options: ReadOptions = {},
): ChangelogSource {
  try {
    const parsed = READERS[format](text, name, options)
    if (parsed.versions.length === 0)
      throw nothingFound(name, text, format, options.isInsisting, parsed.untaken)
    fillDates(parsed.versions, options.tags ?? [])
    const others = options.others?.map((line) => ({ line, message: NOT_UTF_8 })) ?? []
    if (others.length > 0) parsed.warnings = [...others, ...parsed.warnings].sort((a, b) => a.line - b.line)
    return { name, format, parsed }
  } catch (error) {
    throw asRefusal(name, error)
  }
}

type Reader = (text: string, name: string, options: ReadOptions) => ParsedChangelog

const READERS: Record<FileFormat, Reader> = {
  keepachangelog: (text, ...rest) => {
    const repository = repositoryIn(text)
    return { ...readText(text, ...rest), ...(repository !== null && { repository }) }
  },
  github: (text) => parseReleases(text, 'github'),
  gitlab: (text) => parseReleases(text, 'gitlab'),
  rush: parseRush,
  debian: parseDebian,
}

/** A refusal of a mistake in a text; any other error unchanged. */
export function asRefusal(name: string, error: unknown): unknown {
  if (error instanceof RangeError) return new Refusal(`${name}: nested too deeply.`, { cause: error })
  return error instanceof FormatError ? new Refusal(`${name}: ${error.message}.`, { cause: error }) : error
}

/** Refuses a text without versions. Quotes what it has in their place, such as a link or a heading, and names a remedy. */
function nothingFound(
  name: string,
  text: string,
  format: FileFormat,
  isInsisting = false,
  untaken: readonly UntakenLine[] = [],
): Refusal {
  if (format === 'github' || format === 'gitlab')
    return new Refusal(`${name}: no release found.`, {
      hint: `Give the JSON of ${format}'s releases API.`,
    })
  const none = `${name}: no version found`
  const hint = VERSION_FORMS[format]
  const [line] = untaken
  if (line !== undefined)
    return new Refusal(`${none}. Line ${line.line}, "${cut(line.written, 60)}": ${line.why}.`, {
      hint: isInsisting ? hint : `If it is a changelog, add --format ${format}.`,
    })
  const page = text.length <= LONGEST_NOTE ? PAGE.exec(text)?.[0] : undefined
  if (page !== undefined) {
    const source = followed(page)
    const advice =
      source && toRun('To import it', 'follow', ['TEAM/PRODUCT', source.url], { file: source.file })
    return new Refusal(`${none}, only a link: <${page}>.`, { hint: advice ?? hint })
  }
  const headings = text.match(/^#{1,6} +\S.*$/gm) ?? []
  const [first] = headings
  const among = headings.length === 1 ? 'the only heading' : `${headings.length} headings, the first`
  return new Refusal(first ? `${none} in ${among}: "${cut(first, 60)}".` : `${none}.`, { hint })
}

/** The most characters of a file that only says where the changelog is. */
const LONGEST_NOTE = 600
const PAGE = /https?:\/\/[^\s<>()[\]"'`]+(?<![.,;:!?])/

/** `follow` arguments for a page: releases, a file of a repository, or a file. */
function followed(page: string): { url: string; file: string | null } | null {
  const file = /^(?<repository>https:\/\/[^/]+\/[^/]+\/[^/]+)\/blob\/[^/]+\/(?<path>[\w./-]+)/.exec(
    page,
  )?.groups
  if (file) return { url: String(file.repository), file: String(file.path) }
  const url = repositoryOfRelease(page) ?? (/\.(?:md|txt|rst)$/i.test(page) ? page : null)
  return url === null ? null : { url, file: null }
}

const VERSION_FORMS = {
  keepachangelog: 'Use a heading such as "## [1.2.0] - 2026-01-02".',
  rush: 'Use an object in "entries".',
  debian: 'Use a line such as "hello (2.10-3) unstable; urgency=medium".',
}
