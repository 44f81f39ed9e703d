import { describe, expect, test } from 'bun:test'
import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { bodyOf } from '../../../src/announce/compose.ts'
import { createLinks, type Message } from '../../../src/announce/message.ts'
import type { Change, Product } from '../../../src/domain/records.ts'
import { NO_VERSION_PROPERTIES } from '../../../src/domain/versions/properties.ts'
import { WEBHOOKS } from '../../../src/http/api/openapi/webhooks.ts'
import type { PublicVersion } from '../../../src/store/records/types.ts'
import fc, { anyText } from '../../support/fast-check.ts'

const AT = Date.UTC(2026, 10, 16)
const LINKS = createLinks('https://news.acme.test', 'on')
const PRODUCT: Product = {
  ...{ id: 'prod_1', slug: 'app', name: 'App', status: 'published', createdAt: AT },
  ...{ repository: null, language: null, subscribeUrl: null },
  team: {
    id: 'team_1',
    slug: 'acme',
    name: 'Acme',
    visibility: 'public',
    plan: 'free',
    createdAt: AT,
    subscribeUrl: null,
  },
  changelog: { id: 'clog_1', name: 'App changelog', status: 'published', preamble: null },
}

const release = (title: string, changes: readonly Partial<Change>[], label = '1.2.0'): PublicVersion => ({
  product: PRODUCT,
  version: {
    ...{ id: 'ver_1', label, title, status: 'published', scheduled: false, publishedAt: AT, dated: true },
    ...{ dateKnown: true, createdAt: AT, changeCount: changes.length },
    ...{ ...NO_VERSION_PROPERTIES, description: 'A long text that only readers of the page get.' },
  },
  changes: changes.map((change, at) => ({
    ...{ id: `chg_${at}`, type: 'added', typeLabel: null, title: 'Something', description: null },
    ...change,
  })),
})

const published = (found: PublicVersion): Message => ({ type: 'version.published', at: AT, found })
const body = (kind: Parameters<typeof bodyOf>[0], message: Message) =>
  JSON.parse(bodyOf(kind, message, LINKS))

describe('a webhook', () => {
  test('has the names of the version detail of the API, its addresses, and no long texts', () => {
    const found = release('Faster', [
      { title: 'One', description: 'Long' },
      { type: 'removed', title: 'Two' },
    ])
    expect(body('webhook', published(found))).toEqual({
      type: 'version.published',
      timestamp: '2026-11-16T00:00:00.000Z',
      data: {
        ...{
          id: 'ver_1',
          object: 'changelog.version',
          version: '1.2.0',
          title: 'Faster',
          status: 'published',
        },
        ...{ publishedAt: '2026-11-16T00:00:00.000Z', changeCount: 2 },
        team: { slug: 'acme', name: 'Acme' },
        product: { slug: 'app', name: 'App' },
        changelog: { id: 'clog_1', name: 'App changelog', status: 'published' },
        ...{ dateKnown: true, prerelease: false, yanked: null },
        url: 'https://news.acme.test/changelog/acme/app/1.2.0',
        apiUrl: 'https://news.acme.test/api/v1/public/teams/acme/products/app/changelog/versions/ver_1',
        changes: [
          {
            ...{ id: 'chg_0', object: 'changelog.change', type: 'added', typeLabel: 'Added' },
            ...{ kind: 'added', breaking: false, mayBreak: false, security: false, title: 'One' },
          },
          {
            ...{ id: 'chg_1', object: 'changelog.change', type: 'removed', typeLabel: 'Removed' },
            ...{ kind: 'removed', breaking: false, mayBreak: true, security: false, title: 'Two' },
          },
        ],
      },
    })
  })

  test('is what the description of the API says, whatever the event', () => {
    const found = release('Faster', [{ title: 'One', description: 'Long' }])
    const messages: Message[] = [
      published(found),
      { ...published(found), type: 'version.updated' } as Message,
      { type: 'version.withdrawn', at: AT, id: 'ver_1', label: '1.2.0', product: 'App' },
      { type: 'versions.published', at: AT, product: PRODUCT, versions: [found] },
      { type: 'hook.test', at: AT, id: 'hook_1', name: 'releases' },
    ]
    expect(messages.map(({ type }) => type)).toEqual(WEBHOOKS.map(({ type }) => type) as Message['type'][])
    for (const [at, message] of messages.entries())
      expect([...Value.Errors(WEBHOOKS[at]?.body as TSchema, body('webhook', message))]).toEqual([])
  })

  test('stays below 20 KB, whatever a release or a list of them has', () => {
    const changes = Array.from({ length: 2_000 }, () => ({ title: '😀'.repeat(500) }))
    const found = release('ü'.repeat(1_000), changes, '标'.repeat(128))
    const long = bodyOf('webhook', published(found), LINKS)
    expect(Buffer.byteLength(long)).toBeLessThan(20_000)
    expect(JSON.parse(long).data.changes.length).toBeGreaterThan(5)
    const versions = Array.from({ length: 300 }, () => found)
    const list: Message = { type: 'versions.published', at: AT, product: PRODUCT, versions }
    expect(Buffer.byteLength(bodyOf('webhook', list, LINKS))).toBeLessThan(20_000)
    expect(body('webhook', list).data).toMatchObject({ versionCount: 300 })
  })
})

interface SlackBlock {
  text?: { text: string }
  elements?: { text: string }[]
}

/** Of a block of an adaptive card. */
const cardText = (block: { text?: string; inlines?: { text: string }[] }): string | undefined =>
  block.text ?? block.inlines?.map(({ text }) => text).join('')

const CHANGES = [
  { title: 'Show **bold**, ~~old~~ and `code_x` with a [link](https://example.org/a_b)' },
  { type: 'fixed', title: 'Greet <@U123>, <!channel> and @everyone & others' },
  { type: 'changed', title: '**BREAKING**: Remove the old API' },
]

describe('a chat', () => {
  const found = release('The *big* one', CHANGES)

  test('of Slack gets blocks with breaking changes first, its own marks, and no mention', () => {
    const { text, blocks } = body('slack', published(found))
    expect(text).toBe('App 1.2.0')
    expect(blocks.map((block: { type: string }) => block.type)).toEqual([
      ...['header', 'section', 'section', 'section', 'section', 'context'],
    ])
    const texts = blocks.map((block: { text?: { text: string; verbatim?: boolean } }) => block.text?.text)
    expect(texts.slice(1, 5)).toEqual([
      'The _big_ one',
      '*Breaking*\n• Remove the old API',
      '*Added*\n• Show *bold*, ~old~ and `code_x` with a <https://example.org/a_b|link>',
      '*Fixed*\n• Greet &lt;@U123&gt;, &lt;!channel&gt; and @everyone &amp; others',
    ])
    expect(blocks[1].text.verbatim).toBe(true)
    expect(JSON.stringify(blocks.at(-1))).toContain(
      '<https://news.acme.test/changelog/acme/app/1.2.0|Read more>',
    )
  })

  test('of Discord gets an embed, and nobody is mentioned', () => {
    const { allowed_mentions, embeds } = body('discord', published(found))
    expect(allowed_mentions).toEqual({ parse: [] })
    expect(embeds[0]).toMatchObject({
      title: 'App 1.2.0',
      url: 'https://news.acme.test/changelog/acme/app/1.2.0',
    })
    expect(embeds[0].description.split('\n')).toEqual([
      'The *big* one',
      '**Breaking**',
      '- Remove the old API',
      '**Added**',
      '- Show **bold**, ~~old~~ and `code_x` with a [link](<https://example.org/a_b>)',
      '**Fixed**',
      '- Greet \\<\\@U123\\>, \\<\\!channel\\> and \\@everyone & others',
    ])
  })

  test('of Teams gets an adaptive card that links to the release', () => {
    const { attachments } = body('teams', published(found))
    const { content } = attachments[0]
    expect(content).toMatchObject({ type: 'AdaptiveCard', version: '1.4' })
    expect(content.msteams).toBeUndefined()
    expect(content.body.map(cardText)).toEqual([
      ...['App 1.2.0', 'The _big_ one', 'Breaking', '• Remove the old API', 'Added'],
      '• Show **bold**, old and code\\_x with a [link](https://example.org/a_b)',
      ...['Fixed', '• Greet <@U123>, <!channel> and @everyone & others'],
    ])
    expect(content.actions[0].url).toBe('https://news.acme.test/changelog/acme/app/1.2.0')
  })

  test('of Teams gets text without marks as it is, in blocks that know no markdown', () => {
    const text = 'Keep *.log in my_file_name (see #12) - not [a], `x_y` or 1\\. \\\\'
    const [name, title] = body('teams', published(release(text, [], '1.0.0-rc_1'))).attachments[0].content
      .body
    expect([name, title].map(({ type }) => type)).toEqual(['RichTextBlock', 'RichTextBlock'])
    expect(cardText(name)).toBe('App 1.0.0-rc_1')
    expect(cardText(title)).toBe('Keep *.log in my_file_name (see #12) - not [a], x_y or 1. \\')
  })

  test('gets no block without text, whatever a title renders to', () => {
    for (const title of ['---', '#', '![](https://example.org/x.png)', '\u200B', '[](https://a.test)']) {
      const message = published({ ...release(title, [{ title }, { type: 'fixed', title: 'Real' }]) })
      const { blocks } = body('slack', message)
      expect(blocks.map((block: SlackBlock) => block.text?.text ?? block.elements?.[0]?.text)).toEqual([
        ...['App 1.2.0', '*Fixed*\n• Real'],
        expect.stringContaining('and 1 more change'),
      ])
      expect(body('discord', message).embeds[0].description).toBe('**Fixed**\n- Real\nand 1 more change')
      expect(body('teams', message).attachments[0].content.body.map(cardText)).toEqual([
        ...['App 1.2.0', 'Fixed', '• Real', 'and 1 more change'],
      ])
    }
  })

  test('gets the first paragraph of a release without changes, with its links', () => {
    const prose = release('1.2.0', [])
    const description = `<!-- written by a tool -->\n\n# News\n\n![](x.png)\n\nFaster *search*,\nsee [notes][1].\n\nMore.\n\n[1]: https://example.org/n`
    const message = published({ ...prose, version: { ...prose.version, description } })
    expect(body('slack', message).blocks[1].text.text).toBe(
      'Faster _search_, see <https://example.org/n|notes>.',
    )
    expect(body('discord', message).embeds[0].description).toBe(
      'Faster *search*, see [notes](<https://example.org/n>)\\.',
    )
    expect(cardText(body('teams', message).attachments[0].content.body[1])).toBe(
      'Faster _search_, see [notes](https://example.org/n).',
    )
    expect(body('webhook', message).data.description).toBeUndefined()
  })

  test('links and marks nothing that authors write as code', () => {
    const title = '`[Notice](https://evil.test)` `**b**` `<https://evil.test|x>`'
    const message = published(release(title, [{ title: '*A* `[Notice](https://evil.test)` `**b**`' }]))
    const html = (text: string) => Bun.markdown.html(text).replace(/<\/?(p|code)>|\n/g, '')
    const [embed] = body('discord', message).embeds
    expect(html(embed.description.split('\n')[0])).toBe(
      '[Notice](https://evil.test) **b** &lt;https://evil.test|x&gt;',
    )
    const [, plain, , marked] = body('teams', message).attachments[0].content.body
    expect(cardText(plain)).toBe('[Notice](https://evil.test) **b** <https://evil.test|x>')
    expect(html(marked.text)).toBe('• <em>A</em> [Notice](https://evil.test) **b**')
    const { blocks } = body('slack', message)
    expect(blocks[1].text.text).toBe('`[Notice](https://evil.test)` `**b**` `&lt;https://evil.test|x&gt;`')
  })

  test('is told of a hidden release by product and label, and a webhook by id and label', () => {
    const hidden: Message = { type: 'version.withdrawn', at: AT, id: 'ver_1', label: '1.2.0', product: 'App' }
    for (const kind of ['slack', 'discord', 'teams'] as const) {
      const text = bodyOf(kind, hidden, LINKS)
      expect(text).toContain('"App 1.2.0 is no longer public"')
      expect(text).not.toMatch(/acme|ver_1|""/)
    }
    const data = { object: 'changelog.version', id: 'ver_1', version: '1.2.0' }
    expect(body('webhook', hidden).data).toEqual(data)
  })

  test('gets no more than its limits allow, and no mention, whatever authors write', () => {
    const hostile = fc.oneof(
      anyText(600),
      fc.constantFrom('<!here>', '@everyone', '<@1>', '[a](javascript:x)', '*_`~'.repeat(200)),
    )
    fc.assert(
      fc.property(hostile, fc.array(hostile, { maxLength: 30 }), (title, titles) => {
        const message = published(
          release(
            title,
            titles.map((each) => ({ title: each })),
          ),
        )
        const slack = body('slack', message)
        expect(slack.blocks.length).toBeLessThanOrEqual(50)
        for (const block of slack.blocks.slice(1)) {
          const { text } = block.text ?? block.elements[0]
          expect(text.length).toBeLessThanOrEqual(3_000)
          expect(text).not.toMatch(/<[!@#]/)
          expect(text).not.toContain('javascript:x|')
        }
        const [embed] = body('discord', message).embeds
        expect(embed.description.length).toBeLessThanOrEqual(4_096)
        expect(Buffer.byteLength(bodyOf('teams', message, LINKS))).toBeLessThan(28_000)
      }),
      { numRuns: 200 },
    )
  })
})
