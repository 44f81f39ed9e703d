import type { HostKind } from '../domain/records.ts'
import { Refusal } from '../domain/refusal.ts'
import type { ReleaseHost } from '../formats/releases/read.ts'

export interface Host {
  kind: Exclude<HostKind, 'git'>
  /** The shape of its releases. Forgejo and Gitea use GitHub's. */
  format: ReleaseHost
  /** Takes the parts of a path there. */
  isRepository(parts: readonly string[]): boolean
  api(origin: string): string
  /** The path of a repository under the API. */
  repository(repository: string): string
  /** The path under the repository, for the largest page that there is. */
  releases: string
  file(file: string, ref: string | null): string
  headers(token: string | null): Record<string, string>
}

const isPair = (parts: readonly string[]): boolean => parts.length === 2

const pathOf = (file: string): string => file.split('/').map(encodeURIComponent).join('/')
const atRef = (ref: string | null): string => (ref === null ? '' : `?ref=${encodeURIComponent(ref)}`)

export const HOSTS: Record<Host['kind'], Host> = {
  github: {
    kind: 'github',
    format: 'github',
    isRepository: isPair,
    api: (origin) => (origin === 'https://github.com' ? 'https://api.github.com' : `${origin}/api/v3`),
    repository: (repository) => `/repos/${repository}`,
    releases: '/releases?per_page=100',
    file: (file, ref) => `/contents/${pathOf(file)}${atRef(ref)}`,
    headers: (token) => ({
      // The content of a file, and the markdown of releases.
      accept: 'application/vnd.github.raw+json',
      'x-github-api-version': '2022-11-28',
      ...(token !== null && { authorization: `Bearer ${token}` }),
    }),
  },
  gitlab: {
    kind: 'gitlab',
    format: 'gitlab',
    isRepository: (parts) => parts.length >= 2 && !parts.includes('-'),
    api: (origin) => `${origin}/api/v4`,
    repository: (repository) => `/projects/${encodeURIComponent(repository)}`,
    releases: '/releases?per_page=100',
    file: (file, ref) => `/repository/files/${encodeURIComponent(file)}/raw${atRef(ref ?? 'HEAD')}`,
    headers: (token) => ({ ...(token !== null && { 'private-token': token }) }),
  },
  forgejo: {
    kind: 'forgejo',
    format: 'github',
    isRepository: isPair,
    api: (origin) => `${origin}/api/v1`,
    repository: (repository) => `/repos/${repository}`,
    releases: '/releases?limit=50',
    file: (file, ref) => `/raw/${pathOf(file)}${atRef(ref)}`,
    headers: (token) => ({ ...(token !== null && { authorization: `token ${token}` }) }),
  },
}

const KNOWN: Record<string, Host['kind']> = {
  'github.com': 'github',
  'www.github.com': 'github',
  'gitlab.com': 'gitlab',
  'codeberg.org': 'forgejo',
  'gitea.com': 'forgejo',
}

export const knownHost = (hostname: string): Host['kind'] | null => KNOWN[hostname] ?? null

/** `acme/app` of the address of a repository. Refuses the address of anything else there. */
export function repositoryAt(host: Host, url: URL): string {
  const parts = url.pathname
    .replace(/^\/+|\/+$/g, '')
    .replace(/\.git$/, '')
    .split('/')
  if (host.isRepository(parts) && parts.every((part) => /^[\w.~+-]+$/.test(part) && !/^\.+$/.test(part)))
    return parts.join('/')
  throw new Refusal(`${url.origin}${url.pathname} is not the address of a repository.`, {
    hint: `Use the address of a repository, such as ${url.origin}/acme/app. For a file in it, add --file.`,
  })
}
