import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Author, authorAt } from '../../support/desk/author.ts'
import { TestDesk } from '../../support/desk/desk.ts'
import { DOCUMENTS } from '../../support/desk/documents.ts'
import { describeInBrowser, untilOn } from '../../support/pages/browser.ts'
import { png } from '../../support/pictures.ts'
import { Sandbox } from '../../support/sandbox.ts'

describeInBrowser('pasted text', () => {
  let box: Sandbox
  let desk: TestDesk
  let mira: Author
  beforeAll(async () => {
    box = await Sandbox.on('SQLite')
    await box.json('team', 'create', 'acme', '--name', 'Acme')
    await box.json('product', 'create', 'acme/app', '--name', 'App')
    desk = await TestDesk.forUser(box, 'Mira')
    mira = await authorAt(desk, 'Mira', { isDrawn: false })
    await mira.go('/acme/app/new')
  })
  afterAll(async () => {
    await mira[Symbol.asyncDispose]()
    await desk.stop()
    await box.close()
  })

  const converted = (page: string) =>
    mira.page.evaluate(
      `import('/desk-paste.js').then(({ converted }) => converted(${JSON.stringify(page)}, 'plain').markdown)`,
    ) as Promise<string>
  /** Pastes where the caret is. False if that is left to the browser. */
  const paste = (types: Record<string, string>) =>
    mira.page.evaluate(`{
      const clipboardData = new DataTransfer()
      for (const [type, text] of Object.entries(${JSON.stringify(types)})) clipboardData.setData(type, text)
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      !document.querySelector('[name=text]').dispatchEvent(event)
    }`) as Promise<boolean>
  const hasText = (words: string) =>
    untilOn(mira.page, `document.querySelector('[name=text]').value.includes(${JSON.stringify(words)})`)
  const press = async (
    ...keys: ('Control' | 'Shift' | 'Tab' | 'Escape' | 'Enter' | 'b' | 'i' | 'k' | 'z')[]
  ) => {
    for (const key of keys.slice(0, -1)) await mira.page.keyboard.down(key)
    await mira.page.keyboard.press(keys.at(-1) ?? 'z')
    for (const key of keys.slice(0, -1)) await mira.page.keyboard.up(key)
  }

  test.each(Object.keys(DOCUMENTS))('of %s is Markdown that means the same', async (name) => {
    const [page, markdown] = DOCUMENTS[name] ?? ['', '']
    expect(await converted(page)).toBe(markdown)
  })

  test('runs, loads and hides nothing, whatever is on the clipboard', async () => {
    const hostile = `<script>top.ran = 1</script><img src=x onerror="top.ran = 1"><svg onload="top.ran = 1"></svg><iframe src="https://evil.example"></iframe><img src="https://evil.example/seen.png" width="0"><a href="javascript:top.ran = 1">click</a><a href="https://evil.example/&#10;)[x](javascript:1)">x</a><p>&lt;script&gt;top.ran = 1&lt;/script&gt; &lt;img src=x onerror=1&gt; &amp;lt;b&gt;</p><p style="display:none">hidden</p><style>@import "https://evil.example"</style><meta http-equiv="refresh" content="0;https://evil.example"><form action="https://evil.example"><button>Send</button></form><table><tr><td>a</td><td>b |\n| c</td></tr></table>`
    const words = await converted(hostile)
    expect(words).toBe(
      'click[x](https://evil.example/\\)[x]\\(javascript:1\\))\n\n\\<script>top.ran = 1\\</script> \\<img src=x onerror=1> \\&lt;b>\n\n| a | b \\| \\| c |\n| --- | --- |',
    )
    expect(await mira.page.evaluate('window.ran')).toBeUndefined()
    expect(mira.foreign).toEqual([])
    // Nested as deep as can be, or very long.
    expect(await converted(`${'<div>'.repeat(20_000)}<b>deep</b>`)).toBe('**deep**')
    expect(await converted(`<b>${'x'.repeat(1_000_001)}</b>`)).toBe('plain')
    expect(await converted(`${'<ul><li>'.repeat(300)}x`)).toContain('x')
  })

  test('takes one Ctrl+Z to undo, and a plain one is left to the browser', async () => {
    await mira.fill('text', 'Before ')
    expect(await paste({ 'text/html': '<p>See <b>this</b></p>', 'text/plain': 'See this' })).toBe(true)
    await hasText('Before See **this**')
    await press('Control', 'z')
    expect(await mira.valueOf('text')).toBe('Before ')
    expect(await paste({ 'text/plain': 'See **this**' })).toBe(false)
    expect(await paste({ 'text/html': '<meta charset="utf-8"><div>See</div>', 'text/plain': 'See' })).toBe(
      false,
    )
  })

  test('that is an address becomes the link of the selected words', async () => {
    await mira.fill('text', 'Read the guide now')
    await mira.page.evaluate(`document.querySelector('[name=text]').setSelectionRange(5, 14)`)
    expect(await paste({ 'text/plain': 'https://example.com/guide' })).toBe(true)
    expect(await mira.valueOf('text')).toBe('Read [the guide](https://example.com/guide) now')
    expect(await paste({ 'text/plain': 'https://example.com/guide' })).toBe(false)
  })

  test('has its pictures uploaded', async () => {
    await mira.fill('text', '')
    const src = `data:image/png;base64,${png(40, 20).toString('base64')}`
    await paste({ 'text/html': `<p>Look</p><img alt="The board" src="${src}">`, 'text/plain': 'Look' })
    await hasText('-40x20.webp)')
    expect(await mira.valueOf('text')).toMatch(
      /^Look\n\n!\[The board\]\(pictures\/[0-9a-f]{32}-40x20\.webp\)/,
    )
  })

  test('and keys write marks, continue numbers and indent, each undone with Ctrl+Z', async () => {
    const select = (from: number, to: number) =>
      mira.page.evaluate(`document.querySelector('[name=text]').setSelectionRange(${from}, ${to})`)
    await mira.fill('text', 'bold word')
    await select(0, 4)
    await press('Control', 'b')
    expect(await mira.valueOf('text')).toBe('**bold** word')
    await press('Control', 'b')
    expect(await mira.valueOf('text')).toBe('bold word')
    await press('Control', 'i')
    expect(await mira.valueOf('text')).toBe('_bold_ word')
    await press('Control', 'z')
    await select(5, 9)
    await press('Control', 'k')
    expect(await mira.valueOf('text')).toBe('bold [word](https://)')
    await mira.fill('text', '1. One')
    await mira.page.keyboard.type('\nTwo')
    expect(await mira.valueOf('text')).toBe('1. One\n2. Two')
    await press('Tab')
    expect(await mira.valueOf('text')).toBe('1. One\n   2. Two')
    await press('Shift', 'Tab')
    await press('Shift', 'Tab')
    expect(await mira.valueOf('text')).toBe('1. One\n2. Two')
    await press('Control', 'z')
    expect(await mira.valueOf('text')).toBe('1. One\n 2. Two')
    // The keyboard is never caught: not in the first item, nor after Escape.
    await press('Escape')
    await press('Tab')
    expect(await mira.page.evaluate('document.activeElement.name')).not.toBe('text')
    expect(await mira.valueOf('text')).toBe('1. One\n 2. Two')
    await mira.fill('text', '- [x] Done')
    await mira.page.keyboard.type('\nOpen')
    expect(await mira.valueOf('text')).toBe('- [x] Done\n- [ ] Open')
  })
})
