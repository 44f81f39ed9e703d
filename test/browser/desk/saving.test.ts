import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { type Author, authorAt } from '../../support/desk/author.ts'
import { TestDesk } from '../../support/desk/desk.ts'
import { describeInBrowser, untilOn } from '../../support/pages/browser.ts'
import { png } from '../../support/pictures.ts'
import { Sandbox } from '../../support/sandbox.ts'
import { until } from '../../support/until.ts'

const NEW = '/acme/app/new'

describeInBrowser('a draft', () => {
  let box: Sandbox
  let desk: TestDesk
  let mira: Author
  beforeAll(async () => {
    box = await Sandbox.on('SQLite')
    await box.json('team', 'create', 'acme', '--name', 'Acme')
    await box.json('product', 'create', 'acme/app', '--name', 'App')
    desk = await TestDesk.forUser(box, 'Mira')
    mira = await authorAt(desk, 'Mira', { isDrawn: false, isSavedByItself: true })
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

  const show = (label: string) => box.json<Record<string, unknown>>('version', 'show', 'acme/app', label)
  const versions = async () => (await box.json<unknown[]>('version', 'list', 'acme/app')).length
  const state = () => mira.page.$eval('[data-saved]', ({ textContent }) => textContent ?? '')
  const says = (words: string) =>
    untilOn(
      mira.page,
      `document.querySelector('[data-saved]').textContent.includes(${JSON.stringify(words)})`,
    )
  const kept = () => mira.page.evaluate('localStorage.length')

  test('is saved after the last key, goes on at its own address, and is opened as it was', async () => {
    await mira.go(NEW)
    await mira.fill('title', 'Guests')
    await mira.fill('text', 'Invite them.')
    await says('Draft · Saved ')
    expect(await state()).toMatch(/^Draft · Saved \d\d:\d\d$/)
    const { id } = await show('guests')
    expect(new URL(mira.page.url()).pathname).toBe(`/acme/app/${id}`)
    await mira.page.keyboard.type(' And more.')
    await until(async () => (await show('guests')).description === 'Invite them. And more.')
    await says('Draft · Saved ')
    expect(await kept()).toBe(0)
    await mira.page.reload()
    expect([await mira.valueOf('title'), await mira.valueOf('text')]).toEqual([
      'Guests',
      'Invite them. And more.',
    ])
    expect([await versions(), mira.complaints]).toEqual([1, []])
  })

  test('is saved before a link is followed, and before the page is left', async () => {
    await mira.go(NEW)
    await mira.fill('title', 'Left by a link')
    await mira.onward(() =>
      mira.page.$eval('.crumbs a', (link) => (link as unknown as { click(): void }).click()),
    )
    expect((await show('left-by-a-link')).title).toBe('Left by a link')
    // What a page sends as it is left has its cookies, and no other headers of a test.
    const local = await TestDesk.start(box)
    const tab = await mira.page.browserContext().newPage()
    const [name = '', value = ''] = local.headers.cookie?.split('=') ?? []
    await tab.setCookie({ name, value, url: `${local.origin}${local.base}/` })
    await tab.goto(local.origin + local.base + NEW)
    await tab.focus('[name=title]')
    await tab.keyboard.type('Left at once')
    await tab.goto(`${local.origin}${local.base}/`)
    await until(async () => (await versions()) === 3)
    await tab.close()
    expect(await local.stop()).toBe(0)
    expect((await show('left-at-once')).title).toBe('Left at once')
  })

  test('is saved over nothing that others wrote: both texts are shown', async () => {
    await mira.go(NEW)
    await mira.fill('title', 'Shared')
    await says('Draft · Saved ')
    await box.json('change', 'add', 'acme/app', 'shared', '--type', 'fixed', 'By a command')
    await mira.fill('text', 'Mine')
    await says('somebody else has changed this draft')
    expect((await show('shared')).changeCount).toBe(1)
    await mira.press('.by-hand.shown')
    expect(await mira.text()).toContain('By a command')
    expect(await mira.text()).toContain('Mine')
  })

  test('stays in the browser while nobody answers, and is saved once after that', async () => {
    await mira.go(NEW)
    const before = await versions()
    await mira.page.setOfflineMode(true)
    await mira.fill('title', 'Written on a train')
    await says('no connection')
    expect(await kept()).toBe(1)
    await mira.page.setOfflineMode(false)
    await mira.fill('text', 'With a tunnel')
    await mira.page.keyboard.down('Control')
    await mira.page.keyboard.press('s')
    await mira.page.keyboard.up('Control')
    await until(
      async () =>
        (await versions()) > before && (await show('written-on-a-train')).description === 'With a tunnel',
    )
    expect(await versions()).toBe(before + 1)
  })

  test('is published as it is, and then changes only by its button', async () => {
    await mira.go(NEW)
    await mira.fill('title', 'Public')
    await mira.fill('text', 'One')
    await mira.press('[name=do][value=publish]')
    await mira.press('form .button.main')
    const { id } = await show('public')
    await mira.go(`/acme/app/${id}`)
    await mira.fill('text', 'Two')
    expect(await state()).toBe('Published · changes not yet on the page')
    await mira.go('/')
    expect((await show('public')).description).toBe('One')
    await mira.go(`/acme/app/${id}`)
    await (await mira.page.waitForSelector('[data-take]'))?.evaluate((button) =>
      (button as unknown as { click(): void }).click(),
    )
    await mira.press('[name=do][value=save]')
    expect((await show('public')).description).toBe('Two')
  })

  test('has its pictures below the text, each with its description and a way to take it out', async () => {
    await mira.go(NEW)
    const token = await mira.valueOf('token')
    const upload = async (width: number) => {
      const body = new FormData()
      body.set('token', token)
      body.set('picture', new File([png(width, 20)], 'a.png', { type: 'image/png' }))
      const init = { method: 'POST', body, headers: { origin: desk.origin } }
      return ((await (await desk.fetch(`${NEW}/picture`, init)).json()) as { address: string }).address
    }
    const [one, two] = [await upload(30), await upload(40)]
    await mira.fill('text', `Text\n\n![One \\[1\\]](${one})\n\n![](${two})\n\nEnd`)
    const strip = () =>
      mira.page.$$eval('[data-strip] textarea', (all) =>
        all.map((each) => (each as { value?: string }).value),
      )
    expect(await strip()).toEqual(['One [1]', ''])
    expect(await mira.page.$eval('[data-strip] p', ({ textContent }) => textContent)).toBe(
      '2 pictures 1 without a description',
    )
    expect(await mira.page.$eval('[data-ink]', (ink) => ink.textContent)).toBe(
      `${await mira.valueOf('text')}\n`,
    )
    await mira.page.focus('[data-strip] li:nth-child(2) textarea')
    await mira.page.keyboard.type('A ] board')
    await mira.page.keyboard.press('Enter')
    const described = `![A \\\\] board](${two})`
    await untilOn(mira.page, `document.querySelector('[name=text]').value.includes('${described}')`)
    await mira.page.$eval('[data-strip] button', (button) => (button as unknown as { click(): void }).click())
    expect(await mira.valueOf('text')).toBe(`Text\n\n![A \\] board](${two})\n\nEnd`)
    await mira.page.keyboard.down('Control')
    await mira.page.keyboard.press('z')
    await mira.page.keyboard.up('Control')
    expect(await strip()).toEqual(['One [1]', 'A ] board'])
  })

  test('is shown beside the text where the caret is', async () => {
    await mira.go(NEW)
    const items = Array.from({ length: 200 }, (_, at) => `- Item number ${at} of many`)
    await mira.fill('text', `## Added\n\n${items.join('\n')}\n`)
    const isSeen = (words: string) => `(() => {
      const frame = document.querySelector('iframe')
      const item = [...frame.contentDocument.querySelectorAll('li')].find(({ textContent }) => textContent.includes('${words}'))
      const { top, bottom } = item?.getBoundingClientRect() ?? { top: -1 }
      return top >= 0 && bottom <= frame.contentWindow.innerHeight
    })()`
    await untilOn(mira.page, isSeen('number 199'))
    await mira.page.evaluate(`document.querySelector('[name=text]').setSelectionRange(12, 12)`)
    await untilOn(mira.page, isSeen('number 0'))
  })
})
