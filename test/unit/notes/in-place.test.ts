import { describe, expect, test } from 'bun:test'
import { defaultTreeAdapter, parseFragment, serializeOuter } from 'parse5'
import type { Seeder } from '../../support/seed.ts'
import { openHandler } from '../../support/servers/handler.ts'

const DAY = 86_400_000
const OLDER = 'See [x], [`x`][], <b>[that][x]</b> and `code`.'

/** What authors leave open, or say about the whole of a file. */
const TEXTS = [
  '<pre>\nopen',
  'Words that stand before it <pre> and open',
  '<script>\nopen',
  '<style>\n\nopen',
  '<textarea>\n\nopen',
  'Words that stand before it <textarea> open',
  '<!-- open\n\nfor ever',
  'Words that stand before it <!-- open',
  '<?php\n\nopen',
  '<![CDATA[\n\nopen',
  '<!DOCTYPE\n\nopen',
  '<details><summary>More</summary>\n\nopen',
  '<div>\n<table>\n<tr>\n<td>\n\nopen',
  'Words that <b>are bold to the <i>end',
  '</div></details></li></ul>',
  '```\nopen',
  '- item\n\n  ```\n  open',
  '> ~~~\n> open',
  'Title\n=====\n\nopen',
  '**Title**\n---\n\nopen',
  '`title`\n===',
  '[Title](https://example.org)\n===',
  '1) title\n   ===',
  '---',
  '===',
  '[x]: https://wrong.test',
  'See [x].\n\n[x]: https://wrong.test "Title"',
  '> [x]: https://wrong.test',
  '- [x]:\n  https://wrong.test',
  '[`x`]: <https://wrong.test>',
]

const TITLES = [
  ...['<pre>open', '<script>', '<!-- open', '<textarea>', '<?open', '<details>', '<b>bold', '</ul>'],
  ...[
    '[x]: https://wrong.test',
    '===',
    '---',
    '```',
    '# One',
    '1. One',
    '> quote',
    '* * *',
    '<![CDATA[ open',
  ],
]

type Newer = Parameters<Seeder['version']>[2]

/** What a browser shows of the older of two releases, and of whatever follows it. */
async function olderIn(
  server: ReturnType<typeof openHandler>,
  team: string,
  slug: string,
  file: string,
  newer: Newer,
) {
  const { changelogId } = server.seed.product(team, slug)
  const changes = [{ type: 'fixed', title: OLDER, description: `More: ${OLDER}` }]
  const older = { title: 'Older', description: OLDER, closing: OLDER, changes }
  server.seed.version(changelogId, '1.0.0', { publishedAt: DAY, ...older })
  server.seed.version(changelogId, '2.0.0', { publishedAt: 2 * DAY, title: '2.0.0', ...newer })
  const markdown = await (await server.get(`/changelog/acme/${slug}${file}`)).text()
  const nodes = parseFragment(Bun.markdown.html(markdown)).childNodes.map((node) =>
    defaultTreeAdapter.isElementNode(node) ? serializeOuter(node) : '',
  )
  const start = nodes.findIndex((node) => /^<h2[ >]/.test(node) && node.includes('1.0.0'))
  return nodes
    .slice(start < 0 ? nodes.length : start)
    .join('\n')
    .replaceAll(slug, 'slug')
}

const CHANGE = { type: 'added', title: 'Harmless' }
const PLACES: [name: string, texts: readonly string[], newer: (text: string) => Newer][] = [
  ['the introduction', TEXTS, (description) => ({ description, changes: [CHANGE] })],
  ['the closing', TEXTS, (closing) => ({ closing, changes: [CHANGE] })],
  ['the text of a change', TEXTS, (description) => ({ changes: [{ ...CHANGE, description }] })],
  ['the title of a change', TITLES, (title) => ({ changes: [{ ...CHANGE, title }] })],
  ['the title of the release', TITLES, (title) => ({ title, changes: [CHANGE] })],
]

describe.each(['.md', '/CHANGELOG.md'])('in app%s, a release is the same', (file) => {
  test.each(PLACES)('whatever is %s of the one above it', async (_, texts, newer) => {
    using server = openHandler()
    const acme = server.seed.team('acme')
    const expected = await olderIn(server, acme, 'harmless', file, { changes: [CHANGE] })
    expect(expected.match(/<code>code<\/code>/g)).toHaveLength(4)
    const wrong: string[] = []
    for (const [at, text] of texts.entries())
      if ((await olderIn(server, acme, `app-${at}`, file, newer(text))) !== expected)
        wrong.push(JSON.stringify(text))
    expect(wrong).toEqual([])
  })
})

describe.each(['.md', '/CHANGELOG.md', '.md?from=0.9.0'])('in app%s, footnotes', (file) => {
  const documentOf = async (...releases: Parameters<Seeder['version']>[2][]) => {
    using server = openHandler()
    const { changelogId } = server.seed.product(server.seed.team('acme'), 'app')
    server.seed.version(changelogId, '0.9.0', { publishedAt: DAY })
    for (const [at, release] of releases.entries())
      server.seed.version(changelogId, `1.${at}.0`, { publishedAt: (2 + at) * DAY, ...release })
    return (await server.get(`/changelog/acme/app${file}`)).text()
  }
  const noted = (note: string) => `One[^1], two[^1], \`[^1]\` and [^a-z].\n\n[^1]: ${note}\n    goes on`

  test('are those of their own release', async () => {
    const notes = ['A note', 'Another', 'https://example.org/note']
    const text = await documentOf(
      ...notes.map((note) => ({ changes: [{ type: 'added', title: 'It', description: noted(note) }] })),
    )
    const labels = notes.map((note) => {
      const [, label = ''] = new RegExp(`^ *\\[\\^(1-\\w+)\\]: ${note}\n +goes on$`, 'm').exec(text) ?? []
      expect(text).toContain(`One[^${label}], two[^${label}], \`[^1]\` and [^a-z].`)
      return label
    })
    expect(new Set(labels).size).toBe(3)
  })

  test('may stand in another text of it than what refers to them', async () => {
    const release = (note: string) => ({
      changes: [{ type: 'added', title: `It[^x]` }],
      closing: `[^x]: ${note}`,
    })
    const text = await documentOf(release('One'), release('Two'))
    const used = [...text.matchAll(/It\[\^(x-\w+)\]/g)].map(([, label]) => label)
    const defined = [...text.matchAll(/^ *\[\^(x-\w+)\]: (One|Two)$/gm)].map(([, label]) => label)
    // What changes from one version to another has no closings.
    expect(defined).toEqual(file.includes('from') ? [] : used)
    expect(new Set(used).size).toBe(used.length)
  })
})
