import { removeLeftovers } from '../test/support/leftovers.ts'
import type { Table } from './table.ts'

/** Something that is proved by running it for minutes or hours: `bun run proof NAME`. */
export interface Proof<R = unknown> {
  name: string
  /** What it proves, as the end of "it …". */
  proves: string
  /** How long a whole run takes. */
  takes: string
  /** Whether it runs dist/changelogd, which is then built first. */
  isOnBinary: boolean
  /** Programs that it needs, each with the Debian package that has it. */
  needs?: Readonly<Record<string, string>>
  /** What it takes beside `--quick`, `--only`, `--update` and `--no-build`. */
  options?: Readonly<Record<string, Option>>
  /** What is in the file that it takes, if it takes one: without it, the proof is left out. */
  file?: string
  /** What `--only` takes, in the order in which they run. */
  parts: readonly string[]
  /** Those that `bun run proof --quick` runs, which takes a few minutes for all proofs. */
  sample: readonly string[]
  /** What was measured, for the terminal and for RESULTS.md. */
  tables(parts: readonly Part<R>[]): Table[]
  /** What the figures say, if that is not how many promises were broken. */
  verdict?(parts: readonly Part<R>[]): string
  /** What RESULTS.md says beside the tables. */
  notes?(parts: readonly Part<R>[]): string
  /** Throws if an option is wrong. Disposing of the run removes everything that it has started or written. */
  open(choice: Choice): Run<R>
}

export interface Option {
  type: 'string' | 'boolean'
  says: string
  /** With it, something else is measured than what is stored: the results are only printed. */
  isTrial?: boolean
}

/** What the command line chose. */
export interface Choice {
  /** A short form, to see whether everything works. */
  quick: boolean
  parts: readonly string[]
  /** The values of the proof's own options. */
  values: Readonly<Record<string, string | boolean | undefined>>
}

export interface Run<R> extends AsyncDisposable {
  /** What all parts need. */
  prepare?(): Promise<void>
  /** Throws if the part could not be measured, which is a failure of it. */
  measure(part: string): Promise<Measurement<R>>
}

export interface Measurement<R> {
  rows: readonly R[]
  /** Each broken promise or missed target, in a line or more. */
  failures: readonly string[]
}

/** One part of a proof as it is stored. */
export interface Part<R = unknown> {
  name: string
  measured: Measured
  seconds: number | null
  /** How many promises were broken. */
  failed: number
  rows: readonly R[]
}

/** When, of what and where something was measured. */
export interface Measured {
  /** As `2026-11-17`. */
  date: string
  commit: string
  machine: string
}

/** Removes what the parts have registered with `removedAtEnd`. */
export const REMOVING_LEFTOVERS = {
  async [Symbol.asyncDispose]() {
    removeLeftovers()
  },
}
