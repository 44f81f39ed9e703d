import { expect } from 'bun:test'
import type { Page } from 'puppeteer-core'
import { browserTest, COLORS, POSITIONS, violations } from '../support/pages/watched-page.ts'
import { PLENTY, startServer, THE_BINARY } from '../support/servers/server.ts'

async function startSeeded(settings: Record<string, string> = {}) {
  const server = await startServer(THE_BINARY, { ...PLENTY, ...settings })
  const team = server.seed.team('acme', { name: 'Acme' })
  const { changelogId } = server.seed.product(team, 'app', { name: 'App' })
  server.seed.version(changelogId, '1.0.0', { changes: [{ type: 'added', title: 'Search' }] })
  server.seed.version(changelogId, '1.1.0', { status: 'draft' })
  return { server, token: server.seed.key(team).token }
}

/** Presses the button of an operation, and gives the status that the page then shows. */
const sent = async (page: Page, operation: string): Promise<string> => {
  const status = `#${operation} .status`
  await page.$eval(status, (element) => element.replaceChildren())
  await page.click(`#${operation} button[type=submit]`)
  const shown = await page.waitForFunction(
    `/^(Response|The request)/.test(document.querySelector('${status}').textContent) && document.querySelector('${status}').textContent`,
  )
  return String(await shown.jsonValue())
}

browserTest(
  'the reference opens without an error, loads nothing from elsewhere, and is accessible, light and dark',
  async (browser) => {
    const { server } = await startSeeded()
    await using _ = server
    const { page, complaints, origins } = await browser.open()
    /** Only colors depend on the scheme. */
    const expectAccessible = async () => {
      expect(await violations(page)).toEqual([])
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }])
      expect(await violations(page, COLORS)).toEqual([])
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }])
    }
    await page.goto(`${server.url}/docs`)
    for (const width of [390, 1440]) {
      await page.setViewport({ width, height: 900 })
      // What is shown on a wide screen is looked at below, with all the rest.
      if (width === 390) await expectAccessible()
      else expect(await violations(page, POSITIONS)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    }
    await page.$$eval('details', (all) => {
      for (const each of all) each.setAttribute('open', '')
    })
    await sent(page, 'readPublicChangelog')
    await expectAccessible()
    expect({ complaints, origins: [...origins] }).toEqual({ complaints: [], origins: [server.url] })
  },
)

browserTest('a request can be tried: a public one without a key, a keyed one with it', async (browser) => {
  const { server, token } = await startSeeded()
  await using _ = server
  const { page } = await browser.open()
  await page.goto(`${server.url}/docs`)
  expect(await sent(page, 'readPublicChangelog')).toBe('Response: 200 OK')
  const body = () => page.$eval('#readChangelog .body', (element) => String(element.textContent))
  expect(await page.$eval('#readPublicChangelog .head', (element) => element.textContent)).toContain('etag: ')

  expect(await sent(page, 'readPublicVersion')).toBe('Response: 200 OK')

  expect(await sent(page, 'readChangelog')).toBe('Response: 401 Unauthorized')
  expect(await body()).toContain('"unauthorized"')
  await page.type('#key', token)
  expect(await sent(page, 'readChangelog')).toBe('Response: 200 OK')
  expect(JSON.parse(await body()).data.versions).toHaveLength(2)

  await page.type('#readChangelog-limit', '1')
  await page.type('#readChangelog-include', 'changes')
  expect(await sent(page, 'readChangelog')).toBe('Response: 200 OK')
  expect(JSON.parse(await body()).data.versions).toHaveLength(1)
  const stored = await page.evaluate(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
  )
  expect(stored).toBe('[{},{},""]')
})

browserTest('the code it shows sends the same request, and never contains the key', async (browser) => {
  const { server, token } = await startSeeded()
  await using _ = server
  const { page } = await browser.open()
  await page.goto(`${server.url}/docs`)
  await page.type('#key', token)
  await page.type('#readChangelog-limit', '1')
  const shown: string[] = []
  for (const at of [1, 2, 3]) {
    await page.click(`#readChangelog .languages button:nth-child(${at})`)
    shown.push(await page.$eval('#readChangelog .sample', (element) => String(element.textContent)))
  }
  const [curl = '', javascript = '', python = ''] = shown
  expect(shown.join()).not.toContain(token)
  const run = async (command: string[]) => {
    const child = Bun.spawn(command, {
      env: { PATH: process.env.PATH, CHANGELOGD_KEY: token },
      stderr: 'ignore',
    })
    return await new Response(child.stdout).text()
  }
  expect(await run(['bash', '-c', curl])).toContain('"version":"1.1.0"')
  expect(await run([process.execPath, '-e', javascript])).toContain('object: "changelog"')
  if (Bun.which('python3')) expect(await run(['python3', '-c', python])).toContain("'1.1.0'")
})

browserTest('on a site with a password, requests can be tried too', async (browser) => {
  const { server, token } = await startSeeded({
    PASSWORD_PROTECTION: 'true',
    PASSWORD_PROTECTION_USER: 'usér',
    PASSWORD_PROTECTION_PASSWORD: 'secret',
  })
  await using _ = server
  const { page } = await browser.open()
  await page.authenticate({ username: 'usér', password: 'secret' })
  await page.goto(`${server.url}/docs`)
  await page.type('#key', token)
  await page.type('#user', 'usér')
  await page.type('#password', 'secret')
  expect(await sent(page, 'readPublicChangelog')).toBe('Response: 200 OK')
  expect(await sent(page, 'readChangelog')).toBe('Response: 200 OK')
})
