import { describe, expect, test } from 'bun:test'
import type { MailBody } from '../../../src/announce/mail/mail.ts'
import { createLinks } from '../../../src/announce/message.ts'
import { LANGUAGES, type Language } from '../../../src/domain/records.ts'
import { encodingOf } from '../../../src/outgoing/mail.ts'
import {
  AT,
  DRAWN,
  HOOK,
  PRODUCT,
  published,
  release,
  written,
} from '../../support/announcing/mail-samples.ts'
import fc, { anyText } from '../../support/fast-check.ts'

test('a release reads in plain text as it is drawn', async () => {
  const { subject, text } = await written(published(release('Blue-green by default', DRAWN)))
  expect(subject).toBe('Harbor 5.0.0: Blue-green by default')
  expect(text).toBe(`Harbor 5.0.0 · 20 November 2026
Blue-green by default

Harbor 5 starts the new version next to the old one and moves
traffic once it is healthy. A rollback takes seconds.

BREAKING
- Every service in \`harbor.yml\` needs a \`health:\` line.
- \`harbor push\` is now \`harbor deploy\`.

SECURITY
- Deploy keys expire after 90 days.

Added
- Deploy windows. Choose when a service may change.
- Compare two deploys side by side.
- Retry a failed deploy from the page.
- Follow a deploy in Slack, step by step.

Changed
- Logs are kept for 30 days instead of 7.
- The dashboard opens on the services you own.

Fixed
- Builds no longer hang on an empty cache.
- Rollbacks keep the order of migrations.
- Times follow the reader’s time zone.

5 more on the page:
https://changes.northwind.example/changelog/northwind/harbor/5.0.0

-- 
You get this because you are on the list
changelog@lists.northwind.example.
Unsubscribe: https://lists.northwind.example/leave?list=harbor&x="y"
`)
})

test('what follows the changes is in the message, pictures too, unless changes are left out', async () => {
  const picture = `https://changes.northwind.example/changelog/northwind/harbor/pictures/${'a'.repeat(32)}-40x30.webp`
  const closing = `Restart your server.\n\n![The new page](${picture})`
  const { text, html } = await written(published(release('X', [{ title: 'One' }], { closing })))
  expect(text).toContain('- One\n\nRestart your server.')
  expect(html).toMatch(new RegExp(`One[\\s\\S]*Restart your server[\\s\\S]*<img [^>]*${picture}"`))
  const many = Array.from({ length: 40 }, (_, at) => ({ title: `Change ${at}` }))
  expect((await written(published(release('X', many, { closing })))).text).not.toContain('Restart')
})

test.each([
  ['a longer fence', '````\n```sh\n# *one*\n```\n# *two*\n````'],
  ['a fence with words behind a second mark', '```\n```sh\n# *one*\n```'],
  ['an item', '- Run\n\n  ```\n  # *one*\n  ```\n- Then'],
  ['an item of an item', '- A\n  - B\n\n    ```\n    # *one*\n    ```'],
  ['a quote', '> ```\n> *one*\n> ```'],
  ['a long line', `~~~\n${'word '.repeat(30)}\n~~~`],
  ['indented code', 'Run\n\n    # *one*'],
])('code stays as it is in plain text: %s', async (_, code) => {
  const changes = [{ title: 'Run it', description: code }]
  const { text } = await written(published(release('X', changes, { description: code })))
  expect(text).toContain(`\n\n${code}\n\n`)
  expect(text).toContain(`\n\n${code.replace(/^(?=.)/gm, '  ')}\n\n`)
})

test('a picture is its description in plain text, marked as one in the language of the product', async () => {
  const address = 'https://img.example/a.png'
  const description = `See **![The *new* page](${address})** and ![](${address}).

[![A map](${address})](https://example.org)
\`![code](${address})\`

- ![In a list](${address})`
  const changes = [{ title: `Pages ![side by side](${address})` }]
  const { text } = await written(published(release('X', changes, { description })))
  expect(text).toContain(`See [Picture: The new page] and .

[Picture: A map] (https://example.org)
\`![code](${address})\`

- [Picture: In a list]`)
  expect(text).toContain('- Pages [Picture: side by side]\n')
  for (const [language, shown] of [
    ['de', '[Bild: The new page]'],
    ['fr', '[Image\u00a0: The new page]'],
    ['ar', '[صورة: The new page]'],
  ] as const) {
    const product = { ...PRODUCT, language }
    expect((await written(published(release('X', changes, { description, product })))).text).toContain(shown)
  }
})

test('lines of code stay whole in plain text, also below a change', async () => {
  const code = `harbor deploy ${'--with-a-long-option '.repeat(5)}--and-another`
  const description = `\`\`\`sh\n${code}\n\`\`\``
  const { text } = await written(published(release('X', [{ title: 'One', description }], { description })))
  expect(text).toContain(`\n${code}\n`)
  expect(text).toContain(`\n  ${code}\n`)
})

describe('as HTML', () => {
  test('a release has what is urgent first and on its own ground, a preview, a button and a way out', async () => {
    const { html } = await written(published(release('Blue-green by default', DRAWN)))
    const text = html
      .replace(/<style>[\s\S]*<\/style>|<title>[\s\S]*<\/title>/g, '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
    expect(text).toStartWith(
      ' 2 breaking changes, 1 security fix. Harbor 5 starts the new version next to the old one and moves traffic once it is healthy. A rollback… Northwind / Harbor 5.0.0 &nbsp; 20 November 2026',
    )
    const said = 'Scripts break. **BREAKING CHANGE:** No more scripts.'
    const both = [{ type: 'security', title: '**BREAKING:** No weak ciphers (CVE-2026-1234)' }]
    for (const [changes, description, first] of [
      [[], said, 'Scripts break. '],
      [both, '', '1 breaking change, 1 security fix. '],
    ] as const) {
      const { html } = await written(published(release('X', changes, { description })))
      expect(html).toContain(`overflow:hidden">${first}`)
    }
    expect(html.indexOf('panel-breaking"')).toBeLessThan(html.indexOf('panel-security"'))
    expect(html).toContain(
      '<a href="https://changes.northwind.example/changelog/northwind/harbor/5.0.0" style=',
    )
    expect(html).toContain(
      '<a href="https://lists.northwind.example/leave?list=harbor&amp;x=&quot;y&quot;" style=',
    )
    expect(text).toContain('5 more on the page Read the release notes')
  })

  test('the preview is the first words of the introduction, without pictures, marks and where links lead', async () => {
    const address = 'https://example.com/guide'
    for (const [description, preview] of [
      [
        `![The page](${address}.png) See the [guide](${address}) for \`quotes\`.\n\nMore.`,
        'See the guide for quotes.',
      ],
      [
        `## Heading\n\n![Map](${address})\n\n\`\`\`sh\nrun\n\`\`\`\n\nIt\nis *one* & two[^1].`,
        'It is one &amp; two.',
      ],
      [
        '新しい検索を追加しました（https://example.com/a）。設定は不要です。',
        '新しい検索を追加しました（https://example.com/a）。設定は不要です。',
      ],
      [`![Only](${address})`, ''],
    ]) {
      const { html } = await written(published(release('X', [], { description })))
      expect(/overflow:hidden">([^<]*)</.exec(html)?.[1]?.replace(/\s+/g, ' ')).toBe(preview)
    }
  })

  test('a picture has a border, so that a white one is seen on white', async () => {
    const { html } = await written(
      published(release('X', [], { description: '![A](https://img.example/a.png)' })),
    )
    expect(html).toMatch(/<img [^>]*style="[^"]*border:1px solid #e4e7ec;[^"]*" class="picture">/)
    expect(html).toMatch(/\.picture \{\s*border-color/)
  })

  test('the button of a release without anything to read promises no release notes', async () => {
    const empty = await written(published(release('', [], { description: '' })))
    expect(empty.html).toContain('>Open the page</a>')
    expect(empty.text).toContain('\nOpen the page:\nhttps://')
    expect(empty.html + empty.text).not.toContain('Read the')
    for (const found of [
      release('X', [], { description: '' }),
      release('', [{}], { description: '' }),
      release('', [], { description: 'X' }),
      release('', [], { description: '', closing: 'X' }),
    ])
      expect((await written(published(found))).html).toContain('>Read the release notes</a>')
  })

  test('nothing is loaded but pictures of the author, which have their words, and addresses are absolute', async () => {
    const description = [
      '![A *map*](https://img.example/map.png) <img src="https://img.example/wide.png" width="900" height="300" alt="Wide">',
      '![](http://img.example/plain.png) <script src="https://evil.example/x.js"></script> <style>p{}</style>',
      '[here](/changelog/x) [a](javascript:x) [there](https://example.org/?a=1&b=2)[^1]\n\n[^1]: A note.',
      '<details><summary>More</summary>\n\n- [x] done\n- [ ] open\n</details>',
    ].join('\n\n')
    const { html } = await written(
      published(release('Pictures', [{ title: 'One', description }], { description })),
    )
    expect([...html.matchAll(/<img [^>]*src="([^"]*)"/g)].map(([, src]) => src)).toEqual(
      Array(2).fill(['https://img.example/map.png', 'https://img.example/wide.png']).flat(),
    )
    for (const [image] of html.matchAll(/<img [^>]*>/g)) expect(image).toMatch(/ alt="[^"]+".*max-width:100%/)
    expect(html).toContain('width="536"')
    expect(html).not.toMatch(/900"|<script|<link|<details|<input|javascript:|loading=|tabindex|@import|url\(/)
    for (const [, href = ''] of html.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^https?:/)
    expect(html).toContain('https://changes.northwind.example/changelog/x')
    expect(html).toContain('☑ done')
  })

  test.each(LANGUAGES)(
    'it says everything in %s, the language of the product',
    async (language: Language) => {
      const { html, text, subject } = await written(
        published(release('X', DRAWN, { product: { ...PRODUCT, language } })),
      )
      expect(html).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
      const isEnglish = language === 'en'
      for (const words of [
        'Breaking',
        'Security',
        'more on the page',
        'Read the release notes',
        'Unsubscribe',
        'November 2026',
      ])
        expect([words, html.includes(words)]).toEqual([
          words,
          isEnglish || (words === 'November 2026' && language === 'de'),
        ])
      expect(text + html.replace(/<style>[\s\S]*<\/style>/, '')).not.toMatch(/\{\w+\}|undefined|\bfalse\b/)
      expect(subject).toBe('Harbor 5.0.0: X')
      const links = createLinks('https://changes.northwind.example', 'on', {
        siteLanguage: language,
        brandColor: '#cc0000',
      })
      expect((await written(published(release('X', DRAWN)), HOOK, links)).html).toContain(
        `<html lang="${language}"`,
      )
    },
  )
})

test('headers let clients sort it and offer a way out, and no mailbox answers', async () => {
  const { headers, host } = await written(published(release('X', DRAWN)))
  expect(host).toBe('changes.northwind.example')
  expect(headers).toEqual({
    'Auto-Submitted': 'auto-generated',
    'List-Id': '<harbor.northwind.changes.northwind.example>',
    'List-Unsubscribe': `<${HOOK.unsubscribeUrl}>`,
  })
  const without = await written(published(release('X', DRAWN)), { ...HOOK, unsubscribeUrl: null })
  expect(without.headers).not.toHaveProperty('List-Unsubscribe')
  expect(without.text + without.html).not.toContain('Unsubscribe')
})

test('an update, many releases, and a test say what they are', async () => {
  const found = release('Faster', DRAWN)
  expect((await written({ type: 'version.updated', at: AT, found })).subject).toBe(
    'Harbor 5.0.0: Faster (updated)',
  )
  const many = await written({
    type: 'versions.published',
    at: AT,
    product: PRODUCT,
    versions: Array(500).fill(found),
  })
  expect(many.subject).toBe('Harbor: 500 new releases')
  expect(many.text).toContain('- 5.0.0: Faster\n')
  expect(many.text).toContain(
    '480 more on the page:\nhttps://changes.northwind.example/changelog/northwind/harbor\n',
  )
  const tried = await written({ type: 'hook.test', at: AT, id: 'hk_1', name: 'northwind/changelog' })
  expect(tried.subject).toBe('Mail from changelogd works')
  expect(tried.text).toContain('Releases will be announced here.')
})

test('breaking and security changes are never cut by number', async () => {
  const changes = [
    ...Array(30).fill({ type: 'breaking', title: 'Gone' }),
    ...Array(20).fill({ title: 'New' }),
  ]
  const { text } = await written(published(release('X', changes)))
  expect(text.match(/^- Gone$/gm)).toHaveLength(30)
  expect(text).toContain('20 more on the page')
})

const encodedLength = ({ html, text }: MailBody): number => encodingOf(html + text).bytes

test.each([
  ['long breaking changes', Array(400).fill({ type: 'breaking', title: 'ü'.repeat(1_000) }), 'x'],
  [
    'long texts',
    [{ title: 'One', description: '`a` **b** 標題 '.repeat(60_000) }],
    '😀 `code` '.repeat(100_000),
  ],
  [
    'many tables',
    [{ title: 'One', description: `${'|a|b|\n|-|-|\n'}${'|1|2|\n'.repeat(5_000)}` }],
    '# X\n'.repeat(9_000),
  ],
  ['many equals signs', Array(300).fill({ type: 'breaking', title: `\`${'='.repeat(280)}\`` }), 'x'],
])('a release with %s is at most 100 KB, and says that there is more', async (_, changes, description) => {
  const body = await written(
    published(release('x'.repeat(1_000), changes, { description, label: '標'.repeat(128) })),
  )
  expect(encodedLength(body)).toBeLessThanOrEqual(96_000)
  expect(body.html).toMatch(/more on the page|The rest is on the page/)
  expect(body.subject.length).toBeLessThanOrEqual(200)
})

test('whatever authors write, a message has one subject line and only elements and addresses that are allowed', async () => {
  const hostile = fc.oneof(
    anyText(400),
    fc.constantFrom(
      'a\r\nBcc: x@y.z',
      '<img src=x onerror=y>',
      '<a href="javascript:x">',
      '</style><script>',
      '"><b',
    ),
  )
  await fc.assert(
    fc.asyncProperty(hostile, hostile, hostile, async (title, change, description) => {
      const body = await written(
        published(release(title || 'x', [{ title: change || 'x', description }], { description })),
      )
      expect(body.subject).not.toMatch(/[\r\n\p{Cc}]/u)
      const tags = new Set(
        [...body.html.replace(/<style>[\s\S]*?<\/style>/, '').matchAll(/<\/?([a-zA-Z][^\s>/]*)/g)].map(
          ([, tag]) => tag,
        ),
      )
      for (const tag of ['script', 'iframe', 'form', 'link', 'object', 'svg'])
        expect(tags.has(tag)).toBe(false)
      expect(body.html).not.toMatch(/<[^>]* on\w+=|href="javascript/i)
    }),
    { numRuns: 60 },
  )
})
