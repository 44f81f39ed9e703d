import { describe, expect, test } from 'bun:test'
import { mapRows } from '../../../../src/domain/objects.ts'
import { CHANGE_TEXTS, VERSION_TEXTS } from '../../../../src/domain/versions/properties.ts'
import { openExport } from '../../../../src/formats/native/read.ts'
import type { ExportRecord } from '../../../../src/formats/native/records.ts'
import { writeLines } from '../../../../src/formats/native/write.ts'
import fc, { anyText } from '../../../support/fast-check.ts'
import {
  chunks,
  each,
  joined,
  key,
  RECORDS,
  read,
  replaced,
  replacements,
  reversed,
  version,
} from './samples.ts'

const write = (records: Iterable<ExportRecord>) => joined(writeLines(each(records)))

describe('an export of everything', () => {
  test('reads back to the records it was written from, whatever the size of the chunks', async () => {
    const text = await write(RECORDS)
    for (const size of [1, 2, 3, 7, 64, 1000, 1 << 16]) expect(await read(text, size)).toEqual(RECORDS)
  })

  test('written from what was read has the same bytes', async () => {
    const text = await write(RECORDS)
    expect(await write(await read(text))).toBe(text)
  })

  test('is one JSON value a line: a header, a line for each record, and their counts', async () => {
    const lines = (await write(RECORDS)).split('\n')
    expect(lines.pop()).toBe('')
    const values = lines.map((line) => JSON.parse(line))
    expect(values[0]).toEqual({ format: 'changelogd', version: 2 })
    expect(values.slice(1, -1).flatMap(Object.keys)).toEqual(RECORDS.flatMap(Object.keys))
    expect(values.at(-1)).toEqual({ end: { team: 3, product: 3, version: 3, key: 1 } })
    expect(values[3].version).toMatchObject({ version: '1.0.0', publishedAt: '2026-01-02T03:04:05.678Z' })
  })

  test('of nothing is a header and an end, and reads back to nothing', async () => {
    const text = await write([])
    expect(text.split('\n')).toHaveLength(3)
    expect(await read(text)).toEqual([])
  })

  test('holds nothing but the fields of the format, whatever else a record carries', async () => {
    const [first] = RECORDS as [{ team: object }]
    const text = await write([{ team: { ...first.team, productCount: 3 } } as unknown as ExportRecord])
    expect(text).not.toContain('productCount')
  })
})

describe('a file of lines', async () => {
  const good = await write([...RECORDS.slice(0, 3), ...RECORDS.slice(5, 6)])

  test('may have its fields in any order, blanks, empty lines, other line ends and a byte order mark', async () => {
    const [header, ...lines] = (await write(RECORDS)).trimEnd().split('\n')
    const loose = lines.map((line) =>
      JSON.stringify(reversed(JSON.parse(line)), null, 1).replaceAll(/\n */g, ' '),
    )
    const text = `\uFEFF${[header, ...loose].join('\r\n\r\n')}\r\n\r\n `
    expect(await read(text, 5)).toEqual(RECORDS)
  })

  test.each(replacements('refused-lines.txt'))(
    'with %s → %s is refused, naming line and field',
    async (from, to, message) => {
      const bad = replaced(good, from, to)
      expect(bad).not.toBe(good)
      await expect(read(bad)).rejects.toThrow(message)
    },
  )

  test('cut off anywhere is refused, also between two lines', async () => {
    for (let length = 0; length < good.length - 1; length += 7)
      await expect(read(good.slice(0, length), 16)).rejects.toThrow()
    const lines = good.split('\n')
    for (let count = 1; count < lines.length - 1; count++)
      await expect(read(`${lines.slice(0, count).join('\n')}\n`)).rejects.toThrow(
        `incomplete after line ${count}: the end record is missing`,
      )
    expect(await read(good.trimEnd())).toHaveLength(4)
  })

  test('with other records than its end counts is refused', async () => {
    const lines = good.split('\n')
    for (let line = 1; line < lines.length - 2; line++)
      await expect(read(lines.toSpliced(line, 1).join('\n'))).rejects.toThrow()
    const message =
      'line 5: end must be the number of records before it: {"team":1,"product":1,"version":0,"key":1}'
    await expect(read(lines.toSpliced(3, 1).join('\n'))).rejects.toThrow(message)
    const another = (lines[3] as string).replace('"version":"1.0.0"', '"version":"2.0.0"')
    const twice = lines.toSpliced(3, 0, another).join('\n')
    await expect(read(twice)).rejects.toThrow('line 7: end must be the number of records before it')
  })

  test.each([
    ['team', 1, 4, 'line 5: team acme is already on line 2'],
    ['product', 2, 4, 'line 5: product acme/app is already on line 3'],
    ['version', 3, 4, 'line 5: version 1.0.0 of acme/app is already on line 4'],
    ['key', 4, 5, `line 6: key ${key.id} is already on line 5`],
  ])('that has a %s twice is refused, naming both lines', async (kind, line, at, message) => {
    const lines = good.split('\n')
    const twice = lines.toSpliced(at, 0, lines[line] as string).join('\n')
    await expect(read(twice.replace(`"${kind}":1`, `"${kind}":2`))).rejects.toThrow(message)
  })

  test('is checked whole before any record is read', async () => {
    const bytes = new TextEncoder().encode(good.replace('"hash":"ab', '"hash":"xy'))
    const opened = openExport(new TextDecoder().decode(bytes), () => chunks(bytes, 64))
    await expect(opened).rejects.toThrow('line 5: key.tokens[0].hash must be a SHA-256')
  })

  test('that is not UTF-8 is refused', async () => {
    const bytes = new TextEncoder().encode(good)
    bytes[good.indexOf('One')] = 0xff
    await expect(read(bytes)).rejects.toThrow('line 4: not UTF-8')
  })
})

test('any text survives an export and an import, wherever it is', () => {
  const text = anyText(40).map((one) => one.replaceAll('\0', ''))
  return fc.assert(
    fc.asyncProperty(text, fc.option(text), fc.integer({ min: 1, max: 50 }), async (title, text, size) => {
      const own = mapRows(CHANGE_TEXTS, () => text)
      const changes = version().changes.map((one) => ({ ...one, title: `${title}.`, ...own }))
      const texts = mapRows(VERSION_TEXTS, () => text)
      const records = [...RECORDS.slice(0, 2), { version: version({ ...texts, changes }) }]
      expect(await read(await write(records), size)).toEqual(records)
    }),
    { numRuns: 100, seed: 7 },
  )
})
