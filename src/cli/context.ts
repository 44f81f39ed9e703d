import type { Config, Environment } from '../config.ts'
import type { Instant } from '../domain/records.ts'

/** Everything a command meets of the world outside: given by `main.ts`, so that nothing below it reaches out. */
export interface Context {
  /** This program's version, for `--version`. */
  readonly version: string
  readonly env: Environment
  /** Writes to standard output; resolves once the text is written, so that a slow reader slows the command down. */
  readonly stdout: (text: string) => Promise<void>
  /** The same for standard error. */
  readonly stderr: (text: string) => Promise<void>
  readonly terminal: {
    /** Whether standard input is a terminal, so that a question can be asked. */
    readonly input: boolean
    /** Whether standard output is a terminal. */
    readonly output: boolean
    /** How many columns standard output has; infinitely many where it is no terminal. */
    readonly width: number
  }
  now(): Instant
  /** Asks a yes-or-no question at the terminal. */
  confirm(question: string): Promise<boolean>
  /** Shows how far something long has come, where a person watches; `total` is its whole. */
  progress(total: number): Promise<Progress>
  /** Serves until told to stop. */
  serve(config: Config): Promise<void>
  /** One request through the real application, without a server. */
  get(config: Config, path: string, token?: string): Promise<ApiResponse>
}

export interface Progress {
  update(done: number): void
  end(): void
}

export interface ApiResponse {
  status: number
  headers: [name: string, value: string][]
  body: string
}
