import { describe, expect, test } from 'bun:test'
import { openExport } from '../../../src/formats/native/read.ts'
import type { ExportRecord } from '../../../src/formats/native/records.ts'
import { writeLines } from '../../../src/formats/native/write.ts'
import fc from '../../support/fast-check.ts'
import { chunks, each, joined, key, RECORDS, read, reversed, version } from './samples.ts'

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

  test.each([
    ['"format":"changelogd"', '"format":"other"', 'line 1: format must be "changelogd", not "other"'],
    ['"version":2', '"version":3', 'a newer changelogd wrote this file (version 3; this one reads up to 2)'],
    ['"version":2', '"version":"2"', 'line 1: version must be 2, not "2"'],
    ['"version":2', '"version":1', 'line 1: version must be 2, not 1'],
    [
      '"visibility":"public"',
      '"visibility":"open"',
      'line 2: team.visibility must be "public" or "private", not "open"',
    ],
    ['"slug":"acme"', '"slug":"Acme"', 'line 2: team.slug must be a slug: lowercase letters'],
    ['"plan":"paid",', '', 'line 2: team.plan is missing'],
    ['"plan":"paid"', '"plan":"paid","__proto__":{}', 'line 2: team.__proto__ is an unknown field'],
    ['"name":"App",', '"name":"App","colour":1,', 'line 3: product.colour is an unknown field'],
    [
      '"status":"locked"',
      '"status":"x"',
      'line 3: product.changelog.status must be "draft" or "published" or "locked", not "x"',
    ],
    [
      '"title":"One","status":"published"',
      '"title":"One","status":"x"',
      'line 4: version.status must be "draft" or "published", not "x"',
    ],
    [
      '"title":"One"',
      '"title":""',
      'line 4: version.title must be a text of 1 to 1000 characters, in valid Unicode and without NUL, not ""',
    ],
    ['"title":"One"', '"title":"O\\u0000ne"', 'line 4: version.title must be a text of 1 to 1000'],
    ['"title":"One"', '"title":"O\\ud800ne"', 'line 4: version.title must be a text of 1 to 1000'],
    [
      '"description":null',
      `"description":"${'x'.repeat(1_000_001)}"`,
      'line 4: version.description must be a text of 0 to 1000000 characters',
    ],
    ['"dated":true', '"dated":1', 'line 4: version.dated must be true or false, not 1'],
    [
      '"publishedAt":"2026-01-02T03:04:05.678Z"',
      '"publishedAt":"2026-02-30T03:04:05.678Z"',
      'line 4: version.publishedAt must be a time such as 2026-01-02T03:04:05.678Z, not "2026-02-30T03:04:05.678Z"',
    ],
    [
      '"publishedAt":"2026-01-02T03:04:05.678Z"',
      '"publishedAt":"2026-01-02"',
      'line 4: version.publishedAt must be a time',
    ],
    ['"id":"ver_', '"id":"chg_', 'line 4: version.id must be an id that begins with ver_'],
    ['"type":"added"', '"type":"Added"', 'line 4: version.changes[0].type must be a lowercase word'],
    ['"type":"added"', '"kind":"added"', 'line 4: version.changes[0].type is missing'],
    ['"changes":[', '"changes":[3,', 'line 4: version.changes[0] must be an object, not 3'],
    ['"dated":true', '"dated":tru', 'line 4: not JSON'],
    ['"hash":"ab', '"hash":"xy', 'line 5: key.tokens[0].hash must be a SHA-256'],
    [
      '"expiresAt":null',
      '"expiresAt":0',
      'line 5: key.expiresAt must be a time such as 2026-01-02T03:04:05.678Z or null, not 0',
    ],
    ['{"key":', '{"lock":', 'line 5: must be an object with one team, product, version, key or end'],
    [
      '{"key":{',
      '{"key":3,"team":{',
      'line 5: must be an object with one team, product, version, key or end',
    ],
    ['{"key":', '3\n{"key":', 'line 5: must be an object with one team, product, version, key or end'],
    ['{"product":', '{"version":', 'line 3: version cannot follow team'],
    ['{"team":', '{"product":', 'line 2: product cannot follow header'],
    [
      '{"end":',
      '{"end":{"team":1,"product":1,"version":1,"key":1}}\n{"end":',
      'line 7: end cannot follow end',
    ],
    ['"version":1,"key":1', '"version":"1","key":1', 'line 6: end.version must be a whole number, not "1"'],
  ])('with %s → %s is refused, naming line and field', async (from, to, message) => {
    const bad = good.replace(from, to)
    expect(bad).not.toBe(good)
    await expect(read(bad)).rejects.toThrow(message)
  })

  test('cut off anywhere is refused, also between two lines', async () => {
    for (let length = 0; length < good.length - 1; length += 7)
      await expect(read(good.slice(0, length), 16)).rejects.toThrow()
    const lines = good.split('\n')
    for (let count = 1; count < lines.length - 1; count++)
      await expect(read(`${lines.slice(0, count).join('\n')}\n`)).rejects.toThrow(
        `cut off after line ${count}: the end record is missing`,
      )
    expect(await read(good.trimEnd())).toHaveLength(4)
  })

  test('with other records than its end counts is refused', async () => {
    const lines = good.split('\n')
    for (let line = 1; line < lines.length - 2; line++)
      await expect(read(lines.toSpliced(line, 1).join('\n'))).rejects.toThrow()
    const message = 'line 5: end must count the records before it: {"team":1,"product":1,"version":0,"key":1}'
    await expect(read(lines.toSpliced(3, 1).join('\n'))).rejects.toThrow(message)
    const another = (lines[3] as string).replace('"version":"1.0.0"', '"version":"2.0.0"')
    const twice = lines.toSpliced(3, 0, another).join('\n')
    await expect(read(twice)).rejects.toThrow('line 7: end must count the records before it')
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

test('any text survives an export and an import', () => {
  const text = fc
    .string({ unit: 'binary', maxLength: 40 })
    .map((one) => one.toWellFormed().replaceAll('\0', ''))
  return fc.assert(
    fc.asyncProperty(
      text,
      fc.option(text),
      fc.integer({ min: 1, max: 50 }),
      async (title, description, size) => {
        const changes = [
          { id: version().changes[0]?.id ?? '', type: 'fixed', title: `${title}.`, description },
        ]
        const records = [...RECORDS, { version: version({ label: '2.0.0', description, changes }) }]
        expect(await read(await write(records), size)).toEqual(records)
      },
    ),
    { numRuns: 100, seed: 7 },
  )
})
