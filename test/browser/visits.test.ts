import { afterAll, beforeAll, expect, test } from 'bun:test'
import { VISITS_SCRIPT } from '../../src/http/site/visits.ts'
import { describeInBrowser, type OpenPage, openPage } from '../support/pages/browser.ts'
import { startServer, type TestServer, THE_BINARY } from '../support/servers/server.ts'

const PAGES = ['/', '/changelog/acme', '/changelog/acme/app']
const DAY = 86_400_000

/** The texts of the line and of the release below it; null without a line. */
const LINE = `(() => {
  const line = document.querySelector('.new')
  return line && [line.textContent, line.nextElementSibling.querySelector('code, .label').textContent, document.querySelectorAll('.new').length]
})()`
const CLOSE_TAB = 'sessionStorage.clear()'

describeInBrowser('what a browser has not seen', () => {
  let server: TestServer
  let changelogId: string
  const release = (label: string, day: number) =>
    server.seed.version(changelogId, label, { title: `${label}: Title`, publishedAt: day * DAY })
  beforeAll(async () => {
    server = await startServer(THE_BINARY)
    changelogId = server.seed.product(server.seed.team('acme'), 'app').changelogId
    server.seed.db.run("UPDATE product SET language = 'de'", [])
    for (const day of [1, 2, 3]) release(`1.${day}.0`, day)
  })
  afterAll(async () => {
    await server.stop()
  })
  const lineAt = async (browser: OpenPage, path: string) => {
    await browser.open(server.url + path)
    return browser.page.evaluate(LINE)
  }

  test('is above a line, on every list, for one visit and as long as its tab is open', async () => {
    await using browser = await openPage()
    // Pages count as fresh for a minute.
    await browser.page.setCacheEnabled(false)
    const sent: string[] = []
    browser.page.on('request', (request) =>
      sent.push(`${request.method()} ${new URL(request.url()).pathname}`),
    )
    // Everything is new to a browser that comes for the first time.
    for (const path of PAGES) expect(await lineAt(browser, path)).toBeNull()
    for (const day of [4, 5]) release(`1.${day}.0`, day)
    for (const path of PAGES) expect(await lineAt(browser, path)).toBeNull()
    await browser.page.evaluate(CLOSE_TAB)
    expect(await lineAt(browser, '/')).toBeNull()
    release('1.6.0', 6)
    await browser.page.evaluate(CLOSE_TAB)
    for (const [at, path] of PAGES.entries()) {
      const words = at === 2 ? 'Neu seit Ihrem letzten Besuch' : 'New since your last visit'
      for (const _ of [1, 2]) expect(await lineAt(browser, path)).toEqual([words, '1.5.0', 1])
    }
    // Not on parts of a list.
    for (const path of [`${PAGES[2]}?q=title`, `${PAGES[2]}?prereleases=no`, `${PAGES[2]}/1.6.0`])
      expect(await lineAt(browser, path)).toBeNull()
    await browser.page.evaluate(CLOSE_TAB)
    for (const path of PAGES) expect(await lineAt(browser, path)).toBeNull()
    expect(browser.complaints).toEqual([])
    expect(browser.foreign).toEqual([])
    expect(sent.filter((each) => !each.startsWith('GET /changelog/acme') && each !== 'GET /')).toEqual([])
  })

  test('has no line without scripts, or where nothing may be kept', async () => {
    await using plain = await openPage({ scripts: false })
    for (const path of PAGES) await plain.open(server.url + path)
    expect(await plain.page.$$('.new')).toEqual([])
    await using browser = await openPage()
    await browser.page.evaluateOnNewDocument(
      "Object.defineProperty(window, 'localStorage', { get: () => { throw new Error('refused') } })",
    )
    expect(await lineAt(browser, '/')).toBeNull()
    expect(browser.complaints).toEqual([])
  })

  test('is told by the only script that the policy allows', async () => {
    const { headers } = await fetch(server.url)
    const hash = new Bun.CryptoHasher('sha256').update(VISITS_SCRIPT).digest('base64')
    expect(headers.get('content-security-policy')).toContain(`script-src 'sha256-${hash}';`)
    expect(VISITS_SCRIPT.length).toBeLessThan(1_000)
  })
})
