import { test } from 'bun:test'
import { createRequire } from 'node:module'
import { type Browser, launch, type Page } from 'puppeteer-core'
import { removedAtEnd } from './leftovers.ts'

const EXECUTABLE = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
  .map((name) => Bun.which(name))
  .find((path) => path !== null)

/**
 * A test in a real browser. Where there is none, it is left out and says so; with REQUIRE_ALL_TESTS=true that is a
 * failure.
 */
export const browserTest = (name: string, run: (browser: TestBrowser) => Promise<void>): void => {
  if (EXECUTABLE === undefined && process.env.REQUIRE_ALL_TESTS !== 'true') {
    test.skip(`${name} (left out: no Chromium is installed)`, () => {})
    return
  }
  test(name, async () => {
    await using browser = await openBrowser()
    await run(browser)
  })
}

/** What a page did that it should not have. */
export interface Watched {
  page: Page
  /** Errors and warnings in its console, and errors that nothing caught. */
  complaints: string[]
  /** The origins it sent requests to. */
  origins: Set<string>
}

export type TestBrowser = Awaited<ReturnType<typeof openBrowser>>

async function openBrowser() {
  if (EXECUTABLE === undefined) throw new Error('No Chromium is installed.')
  const browser: Browser = await launch({
    executablePath: EXECUTABLE,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--force-color-profile=srgb'],
  })
  const kill = removedAtEnd(() => browser.process()?.kill('SIGKILL'))

  return {
    /** A new page with nothing stored, in this color scheme. */
    async open(scheme: 'light' | 'dark' = 'light'): Promise<Watched> {
      const page = await (await browser.createBrowserContext()).newPage()
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
      const complaints: string[] = []
      const origins = new Set<string>()
      page.on('console', (message) => {
        if (['error', 'warn'].includes(message.type())) complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(String(error)))
      page.on('request', (request) => origins.add(new URL(request.url()).origin))
      return { page, complaints, origins }
    },
    async [Symbol.asyncDispose]() {
      await browser.close()
      kill()
    },
  }
}

const axe = await Bun.file(createRequire(import.meta.url).resolve('axe-core/axe.min.js')).text()

/** What axe-core finds wrong with the page as it is now: each rule with the elements that break it. */
export async function violations(page: Page): Promise<string[]> {
  // Evaluated, not added as an element: the page's own policy would refuse that.
  await page.evaluate(axe)
  return (await page.evaluate(`axe.run().then(({ violations }) => violations.map(({ id, nodes }) =>
    id + ': ' + nodes.map(({ target, failureSummary }) => target + ' ' + failureSummary).join('; ')))`)) as string[]
}
