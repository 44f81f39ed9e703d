import { expect, test } from 'bun:test'
import { plainText, renderBlocks, renderInline } from '../../../../src/notes/html/render.ts'

const hrefsIn = (html: string) => [...html.matchAll(/<a class="id" href="([^"]*)"/g)].map(([, href]) => href)

test.each([
  ['CVE-2026-1234', 'https://www.cve.org/CVERecord?id=CVE-2026-1234'],
  ['GHSA-j8xg-fqg3-53r7', 'https://github.com/advisories/GHSA-j8xg-fqg3-53r7'],
  ['RUSTSEC-2020-0071', 'https://rustsec.org/advisories/RUSTSEC-2020-0071'],
  ['GO-2024-2687', 'https://pkg.go.dev/vuln/GO-2024-2687'],
  ['CWE-79', 'https://cwe.mitre.org/data/definitions/79.html'],
])('%s is a link to the advisory', (id, href) => {
  expect(hrefsIn(renderInline(`Fix ${id}`))).toEqual([href])
  expect(hrefsIn(renderBlocks(`Fix it (${id}).`, 3, 1_000).html)).toEqual([href])
  expect(plainText(`Fix ${id}`)).toBe(`Fix ${id}`)
})

test('an id is a link however it is written', () => {
  expect(hrefsIn(renderInline('Fix cve-2026-1234'))).toHaveLength(1)
})

test('the id of an advisory in a link, in code or in a word stays as it is', () => {
  for (const text of ['[CVE-2026-1234](https://example.com)', '`CVE-2026-1234`', 'x-CVE-2026-1234-y'])
    expect([text, hrefsIn(renderInline(text))]).toEqual([text, []])
  const many = 'CVE-2026-1234 '.repeat(2_000)
  expect(hrefsIn(renderBlocks(many, 3, 100_000).html)).toHaveLength(500)
})
