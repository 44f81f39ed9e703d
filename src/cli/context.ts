import type { Config, Environment } from '../config/config.ts'
import type { ConfigFile } from '../config/file.ts'
import type { Instant, Team } from '../domain/records.ts'
import type { Waiting } from '../store/wait.ts'

/** All effects of commands. `main.ts` and `serving.ts` provide them. */
export interface Context {
  readonly version: string
  readonly env: Environment
  /** Whether this is the program of a package, whose commands use the settings of its service. */
  readonly isPackaged: boolean
  /** Whether the text lines of a server's log begin with the time: the journal has it without. */
  readonly logHasTimes: boolean
  /** The configuration file, if one is named: read when it is needed. */
  readonly configFile: () => ConfigFile | null
  /** Standard input, read when a file is called `-`. */
  readonly stdin: Pick<Blob, 'size' | 'stream'>
  /** Writes to standard output; resolves once the text is written, so that a slow reader slows the command down. */
  readonly stdout: (text: string) => Promise<void>
  /** The same for standard error. */
  readonly stderr: (text: string) => Promise<void>
  readonly terminal: {
    /** Whether standard input is a terminal, so that a question can be asked. */
    readonly input: boolean
    /** Whether standard output is a terminal. */
    readonly output: boolean
    /** Columns of standard output; infinite if it is not a terminal. */
    readonly width: number
  }
  /** Columns of standard error; infinite if it is not a terminal. */
  readonly messageWidth: number
  now(): Instant
  /** Asks a yes-or-no question at the terminal. */
  confirm(question: string): Promise<boolean>
  /** Shows the progress of long work at a terminal; `total` is the amount of work. */
  progress(total: number): Promise<Progress>
  /** Runs an editor on a file, and resolves when it has ended: null, or what went wrong. */
  runEditor(command: string, path: string): Promise<string | null>
  /** Serves until a signal stops it. `waiting` is for other commands that use the database at the start. */
  serve(config: Config, waiting: Waiting): Promise<void>
  /**
   * Serves the pages of a team on this machine, drafts included, until a signal stops it. `announce` gets the address at
   * which they are; it works once, and leads to `path`.
   */
  preview(
    config: Config,
    waiting: Waiting,
    team: Pick<Team, 'id' | 'slug'>,
    path: string,
    announce: (url: string) => Promise<void>,
  ): Promise<void>
  /** Sends one request to the application, without a server. */
  get(config: Config, waiting: Waiting, path: string, token?: string): Promise<ApiResponse>
}

/** A context for printing help; its effects reject. */
export function emptyContext(version: string): Context {
  const unused = () => Promise.reject(new Error('not used here'))
  return {
    version,
    env: {},
    isPackaged: false,
    logHasTimes: true,
    configFile: () => null,
    stdin: new Blob(),
    stdout: async () => {},
    stderr: async () => {},
    terminal: { input: false, output: false, width: Number.POSITIVE_INFINITY },
    messageWidth: Number.POSITIVE_INFINITY,
    now: () => 0,
    confirm: unused,
    progress: unused,
    runEditor: unused,
    serve: unused,
    preview: unused,
    get: unused,
  }
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
