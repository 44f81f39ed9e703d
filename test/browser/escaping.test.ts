import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { VISITS_SCRIPT } from '../../src/http/site/visits.ts'
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
    if (name === 'script' && element.type !== 'application/ld+json' && element.textContent !== ${JSON.stringify(VISITS_SCRIPT)}) harm.push(element.outerHTML)
    if (['iframe', 'object', 'embed', 'base', 'frame', 'form', 'style', 'svg', 'math', 'video', 'audio'].includes(name) &&
      !element.matches('form.search, form.search > svg, form.range, head > style')) harm.push(element.outerHTML)
    for (const { name: attribute, value } of element.attributes) {
      if (attribute.startsWith('on') || attribute === 'style' || attribute === 'srcdoc') harm.push(element.outerHTML)
      if (['href', 'src', 'action', 'formaction', 'xlink:href', 'srcset', 'ping', 'poster'].includes(attribute) &&
        !['http:', 'https:', 'mailto:'].includes(new URL(value, location.href).protocol) && !(name === 'link' && element.rel === 'icon'))
        harm.push(element.outerHTML)
    }
    return harm
  })`

/** As if the newest release of a list had come after the last visit. */
const FORGET_NEWEST = `{
  const key = 'changelogd:' + location.pathname
  localStorage[key] = localStorage[key].replace(/^.*?,/, '')
  sessionStorage.clear()
}`

/** Parses pages without opening them, and gives those that have harm on them. */
const FIND_HARM_IN = `async (paths) => {
  const find = async (path) => {
    const html = await (await fetch(path)).text()
    return [path, ...(${FIND_HARM})(new DOMParser().parseFromString(html, 'text/html'))]
  }
  return (await Promise.all(paths.map(find))).filter((found) => found.length > 1)
}`

describeInBrowser('whatever an author writes', () => {
  let server: TestServer
  /** Pages on which every payload is, in each place. */
  const shown: string[] = ['/', '/?after=t-099/app', '/?after=t-199/app']
  /** Pages of some payloads in the places of one release: its own, and the answer to a search for it. */
  const parsed: string[] = []

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
      if (at % 4 === 0) parsed.push(`${page}/${id}`, `${page}?${query}`)
      if (at % 40 === 0) shown.push(`/changelog/${slug}`, page, `${page}/${id}`, `${page}?${query}`)
    }
    seed.db.run('COMMIT')
  })
  afterAll(async () => {
    await server.stop()
  })

  test('does not run, and sends nothing, even without the policy of the pages', async () => {
    await using browser = await openPage({ bypassPolicy: true })
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
    // With the line above what a browser has seen.
    for (const path of ['/', '/changelog/zz/app']) {
      await browser.open(server.url + path)
      await browser.page.evaluate(FORGET_NEWEST)
      await visit(path)
      expect(await browser.page.$$('.new')).toHaveLength(1)
    }
    for (let next: unknown = '/changelog/zz/app'; typeof next === 'string'; ) {
      await visit(next)
      next = await browser.page.evaluate(`document.querySelector('.older')?.getAttribute('href')`)
    }
    expect(browser.foreign).toEqual([])
  })

  test('becomes no element and no address on any page', async () => {
    await using browser = await openPage({ bypassPolicy: true })
    await browser.open(`${server.url}/`)
    expect(parsed.length).toBeGreaterThan(100)
    expect(await browser.page.evaluate(`(${FIND_HARM_IN})(${JSON.stringify(parsed)})`)).toEqual([])
  })
})
