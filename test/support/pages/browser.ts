import puppeteer, { type Browser, type BrowserContext, type Page } from 'puppeteer-core'
import { removedAtEnd } from '../leftovers.ts'
import { describeNeeding } from '../needs.ts'
import { scratch } from '../scratch.ts'

const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
  .map((name) => Bun.which(name))
  .find((path) => path !== null)

/** `describe` for what needs a browser. */
export const describeInBrowser = (name: string, tests: () => void): void =>
  describeNeeding('chromium', CHROMIUM !== undefined, name, tests)

/** No process is started ahead for a next page: the next context could not use it. */
const NO_SPARE = '--disable-features=SpareRendererForSitePerProcess'

/** Pages are left before the optimizing compilers have saved what they take. */
const NO_OPTIMIZERS = '--js-flags=--no-turbofan,--no-maglev'

let started: Promise<Browser> | undefined

/** One browser for all tests, as it takes a second to start: a new one, if the last has crashed. */
export function browser(): Promise<Browser> {
  started ??= start()
  return started
}

async function start(): Promise<Browser> {
  const directory = scratch()
  const forget = () => {
    started = undefined
  }
  const launching = puppeteer.launch({
    executablePath: CHROMIUM as string,
    userDataDir: directory.path,
    // Killed, it leaves what it has in the directory for temporary files.
    env: { ...process.env, TMPDIR: directory.path },
    // Chromium's own sandbox does not work for root, nor in most containers.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', NO_SPARE, NO_OPTIMIZERS],
    // Only the runner's timeout ends a test.
    ...{ protocolTimeout: 0, timeout: 0 },
  })
  launching.catch(forget)
  const launched = await launching
  launched.once('disconnected', forget)
  removedAtEnd(() => launched.process()?.kill('SIGKILL'))
  return launched
}

/**
 * A page in a context of its own. Unless it is drawn, it is only laid out, which takes half the CPU: nothing on it moves,
 * nobody can point at anything, and images that come late do not come. Its context stays open: Chromium crashes when that
 * of a page that is not drawn is closed.
 */
export async function newPage(isDrawn: boolean): Promise<Page> {
  const context = await (await browser()).createBrowserContext()
  const page = await (isDrawn ? context.newPage() : undrawnPage(context))
  page.setDefaultTimeout(0)
  return page
}

async function undrawnPage(context: BrowserContext): Promise<Page> {
  // The page is closed with this session.
  const session = await context.browser().target().createCDPSession()
  const id = context.id === undefined ? {} : { browserContextId: context.id }
  await session.send('Target.createTarget', { url: 'about:blank', hidden: true, ...id })
  return (await context.waitForTarget(() => true, { timeout: 0 })).asPage()
}

/** Waits until an expression holds, on a page that need not be drawn. */
export const untilOn = (page: Page, expression: string) => page.waitForFunction(expression, { polling: 20 })

export interface View {
  width?: number
  height?: number
  scheme?: 'light' | 'dark'
  /** Whether scripts could run: no page needs any. */
  scripts?: boolean
  /** Whether the page's own policy is ignored, so that only escaping protects its reader. */
  bypassPolicy?: boolean
  isDrawn?: boolean
  /** Images come only after this. */
  imagesAfter?: Promise<void>
}

/** A page in the browser, and what happened on it. */
export interface OpenPage extends AsyncDisposable {
  page: Page
  /** Errors and warnings in the console, and dialogs. */
  complaints: string[]
  /** The addresses of all requests that went to another host than that of the page. */
  foreign: string[]
  open(url: string): Promise<void>
}

/**
 * Opens a page in a context of its own. Nothing reaches another host: images there are answered with a picture of
 * 4,000 pixels, everything else is refused.
 */
export async function openPage(view: View = {}): Promise<OpenPage> {
  const page = await newPage(view.isDrawn ?? false)
  const complaints: string[] = []
  const foreign: string[] = []
  let host = ''
  await page.setViewport({ width: view.width ?? 1_200, height: view.height ?? 900 })
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: view.scheme ?? 'light' }])
  await page.setJavaScriptEnabled(view.scripts ?? true)
  await page.setBypassCSP(view.bypassPolicy ?? false)
  await page.setRequestInterception(true)
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol === 'data:' || url.host === host) return void request.continue()
    foreign.push(request.url())
    if (request.resourceType() !== 'image') return void request.abort()
    const body =
      '<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="3000"><rect width="4000" height="3000" fill="#889"/></svg>'
    const answer = () => request.respond({ status: 200, contentType: 'image/svg+xml', body })
    void (view.imagesAfter ? view.imagesAfter.then(answer) : answer())
  })
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return {
    page,
    complaints,
    foreign,
    open: async (url) => {
      host = new URL(url).host
      await page.goto(url, { waitUntil: 'load' })
    },
    [Symbol.asyncDispose]: () => page.close(),
  }
}
