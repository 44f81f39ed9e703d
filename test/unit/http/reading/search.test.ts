import { expect, test } from 'bun:test'
import { wordsOf } from '../../../../src/http/reading/search.ts'
import { openHandler } from '../../../support/servers/handler.ts'

test('quoted words are a phrase, and a quote alone is a character', () => {
  expect(wordsOf('Dark  "Two  Words" "" end"')).toEqual(['dark', 'two words', '""', 'end"'])
  expect(wordsOf('""')).toEqual(['""'])
})

test('a search for a phrase finds it across a line, and not its words apart', async () => {
  using server = openHandler({})
  const { changelogId } = server.seed.product(server.seed.team('acme'), 'app')
  const version = (label: string, title: string, description: string) =>
    server.seed.version(changelogId, label, {
      title: label,
      changes: [{ type: 'fixed', title, description }],
    })
  version('1.0.0', 'Apart', 'One key and another rotation')
  version('2.0.0', 'Together', 'Now with key\nrotation')
  const labels = async (q: string) => {
    const text = await (await server.get(`/changelog/acme/app.md?q=${encodeURIComponent(q)}`)).text()
    return ['Apart', 'Together'].filter((title) => text.includes(title))
  }
  expect(await labels('key rotation')).toEqual(['Apart', 'Together'])
  expect(await labels('"key rotation"')).toEqual(['Together'])
  expect(await (await server.get('/changelog/acme/app?q="key+rotation"')).text()).toContain('Together')
})

test('a page of a release offers its Markdown, and loads its first picture at once', async () => {
  using server = openHandler({})
  const { changelogId } = server.seed.product(server.seed.team('acme'), 'app')
  const description = '![A](https://x.test/a.png)\n\n![B](https://x.test/b.png)'
  server.seed.version(changelogId, '1.0.0', { description })
  const html = await (await server.get('/changelog/acme/app/1.0.0')).text()
  expect([...html.matchAll(/<img [^>]*>/g)].map(([image]) => image.includes('lazy'))).toEqual([false, true])
  expect(html).toContain('<p class="copy"><a href="/changelog/acme/app/1.0.0.md">Read it as Markdown</a></p>')
})
