import type { Format } from '../formats/detect.ts'
import type { LocatedRecord } from '../formats/native/read.ts'
import type { ParsedChangelog, TagDate } from '../formats/parsed.ts'
/** What an input holds. */
export type Source = ChangelogSource | ExportSource

export interface ChangelogSource {
  /** What messages call the input. */
  name: string
  format: Exclude<Format, 'json'> | 'git'
  parsed: ParsedChangelog
  /** Of a repository: the dates of versions of which it says nothing else. */
  dates?: readonly TagDate[]
}

/** One of our own exports, whose records are read one by one. `where` of each begins with the name of the input. */
export interface ExportSource {
  format: 'json'
  records(): AsyncIterable<LocatedRecord>
}
