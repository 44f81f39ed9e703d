import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { type Author, authorAt } from '../../support/desk/author.ts'
import { TestDesk } from '../../support/desk/desk.ts'
import { describeInBrowser, untilOn } from '../../support/pages/browser.ts'
import { ALL_BUT_COLORS, COLORS, violations } from '../../support/pages/watched-page.ts'
import { movingPng, png } from '../../support/pictures.ts'
import { Sandbox } from '../../support/sandbox.ts'

const SAVE = '[name=do][value=save]'

describeInBrowser('pictures at the desk', () => {
  let box: Sandbox
  let desk: TestDesk
  beforeAll(async () => {
    box = await Sandbox.on('SQLite')
    await box.json('team', 'create', 'acme', '--name', 'Acme')
    await box.json('product', 'create', 'acme/app', '--name', 'App')
    desk = await TestDesk.forUser(box, 'Mira')
    writeFileSync(box.at('New search.png'), png(640, 400))
    writeFileSync(box.at('tour.png'), movingPng())
    writeFileSync(box.at('notes.txt'), 'x')
    writeFileSync(box.at('huge.png'), Buffer.alloc(10_000_001))
  })
  afterAll(async () => {
    expect(await desk.stop()).toBe(0)
    await box.close()
  })

  const choose = async ({ page }: Author, ...names: string[]) => {
    const input = await page.$('input[name=picture]')
    for (const name of names) await input?.uploadFile(box.at(name))
  }
  /** As a browser hands over what is pasted or dropped. */
  const give = ({ page }: Author, how: 'paste' | 'drop', bytes: Uint8Array, also = '') =>
    page.evaluate(`{
      const data = new DataTransfer()
      const content = Uint8Array.from(atob('${Buffer.from(bytes).toString('base64')}'), (each) => each.charCodeAt(0))
      data.items.add(new File([content], '${how}.png', { type: 'image/png' }))
      if ('${also}') data.setData('text/plain', '${also}')
      const options = { bubbles: true, cancelable: true, dataTransfer: data, clipboardData: data }
      const event = '${how}' === 'drop' ? new DragEvent('drop', options) : new ClipboardEvent('paste', options)
      document.querySelector('[name=text]').dispatchEvent(event)
    }`)
  const isShown = (author: Author, part: string) =>
    untilOn(author.page, `!document.querySelector('[data-${part}]').hidden`)
  const isHidden = ({ page }: Author, part: string) =>
    page.evaluate(`document.querySelector('[data-${part}]').hidden`)
  const hasText = (author: Author, words: string) =>
    untilOn(author.page, `document.querySelector('[name=text]').value.includes('${words}')`)
  /** The description of the picture that was placed last is asked for. */
  const isDescribed = ({ page }: Author) =>
    untilOn(page, `document.activeElement.matches('[data-strip] textarea')`)
  const refusals = ({ page }: Author) =>
    page.evaluate(
      `[...document.querySelectorAll('[data-refused] li')].map((item) => item.textContent)`,
    ) as Promise<string[]>

  test('can be undone, as what was typed before and after them', async () => {
    await using mira = await authorAt(desk, 'Mira')
    await mira.go('/acme/app/new')
    await mira.page.focus('[name=text]')
    await mira.page.keyboard.type('Typed.')
    await choose(mira, 'New search.png')
    await isDescribed(mira)
    await mira.page.keyboard.type('The field')
    await mira.page.keyboard.press('Enter')
    await untilOn(mira.page, `document.querySelector('[name=text]').value.includes('The field')`)
    await mira.page.keyboard.type('Then.')
    const steps: string[] = []
    await mira.page.keyboard.down('Control')
    for (let at = 0; at < 60 && steps.at(-1) !== ''; at++) {
      await mira.page.keyboard.press('z')
      steps.push(await mira.valueOf('text'))
    }
    await mira.page.keyboard.up('Control')
    expect(steps).toContainEqual(expect.stringMatching(/!\[The field\]\(pictures\/.*\)\n\n$/))
    expect(steps).toContainEqual(expect.stringMatching(/!\[New search\]\(pictures\//))
    expect([steps.includes('Typed.'), steps.at(-1)]).toEqual([true, ''])
  })

  test('are chosen, pasted and dropped where the caret is, described, and saved with the text', async () => {
    await using mira = await authorAt(desk, 'Mira')
    await mira.go('/acme/app/new')
    await mira.fill('label', '1.0.0')
    await mira.fill('text', 'A new search.')
    await choose(mira, 'New search.png')
    await isDescribed(mira)
    const placed = await mira.valueOf('text')
    expect(placed).toMatch(/^A new search\.\n\n!\[New search\]\(pictures\/[0-9a-f]{32}-640x400\.webp\)\n\n$/)
    const field = '[data-strip] textarea'
    expect(await mira.page.evaluate(`document.querySelector('${field}').value`)).toBe('New search')
    // The name of the file is selected: what is typed takes its place.
    await mira.page.keyboard.type('The field [top]')
    await mira.page.focus('[name=title]')
    await hasText(mira, '![The field \\\\[top\\\\]](pictures/')
    expect(await mira.page.evaluate('document.activeElement.name')).toBe('title')
    await mira.page.focus(field)
    // The preview has it, from the desk.
    const image = `document.querySelector('iframe').contentDocument.querySelector('img')`
    await untilOn(mira.page, `${image}?.alt === 'The field [top]' && ${image}.naturalWidth === 640`)
    // Enter leads back to the text, and sends nothing.
    await mira.page.keyboard.press('Enter')
    expect(await mira.page.evaluate('document.activeElement.name')).toBe('text')
    await mira.page.keyboard.type('Then:')
    await give(mira, 'paste', png(20, 10))
    await hasText(mira, '-20x10')
    await give(mira, 'drop', png(30, 10))
    await hasText(mira, '-30x10')
    // A text that comes with a picture of it is pasted as text, by the browser.
    await give(mira, 'paste', png(50, 10), 'cells')
    expect(await mira.valueOf('text')).toMatch(
      /webp\)\n\nThen:\n\n!\[paste\]\(pictures\/\S+-20x10\.webp\)\n\n!\[drop\]\(pictures\/\S+-30x10\.webp\)\n\n$/,
    )
    await mira.press(SAVE)
    expect(await mira.text()).toContain('Saved')
    const list = await box.json<{ shownBy: string[] }[]>('picture', 'list', 'acme/app')
    expect(list.map(({ shownBy }) => shownBy)).toEqual([['1.0.0'], ['1.0.0'], ['1.0.0']])
    expect(mira.complaints).toEqual([])
  })

  test('are refused in words until the next one is given, and a save waits for the last upload', async () => {
    await using mira = await authorAt(desk, 'Mira')
    await mira.go('/acme/app/new')
    await mira.fill('label', '2.0.0')
    for (const [name, words] of [
      ['tour.png', 'animated. Use a GIF or a still picture'],
      ['notes.txt', 'not a picture. Use PNG, JPEG, WebP or GIF'],
      ['huge.png', 'too large. The limit is 10 MB'],
    ] as const) {
      await choose(mira, name)
      await untilOn(mira.page, `document.querySelector('[data-refused]').textContent.includes('${name}')`)
      expect(await refusals(mira)).toEqual([`${name}: ${words}`])
    }
    // Those that were given together are named together.
    await mira.page.evaluate(`{
      const dataTransfer = new DataTransfer()
      for (const name of ['one.txt', 'two.txt']) dataTransfer.items.add(new File(['x'], name))
      document.querySelector('[name=text]').dispatchEvent(new DragEvent('drop', { bubbles: true, dataTransfer }))
    }`)
    expect(await refusals(mira)).toHaveLength(2)
    expect((await mira.valueOf('text')).trim()).toBe('')
    await mira.page.click('[data-refused] button')
    expect(await isHidden(mira, 'refused')).toBe(true)
    await mira.onward(async () => {
      await choose(mira, 'New search.png')
      await mira.page.click(SAVE)
    })
    expect(await mira.valueOf('text')).toMatch(/^!\[New search\]\(pictures\/\S+-640x400\.webp\)$/)
    // The browser logs nothing about what was refused.
    expect(mira.complaints).toEqual([])
  })

  test('can be cancelled while they are sent, and an upload that fails says so', async () => {
    await using mira = await authorAt(desk, 'Mira')
    await mira.go('/acme/app/new')
    await mira.page.emulateNetworkConditions({ download: -1, upload: 1, latency: 0 })
    await choose(mira, 'New search.png')
    await isShown(mira, 'sending')
    expect(await mira.valueOf('text')).toBe('![Uploading New search.png…]()\n\n')
    await mira.page.click('[data-sending] button')
    expect((await mira.valueOf('text')).trim()).toBe('')
    expect(await isHidden(mira, 'sending')).toBe(true)
    await mira.page.setOfflineMode(true)
    await choose(mira, 'New search.png')
    await isShown(mira, 'refused')
    expect(await refusals(mira)).toEqual(['New search.png: not uploaded. Try again'])
    expect((await mira.valueOf('text')).trim()).toBe('')
  })

  test.each(['light', 'dark'] as const)('are accessible at every step: %s', async (scheme) => {
    await using mira = await authorAt(desk, 'Mira', { scheme })
    await mira.go('/acme/app/new')
    await choose(mira, 'New search.png', 'tour.png')
    await isShown(mira, 'strip')
    await isShown(mira, 'refused')
    await mira.page.evaluate(`document.querySelector('[data-sending]').hidden = false`)
    for (const width of [320, 390, 1280]) {
      await mira.page.setViewport({ width, height: 900 })
      expect(await violations(mira.page, COLORS)).toEqual([])
      expect(await mira.page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    }
    expect(await violations(mira.page, ALL_BUT_COLORS)).toEqual([])
  })
})
