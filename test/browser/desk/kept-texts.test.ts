import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { Page } from 'puppeteer-core'
import { type Author, authorAt, savedByHand } from '../../support/desk/author.ts'
import { TestDesk } from '../../support/desk/desk.ts'
import { describeInBrowser, untilOn } from '../../support/pages/browser.ts'
import { Sandbox } from '../../support/sandbox.ts'
import { freePort } from '../../support/servers/free-port.ts'

const NOTES = 'Now with a desk.\n\n## Added\n\n- Search\n'
const SAVE = '[name=do][value=save]'
const BUTTON = `document.querySelector('${SAVE}')`
const NEW = '/acme/app/new'

describeInBrowser('a text that is not saved', () => {
  let box: Sandbox
  let desk: TestDesk
  let mira: Author
  beforeAll(async () => {
    box = await Sandbox.on('SQLite')
    await box.json('team', 'create', 'acme', '--name', 'Acme')
    await box.json('product', 'create', 'acme/app', '--name', 'App')
    desk = await TestDesk.forUser(box, 'Mira')
    mira = await authorAt(desk, 'Mira', { isDrawn: false })
  })
  afterAll(async () => {
    await mira[Symbol.asyncDispose]()
    expect(await desk.stop()).toBe(0)
    await box.close()
  })
  beforeEach(async () => {
    await mira.go('/')
    await mira.page.evaluate('localStorage.clear()')
  })

  const saved = async (label: string) => {
    await mira.go(NEW)
    await mira.fill('label', label)
    await mira.fill('text', NOTES)
    await mira.press(SAVE)
    return new URL(mira.page.url()).pathname
  }
  /** The lines of the texts that are offered. */
  const offered = (page = mira.page) =>
    page.$$eval('[data-kept] p', (lines) => lines.map((line) => line.textContent ?? '')) as Promise<string[]>
  const take = (words: string, button = 'take', { page } = mira) =>
    page.evaluate(`{
      const lines = [...document.querySelectorAll('[data-kept] p')]
      lines.find((line) => line.textContent.includes(${JSON.stringify(words)})).querySelector('[data-${button}]').click()
    }`)
  const secondTab = async (): Promise<Page> => {
    const tab = await mira.page.browserContext().newPage()
    await tab.setExtraHTTPHeaders({ 'x-user': 'Mira' })
    savedByHand(tab)
    return tab
  }
  const versions = () => box.json<unknown[]>('version', 'list', 'acme/app')

  test('is still offered after the page was loaded again, its offer ignored, and another text typed', async () => {
    await mira.go(NEW)
    await mira.fill('title', 'Guests')
    await mira.fill('text', 'Invite them to one board.')
    await mira.page.reload()
    await mira.fill('text', 'x')
    await mira.page.reload()
    const lines = await offered()
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatch(/^Unsaved text: today, \d\d:\d\d, 1 word x/)
    expect(lines[1]).toMatch(/, 6 words Guests Invite them to one board\./)
    await take('Guests')
    expect(await mira.valueOf('text')).toBe('Invite them to one board.')
    expect(await offered()).toHaveLength(1)
    // As often as it takes.
    for (const words of ['y', 'z']) {
      await mira.page.reload()
      await mira.fill('text', words)
    }
    await mira.page.reload()
    const kept = (await offered()).map((line) => line.replace(/.*words? /, ''))
    expect(kept.map((line) => line.replace(/ Restore.*/, ''))).toEqual([
      'z',
      'y',
      'Guests Invite them to one board.',
      'x',
    ])
  })

  test('in one tab is not overwritten by another tab of a new release, nor by restoring both', async () => {
    const other = await secondTab()
    await other.goto(desk.origin + NEW)
    await mira.go(NEW)
    await mira.fill('text', 'Here')
    await other.focus('[name=text]')
    await other.keyboard.type('There')
    await mira.go(NEW)
    await other.reload()
    expect(await Promise.all([offered(), offered(other)])).toEqual([
      [expect.stringContaining('There'), expect.stringContaining('Here')],
      [expect.stringContaining('There'), expect.stringContaining('Here')],
    ])
    // The same one in both tabs, where it goes on differently.
    for (const tab of [mira.page, other]) {
      await take('Here', 'take', { ...mira, page: tab })
      await tab.focus('[name=text]')
      await tab.keyboard.type(tab === other ? ' then' : ' now')
    }
    await mira.go(NEW)
    const lines = (await offered()).join('\n')
    for (const words of ['There', 'Here then', 'Here now']) expect(lines).toContain(words)
    await other.close()
  })

  test('stays when another one is restored in its place, and goes only when somebody discards it', async () => {
    await mira.go(NEW)
    await mira.fill('text', 'First')
    await mira.page.reload()
    await mira.fill('text', 'Second')
    await take('First')
    expect(await mira.valueOf('text')).toBe('First')
    await take('Second')
    expect(await mira.valueOf('text')).toBe('Second')
    await take('First', 'drop')
    expect(await offered()).toEqual([])
    await mira.page.reload()
    expect(await offered()).toEqual([expect.stringContaining('Second')])
    // As version 0.4.0 has kept it.
    await mira.page.evaluate(`{
      const key = 'changelogd-desk ' + document.querySelector('[data-editor]').dataset.editor
      const values = { label: '9.9.9', title: '', date: '', text: 'Kept before' }
      localStorage.setItem(key, JSON.stringify({ opened: 'new', values }))
    }`)
    await mira.page.reload()
    expect(await offered()).toContainEqual(expect.stringMatching(/^Unsaved text: 2 words Kept before/))
  })

  test('survives a closed tab, and is offered again', async () => {
    const path = await saved('1.2.0')
    await mira.fill('text', `${NOTES}- Not saved`)
    const context = mira.page.browserContext()
    const again = await context.newPage()
    await again.setExtraHTTPHeaders({ 'x-user': 'Mira' })
    savedByHand(again)
    await mira.go('/')
    await again.goto(desk.origin + path)
    const field = () => again.$eval('[name=text]', (each) => (each as { value?: string }).value)
    expect(await field()).not.toContain('Not saved')
    await (await again.waitForSelector('[data-take]', { visible: true }))?.click()
    expect(await field()).toContain('Not saved')
    await Promise.all([again.waitForNavigation(), again.click(SAVE)])
    expect(await field()).toContain('Not saved')
    expect(await again.evaluate('localStorage.length')).toBe(0)
    await again.close()
  })

  test('is not saved over what others wrote since, once it was restored', async () => {
    const path = await saved('1.3.0')
    await mira.fill('text', `${NOTES}- Kept here`)
    await mira.go('/')
    await box.json('change', 'add', 'acme/app', '1.3.0', '--type', 'fixed', 'By a command')
    await mira.go(path)
    await mira.page.waitForSelector('[data-take]')
    await take('')
    await mira.press(SAVE)
    expect(await mira.text()).toContain('1.3.0 changed while you wrote')
    expect(await mira.text()).toContain('By a command')
  })

  test('is offered again after its product was renamed', async () => {
    const path = await saved('1.8.0')
    await mira.fill('text', `${NOTES}- Not saved`)
    await mira.go('/')
    await box.json('product', 'update', 'acme/app', '--slug', 'console', '--yes')
    await mira.go(path)
    await mira.page.waitForSelector('[data-take]')
    await take('')
    expect(await mira.valueOf('text')).toContain('Not saved')
    await mira.press(SAVE)
    expect(new URL(mira.page.url()).pathname).toBe(path.replace('app', 'console'))
    await box.json('product', 'update', 'acme/console', '--slug', 'app', '--yes')
  })

  test('stays through a refusal and a conflict, and is not offered once it is saved', async () => {
    const path = await saved('1.9.0')
    await mira.fill('text', `${NOTES}- Mine`)
    await mira.fill('label', '1 9')
    await box.json('change', 'add', 'acme/app', '1.9.0', '--type', 'fixed', 'By a command')
    await mira.press(SAVE)
    await mira.press('form.head .button.main')
    await mira.fill('label', 'bad\u0007label')
    await mira.press(SAVE)
    expect(await mira.valueOf('text')).toContain('Mine')
    expect(await offered()).toEqual([])
    await mira.go(path)
    expect(await offered()).toEqual([expect.stringContaining('Now with a desk')])
    await take('Now with')
    await mira.fill('label', '1.9.0')
    await mira.press(SAVE)
    expect(await offered()).toEqual([])
    expect(await mira.page.evaluate('localStorage.length')).toBe(0)
  })

  test('of a new release is saved once, however often its button is pressed', async () => {
    await mira.go(NEW)
    await mira.fill('label', '2.0.0')
    await mira.fill('text', NOTES)
    const before = (await versions()).length
    await mira.onward(() => mira.page.evaluate(`for (const _ of 'ab') ${BUTTON}.click()`))
    expect(await mira.text()).toContain('Saved · Draft')
    expect(await versions()).toHaveLength(before + 1)
  })

  test('says that it is being saved, and what is typed meanwhile stays', async () => {
    await mira.go(NEW)
    await mira.fill('label', '2.1.0')
    await mira.fill('text', 'One')
    const writer = new Database(box.database)
    writer.run('BEGIN IMMEDIATE')
    await mira.onward(async () => {
      await mira.page.evaluate(`${BUTTON}.click()`)
      await untilOn(mira.page, `document.querySelector('[data-saved]').textContent === 'Saving…'`)
      await mira.page.focus('[name=text]')
      await mira.page.keyboard.type(' and two')
      writer.run('ROLLBACK')
      writer.close()
    })
    expect(await mira.valueOf('text')).toBe('One and two')
    expect(await box.json<object>('version', 'show', 'acme/app', '2.1.0')).toMatchObject({
      description: 'One',
    })
    await mira.press(SAVE)
    expect(await box.json<object>('version', 'show', 'acme/app', '2.1.0')).toMatchObject({
      description: 'One and two',
    })
    expect(await offered()).toEqual([])
  })

  test('stays on the page, which says why, while nobody answers and after somebody was signed out', async () => {
    const port = await freePort()
    let isSignedIn = true
    let behind: TestDesk | null = null
    const signOn = () =>
      Bun.serve({
        port,
        hostname: '127.0.0.1',
        fetch: async (request) => {
          const { pathname, search } = new URL(request.url)
          if (!isSignedIn) return Response.redirect('https://sign-on.example/', 302)
          const headers = new Headers(request.headers)
          headers.set('x-user', 'Mira')
          const { method } = request
          const body = method === 'POST' ? await request.bytes() : null
          const to = `${behind?.origin}${pathname}${search}`
          return fetch(to, { method, headers, body, redirect: 'manual', decompress: false })
        },
      })
    let proxy = signOn()
    behind = await TestDesk.forUser(box, 'Mira', { DESK_URL: `http://127.0.0.1:${port}` })
    await using author = await authorAt(behind, 'Mira')
    const { page } = author
    await author.open(`http://127.0.0.1:${port}${NEW}`)
    await author.fill('label', '2.2.0')
    await author.fill('text', NOTES)
    const said = async (words: string) => {
      await page.click(SAVE)
      await untilOn(page, `document.querySelector('[data-lost]')?.checkVisibility()`)
      const told = await page.$eval('[data-lost]', ({ textContent }) => textContent)
      expect(told).toContain(words)
      expect(told).toContain('kept in this browser')
      expect(await page.$eval('[data-saved]', ({ textContent }) => textContent)).toBe('Not saved')
      expect(await author.valueOf('text')).toBe(NOTES)
    }
    isSignedIn = false
    await said('You are signed out.')
    isSignedIn = true
    await proxy.stop(true)
    await said('The desk does not answer.')
    proxy = signOn()
    // Nothing else has its text: not the desk, and not its own page.
    expect(await page.evaluate('Object.values(localStorage).join()')).toContain('Now with a desk')
    await author.press(SAVE)
    expect(await author.text()).toContain('Saved · Draft')
    expect(await behind.stop()).toBe(0)
    await proxy.stop(true)
  })
})
