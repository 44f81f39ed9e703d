import type { Page } from 'puppeteer-core'
import { PLENTY, publicPath, type Settings, startServer, THE_BINARY } from '../servers/server.ts'

const DAY = 86_400_000
const FIRST_DAY = Date.UTC(2026, 0, 2)

/** The pages of somebody else: what they are made of is given the snippet, whose parts may stand apart. */
export type HostPages = Record<string, (snippet: string, script: string, widget: string) => string>

const PLAIN: HostPages = {
  '/': (snippet) => `<main><h1>Elsewhere</h1>${snippet} <button id="after">After</button></main>`,
}

/** A server with a changelog, and pages of another origin that embed it under a strict policy; only their own scripts and styles may be inline. */
export async function startWidgetHost(pages = PLAIN, settings: Settings = {}) {
  const server = await startServer(THE_BINARY, { ...PLENTY, ...settings })
  const team = server.seed.team('acme')
  const { changelogId } = server.seed.product(team, 'app')
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
  const widget = `<changelog-widget src="${server.url}${publicPath('acme', 'app')}"></changelog-widget>`
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
    server,
    publish,
    page: host.url.href,
    allowed: [host.url.origin, server.url],
    async [Symbol.asyncDispose]() {
      await host.stop(true)
      await server[Symbol.asyncDispose]()
    },
  }
}

/** Opens a page, and waits until every widget on it has loaded. */
export async function openHost(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.waitForFunction(
    "[...document.querySelectorAll('changelog-widget')].every((each) => each.shadowRoot?.querySelector('.panel').childElementCount > 0)",
  )
}

/** What a field of an element in the first widget is. */
export const inWidget = (page: Page, selector: string, field = 'textContent') =>
  page.evaluate(
    `document.querySelector('changelog-widget').shadowRoot.querySelector('${selector}')?.${field}`,
  )

/** Clicks on the first widget, or presses this key, and waits until its panel has opened or closed. */
export async function togglePanel(page: Page, key?: 'Escape'): Promise<void> {
  const toggled = page.evaluate(
    "new Promise((resolve) => document.querySelector('changelog-widget').shadowRoot.querySelector('.panel').addEventListener('toggle', () => resolve(), { once: true }))",
  )
  await (key ? page.keyboard.press(key) : page.click('changelog-widget'))
  await toggled
}

export const isPanelOpen = (page: Page) => inWidget(page, '.panel', "matches(':popover-open')")
