import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { html, trusted } from '../../../../src/notes/html/markup.ts'

const root = join(import.meta.dir, '../../../../src/http')

test('a template escapes every value, in texts and in attributes, alone and in lists', () => {
  const hostile = `<b a="x" c='y'>&`
  const escaped = '&lt;b a=&quot;x&quot; c=&#39;y&#39;&gt;&amp;'
  expect(html`<p title="${hostile}">${hostile}${[hostile]}</p>`.toString()).toBe(
    `<p title="${escaped}">${escaped}${escaped}</p>`,
  )
  expect(html`${html`<i>${hostile}</i>`}${trusted('<hr>')}`.toString()).toBe(`<i>${escaped}</i><hr>`)
})

test('only one function gives markup that is not escaped', async () => {
  const found: string[] = []
  for await (const file of new Bun.Glob('**/*.ts').scan(root)) {
    const source = await Bun.file(join(root, file)).text()
    const isTemplates = file === 'markup.ts'
    if (!isTemplates && /html-template|\.raw\b/.test(source)) found.push(file)
  }
  expect(found).toEqual([])
})
