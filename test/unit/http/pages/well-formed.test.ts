import { expect, test } from 'bun:test'
import fc from '../../../support/fast-check.ts'
import { describeNeeding } from '../../../support/needs.ts'
import { openHandler } from '../../../support/servers/handler.ts'

const XML = ['', '/changelog/acme', '/changelog/acme/app']
  .flatMap((page) => [`${page}/feed.atom`, `${page}/feed.rss`, `${page}/feed.rss?kind=added`])
  .concat('/changelog/acme/app/badge.svg', '/sitemap.xml', '/sitemap-pages.xml')

/** Prints why expat refuses a document. */
const PARSE = `import json, sys, xml.etree.ElementTree as tree
for path, text in json.load(sys.stdin):
  try: tree.fromstring(text.encode())
  except Exception as error: print(path, error)`

/** Code points with a rule of their own in XML or HTML, and some without. */
const point = fc.oneof(
  fc.integer({ min: 0, max: 0x9f }),
  fc.constantFrom(0x2028, 0xd800, 0xdfff, 0xfffd, 0xfffe, 0xffff, 0x1fffe, 0x1f389, 0x10ffff, 0x110000),
)
const reference = fc.oneof(
  point.map((code) => `&#${code};`),
  point.map((code) => `&#x${code.toString(16)};`),
)
const raw = fc.constantFrom('\u0001', '\u000b', '\u001b', '\u0085', '\uFFFE', '\uFFFF', '\uD800', '🎉')
const markup = fc.constantFrom(
  ...['a', ' ', '\n\n', ']]>', '<![CDATA[', '<b>', '</b>', '<!--', '-->', '&', '&lt;p&gt;', '`', '**'],
  ...['<', '![', '](https://x.test/a.png "', '")', '<img alt="', '" src="https://x.test/a">', '[^1]'],
)
const text = fc
  .array(fc.oneof(reference, reference, raw, markup), { maxLength: 8 })
  .map((all) => all.join(''))
const line = text.map((all) => all.replace(/\s+/g, ' '))
const change = fc.record({ type: fc.constant('added'), typeLabel: line, title: line, description: text })
const changes = fc.array(change, { maxLength: 3 })
const version = fc.record({ title: line, description: text, closing: text, changes })

describeNeeding('python3', Bun.which('python3') !== null, 'an XML parser', () => {
  test('reads every feed, badge and sitemap, whatever the characters and references of authors', async () => {
    const versions = fc.array(version, { minLength: 10, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(versions, async (all) => {
        using server = openHandler({ PUBLIC_URL: 'https://news.acme.test' })
        const acme = server.seed.team('acme', { name: 'Acme \uFFFE' })
        const { changelogId } = server.seed.product(acme, 'app', { name: 'App \uFFFF & more' })
        for (const [at, each] of all.entries()) server.seed.version(changelogId, `${at}\uFFFF`, each)
        const documents: [string, string][] = []
        for (const path of XML) documents.push([path, await (await server.get(path)).text()])
        const stdin = Buffer.from(JSON.stringify(documents))
        const { stdout, stderr } = Bun.spawnSync(['python3', '-c', PARSE], { stdin })
        expect(`${stdout}${stderr}`).toBe('')
      }),
      { numRuns: 3, endOnFailure: true },
    )
  })
})
