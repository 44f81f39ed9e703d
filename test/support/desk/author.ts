import type { Page } from 'puppeteer-core'
import { type OpenPage, openPage, type View } from '../pages/browser.ts'
import type { TestDesk } from './desk.ts'

/** Somebody at a desk in a real browser. */
export interface Author extends OpenPage {
  /** Opens a page of the desk. */
  go(path: string): Promise<void>
  /** Does what leads to another page. */
  onward(act: () => Promise<unknown>): Promise<void>
  press(selector: string): Promise<void>
  /** Writes into a field what it has from now on. */
  fill(name: string, value: string): Promise<void>
  text(): Promise<string>
  /** Sets a field that shows its value in the way of the reader. */
  set(name: string, value: string): Promise<void>
  valueOf(name: string): Promise<string>
}

interface AuthorView extends View {
  /** Drafts are saved by themselves. Others are saved by hand alone, as where no script runs. */
  isSavedByItself?: boolean
}

export async function authorAt(desk: TestDesk, user: string, view: AuthorView = {}): Promise<Author> {
  const opened = await openPage({ isDrawn: true, ...view })
  const { page } = opened
  const click = view.isDrawn === false ? clickByScript : clickByPointer
  await page.setExtraHTTPHeaders({ 'x-user': user })
  if (!view.isSavedByItself) savedByHand(page)
  const onward = async (act: () => Promise<unknown>) => {
    await Promise.all([page.waitForNavigation(), act()])
  }
  return Object.assign(opened, {
    onward,
    go: (path: string) => opened.open(desk.origin + path),
    press: (selector: string) => onward(() => click(page, selector)),
    fill: async (name: string, value: string) => {
      await page.focus(`[name=${name}]`)
      await page.$eval(`[name=${name}]`, (field) => {
        ;(field as unknown as { value: string }).value = ''
      })
      await page.keyboard.sendCharacter(value)
    },
    set: async (name: string, value: string) => {
      await page.$eval(
        `[name=${name}]`,
        (field, to) => {
          ;(field as unknown as { value: string }).value = to
        },
        value,
      )
    },
    text: () => page.$eval('body', (body) => body.textContent ?? ''),
    valueOf: (name: string) =>
      page.$eval(`[name=${name}]`, (field) => (field as { value?: string }).value ?? ''),
  })
}

export function savedByHand(page: Page): void {
  page.on('domcontentloaded', () => {
    void page.evaluate(`delete document.querySelector('[data-auto]')?.dataset.auto`).catch(() => {})
  })
}

/** Nobody can point at anything on a page that is not drawn. */
const clickByScript = (page: Page, selector: string): Promise<void> =>
  page.$eval(selector, (button) => (button as unknown as { click(): void }).click())

const clickByPointer = async (page: Page, selector: string): Promise<void> => {
  const found = await page.waitForSelector(selector, { visible: true })
  await found?.click()
}
