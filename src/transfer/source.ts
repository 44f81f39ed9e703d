import type { Format } from '../formats/detect.ts'
import type { LocatedRecord } from '../formats/native/read.ts'
import type { ParsedChangelog, TagDate } from '../formats/parsed.ts'

export type ImportSource = ChangelogSource | ExportSource

export interface ChangelogSource {
  /** How messages name the input. */
  name: string
  format: Exclude<Format, 'json'> | 'git'
  parsed: ParsedChangelog
  /** Repositories: dates of versions without content. */
  dates?: readonly TagDate[]
  /** Set if only a file was read: the SHA-256 of its bytes. */
  digest?: string
}

/** One of our exports, read record by record. `where` begins with the name of the input. */
export interface ExportSource {
  format: 'json'
  records(): AsyncIterable<LocatedRecord>
}
