import { expect } from 'bun:test'
import { join } from 'node:path'
import type { Page } from 'puppeteer-core'
import { compile } from 'svelte/compiler'
import { compileScript, parse } from 'vue/compiler-sfc'
import { untilOn } from '../support/pages/browser.ts'
import { browserTest } from '../support/pages/watched-page.ts'
import { inWidget } from '../support/pages/widget-host.ts'
import { scratch } from '../support/scratch.ts'
import { publicPath, startServer, type TestServer, THE_BINARY } from '../support/servers/server.ts'

const SHOWN = 'https://changelog.example.com'
const page = await Bun.file(join(import.meta.dir, '../../docs/guides/embed.md')).text()
/** The component that docs/guides/embed.md shows. */
const shown = (language: string) =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(page)?.[1] ?? ''

const FIRST = { product: 'app', limit: 1 }

/** Apps around it, each of which can be given other properties. */
const APPS = {
  'react.tsx': `import { useState } from 'react'
    import { createRoot, hydrateRoot } from 'react-dom/client'
    import { News } from './news.tsx'
    export function App() {
      const [given, give] = useState(${JSON.stringify(FIRST)})
      globalThis.give = give
      return <main><h1>App</h1><News {...given} /></main>
    }
    const root = globalThis.document?.querySelector('#app')
    if (root?.firstChild) hydrateRoot(root, <App />)
    else if (root) createRoot(root).render(<App />)`,
  'rendered.tsx': `import { renderToString } from 'react-dom/server'
    import { App } from './react.tsx'
    export const html = renderToString(<App />)`,
  'vue.ts': `import { createApp, h, shallowRef } from 'vue'
    import News from './news-vue.ts'
    const given = shallowRef(${JSON.stringify(FIRST)})
    globalThis.give = (next) => { given.value = next }
    createApp(() => h('main', [h('h1', 'App'), h(News, given.value)])).mount('#app')`,
  'svelte.ts': `import { mount } from 'svelte'
    import App from './news-svelte.js'
    mount(App, { target: document.querySelector('#app') })`,
  // Without a framework: properties alone, which may be set before there is such an element.
  'plain.ts': `const [main, title, widget] = ['main', 'h1', 'changelog-widget'].map((name) => document.createElement(name))
    globalThis.give = ({ product, limit }) => {
      Object.assign(widget, { src: '${SHOWN}${publicPath('acme', 'PRODUCT')}'.replace('PRODUCT', product), limit })
    }
    give(${JSON.stringify(FIRST)})
    title.textContent = 'App'
    main.append(title, widget)
    document.querySelector('#app').append(main)`,
}

const SVELTE = `<script>
    let given = $state(${JSON.stringify(FIRST)})
    globalThis.give = (next) => { given = next }
  </script>
  <main><h1>App</h1><changelog-widget src="${SHOWN}${publicPath('acme', '{given.product}')}" limit={given.limit}>News</changelog-widget></main>`

const VUE = { isCustomElement: (tag: string) => tag === 'changelog-widget' }

/** Components as the compilers of their frameworks make them. */
const FILES = {
  ...APPS,
  'news.tsx': shown('tsx'),
  'news-vue.ts': compileScript(parse(shown('vue'), { templateParseOptions: VUE }).descriptor, {
    id: 'news',
    inlineTemplate: true,
    templateOptions: { compilerOptions: VUE },
  }).content,
  'news-svelte.js': compile(SVELTE, { dev: true }).js.code,
}

const DEFINED = {
  'process.env.NODE_ENV': '"development"',
  __VUE_OPTIONS_API__: 'true',
  __VUE_PROD_DEVTOOLS__: 'false',
  __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
}

async function bundle(app: string, server: string, target: 'browser' | 'bun'): Promise<string> {
  const at = (name: string) => join(import.meta.dir, name)
  const files = Object.entries(FILES).map(([name, text]) => [at(name), text.replaceAll(SHOWN, server)])
  const entrypoints = [at(app)]
  const { outputs } = await Bun.build({
    entrypoints,
    files: Object.fromEntries(files),
    define: DEFINED,
    target,
  })
  return outputs[0]?.text() ?? ''
}

let shared: Promise<TestServer> | undefined

/** A server with two changelogs. */
async function startSeeded(): Promise<TestServer> {
  const server = await startServer(THE_BINARY)
  const team = server.seed.team('acme')
  for (const slug of ['app', 'other']) {
    const { changelogId } = server.seed.product(team, slug)
    for (const [day, title] of [`${slug} 1`, `${slug} 2`].entries())
      server.seed.version(changelogId, title, { title, publishedAt: Date.UTC(2026, 0, day + 1) })
  }
  return server
}

/** A page of somebody else with an app. */
async function startApp(app: keyof typeof APPS, isRendered: boolean) {
  shared ??= startSeeded()
  const { url } = await shared
  using directory = scratch()
  const rendered = join(directory.path, 'rendered.js')
  if (isRendered) await Bun.write(rendered, await bundle('rendered.tsx', url, 'bun'))
  const { html } = isRendered ? await import(rendered) : { html: '' }
  const script = await bundle(app, url, 'browser')
  const body = `<link rel="icon" href="data:,"><div id="app">${html}</div><script type="module" src="/app.js"></script>`
  const send = (type: string, text: string) => () => new Response(text, { headers: { 'content-type': type } })
  const widget = `${url}/widget.js`
  const slow = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const host = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    routes: {
      '/before': send('text/html', `<!doctype html><script src="${widget}"></script>${body}`),
      '/after': send('text/html', `<!doctype html>${body}`),
      '/app.js': send('text/javascript', script),
      '/slow': async () => {
        asked.resolve()
        await slow.promise
        return Response.json({ data: { product: { name: 'Slow' }, versions: [] } })
      },
    },
  })
  return {
    ...{ widget, url: host.url.href, asked: asked.promise, answer: () => slow.resolve() },
    [Symbol.asyncDispose]: () => host.stop(true),
  }
}

/** Waits until the widget shows versions with these titles. */
const shows = (page: Page, ...titles: string[]) =>
  untilOn(
    page,
    `[...document.querySelector('changelog-widget')?.shadowRoot?.querySelectorAll('.title') ?? []].map((each) => each.textContent).join() === '${titles}'`,
  )

for (const [name, app] of [
  ['React 19', 'react.tsx'],
  ['a page that React 19 rendered on the server', 'react.tsx'],
  ['Vue 3', 'vue.ts'],
  ['Svelte 5', 'svelte.ts'],
  ['a script that sets properties', 'plain.ts'],
] as const)
  browserTest(
    `in ${name}, loaded before or after it, the widget follows its properties`,
    async ({ page, complaints }) => {
      await using host = await startApp(app, name.includes('rendered'))
      for (const order of ['before', 'after']) {
        await page.goto(host.url + order)
        await untilOn(page, 'globalThis.give')
        if (order === 'after') await page.addScriptTag({ url: host.widget })
        await shows(page, 'app 2')
        await page.evaluate("give({ product: 'other' })")
        await shows(page, 'other 2', 'other 1')
        expect({ complaints, title: await page.$eval('h1', (title) => title.textContent) }).toEqual({
          complaints: [],
          title: 'App',
        })
      }
    },
  )

browserTest('a slow answer does not replace that of a later address', async ({ page }) => {
  await using host = await startApp('plain.ts', false)
  await page.goto(`${host.url}before`)
  await shows(page, 'app 2')
  await page.evaluate("document.querySelector('changelog-widget').src = '/slow'")
  await host.asked
  await page.evaluate("give({ product: 'other', limit: 1 })")
  await shows(page, 'other 2')
  host.answer()
  // The one before it has been read by then.
  await page.evaluate("fetch('/slow').then((response) => response.json())")
  await shows(page, 'other 2')
  expect(await inWidget(page, '.top')).toBe('What’s new in other')
})
