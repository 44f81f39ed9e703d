import { describe, expect, test } from 'bun:test'
import { parseFragment, serialize } from 'parse5'
import { WORDS } from '../../../../../src/http/pages/languages/languages.ts'
import { check } from '../../../../../src/http/pages/markdown/check.ts'
import { withoutComments } from '../../../../../src/http/pages/markdown/comments.ts'
import { sanitizeBlocks } from '../../../../../src/http/pages/markdown/sanitizer.ts'
import { PAYLOADS } from '../../../../support/pages/hostile-html.ts'

const rendered = (source: string): string => Bun.markdown.html(source, { autolinks: true })
const shown = (source: string): string =>
  Bun.markdown.html(source, { autolinks: true, noHtmlBlocks: true, noHtmlSpans: true })
const plain = (source: string): string | null => withoutComments(rendered(source), shown(source))

/** What a browser makes of what is left of it. */
const seen = (html: string): string => serialize(parseFragment(check(html, 3, WORDS.en.authored)))

describe('only HTML of authors needs the sanitizer', () => {
  test.each([
    ['A `<details>` in code', '<p>A <code>&lt;details&gt;</code> in code</p>\n'],
    ['```html\n<p>\n```', '<pre><code class="language-html">&lt;p&gt;\n</code></pre>\n'],
    ['\u200B<!-- 44 -->[Box] "New" & old', '<p>\u200B[Box] &quot;New&quot; &amp; old</p>\n'],
    ['<!-- generated for "1.2" -->\n\n## New', '\n<h2>New</h2>\n'],
    ['`<!-- a -->` <!-- b -->', '<p><code>&lt;!-- a --&gt;</code> </p>\n'],
  ])('not %p', (source, expected) => {
    expect(plain(source)).toBe(expected)
  })

  test.each([
    '<kbd>x</kbd>',
    '<!-- a --> <kbd>x</kbd>',
    '<!-- a --><img src=x onerror=alert(1)><!-- b -->',
    '<!--><img src=x onerror=alert(1)>-->',
    'x <!-- a --!><img src=x onerror=alert(1)> -->',
    'x <!-- <!-- a -->',
    '<!-- a',
  ])('%p does', (source) => {
    expect(plain(source)).toBeNull()
  })

  test('what does not need it is what it would make of it', () => {
    const sources = PAYLOADS.flatMap((text) => [text, `<!-- a --> ${text}`, `${text} \`<b>\``, `\`${text}\``])
    const without = sources.filter((source) => plain(source) !== null)
    expect(without.length).toBeGreaterThan(100)
    for (const source of without)
      expect(seen(plain(source) ?? '')).toBe(seen(sanitizeBlocks(rendered(source))))
  })
})
