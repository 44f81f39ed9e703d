import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Repositories that `git http-backend` serves, as a web server runs it. */
export class GitServer {
  /** Targets of requests, with the number of bytes that were answered. */
  readonly requests: { target: string; headers: Headers; bytes: number }[] = []
  /** What to answer instead. */
  fault: ((request: Request) => Response | null) | null = null

  constructor(private readonly root: string) {}

  /** A bare repository at `/acme/NAME.git`. */
  create(name: string): Repository {
    const bare = join(this.root, 'acme', `${name}.git`)
    mkdirSync(bare, { recursive: true })
    return new Repository(bare, join(this.root, `${name}-work`))
  }

  readonly handler = async (request: Request): Promise<Response> => {
    const url = new URL(request.url)
    const fault = this.fault?.(request)
    if (fault) return fault
    const response = await this.backend(request, url)
    const body = await response.bytes()
    this.requests.push({ target: url.pathname + url.search, headers: request.headers, bytes: body.length })
    return new Response(body, { status: response.status, headers: response.headers })
  }

  taken(): string[] {
    return this.requests.splice(0).map(({ target }) => target)
  }

  private async backend(request: Request, url: URL): Promise<Response> {
    const { headers, method } = request
    const child = Bun.spawn(['git', 'http-backend'], {
      env: {
        ...{ PATH: process.env.PATH ?? '', GIT_PROJECT_ROOT: this.root, GIT_HTTP_EXPORT_ALL: '1' },
        ...{ REQUEST_METHOD: method, PATH_INFO: decodeURIComponent(url.pathname) },
        QUERY_STRING: url.search.slice(1),
        CONTENT_TYPE: headers.get('content-type') ?? '',
        HTTP_CONTENT_ENCODING: headers.get('content-encoding') ?? '',
        GIT_PROTOCOL: headers.get('git-protocol') ?? '',
        REMOTE_ADDR: '127.0.0.1',
      },
      ...{ stdin: new Uint8Array(await request.arrayBuffer()), stdout: 'pipe', stderr: 'ignore' },
    })
    const output = Buffer.from(await new Response(child.stdout).arrayBuffer())
    const end = output.indexOf('\r\n\r\n')
    const lines = output.subarray(0, end).toString('latin1').split('\r\n')
    const fields = lines.map((line): [string, string] => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 2),
    ])
    const status = Number(fields.find(([name]) => name === 'Status')?.[1]?.slice(0, 3) ?? 200)
    const kept = fields.filter(([name]) => name !== 'Status')
    return new Response(output.subarray(end + 4), { status, headers: kept })
  }
}

const WHO = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'init.defaultBranch=main']

/** A repository and a work tree to write it with. */
export class Repository {
  constructor(
    readonly bare: string,
    readonly work: string,
  ) {
    this.run(['init', '--quiet', '--bare', bare], '/')
    this.run(['init', '--quiet', work], '/')
    this.git('remote', 'add', 'origin', bare)
    // As hosts have it.
    this.configure('uploadpack.allowFilter', 'true')
  }

  configure(name: string, value: string): void {
    this.run(['config', name, value], this.bare)
  }

  /** Commits files at a time, and pushes. */
  commit(files: Record<string, string | Uint8Array>, date = '2026-01-02T03:04:05Z'): void {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.work, name)), { recursive: true })
      writeFileSync(join(this.work, name), content)
    }
    this.git('add', '--all')
    this.at(date, 'commit', '--quiet', '--allow-empty', '--message', 'Change')
    this.git('push', '--quiet', '--force', 'origin', 'HEAD')
  }

  /** Without a message the tag is not annotated. */
  tag(name: string, date = '2026-01-02T03:04:05Z', message?: string): void {
    this.at(date, 'tag', '--force', ...(message === undefined ? [] : ['--message', message]), '--', name)
    this.git('push', '--quiet', '--force', 'origin', `refs/tags/${name}`)
  }

  readonly git = (...args: string[]): string => this.run(args, this.work)

  private at(date: string, ...args: string[]): string {
    return this.run(args, this.work, { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date })
  }

  private run(args: readonly string[], cwd: string, env: Record<string, string> = {}): string {
    return execFileSync('git', [...WHO, ...args], {
      cwd,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }
}
