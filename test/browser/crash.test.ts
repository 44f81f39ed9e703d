import { expect, test } from 'bun:test'
import { browser, describeInBrowser, openPage } from '../support/pages/browser.ts'

describeInBrowser('a browser that has crashed', () => {
  test('is started again for the next page', async () => {
    const crashed = await browser()
    const gone = new Promise<void>((resolve) => crashed.once('disconnected', () => resolve()))
    crashed.process()?.kill('SIGKILL')
    await gone
    await using opened = await openPage()
    expect(await opened.page.evaluate('1 + 1')).toBe(2)
    expect(await browser()).not.toBe(crashed)
  })
})
