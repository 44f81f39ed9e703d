import { expect } from 'bun:test'
import type { Page } from 'puppeteer-core'
import { untilOn } from '../support/pages/browser.ts'
import {
  ALL_BUT_COLORS,
  browserTest,
  COLORS,
  LEAVE_ONE_OF_A_SHAPE,
  POSITIONS,
  violations,
  type Watched,
} from '../support/pages/watched-page.ts'
import { startServer, THE_BINARY } from '../support/servers/server.ts'

let shared: ReturnType<typeof startSeeded> | undefined

async function startSeeded(settings: Record<string, string> = {}) {
  const server = await startServer(THE_BINARY, settings)
  const team = server.seed.team('acme', { name: 'Acme' })
  const { changelogId } = server.seed.product(team, 'app', { name: 'App' })
  server.seed.version(changelogId, '1.0.0', { changes: [{ type: 'added', title: 'Search' }] })
  server.seed.version(changelogId, '1.1.0', { status: 'draft' })
  return { url: server.url, token: server.seed.key(team).token }
}

/** One for all that ask for no other settings. */
const started = () => {
  shared ??= startSeeded()
  return shared
}

/** Presses the button of an operation, and gives the status that the page then shows. */
const sent = async (page: Page, operation: string): Promise<string> => {
  const status = `#${operation} .status`
  await page.$eval(status, (element) => element.replaceChildren())
  await page.evaluate(`document.querySelector('#${operation} button[type=submit]').click()`)
  const shown = await untilOn(
    page,
    `/^(Response|The request)/.test(document.querySelector('${status}').textContent) && document.querySelector('${status}').textContent`,
  )
  return String(await shown.jsonValue())
}

browserTest(
  'the reference opens without an error, loads nothing from elsewhere, and is accessible, light and dark',
  async ({ page, complaints, origins }) => {
    const { url } = await started()
    await page.setViewport({ width: 1440, height: 900 })
    await page.goto(`${url}/docs`)
    expect(await violations(page, POSITIONS)).toEqual([])
    await page.$$eval('details', (all) => {
      for (const each of all) each.setAttribute('open', '')
    })
    await sent(page, 'readPublicChangelog')
    await page.setViewport({ width: 390, height: 900 })
    expect(await violations(page, ALL_BUT_COLORS)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await page.setViewport({ width: 1440, height: 900 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1440)
    await page.evaluate(LEAVE_ONE_OF_A_SHAPE)
    expect(await violations(page, POSITIONS)).toEqual([])
    expect(await violations(page, COLORS)).toEqual([])
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }])
    expect(await violations(page, COLORS)).toEqual([])
    expect({ complaints, origins: [...origins].filter((each) => each !== 'null') }).toEqual({
      complaints: [],
      origins: [url],
    })
  },
)

browserTest('a request can be tried: a public one without a key, a keyed one with it', async ({ page }) => {
  const { url, token } = await started()
  await page.goto(`${url}/docs`)
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

browserTest('the code it shows sends the same request, and never contains the key', async ({ page }) => {
  const { url, token } = await started()
  await page.goto(`${url}/docs`)
  await page.type('#key', token)
  await page.type('#readChangelog-limit', '1')
  const shown: string[] = []
  for (const at of [1, 2, 3]) {
    await page.evaluate(`document.querySelector('#readChangelog .languages button:nth-child(${at})').click()`)
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

const withPassword = async ({ page }: Watched) => {
  const { url, token } = await startSeeded({
    PASSWORD_PROTECTION: 'true',
    PASSWORD_PROTECTION_USER: 'usér',
    PASSWORD_PROTECTION_PASSWORD: 'secret',
  })
  await page.authenticate({ username: 'usér', password: 'secret' })
  await page.goto(`${url}/docs`)
  await page.type('#key', token)
  await page.type('#user', 'usér')
  await page.type('#password', 'secret')
  await page.click('#readPublicChangelog button[type=submit]')
  await untilOn(
    page,
    "document.querySelector('#readPublicChangelog .status').textContent === 'Response: 200 OK'",
  )
  expect(await sent(page, 'readChangelog')).toBe('Response: 200 OK')
  await page.authenticate(null)
}
browserTest('on a site with a password, requests can be tried too', withPassword, { isDrawn: true })
