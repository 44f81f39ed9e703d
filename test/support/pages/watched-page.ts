import { test } from 'bun:test'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'puppeteer-core'
import { browser, describeInBrowser } from './browser.ts'

/** A page that may send requests to any origin, and what it did. */
export interface Watched {
  page: Page
  /** Errors and warnings in its console, and errors that nothing caught. */
  complaints: string[]
  /** The origins it sent requests to. */
  origins: Set<string>
}

export interface TestBrowser {
  /** A new page with nothing stored, in this color scheme. */
  open(scheme?: 'light' | 'dark'): Promise<Watched>
}

/** A test in a real browser, whose pages are closed at its end. */
export const browserTest = (name: string, run: (browser: TestBrowser) => Promise<void>): void =>
  describeInBrowser(name, () => {
    test('in a browser', async () => {
      await using undo = new AsyncDisposableStack()
      await run({ open: (scheme) => openWatched(undo, scheme) })
    })
  })

async function openWatched(undo: AsyncDisposableStack, scheme: 'light' | 'dark' = 'light'): Promise<Watched> {
  const context = await (await browser()).createBrowserContext()
  undo.defer(() => context.close())
  const page = await context.newPage()
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
  const complaints: string[] = []
  const origins = new Set<string>()
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => origins.add(new URL(request.url()).origin))
  return { page, complaints, origins }
}

const AXE = await Bun.file(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir)).text()

/** By itself, axe-core does not check that every target is large enough to be touched. */
const ALL_RULES: RunOptions = { rules: { 'target-size': { enabled: true } } }

const only = (...values: string[]): RunOptions => ({ runOnly: { type: 'rule', values } })

const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** All that depends on the color scheme. */
export const COLORS = only(...COLOR_RULES)

/** Colors take half the time of a look. */
export const ALL_BUT_COLORS: RunOptions = {
  rules: { ...ALL_RULES.rules, ...Object.fromEntries(COLOR_RULES.map((rule) => [rule, { enabled: false }])) },
}

/** What depends on where elements are, though the same style applies to them. */
export const POSITIONS = only('target-size', 'scrollable-region-focusable', 'skip-link')

/** Of what it finds, only violations are read. */
const FAST: RunOptions = { resultTypes: ['violations'] }

/** What axe-core finds wrong with the page as it is now, by all its rules or by some: each rule with the elements that break it. */
export async function violations(page: Page, options = ALL_RULES): Promise<string[]> {
  // Evaluated, not added as an element: the page's own policy would refuse that. It takes longer than a look at a page.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE)
  const look = `axe.run(${JSON.stringify({ ...FAST, ...options })}).then((found) => found.violations)`
  const found = (await page.evaluate(look)) as AxeResults['violations']
  return found.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join('; ')}`,
  )
}
