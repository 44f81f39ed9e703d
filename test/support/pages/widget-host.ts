import type { Page } from 'puppeteer-core'
import { publicPath, type Settings, startServer, type TestServer, THE_BINARY } from '../servers/server.ts'
import { untilOn } from './browser.ts'

const DAY = 86_400_000
const FIRST_DAY = Date.UTC(2026, 0, 2)

/** The pages of somebody else: what they are made of is given the snippet, whose parts may stand apart. */
export type HostPages = Record<string, (snippet: string, script: string, widget: string) => string>

const PLAIN: HostPages = {
  '/': (snippet) => `<main><h1>Elsewhere</h1>${snippet} <button id="after">After</button></main>`,
}

let shared: Promise<TestServer> | undefined
let count = 0

/**
 * A new changelog on a server, and pages of another origin that embed it under a strict policy; only their own scripts and
 * styles may be inline. One server is for all, except with settings.
 */
export async function startWidgetHost(pages = PLAIN, settings?: Settings) {
  shared ??= settings ? undefined : startServer(THE_BINARY)
  const server = settings ? await startServer(THE_BINARY, settings) : await (shared as Promise<TestServer>)
  const [team, product] = [`acme-${++count}`, 'app']
  const { changelogId } = server.seed.product(server.seed.team(team), product)
  /** A change is its title, of the type `added`, or a type and a title. */
  const publish = (label: string, day: number, title: string, ...changes: (string | [string, string])[]) =>
    server.seed.version(changelogId, label, {
      title,
      publishedAt: FIRST_DAY + day * DAY,
      changes: changes
        .map((change) => (typeof change === 'string' ? (['added', change] as const) : change))
        .map(([type, title]) => ({ type, title })),
    })
  publish('1.0.0', 0, 'First', 'Search in `all` **documents**, see [the guide](https://guide.example/a)')
  publish('1.1.0', 1, 'Second')
  const script = `<script src="${server.url}/widget.js"></script>`
  const widget = `<changelog-widget src="${server.url}${publicPath(team, product)}"></changelog-widget>`
  const inline = pages === PLAIN ? '' : "'unsafe-inline'"
  const host = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) => {
      const page = pages[new URL(url).pathname]
      if (!page) return new Response('', { status: 404 })
      return new Response(
        `<!doctype html><html lang="en"><head><title>Elsewhere</title><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"></head>
        <body>${page(script.replace('></', ' async></') + widget, script, widget)}</body></html>`,
        {
          headers: {
            'content-type': 'text/html',
            'content-security-policy': `default-src 'none'; img-src data:; script-src ${inline} ${server.url}; connect-src ${server.url}; style-src ${inline || "'none'"}`,
          },
        },
      )
    },
  })
  return {
    seed: server.seed,
    changelogId,
    publish,
    changelog: `${server.url}/changelog/${team}/${product}`,
    page: host.url.href,
    allowed: [host.url.origin, server.url],
    async [Symbol.asyncDispose]() {
      await host.stop(true)
      if (settings) await server[Symbol.asyncDispose]()
    },
  }
}

/** Opens a page, and waits until every widget on it has loaded. */
export async function openHost(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await untilOn(
    page,
    "[...document.querySelectorAll('changelog-widget')].every((each) => each.shadowRoot?.querySelector('.panel > :not(.top, .all, .loading)'))",
  )
}

/** What a field of an element in the first widget is. */
export const inWidget = (page: Page, selector: string, field = 'textContent') =>
  page.evaluate(
    `document.querySelector('changelog-widget').shadowRoot.querySelector('${selector}')?.${field}`,
  )

/** What something is of each such element in the first widget. */
export const allInWidget = (page: Page, selector: string, what: string) =>
  page.evaluate(
    `[...document.querySelector('changelog-widget').shadowRoot.querySelectorAll('${selector}')].map((each) => ${what})`,
  )

/** Waits until a field of an element in the first widget is this. */
export const untilInWidget = (page: Page, selector: string, field: string, value: unknown) =>
  untilOn(
    page,
    `document.querySelector('changelog-widget').shadowRoot.querySelector('${selector}').${field} === ${JSON.stringify(value)}`,
  )

/** Clicks on the button of the first widget, and waits until its panel has opened or closed. */
export const togglePanel = (page: Page) =>
  page.evaluate(`new Promise((resolve) => {
    const { shadowRoot } = document.querySelector('changelog-widget')
    shadowRoot.querySelector('.panel').addEventListener('toggle', () => resolve(), { once: true })
    shadowRoot.querySelector('button').click()
  })`)

export const isPanelOpen = (page: Page) => inWidget(page, '.panel', "matches(':popover-open')")
