import type { Sandbox } from '../sandbox.ts'
import { freePort } from '../servers/free-port.ts'
import { type Child, listening, outputOf } from '../servers/process.ts'

type Fields = Readonly<Record<string, string>>

/** A page of the desk, and how to send its forms. */
export interface DeskPage {
  status: number
  /** The address it was sent from, after redirects. */
  path: string
  headers: Headers
  html: string
  /** The text of the page without its tags. */
  text: string
  /** The value of a field: the first of this name. */
  field(name: string): string
}

/** A desk in a browser without script: it keeps its cookie, and sends forms with what they have. */
export class TestDesk {
  private constructor(
    readonly child: Child,
    readonly origin: string,
    readonly base: string,
    readonly headers: Fields,
  ) {}

  /** Starts a desk, and enters by its one-time address. */
  static start(box: Sandbox, env: Record<string, string> = {}): Promise<TestDesk> {
    return TestDesk.enter(box.start(['desk'], env))
  }

  static async enter(child: Child): Promise<TestDesk> {
    const url = await listening(child)
    const entered = await fetch(url, { redirect: 'manual' })
    const cookie = entered.headers.get('set-cookie')?.split('; ')[0] ?? ''
    const base = (entered.headers.get('location') ?? '').replace(/\/$/, '')
    return new TestDesk(child, new URL(url).origin, base, { cookie })
  }

  /** A desk behind a proxy at this port, which names `user`. */
  static behindProxy(child: Child, port: number, headers: Fields): TestDesk {
    return new TestDesk(child, `http://127.0.0.1:${port}`, '', headers)
  }

  /** A desk for everybody whom this header names, as if a proxy had signed them in. */
  static async forUser(box: Sandbox, user: string, env: Record<string, string> = {}): Promise<TestDesk> {
    const port = await freePort()
    const child = box.start(['desk'], {
      DESK_URL: `http://127.0.0.1:${port}`,
      DESK_PORT: String(port),
      DESK_USER_HEADER: 'X-User',
      DESK_PROXIES: '127.0.0.1',
      DESK_TEAMS: '*',
      ...env,
    })
    await outputOf(child).address
    return TestDesk.behindProxy(child, port, { 'x-user': user })
  }

  as(headers: Fields): TestDesk {
    return new TestDesk(this.child, this.origin, this.base, headers)
  }

  /** Follows redirects, as a browser does. */
  async get(path: string): Promise<DeskPage> {
    return this.page(await this.fetch(path))
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...this.headers, ...(init.headers as Record<string, string> | undefined) }
    return fetch(this.origin + this.base + path, { redirect: 'manual', ...init, headers })
  }

  /** Sends a form of a page: its token, and what else it has hidden, with these fields. */
  async send(page: DeskPage, fields: Fields, path = page.path): Promise<DeskPage> {
    const hidden = Object.fromEntries(
      ['token', 'opened', 'was', 'seen'].flatMap((name) =>
        page.html.includes(`name="${name}"`) ? [[name, page.field(name)]] : [],
      ),
    )
    return this.post(path, { ...hidden, ...fields })
  }

  /** Does what the menu of a version in a list offers. */
  async act(list: DeskPage, id: string, fields: Fields): Promise<DeskPage> {
    const menu = list.html.split('<form').find((form) => form.includes(`name="version" value="${id}"`)) ?? ''
    const state = /name="state" value="(\w+)"/.exec(menu)?.[1] ?? ''
    return this.send(list, { version: id, state, ...fields })
  }

  async post(path: string, fields: Fields, headers: Fields = { origin: this.origin }): Promise<DeskPage> {
    const body = new URLSearchParams(fields)
    return this.page(await this.fetch(path, { method: 'POST', body, headers }))
  }

  /** Ends it as Ctrl+C does: its exit status. */
  async stop(): Promise<number> {
    this.child.kill('SIGINT')
    return this.child.exited
  }

  private async page(response: Response): Promise<DeskPage> {
    const location = response.headers.get('location')
    if (response.status === 303 && location) return this.get(location.slice(this.base.length))
    const html = await response.text()
    return {
      status: response.status,
      path: new URL(response.url).pathname.slice(this.base.length),
      headers: response.headers,
      html,
      text: unescaped(html.replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' '),
      field: (name) => {
        const area = new RegExp(`<textarea[^>]* name="${name}"[^>]*>\\n([^<]*)`).exec(html)?.[1]
        return unescaped(area ?? new RegExp(` name="${name}"[^>]* value="([^"]*)"`).exec(html)?.[1] ?? '')
      },
    }
  }
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
