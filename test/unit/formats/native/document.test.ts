import { describe, expect, test } from 'bun:test'
import { writeDocument } from '../../../../src/formats/native/write.ts'
import { each, joined, product, read, replaced, replacements, reversed, team, version } from './samples.ts'

const RECORDS = [
  { team },
  { product },
  { version: version() },
  { version: version({ label: '0.9.0', changes: [] }) },
]
const good = await joined(
  writeDocument(team, product, each([]), each([version(), version({ label: '0.9.0', changes: [] })])),
)

describe('an export of one product', () => {
  test('is one JSON document with a version a line, and reads back to the records it was written from', async () => {
    const [{ products }] = JSON.parse(good).teams
    expect(products[0].versions[0]).toMatchObject({
      version: '1.0.0',
      publishedAt: '2026-01-02T03:04:05.678Z',
    })
    const lines = good.split('\n')
    expect(lines[0]).toBe('{"format":"changelogd","version":1,"teams":[')
    expect(lines.filter((line) => line.startsWith('{"id":"ver_'))).toHaveLength(2)
    expect(lines.slice(-4)).toEqual([']}', ']}', ']}', ''])
    for (const size of [1, 7, 1 << 16]) expect(await read(good, size)).toEqual(RECORDS)
  })

  test('without a version is one too', async () => {
    const empty = await joined(writeDocument(team, product, each([]), each([])))
    expect(await read(empty)).toEqual([{ team }, { product }])
    expect(empty).toEndWith('"versions":[]}\n]}\n]}\n')
  })
})

describe('a document', () => {
  test('may be formatted and its fields ordered in any way', async () => {
    const text = JSON.stringify(reversed(JSON.parse(good)), null, '\t')
    expect(await read(`\uFEFF${text}\r\n `, 5)).toEqual(RECORDS)
    expect(await read(JSON.stringify(JSON.parse(good)))).toEqual(RECORDS)
  })

  test('of 0.1.0 is read with its keys, after the products they name', async () => {
    const text = await Bun.file(new URL('../../../fixtures/everything-0.1.0.json', import.meta.url)).text()
    const kinds = (await read(text)).flatMap(Object.keys)
    expect(kinds).toEqual([
      ...['team', 'product', 'version', 'version', 'product', 'product', 'version', 'key', 'key'],
      ...['team', 'product'],
    ])
  })

  test.each(replacements('refused-documents.txt'))(
    'with %s → %s is refused, naming the path',
    async (from, to, message) => {
      const bad = replaced(good, from, to)
      expect(bad).not.toBe(good)
      await expect(read(bad)).rejects.toThrow(message)
    },
  )

  test('that has a product twice is refused, naming both paths', async () => {
    const { teams, ...rest } = JSON.parse(good)
    teams[0].products.push(teams[0].products[0])
    await expect(read(JSON.stringify({ ...rest, teams }))).rejects.toThrow(
      'teams[0].products[1]: product acme/app is already at teams[0].products[0]',
    )
  })

  test('that goes on after its end, is cut off anywhere or is not UTF-8 is refused', async () => {
    await expect(read(`${good}x`)).rejects.toThrow('not valid JSON')
    for (let length = 0; length < good.length - 1; length += 7)
      await expect(read(good.slice(0, length), 16)).rejects.toThrow()
    const bytes = new TextEncoder().encode(good)
    bytes[good.indexOf('One')] = 0xff
    await expect(read(bytes)).rejects.toThrow('line 4: not UTF-8')
  })
})
