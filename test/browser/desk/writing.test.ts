import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Author, authorAt } from '../../support/desk/author.ts'
import { TestDesk } from '../../support/desk/desk.ts'
import { describeInBrowser, untilOn } from '../../support/pages/browser.ts'
import { Sandbox } from '../../support/sandbox.ts'
import { until } from '../../support/until.ts'

const NOTES = 'Now with a desk.\n\n## Added\n\n- Search\n- Dark mode\n'
const SAVE = '[name=do][value=save]'
const PUBLISH = '[name=do][value=publish]'

describeInBrowser('at the desk', () => {
  let box: Sandbox
  let desk: TestDesk
  beforeAll(async () => {
    box = await Sandbox.on('SQLite')
    desk = await TestDesk.forUser(box, 'Mira')
  })
  afterAll(async () => {
    expect(await desk.stop()).toBe(0)
    await box.close()
  })

  const show = (label: string) => box.json<Record<string, unknown>>('version', 'show', 'acme/app', label)

  test('an empty database leads to a published release in five steps', async () => {
    await using mira = await authorAt(desk, 'Mira')
    await mira.go('/')
    await mira.fill('team', 'Acme')
    await mira.fill('name', 'App')
    await mira.press('form .button.main')
    await mira.fill('label', '1.0.0')
    await mira.fill('text', NOTES)
    await mira.press(PUBLISH)
    const seen = () => mira.page.evaluate('document.body.innerText')
    // The button says what it will do.
    expect(await seen()).toContain('Publish to everybody')
    await mira.page.click('#nobody')
    expect(await seen()).toContain('Publish, still hidden')
    expect(await seen()).not.toContain('Who is told')
    await mira.page.click('[name=who][value=all]')
    await mira.press('form .button.main')
    expect(await mira.text()).toContain('Published')
    expect(await show('1.0.0')).toMatchObject({ status: 'published', changeCount: 2 })
    expect(mira.complaints).toEqual([])
  })
})

describeInBrowser('in the editor', () => {
  let box: Sandbox
  let desk: TestDesk
  let mira: Author
  beforeAll(async () => {
    box = await Sandbox.on('SQLite')
    await box.json('team', 'create', 'acme', '--name', 'Acme')
    await box.json('product', 'create', 'acme/app', '--name', 'App')
    desk = await TestDesk.forUser(box, 'Mira')
    mira = await authorAt(desk, 'Mira')
  })
  afterAll(async () => {
    await mira[Symbol.asyncDispose]()
    expect(await desk.stop()).toBe(0)
    await box.close()
  })

  const inFrame = (words: string) =>
    untilOn(
      mira.page,
      `document.querySelector('iframe').contentDocument?.body.innerText.includes(${JSON.stringify(words)})`,
    )
  const saved = async (label: string, text = NOTES) => {
    await mira.go('/acme/app/new')
    await mira.page.evaluate('localStorage.clear()')
    await mira.fill('label', label)
    await mira.fill('text', text)
    await mira.press(SAVE)
    return new URL(mira.page.url()).pathname
  }

  test('the preview has what is typed, and stays where it is scrolled to unless that is in the text', async () => {
    await saved('1.0.0', `${NOTES}${'- Another line\n'.repeat(60)}`)
    await inFrame('Dark mode')
    await mira.page.evaluate(`document.querySelector('iframe').contentWindow.scrollTo(0, 400)`)
    await mira.page.focus('[name=title]')
    await mira.page.keyboard.type('Bold words')
    await inFrame('Bold words')
    expect(await mira.page.evaluate(`document.querySelector('iframe').contentWindow.scrollY`)).toBe(400)
    await inFrame('Another line')
  })

  test('without script, a button updates the preview', async () => {
    await using plain = await authorAt(desk, 'Mira', { scripts: false })
    await plain.go('/acme/app/new')
    await plain.fill('label', '1.1.0')
    await plain.fill('text', '- Seen before it is saved')
    await plain.page.click('[formtarget=preview]')
    const frame = await plain.page.waitForFrame(
      (frame) => frame.name() === 'preview' && frame.url().endsWith('/preview'),
    )
    // While the frame loads, its document may be another one a moment later.
    await until(async () => /<li>.*Seen before it is saved/s.test(await frame.content().catch(() => '')))
    expect(plain.complaints).toEqual([])
  })

  test('Ctrl+S saves, and the cursor stays', async () => {
    await saved('1.4.0')
    await mira.page.focus('#text')
    await mira.page.evaluate(`document.querySelector('#text').setSelectionRange(3, 3)`)
    await mira.page.keyboard.type('!')
    await mira.onward(async () => {
      await mira.page.keyboard.down('Control')
      await mira.page.keyboard.press('s')
      await mira.page.keyboard.up('Control')
    })
    expect(await mira.text()).toContain('Saved')
    expect(await mira.page.evaluate(`document.activeElement.selectionStart`)).toBe(4)
    expect(await box.json<object>('version', 'show', 'acme/app', '1.4.0')).toMatchObject({
      description: 'Now! with a desk.',
    })
  })

  test('buttons write marks and headings, and what is odd leads to its line', async () => {
    await mira.go('/acme/app/new')
    await mira.page.evaluate('localStorage.clear()')
    await mira.go('/acme/app/new')
    await mira.page.click('[data-heading=Added]')
    await mira.page.keyboard.type('One')
    await mira.page.click('.toolbar .menu summary')
    await mira.page.click('[data-heading=Breaking]')
    await mira.page.keyboard.type('Two')
    await mira.page.click('[data-heading=Added]')
    await mira.page.keyboard.type('one')
    expect(await mira.valueOf('text')).toBe('## Added\n\n- One\n- one\n\n## Breaking\n\n- Two')
    await (await mira.page.waitForSelector('[data-line="4"]'))?.click()
    await mira.page.click('[data-format=bold]')
    expect(await mira.valueOf('text')).toContain('\n**- one**\n')
    // As if it was typed: the browser takes it back.
    await mira.page.keyboard.down('Control')
    await mira.page.keyboard.press('z')
    await mira.page.keyboard.up('Control')
    expect(await mira.valueOf('text')).toContain('\n- one\n')
  })

  test('Enter in an item begins the next one, ends the list in an empty one, and can be undone', async () => {
    const { page } = mira
    await mira.go('/acme/app/new')
    await page.evaluate('localStorage.clear()')
    await mira.go('/acme/app/new')
    await page.click('[data-heading=Added]')
    await page.keyboard.type('Search\nDark mode')
    expect(await mira.valueOf('text')).toBe('## Added\n\n- Search\n- Dark mode')
    await page.keyboard.type('\n\nThat is all.\nFor now.')
    const ended = '## Added\n\n- Search\n- Dark mode\n\nThat is all.\nFor now.'
    expect(await mira.valueOf('text')).toBe(ended)
    const held = async (key: 'Control' | 'Shift', pressed: 'z' | 'Enter') => {
      await page.keyboard.down(key)
      await page.keyboard.press(pressed)
      await page.keyboard.up(key)
    }
    for (let at = 0; at < 60 && (await mira.valueOf('text')) !== '## Added\n\n- Search'; at++)
      await held('Control', 'z')
    expect(await mira.valueOf('text')).toBe('## Added\n\n- Search')
    await held('Shift', 'Enter')
    expect(await mira.valueOf('text')).toBe('## Added\n\n- Search\n')
    // What accepts the words of an input method is for the browser.
    const isLeft = await page.evaluate(`{
      const text = document.querySelector('#text')
      text.setSelectionRange(18, 18)
      const options = { key: 'Enter', isComposing: true, bubbles: true, cancelable: true }
      text.dispatchEvent(new KeyboardEvent('keydown', options))
    }`)
    expect([isLeft, await mira.valueOf('text')]).toEqual([true, '## Added\n\n- Search\n'])
    // In the middle, with its own mark.
    await mira.fill('text', '* one two')
    await page.evaluate(`document.querySelector('#text').setSelectionRange(6, 6)`)
    await page.keyboard.press('Enter')
    expect(await mira.valueOf('text')).toBe('* one \n* two')
  })

  test('a schedule is in the time zone of the browser, and says what that is in UTC', async () => {
    await using author = await authorAt(desk, 'Mira')
    await author.page.emulateTimezone('America/New_York')
    await author.go('/acme/app/new')
    await author.fill('label', '1.9.0')
    await author.fill('text', NOTES)
    await author.press(PUBLISH)
    await author.page.click('[name=when][value=at]')
    expect(await author.valueOf('zone')).toBe('America/New_York')
    const said = async () => author.page.$eval('[data-in]', ({ textContent }) => textContent)
    for (const [day, words] of [
      ['2099-12-01', '09:00 in New York, 14:00 UTC · in '],
      ['2099-07-01', '09:00 in New York, 13:00 UTC · in '],
    ] as const) {
      await author.set('date', day)
      await author.page.$eval('[name=date]', (field) =>
        field.dispatchEvent(new Event('input', { bubbles: true })),
      )
      expect(await said()).toStartWith(words)
    }
    await author.press('form .button.main')
    const { publishedAt } = await box.json<{ publishedAt: string }>('version', 'show', 'acme/app', '1.9.0')
    expect(publishedAt).toStartWith('2099-07-01T13:00')
    // Also when it is looked at again.
    await author.page.click('a[href*="/ver_"]')
    await author.page.waitForSelector(PUBLISH)
    await author.press(PUBLISH)
    expect([
      await author.valueOf('date'),
      await author.valueOf('time'),
      await author.valueOf('zone'),
    ]).toEqual(['2099-07-01', '09:00', 'America/New_York'])
  })

  test('fields say what they are for, and an address what form it has', async () => {
    await mira.go('/acme/app/new')
    const said = (selector: string, name: string) =>
      mira.page.$eval(selector, (field, name) => field.getAttribute(name), name)
    expect(await said('[name=label]', 'placeholder')).toBe('Version (optional)')
    await mira.go('/start')
    expect(await said('[name=slug]', 'title')).toStartWith('Lowercase letters and digits')
  })

  test('a release is written, saved and published by keyboard alone', async () => {
    await mira.go('/acme/app/new')
    await mira.page.evaluate('localStorage.clear()')
    await mira.go('/acme/app')
    /** Tabs on until the focus is there. */
    const tabTo = async (selector: string) => {
      for (let at = 0; at < 60; at++) {
        if (await mira.page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return
        await mira.page.keyboard.press('Tab')
      }
      throw new Error(`The keyboard does not reach ${selector}.`)
    }
    await tabTo('.tools .button.main')
    await mira.onward(() => mira.page.keyboard.press('Enter'))
    await tabTo('[name=label]')
    await mira.page.keyboard.type('1.5.0')
    await tabTo('.toolbar .dot')
    await mira.page.keyboard.press('Enter')
    await mira.page.keyboard.type('A crash')
    await tabTo(PUBLISH)
    await mira.onward(() => mira.page.keyboard.press('Enter'))
    await tabTo('form .button.main')
    await mira.onward(() => mira.page.keyboard.press('Enter'))
    expect(await box.json<object>('version', 'show', 'acme/app', '1.5.0')).toMatchObject({
      status: 'published',
    })
    await tabTo('summary[aria-label*="1.5.0"]')
    await mira.page.keyboard.press('Enter')
    await mira.page.waitForSelector('details[open] [name=reason]')
    await mira.page.keyboard.press('Escape')
    expect(await mira.page.$('details[open]')).toBeNull()
  })

  test('on a phone, one of text and preview is seen, and the buttons are on the screen', async () => {
    const path = await saved('1.6.0')
    await using phone = await authorAt(desk, 'Mira', { width: 390, height: 844 })
    await phone.go(path)
    const isSeen = (selector: string) =>
      phone.page.$eval(selector, (each) =>
        (each as unknown as { checkVisibility(): boolean }).checkVisibility(),
      )
    expect([await isSeen('#text'), await isSeen('iframe')]).toEqual([true, false])
    await phone.page.click('label:has(#preview)')
    expect([await isSeen('#text'), await isSeen('iframe')]).toEqual([false, true])
    await phone.page.click('label:has(#write)')
    await phone.page.click('.toolbar .menu summary')
    await phone.page.click('[data-heading=Security]')
    expect(await phone.valueOf('text')).toContain('## Security')
    const below = await phone.page.$eval(
      SAVE,
      (each) =>
        (each as unknown as { getBoundingClientRect(): { bottom: number } }).getBoundingClientRect().bottom,
    )
    expect(below).toBeLessThanOrEqual(844)
  })

  test('what an author writes runs nothing, even where the policies of pages do not count', async () => {
    const evil =
      '<script>window.hacked = 1</script><img src=x onerror="window.hacked = 1"><a href="javascript:window.hacked=1">x</a>'
    await using open = await authorAt(desk, 'Mira', { bypassPolicy: true })
    await open.go('/acme/app/new')
    await open.fill('label', '1.7.0')
    await open.fill('title', evil)
    await open.fill(
      'text',
      `</textarea>${evil}\n\n## ${evil}\n\n- ${evil}\n- ${evil}\n\n[x](javascript:window.hacked=1)`,
    )
    await open.page.waitForSelector('[data-line]')
    await untilOn(
      open.page,
      `document.querySelector('iframe').contentDocument?.body.innerText.includes('hacked')`,
    )
    await open.press(SAVE)
    const own = new URL(open.page.url()).pathname
    for (const path of [own, `${own}/publish`, '/acme/app', '/', `${own}/preview`]) {
      await open.go(path)
      expect([
        path,
        await open.page.evaluate(
          'window.hacked ?? document.querySelector("iframe")?.contentWindow.hacked ?? null',
        ),
      ]).toEqual([path, null])
      expect(await open.page.$$('[href^="javascript:"], [onerror]')).toEqual([])
    }
  })
})
