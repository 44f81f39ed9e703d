import { expect } from 'bun:test'
import { browserTest } from '../support/pages/watched-page.ts'
import { startServer, THE_BINARY } from '../support/servers/server.ts'

/** What ends an element, an attribute or a comment in HTML and in SVG. */
const HOSTILE = [
  ...['</script></title></text></svg><script>window.ran = 1</script>'],
  ...['"><script xmlns="http://www.w3.org/1999/xhtml">window.ran = 1</script>', '<!--<script>'],
  ...[']]><svg onload="window.ran = 1">', '" onload="window.ran = 1'],
  "' onclick='window.ran = 1",
  '&lt;script&gt; &amp; \u2028 \ud83c\udf89',
]

browserTest(
  'whatever names contain, badges are SVG and structured data is data',
  async ({ page, complaints }) => {
    await using server = await startServer(THE_BINARY)
    for (const [at, name] of HOSTILE.entries()) {
      const team = server.seed.team(`t-${at}`, { name })
      const { changelogId } = server.seed.product(team, 'app', { name })
      server.seed.db.run('UPDATE changelog SET name = ? WHERE id = ?', [name, changelogId])
      server.seed.version(changelogId, name, { title: name })
    }
    for (const [at, name] of HOSTILE.entries()) {
      await page.goto(`${server.url}/changelog/t-${at}/app/badge.svg`)
      const badge = await page.evaluate(
        "[document.documentElement.localName, document.querySelector('title').textContent, [...new Set([...document.querySelectorAll('*')].map((each) => each.localName))].sort().join(), [...document.querySelectorAll('*')].some((each) => [...each.attributes].some((one) => one.name.startsWith('on'))), window.ran ?? null]",
      )
      const title = expect.stringContaining(`${name}: `)
      expect(badge).toEqual(['svg', title, 'clipPath,g,rect,svg,text,title', false, null])
      await page.goto(`${server.url}/changelog/t-${at}/app/latest`)
      // The policy of the page allows no script of an author, and does not complain of data.
      const data = await page.evaluate(
        'JSON.parse(document.querySelector(\'script[type="application/ld+json"]\').textContent)',
      )
      expect(data).toMatchObject({ publisher: { name }, about: { name } })
      expect(await page.evaluate('[document.scripts.length, window.ran ?? null]')).toEqual([1, null])
      expect({ name, complaints }).toEqual({ name, complaints: [] })
    }
  },
)

browserTest('a badge shows all of its words, however wide the font is', async ({ page }) => {
  await using server = await startServer(THE_BINARY)
  const { changelogId } = server.seed.product(server.seed.team('acme'), 'app')
  for (const [at, label] of ['1.0', 'WWWWWWWW', 'iiiiiiiiiiiiiiii', '第二版本', 'x'.repeat(200)].entries()) {
    server.seed.version(changelogId, label, { publishedAt: at })
    await page.goto(`${server.url}/changelog/acme/app/badge.svg`)
    const isInside = await page.evaluate(`[...document.querySelectorAll('text')].every((each, at) => {
      const [own, box] = [each.getBoundingClientRect(), document.querySelectorAll('g > rect')[at].getBoundingClientRect()]
      return own.left >= box.left + 4 && own.right <= box.right - 4 && box.width < 400
    })`)
    expect({ label, isInside }).toEqual({ label, isInside: true })
  }
})
