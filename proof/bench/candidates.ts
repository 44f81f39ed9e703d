import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Answer, Ask } from './client.ts'
import type { Dataset } from './data.ts'
import { PROGRAM, scratch } from './processes.ts'

/** A server that can be measured: what to run so that it listens on a port of 127.0.0.1. */
export interface Candidate {
  name: string
  command(port: number): string[]
  env?(port: number): Record<string, string>
}

/** As much as the settings allow. A run must still end before the bucket does: see `REQUESTS_ALLOWED`. */
const RATE_LIMIT = 1_000_000

/** How many requests of one address the limiter lets through before it may refuse one. */
export const REQUESTS_ALLOWED = RATE_LIMIT

/** Ours: the binary, over a database. */
export const changelogd = (
  { path }: Pick<Dataset, 'path'>,
  settings: Record<string, string> = {},
): Candidate => ({
  name: 'changelogd',
  command: () => [PROGRAM, 'serve'],
  env: (port) => ({
    PORT: String(port),
    DATABASE_URL: path,
    RATE_LIMIT_BURST: String(RATE_LIMIT),
    RATE_LIMIT_PER_MINUTE: String(RATE_LIMIT),
    LOG_REQUESTS: 'false',
    ...settings,
  }),
})

/** The limit of the platform: a fetch handler that gives these bytes and headers and checks nothing. */
export const bare = (answer: Answer): Candidate => fixed('bare', answer)

/** The same, but it looks at what it is asked, by whom and how: the limit for a server that has to. */
export const looking = (answer: Answer): Candidate => fixed('looking', answer)

function fixed(name: 'bare' | 'looking', answer: Answer): Candidate {
  const file = answerFile(name, answer)
  return { name, command: (port) => [compiled(name), String(port), file] }
}

/** What one would write first: Elysia and Drizzle, asking the database and serializing at each request. */
export const naive = ({ path }: Dataset): Candidate => ({
  name: 'naive',
  command: (port) => [compiled('naive'), String(port), path],
})

/** What a read from PostgreSQL costs at least: a fetch handler, the same transaction by the bare client, the same bytes. */
export const transaction = (address: string, how: 'plain' | 'pipelined'): Candidate => ({
  name: how,
  command: (port) => [compiled('transaction'), String(port), address, how],
})

/** The library of the Model Context Protocol alone: a server with a tool that returns the result of this answer. */
export function mcpLibrary(answer: Answer, env: Record<string, string> = {}): Candidate {
  const file = answerFile('mcp', answer)
  return { name: 'library', command: (port) => [compiled('mcp'), String(port), file], env: () => env }
}

/** What most teams would write: Fastify and better-sqlite3 with the usual plugins, on Node. */
export const node = ({ path }: Dataset): Candidate => ({
  name: 'node',
  command: (port) => ['node', join(import.meta.dir, 'node/server.js'), String(port), path],
  env: () => ({ NODE_ENV: 'production' }),
})

/** What a careful operator would do instead: the same bytes as a file, with the same headers, or a tag of its own. */
export function nginx(ask: Ask, answer: Answer, workers = 1, tags: 'on' | 'off' = 'off'): Candidate {
  const directory = join(scratch, `nginx-${counter++}`)
  const file = join(directory, 'files', ask.path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, answer.body)
  return {
    name: 'nginx',
    command: (port) => {
      const config = join(directory, 'nginx.conf')
      writeFileSync(config, nginxConfig(directory, port, answer, workers, tags))
      return [nginxProgram() ?? 'nginx', '-p', directory, '-c', config, '-e', 'stderr']
    },
  }
}

/** Debian puts it where only root looks. */
export const nginxProgram = (): string | null =>
  Bun.which('nginx', { PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` })

/** Compiles the references that run on Bun, with the options of our own build. */
export async function compileReferences(): Promise<void> {
  for (const name of COMPILED)
    await Bun.build({
      entrypoints: [join(import.meta.dir, `references/${name}.ts`)],
      minify: { whitespace: true, syntax: true, identifiers: false },
      bytecode: true,
      define: { 'process.env.NODE_ENV': '"production"' },
      compile: { outfile: compiled(name), autoloadDotenv: false, autoloadBunfig: false },
    })
}

const COMPILED = ['bare', 'looking', 'naive', 'transaction', 'mcp'] as const

const compiled = (name: (typeof COMPILED)[number]): string => join(scratch, name)

let counter = 0

/** Headers that a server writes by itself. */
const OWN = new Set(['date', 'content-length', 'connection'])

const lastingHeaders = ({ headers }: Answer) => headers.filter(([name]) => !OWN.has(name.toLowerCase()))

function answerFile(name: string, answer: Answer): string {
  const file = join(scratch, `${name}-${counter++}.json`)
  writeFileSync(file, JSON.stringify({ ...answer, headers: lastingHeaders(answer) }))
  return file
}

const quoted = (text = ''): string => `'${text.replaceAll("'", "\\'")}'`

function nginxConfig(
  directory: string,
  port: number,
  answer: Answer,
  workers: number,
  tags: 'on' | 'off',
): string {
  const own = ['content-type', tags === 'on' ? 'etag' : '']
  const added = lastingHeaders(answer).filter(([name]) => !own.includes(name.toLowerCase()))
  const type = answer.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes ${workers};
pid ${directory}/nginx.pid;
error_log stderr error;
events { worker_connections 256; }
http {
  ${temporary.map((kind) => `${kind}_temp_path ${directory}/${kind};`).join('\n  ')}
  access_log off;
  server_tokens off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  open_file_cache max=1000 inactive=1h;
  open_file_cache_valid 1h;
  limit_req_zone $binary_remote_addr zone=public:10m rate=1000000r/s;
  server {
    listen 127.0.0.1:${port}${workers > 1 ? ' reuseport' : ''};
    root ${directory}/files;
    limit_req zone=public burst=1000000 nodelay;
    default_type ${quoted(type)};
    etag ${tags};
    max_ranges 0;
    add_header Last-Modified "";
    ${added.map(([name, value]) => `add_header ${name} ${quoted(value)};`).join('\n    ')}
  }
}
`
}
