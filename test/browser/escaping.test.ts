import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { describeInBrowser, openPage } from '../support/pages/browser.ts'
import { startServer, type TestServer, THE_BINARY } from '../support/servers/server.ts'

const PAYLOADS = (await Bun.file(join(import.meta.dir, '../fixtures/xss.txt')).text())
  .split('\n')
  .filter(Boolean)

const START = Date.UTC(2026, 0, 1)

/** A function that finds what no page may have: the reader's browser would run it, or lead the reader into it. */
const FIND_HARM = `(document) =>
  [...document.querySelectorAll('*')].flatMap((element) => {
    const name = element.localName
    const harm = []
    if (name === 'script' && element.type !== 'application/ld+json') harm.push(element.outerHTML)
    if (['iframe', 'object', 'embed', 'base', 'frame', 'form', 'style', 'svg', 'math', 'video', 'audio'].includes(name) &&
      !element.matches('form.search, form.search > svg, head > style')) harm.push(element.outerHTML)
    for (const { name: attribute, value } of element.attributes) {
      if (attribute.startsWith('on') || attribute === 'style' || attribute === 'srcdoc') harm.push(element.outerHTML)
      if (['href', 'src', 'action', 'formaction', 'xlink:href', 'srcset', 'ping', 'poster'].includes(attribute) &&
        !['http:', 'https:', 'mailto:'].includes(new URL(value, location.href).protocol) && !(name === 'link' && element.rel === 'icon'))
        harm.push(element.outerHTML)
    }
    return harm
  })`

test('there are at least 200 payloads', () => {
  expect(new Set(PAYLOADS).size).toBeGreaterThanOrEqual(200)
})

/** Parses pages without opening them, and gives the harm on each. */
const FIND_HARM_IN = `(pages) =>
  pages.map(([path, html]) => [path, ...(${FIND_HARM})(new DOMParser().parseFromString(html, 'text/html'))])`

describeInBrowser('whatever an author writes', () => {
  let server: TestServer
  /** Pages on which every payload is, in each place. */
  const shown: string[] = ['/', '/?after=t-099/app', '/?after=t-199/app']
  /** The pages of each payload. */
  const all: string[] = []

  beforeAll(async () => {
    server = await startServer(THE_BINARY)
    const { seed } = server
    seed.db.run('BEGIN')
    const together = seed.product(seed.team('zz'), 'app')
    for (const [at, payload] of PAYLOADS.entries()) {
      const slug = `t-${String(at).padStart(3, '0')}`
      const own = seed.product(seed.team(slug, { name: payload }), 'app', { name: payload })
      const content = {
        publishedAt: START + at,
        title: payload,
        description: `${payload}\n\n${payload}\n`,
        changes: [
          { type: payload, title: payload, description: payload },
          { type: 'added', typeLabel: payload, title: `x ${payload}`, description: `- a\n\n  ${payload}` },
        ],
      }
      seed.version(together.changelogId, payload, content)
      const id = seed.version(own.changelogId, payload, content)
      const page = `/changelog/${slug}/app`
      const query = new URLSearchParams({ q: payload.slice(0, 100), type: payload })
      const pages = [`/changelog/${slug}`, page, `${page}/${id}`, `${page}?${query}`]
      all.push(...pages)
      if (at % 40 === 0) shown.push(...pages)
    }
    seed.db.run('COMMIT')
  })
  afterAll(async () => {
    await server.stop()
  })

  test.each([
    { policy: 'with the policy of the pages', bypassPolicy: false },
    { policy: 'with escaping alone', bypassPolicy: true },
  ])('does not run, and sends nothing, $policy', async ({ bypassPolicy }) => {
    await using browser = await openPage({ bypassPolicy })
    const visit = async (path: string) => {
      await browser.open(server.url + path)
      const harm = await browser.page.evaluate(`(${FIND_HARM})(document)`)
      expect({ path, harm, complaints: browser.complaints.splice(0) }).toEqual({
        path,
        harm: [],
        complaints: [],
      })
    }
    for (const path of shown) await visit(path)
    for (let next: unknown = '/changelog/zz/app'; typeof next === 'string'; ) {
      await visit(next)
      next = await browser.page.evaluate(`document.querySelector('.older')?.getAttribute('href')`)
    }
    expect(browser.foreign).toEqual([])
  })

  test('becomes no element and no address on any page', async () => {
    await using browser = await openPage({ bypassPolicy: true })
    await browser.open(`${server.url}/`)
    for (let at = 0; at < all.length; at += 50) {
      const paths = all.slice(at, at + 50)
      const read = async (path: string) => [path, await (await server.get(path)).text()]
      const pages = JSON.stringify(await Promise.all(paths.map(read)))
      const found = await browser.page.evaluate(`(${FIND_HARM_IN})(${pages})`)
      expect(found).toEqual(paths.map((path) => [path]))
    }
  })
})
