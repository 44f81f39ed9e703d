import type { Config, Environment } from '../config/config.ts'
import type { ConfigFile } from '../config/file.ts'
import type { Instant, Team } from '../domain/records.ts'
import type { Hint } from '../domain/refusal.ts'
import type { Waiting } from '../store/engines/wait.ts'
import type { HandedOver } from '../worker/settings.ts'

/** All effects of commands. The files of `run/` provide them. */
export interface Context {
  readonly version: string
  readonly env: Environment
  /** True if a package installed this program: commands then use the settings of its service. */
  readonly isPackaged: boolean
  /** True if lines of a server's log begin with the time. The journal adds its own. */
  readonly logHasTimes: boolean
  /** The configuration file, if any, read on demand. */
  readonly configFile: () => ConfigFile | null
  /** Completes the command of a hint, for the database and the settings of this command. */
  readonly complete: (hint: Hint) => Hint
  /** Read for a file called `-`. */
  readonly stdin: Pick<Blob, 'stream'>
  /** Resolves once the text is written, so that a slow reader slows the command down. */
  stdout(text: string | Uint8Array): Promise<void>
  readonly stderr: (text: string) => Promise<void>
  readonly terminal: {
    /** True if questions can be asked. */
    readonly input: boolean
    readonly output: boolean
    /** Columns; infinite if it is not a terminal. */
    readonly width: number
  }
  /** Columns of standard error; infinite if it is not a terminal. */
  messageWidth(): number
  now(): Instant
  confirm(question: string): Promise<boolean>
  /** Runs an editor on a file until it ends: null, or what went wrong. */
  runEditor(command: string, path: string): Promise<string | null>
  /**
   * Serves until a signal. `waiting` is for other commands that use the database at the start, `file` is for a worker
   * beside it.
   */
  serve(config: Config, waiting: Waiting, file: ConfigFile | null): Promise<void>
  /** Works until a signal; a `child` also until its standard input ends, `once` until nothing is due. */
  work(handed: HandedOver, waiting: Waiting, mode: WorkMode): Promise<void>
  /** The settings that a server hands to its `child`. */
  handedOver(): Promise<HandedOver>
  /**
   * Serves the desk until a signal. `announce` gets addresses that work
   * once, unless a proxy signs people in.
   */
  desk(config: Config, waiting: Waiting, announce: (url: string) => Promise<void>): Promise<void>
  /** Serves the pages of a team, drafts included, until a signal. `announce` gets addresses that work once. */
  preview(
    config: Config,
    waiting: Waiting,
    team: Pick<Team, 'id' | 'slug'>,
    path: string,
    announce: (url: string) => Promise<void>,
  ): Promise<void>
  /** Sends one request without a server. */
  get(config: Config, waiting: Waiting, path: string, token?: string): Promise<ApiResponse>
}

/** The parts that the process provides; the rest depends on the arguments. */
export type Surroundings = Omit<Context, 'configFile' | 'complete'>

export type WorkMode = 'forever' | 'child' | 'once'

interface ApiResponse {
  status: number
  headers: [name: string, value: string][]
  body: string
}
