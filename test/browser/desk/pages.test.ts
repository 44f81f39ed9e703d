import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Author, authorAt } from '../../support/desk/author.ts'
import { TestDesk } from '../../support/desk/desk.ts'
import { describeInBrowser } from '../../support/pages/browser.ts'
import { faultsOf } from '../../support/pages/valid-html.ts'
import { ALL_BUT_COLORS, COLORS, violations } from '../../support/pages/watched-page.ts'
import { Sandbox } from '../../support/sandbox.ts'

const NOTES =
  '# Top\n\nWords.\n\n## Breaking\n\n- One\n- one\n\n## Infra\n\n- [Moved]()\n\n## Security\n\n- Keys\n\n```\ncode'
const WIDTHS = [320, 390, 700, 820, 1280]
/** Positions and colors are all that is looked at: drawing takes as much again. */
const UNDRAWN = { isDrawn: false }
/** Those with the longest words, and one from right to left. */
const LANGUAGES = ['de', 'fr', 'ar'] as const

describeInBrowser('every page of the desk', () => {
  let box: Sandbox
  let desk: TestDesk
  let edit: string
  /** Opens each page, and says which it is. */
  let visits: Record<string, (author: Author, from: TestDesk) => Promise<void>>

  beforeAll(async () => {
    box = await Sandbox.on('SQLite')
    desk = await TestDesk.forUser(box, 'Mira Okoro')
    const words = (line: string) => box.words(line)
    await words('team create acme --name Acme')
    await words('team create open --name Open --visibility public')
    for (const name of ['acme/app', 'acme/empty', 'open/app'])
      await words(`product create ${name} --name App`)
    await words('product create open/followed --name Followed --status published')
    await words('follow open/followed https://github.com/acme/app')
    await words('hook add acme https://hooks.example/acme')
    await box.json('version', 'create', 'acme/app', '1.0.0', '--status', 'published')
    await box.json(
      'version',
      'create',
      'acme/app',
      '1.1.0-rc.1',
      '--title',
      'A title',
      '--status',
      'published',
    )
    await box.json('version', 'update', 'acme/app', '1.0.0', '--yanked', 'Loses settings')
    await box.json('version', 'create', 'acme/app', '1.2.0')
    await box.json('version', 'schedule', 'acme/app', '1.2.0', '--at', '2099-01-01T09:00:00Z')
    await box.json('version', 'create', 'acme/app', '0.1.0')
    await box.json('version', 'delete', 'acme/app', '0.1.0', '--yes')
    const fields = { label: '2.0.0', title: 'Big', date: '2099-12-01', text: NOTES, do: 'save' }
    edit = (await desk.send(await desk.get('/acme/app/new'), fields)).path
    const open = (path: string) => (author: Author, from: TestDesk) => author.open(from.origin + path)
    visits = {
      home: open('/'),
      start: open('/start'),
      product: open('/acme/app'),
      'a product without versions': open('/acme/empty'),
      'a followed product': open('/open/followed'),
      'a new version': open('/acme/app/new'),
      'the editor': open(edit),
      publishing: open(`${edit}/publish`),
      'no page': open('/none'),
      'a refused text': async (author, from) => {
        await author.open(`${from.origin}/acme/app/new`)
        await author.fill('label', '1.0.0')
        await author.fill('text', NOTES)
        await author.press('[value=save]')
      },
      'a text with an old token': async (author, from) => {
        await author.open(`${from.origin}/acme/app/new`)
        await author.set('token', 'old')
        await author.fill('label', '9.0.0')
        await author.press('[value=save]')
      },
      'a conflict': async (author, from) => {
        await author.open(from.origin + edit)
        await author.set('opened', 'old')
        await author.fill('title', 'Another')
        await author.fill('text', NOTES.replace('- One', '- Two').replace('Words', 'Other words'))
        await author.press('[value=save]')
      },
      'nobody signed in': async (author, from) => {
        await author.page.setExtraHTTPHeaders({})
        await author.open(from.origin)
        await author.page.setExtraHTTPHeaders({ 'x-user': 'Mira Okoro' })
      },
    }
  })
  afterAll(async () => {
    expect(await desk.stop()).toBe(0)
    await box.close()
  })

  const widest = async (author: Author) => {
    const found: number[] = []
    for (const width of WIDTHS) {
      await author.page.setViewport({ width, height: 900 })
      found.push((await author.page.evaluate('document.documentElement.scrollWidth')) as number)
    }
    return found
  }
  /** The last one: others are above rows that cannot be pressed meanwhile. */
  const openMenu =
    '[...document.querySelectorAll("details")].slice(-1).forEach((menu) => { menu.open = true })'

  test('axe finds nothing to improve in light and dark, and nothing scrolls sideways', async () => {
    for (const [name, visit] of Object.entries(visits)) {
      await using author = await authorAt(desk, 'Mira Okoro', UNDRAWN)
      await visit(author, desk)
      expect({ name, widest: await widest(author) }).toEqual({ name, widest: WIDTHS })
      await author.page.evaluate(openMenu)
      expect({ name, found: await violations(author.page, ALL_BUT_COLORS) }).toEqual({ name, found: [] })
      for (const value of ['light', 'dark']) {
        await author.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }])
        expect({ name, value, found: await violations(author.page, COLORS) }).toEqual({
          name,
          value,
          found: [],
        })
      }
    }
  })

  test.each(LANGUAGES)('every page is valid HTML, and fits in its language: %s', async (language) => {
    const here = await TestDesk.forUser(box, 'Mira Okoro', { SITE_LANGUAGE: language })
    await using author = await authorAt(here, 'Mira Okoro', { ...UNDRAWN, scripts: false })
    for (const name of ['a new version', 'the editor', 'publishing', 'product', 'a conflict']) {
      await visits[name]?.(author, here)
      expect({ name, widest: await widest(author) }).toEqual({ name, widest: WIDTHS })
      expect(await author.page.$eval('html', (root) => root.getAttribute('lang'))).toBe(language)
    }
    const fields = { label: '2.0.0', title: 'Other', date: '', text: '- Two', opened: 'old', do: 'save' }
    const editor = await here.get(edit)
    const pages = {
      ...Object.fromEntries(
        await Promise.all(
          [
            '/',
            '/start',
            '/acme/app',
            '/open/followed',
            '/acme/app/new',
            edit,
            `${edit}/publish`,
            '/none',
          ].map(async (path) => [path, await here.get(path)] as const),
        ),
      ),
      conflict: await here.post(edit, { ...fields, token: editor.field('token') }),
      stale: await here.post(edit, { ...fields, token: 'old' }),
      refused: await here.post(edit, {
        ...fields,
        token: editor.field('token'),
        opened: editor.field('opened'),
        label: '1.0.0',
      }),
      'signed out': await here.as({}).get('/'),
    }
    for (const [name, { html }] of Object.entries(pages))
      expect({ name, found: await faultsOf(html) }).toEqual({ name, found: [] })
    expect(await here.stop()).toBe(0)
  })
})
