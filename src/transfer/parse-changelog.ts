import { Refusal } from '../domain/refusal.ts'
import type { Format } from '../formats/detect.ts'
import { FormatError, fillDates, type ParsedChangelog, type ReadOptions } from '../formats/parsed.ts'
import { parseReleases } from '../formats/releases/read.ts'
import { parseRush } from '../formats/rush.ts'
import { parseDebian } from '../formats/text/debian.ts'
import { readText } from '../formats/text/read.ts'
import type { ChangelogSource } from './source.ts'

type FileFormat = Exclude<Format, 'json' | 'changesets'>

/**
 * Parses the text of a file called `name`. Refuses a text that cannot be understood, and one without versions. Not every
 * format is refused early for its many versions.
 */
export function parseChangelog(
  name: string,
  text: string,
  format: FileFormat,
  options: ReadOptions = {},
): ChangelogSource {
  try {
    const parsed = READERS[format](text, name, options)
    if (parsed.versions.length === 0) throw nothingFound(name, format)
    fillDates(parsed.versions, options.tags ?? [])
    return { name, format, parsed }
  } catch (error) {
    throw asRefusal(name, error)
  }
}

type Reader = (text: string, name: string, options: ReadOptions) => ParsedChangelog

const READERS: Record<FileFormat, Reader> = {
  keepachangelog: readText,
  github: (text) => parseReleases(text, 'github'),
  gitlab: (text) => parseReleases(text, 'gitlab'),
  rush: parseRush,
  perl: readText,
  debian: parseDebian,
}

/** A refusal of what the author of a text got wrong; any other error unchanged. */
export function asRefusal(name: string, error: unknown): unknown {
  if (error instanceof RangeError)
    return new Refusal(`${name}: nested too deeply to be read.`, { cause: error })
  return error instanceof FormatError ? new Refusal(`${name}: ${error.message}.`, { cause: error }) : error
}

const nothingFound = (name: string, format: FileFormat): Refusal =>
  format === 'github' || format === 'gitlab'
    ? new Refusal(`${name}: no release found.`, {
        hint: `Expected the JSON of ${format}'s releases endpoint.`,
      })
    : new Refusal(`${name}: no version found.`, { hint: VERSION_FORMS[format] })

const VERSION_FORMS = {
  keepachangelog: 'A version is a heading such as "## [1.2.0] - 2026-01-02".',
  rush: 'A version is an object in "entries".',
  perl: 'A version is a line such as "1.02 2026-01-02", without blanks in front.',
  debian: 'A version is a line such as "hello (2.10-3) unstable; urgency=medium".',
}
