import { Refusal, type RefusalKind } from '../../domain/refusal.ts'
import { Places } from '../../outgoing/places.ts'
import type { CheckContext } from '../check-context.ts'
import { MOST_MS, MOST_SOURCE_BYTES } from '../fetch.ts'
import { gitOutput, gitProgram } from './program.ts'
import type { Remote } from './remote.ts'

/** The oldest that connects to an address that was checked (`http.curloptResolve`). */
const OLDEST = [2, 37] as const

const checkedPrograms = new Set<string>()

/** Nothing of a remote runs here, nothing of this machine's configuration counts, and git asks nobody. */
const CONFIG = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.askPass', ''],
  // Larger files are not held in memory, and each thread would need its own.
  ['core.bigFileThreshold', String(MOST_SOURCE_BYTES)],
  ['core.deltaBaseCacheLimit', '16m'],
  ['pack.threads', '1'],
  ['credential.helper', ''],
  ['fetch.recurseSubmodules', 'false'],
  ['submodule.recurse', 'false'],
  ['transfer.bundleURI', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['protocol.version', '2'],
  ['http.followRedirects', 'false'],
  ['http.sslVerify', 'true'],
  ['http.proxy', ''],
  ['http.lowSpeedLimit', '1000'],
  ['http.lowSpeedTime', '30'],
] as const

/** In KiB, per git process, which unpacks a tag, a commit or a directory in memory, however few bytes were sent of it. */
const MOST_MEMORY = 128 * 1024

/** Few processes run at a time, and few of them for one host, which may be slow. */
const PLACES = new Places({ all: 8, ofHost: 2, slowMs: Infinity })

/** The shell's limits: on files in blocks of 512 bytes, on memory in KiB. Linux counts no mapped file as memory. */
const LIMITED = `ulimit -f ${MOST_SOURCE_BYTES / 512} && ulimit -S -d ${MOST_MEMORY} && exec "$@"`

/** The side of a repository on this machine also runs under the limit, and it may be large. */
const UPLOAD_PACK = `ulimit -S -d ${4 * MOST_MEMORY} && git-upload-pack`

/** git has failed: its mirror may be the reason. `output` is its message. */
export class GitFailure extends Refusal {
  constructor(
    message: string,
    readonly output: string,
    hint?: string,
    kind: RefusalKind = 'refused',
  ) {
    super(message, { hint, kind })
  }
}

/** Runs git on a mirror. Refuses a failure, with git's own first line; `name` is the remote in messages. */
export class Git {
  private constructor(
    private readonly program: string,
    readonly mirror: string,
    private readonly remote: Remote,
    readonly name: string,
    private readonly context: CheckContext,
  ) {}

  /** Refuses without git, or with one that is too old. */
  static async open(mirror: string, remote: Remote, name: string, context: CheckContext): Promise<Git> {
    const program = gitProgram(
      context.env.PATH,
      'This source',
      'follow releases or a file by an https:// address. The image has no git.',
    )
    const git = new Git(program, mirror, remote, name, context)
    if (checkedPrograms.has(program)) return git
    const [, major, minor] =
      /(\d+)\.(\d+)/.exec(text(await git.run(['version'], { isElsewhere: true }))) ?? []
    const isOld = Number(major) < OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) < OLDEST[1])
    if (isOld)
      throw new Refusal(`git ${major}.${minor} is too old. Sources need ${OLDEST.join('.')} or newer.`)
    checkedPrograms.add(program)
    return git
  }

  /** Runs it in the mirror when it is its turn; with `isElsewhere` at once, and the mirror need not be there. */
  async run(args: readonly string[], { isElsewhere = false, input = '' } = {}): Promise<Uint8Array> {
    if (isElsewhere) return this.output(args, input, {})
    const host = URL.parse(this.remote.url)?.host ?? this.remote.url
    const env = { GIT_DIR: this.mirror }
    return PLACES.add(this.mirror, { host, isFailing: false }, () => this.output(args, input, env))
  }

  private async output(args: readonly string[], input: string, env: object): Promise<Uint8Array> {
    const { signal } = this.context
    const timeout = AbortSignal.timeout(MOST_MS)
    const command = ['/bin/sh', '-c', `cd / && ${LIMITED}`, 'sh', this.program, '--no-pager', ...args]
    return gitOutput(command, {
      env: { ...this.environment(), ...env },
      input,
      mostBytes: MOST_OUTPUT,
      signal: AbortSignal.any([timeout, signal]),
      tooMuch: () => new Refusal(`The output of git for ${this.name} is too large.`),
      failure: (said) => {
        signal.throwIfAborted()
        const late = `git did not finish within ${MOST_MS / 1000} seconds for ${this.name}.`
        return timeout.aborted ? new GitFailure(late, '') : this.failure(said)
      },
    })
  }

  private environment(): Record<string, string> {
    const { env } = this.context
    const config = [
      ...CONFIG,
      ['remote.origin.url', this.remote.url],
      ['remote.origin.promisor', 'true'],
      ...(this.remote.protocol === 'file' ? [['remote.origin.uploadpack', UPLOAD_PACK]] : []),
      ...this.remote.config,
    ]
    return {
      PATH: env.PATH ?? '',
      HOME: '/nonexistent',
      LC_ALL: 'C',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_SYSTEM: '/dev/null',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ALLOW_PROTOCOL: this.remote.protocol,
      GIT_LFS_SKIP_SMUDGE: '1',
      GIT_LITERAL_PATHSPECS: '1',
      GIT_NO_REPLACE_OBJECTS: '1',
      GIT_SSH_VARIANT: 'ssh',
      ...(this.remote.ssh !== undefined && { GIT_SSH_COMMAND: this.remote.ssh }),
      ...(env.GIT_SSL_CAINFO !== undefined && { GIT_SSL_CAINFO: env.GIT_SSL_CAINFO }),
      ...(env.SSH_AUTH_SOCK !== undefined && { SSH_AUTH_SOCK: env.SSH_AUTH_SOCK }),
      GIT_CONFIG_COUNT: String(config.length),
      ...Object.fromEntries(
        config.flatMap(([name, value], at) => [
          [`GIT_CONFIG_KEY_${at}`, name],
          [`GIT_CONFIG_VALUE_${at}`, value],
        ]),
      ),
    }
  }

  private failure(said: string): GitFailure {
    const problem = (this.remote.secrets ?? []).reduce((text, secret) => text.replaceAll(secret, '…'), said)
    if (TOO_LARGE.test(problem))
      return new GitFailure(`${this.name} sent more than 20 MB.`, problem, SEND_LESS)
    if (OUT_OF_MEMORY.test(problem))
      return new GitFailure(`git needs more than 128 MB of memory for ${this.name}.`, problem, NEED_LESS)
    const line =
      problem
        .split('\n')
        .map((one) => one.trim())
        .find((one) => /^(fatal|error|remote|ERROR|Host key|Permission denied)/.test(one)) ?? 'it failed'
    const reason = line.replace(/^(fatal|error|remote):\s*/i, '').slice(0, 200)
    const [, remedy, kind] = REMEDIES.find(([pattern]) => pattern.test(problem)) ?? []
    const message = `git cannot read ${this.name}: ${reason.replace(/\.*$/, '.')}`
    return new GitFailure(message, problem, remedy, kind)
  }
}

/** What git says of more than its files may have. */
export const TOO_LARGE = /signal 25|File too large|file size limit/i

/** What git says with too little memory, here or on the server. */
export const OUT_OF_MEMORY = /^(?:remote: )?(?:fatal|error): .*out of memory/im

const SEND_LESS =
  'Set uploadpack.allowFilter=true on the git server, or follow the file by its https:// address.'

const NEEDS_TOKEN = 'Give a token with --token-file.'
const NEED_LESS = 'If there are very many branches, use --ref, or follow the file by its https:// address.'

const REMEDIES: readonly (readonly [RegExp, string, RefusalKind?])[] = [
  [/host key verification failed/i, 'Add the key of the host to the FOLLOW_KNOWN_HOSTS file.'],
  [/permission denied \(/i, 'Give the private key for ssh with --token-file.'],
  [/authentication failed|could not read username|returned error: 401/i, NEEDS_TOKEN, 'unauthorized'],
  [/returned error: 403/i, NEEDS_TOKEN],
  [/not found|returned error: 404|does not appear to be a git repo/i, 'Check the address.', 'not_found'],
  [/dubious ownership/i, 'Make the user of the worker the owner of the repository.'],
  [/unable to update url base from redirection|returned error: 30\d/i, 'Follow the new address instead.'],
]

/** More than the refs of any repository that fit into the memory of git. */
const MOST_OUTPUT = 32 * 1024 * 1024

export const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
