import type { HostKind } from '../../../src/domain/records.ts'

export interface PlayedRelease {
  tag: string
  body: string
  prerelease?: boolean
  name?: string
  date?: string
  draft?: boolean
}

const FORBIDDEN = { error: 'forbidden' }

/**
 * A host of repositories that answers as its documentation says: shapes, headers, pages, errors and rate limits of the
 * API that is asked here. It has one repository, `acme/app`.
 */
export class PlayedHost {
  releases: PlayedRelease[] = []
  /** By ref and path, such as `main:CHANGELOG.md`; the default branch is `main`. */
  readonly files = new Map<string, string>()
  /** The token that everything needs, if any. */
  token: string | null = null
  /** Requests that are left of a quota for those without a token, and when it is full again, in seconds. */
  quota: { limit: number; left: number; reset: number } | null = null
  /** The status with which it redirects to where the repository is now, if it has moved. */
  moved: 301 | 302 | null = null
  /** What to answer instead. */
  fault: ((request: Request) => Response | null) | null = null
  readonly requests: { target: string; headers: Headers; status: number }[] = []
  /** Part of what a release shows on GitHub and Forgejo. */
  downloads = 0

  constructor(readonly kind: Exclude<HostKind, 'git'>) {}

  readonly handler = async (request: Request): Promise<Response> => {
    const url = new URL(request.url)
    const response = this.fault?.(request) ?? this.answer(request, url)
    this.requests.push({
      target: url.pathname + url.search,
      headers: request.headers,
      status: response.status,
    })
    return response
  }

  /** The requests since the last call. */
  taken(): string[] {
    return this.requests.splice(0).map(({ target, status }) => `${status} ${target}`)
  }

  private answer(request: Request, url: URL): Response {
    const prefix = { github: '/api/v3', gitlab: '/api/v4', forgejo: '/api/v1' }[this.kind]
    if (!url.pathname.startsWith(`${prefix}/`)) return page(404)
    let path = url.pathname.slice(prefix.length)
    if (this.moved !== null) {
      const [name, id] =
        this.kind === 'gitlab'
          ? ['/projects/acme%2Fapp', '/projects/1']
          : ['/repos/acme/app', '/repositories/1']
      if (path.startsWith(name)) return Response.redirect(url.href.replace(name, id), this.moved)
      path = path.replace(id, name)
    }
    const version = this.versionAnswer(path)
    if (version) return version
    const limited = this.limited(request)
    if (limited) return limited
    if (this.token !== null && this.tokenIn(request) !== this.token) return this.refusal(request)
    const content = this.content(path, url)
    if (content === null) return this.json(this.missing(path), 404)
    const etag = `W/"${new Bun.CryptoHasher('md5').update(content.text + (content.link ?? '')).digest('hex')}"`
    const headers = { ...this.headers(), etag, ...(content.link && { link: content.link }) }
    if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers })
    return new Response(content.text, { headers: { ...headers, 'content-type': content.type } })
  }

  /** What tells one kind from another. */
  private versionAnswer(path: string): Response | null {
    if (this.kind === 'forgejo' && path === '/version') return this.json({ version: '11.0.3+gitea-1.22.0' })
    if (this.kind === 'gitlab' && path === '/version') return this.json({ message: '401 Unauthorized' }, 401)
    if (this.kind === 'github' && path === '/meta') return this.json({ installed_version: '3.17.2' })
    return null
  }

  private limited(request: Request): Response | null {
    const { quota } = this
    if (!quota || this.tokenIn(request) !== null) return null
    if (quota.left > 0) {
      quota.left--
      return null
    }
    if (this.kind === 'gitlab')
      return new Response('Retry later\n', {
        status: 429,
        headers: { ...this.headers(), 'retry-after': '60' },
      })
    const message = "API rate limit exceeded for 127.0.0.1. (But here's the good news: …)"
    return this.json({ message, documentation_url: 'https://docs.github.com/rest' }, 403)
  }

  private tokenIn({ headers }: Request): string | null {
    const given = { github: 'authorization', gitlab: 'private-token', forgejo: 'authorization' }[this.kind]
    return headers.get(given)?.replace(this.kind === 'github' ? /^Bearer / : /^token /, '') ?? null
  }

  /** GitHub and GitLab do not tell a private repository from none. */
  private refusal(request: Request): Response {
    if (this.tokenIn(request) === null) return this.json(this.missing(''), 404)
    if (this.kind === 'github') return this.json({ message: 'Bad credentials', status: '401' }, 401)
    return this.kind === 'gitlab'
      ? this.json({ message: '401 Unauthorized' }, 401)
      : this.json(FORBIDDEN, 401)
  }

  private missing(path: string): unknown {
    if (this.kind === 'github')
      return { message: 'Not Found', documentation_url: 'https://docs.github.com/rest', status: '404' }
    if (this.kind === 'gitlab')
      return { message: path.includes('/files/') ? '404 File Not Found' : '404 Project Not Found' }
    return { errors: null, message: "The target couldn't be found.", url: 'https://forgejo/api/swagger' }
  }

  private content(path: string, url: URL): { text: string; type: string; link?: string } | null {
    const repository = this.kind === 'gitlab' ? '/projects/acme%2Fapp' : '/repos/acme/app'
    if (path === repository) {
      const address = `${url.origin}/${this.moved === null ? 'acme' : 'new'}/app`
      const text = JSON.stringify(this.kind === 'gitlab' ? { web_url: address } : { html_url: address })
      return { text, type: 'application/json' }
    }
    if (!path.startsWith(`${repository}/`)) return null
    const rest = path.slice(repository.length + 1)
    if (rest === 'releases') return this.releasePage(url)
    const file = {
      github: /^contents\/(.+)$/,
      gitlab: /^repository\/files\/([^/]+)\/raw$/,
      forgejo: /^raw\/(.+)$/,
    }[this.kind].exec(rest)?.[1]
    if (file === undefined) return null
    const ref = url.searchParams.get('ref') ?? 'main'
    const text = this.files.get(`${ref === 'HEAD' ? 'main' : ref}:${decodeURIComponent(file)}`)
    return text === undefined ? null : { text, type: 'text/plain; charset=utf-8' }
  }

  private releasePage(url: URL): { text: string; type: string; link?: string } {
    const [name, usual, most] = this.kind === 'forgejo' ? ['limit', 30, 50] : ['per_page', 30, 100]
    const size = Math.min(Number(url.searchParams.get(name) ?? usual), most)
    const page = Number(url.searchParams.get('page') ?? 1)
    const shown = this.releases.slice((page - 1) * size, page * size)
    const last = Math.max(1, Math.ceil(this.releases.length / size))
    const at = (number: number) => `<${url.origin}${url.pathname}?${name}=${size}&page=${number}>`
    const link = page < last ? `${at(page + 1)}; rel="next", ${at(last)}; rel="last"` : undefined
    const text = JSON.stringify(shown.map((release) => this.release(release, url)))
    return { text, type: 'application/json', ...(link && { link }) }
  }

  private release(
    { tag, body, name, date = '2026-01-02T03:04:05Z', draft = false, prerelease = false }: PlayedRelease,
    url: URL,
  ) {
    const page = `${url.origin}/acme/app${this.kind === 'gitlab' ? '/-' : ''}/releases/${tag}`
    if (this.kind === 'gitlab')
      return {
        ...{ tag_name: tag, name: name ?? tag, description: body, created_at: date, released_at: date },
        ...{ upcoming_release: false, author: { id: 1, name: 'Ada' }, _links: { self: page } },
      }
    return {
      ...{ id: 1, tag_name: tag, name: name ?? tag, body, draft, prerelease, html_url: page },
      ...{ created_at: date, published_at: draft ? null : date, author: { login: 'ada' } },
      assets: [{ name: 'app.tar.gz', download_count: this.downloads }],
    }
  }

  private json(value: unknown, status = 200): Response {
    return Response.json(value, { status, headers: this.headers() })
  }

  private headers(): Record<string, string> {
    const { quota } = this
    if (this.kind === 'forgejo') return {}
    if (this.kind === 'gitlab')
      return {
        'x-gitlab-meta': '{"correlation_id":"01","version":"1"}',
        ...(quota && { 'ratelimit-remaining': String(quota.left), 'ratelimit-reset': String(quota.reset) }),
      }
    return {
      ...{ 'x-github-request-id': 'C0DE:1', 'x-github-media-type': 'github.v3; format=json' },
      ...(quota && {
        ...{ 'x-ratelimit-limit': String(quota.limit), 'x-ratelimit-remaining': String(quota.left) },
        ...{ 'x-ratelimit-reset': String(quota.reset), 'x-ratelimit-resource': 'core' },
      }),
    }
  }
}

const page = (status: number): Response =>
  new Response('<!DOCTYPE html><html><body>Sign in</body></html>', {
    ...{ status, headers: { 'content-type': 'text/html' } },
  })
