import { test } from 'bun:test'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'puppeteer-core'
import { describeInBrowser, newPage } from './browser.ts'

/** A page that may send requests to any origin, and what it did. */
export interface Watched {
  page: Page
  /** Errors and warnings in its console, and errors that nothing caught. */
  complaints: string[]
  /** The origins it sent requests to. */
  origins: Set<string>
}

/** The pages that the last tests have left, as a new one takes longer than most tests. */
const kept = new Map<boolean, Watched>()

/**
 * A test in a real browser, on a page that others have used before it: their servers were other origins. After a failure,
 * such as a crash, the next test gets another one.
 */
export const browserTest = (
  name: string,
  run: (watched: Watched) => Promise<void>,
  { isDrawn = false } = {},
): void =>
  describeInBrowser(name, () => {
    test('in a browser', async () => {
      const last = kept.get(isDrawn)
      const watched = last?.page.browser().connected ? last : await openWatched(isDrawn)
      kept.delete(isDrawn)
      await watched.page.goto('about:blank')
      await watched.page.setViewport({ width: 800, height: 600 })
      await watched.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }])
      watched.complaints.length = 0
      watched.origins.clear()
      await run(watched)
      kept.set(isDrawn, watched)
    })
  })

/** A new page with nothing stored. */
export async function openWatched(isDrawn = false): Promise<Watched> {
  const page = await newPage(isDrawn)
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

/** Of elements in the same place that differ in their words alone, leaves the first two and the last: the others look the same. None is left empty. */
export const LEAVE_ONE_OF_A_SHAPE = `(() => {
  const shape = (element) => [element.localName, element.className, element.getAttributeNames(), element.textContent.trim() === '',
    ...[...element.children].map(shape)].join()
  const place = (element) => element.localName === 'main' ? '' : place(element.parentElement) + ' ' + element.localName + '.' + element.className
  const shapeInPlace = (element) => place(element) + ': ' + shape(element)
  for (const alike of Map.groupBy(document.querySelectorAll('main *'), shapeInPlace).values())
    for (const each of alike.slice(2, -1)) if (each.matches(':not(:only-child)')) each.remove()
})()`
