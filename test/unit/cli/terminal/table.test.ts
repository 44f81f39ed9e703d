import { describe, expect, spyOn, test } from 'bun:test'
import { columns, fixed, spare, table } from '../../../../src/cli/terminal/table.ts'
import { contextWith, terminalWith } from '../../../support/commands/context.ts'
import fc from '../../../support/fast-check.ts'

const HEADING = ['version', 'title', 'published at', 'id']
const ROWS = [
  [
    '1.10.0',
    'Search finds words with accents',
    fixed('2026-01-02 (3 days ago)', '2026-01-02'),
    'ver_01m7facd10',
  ],
  ['1.9.0', 'First', fixed('2025-12-31 (5 days ago)', '2025-12-31'), 'ver_01m7facd0z'],
]

test('a pipe gets one line for each row, however long it is', () => {
  expect(table(contextWith(), HEADING, ROWS).split('\n')).toEqual([
    'VERSION  TITLE                            PUBLISHED AT             ID',
    '1.10.0   Search finds words with accents  2026-01-02 (3 days ago)  ver_01m7facd10',
    '1.9.0    First                            2025-12-31 (5 days ago)  ver_01m7facd0z',
  ])
})

test('a terminal that is wide enough gets the same', () => {
  const piped = table(contextWith(), HEADING, ROWS)
  expect(table(terminalWith(81), HEADING, ROWS)).toBe(piped)
  expect(table(terminalWith(80), HEADING, ROWS)).not.toBe(piped)
})

test('a cell is measured as often in a long table as in a short one', () => {
  using measured = spyOn(Bun, 'stringWidth')
  columns(contextWith(), Array(1_000).fill(['1.0.0', 'First']))
  expect(measured).toHaveBeenCalledTimes(2 * 2_000)
})

describe('a terminal that is too narrow gets', () => {
  test('short forms first', () => {
    expect(table(terminalWith(70), HEADING, ROWS).split('\n')).toEqual([
      'VERSION  TITLE                            PUBLISHED AT  ID',
      '1.10.0   Search finds words with accents  2026-01-02    ver_01m7facd10',
      '1.9.0    First                            2025-12-31    ver_01m7facd0z',
    ])
  })

  test('then text wrapped between words', () => {
    expect(table(terminalWith(69), HEADING, ROWS).split('\n')).toEqual([
      'VERSION  TITLE                           PUBLISHED AT  ID',
      '1.10.0   Search finds words with         2026-01-02    ver_01m7facd10',
      '         accents',
      '1.9.0    First                           2025-12-31    ver_01m7facd0z',
    ])
  })

  test('then the cells of each row, one after the other', () => {
    expect(table(terminalWith(50), HEADING, ROWS).split('\n')).toEqual([
      'VERSION  TITLE  PUBLISHED AT  ID',
      '1.10.0  Search finds words with accents',
      '  2026-01-02  ver_01m7facd10',
      '1.9.0  First  2025-12-31  ver_01m7facd0z',
    ])
  })

  test('no spare columns, before anything else', () => {
    const rows = ROWS.map((row) => [...row.slice(0, -1), spare(row.at(-1) as string)])
    expect(table(terminalWith(81), HEADING, rows)).toBe(table(contextWith(), HEADING, ROWS))
    expect(table(terminalWith(80), HEADING, rows).split('\n')).toEqual([
      'VERSION  TITLE                            PUBLISHED AT',
      '1.10.0   Search finds words with accents  2026-01-02 (3 days ago)',
      '1.9.0    First                            2025-12-31 (5 days ago)',
    ])
    expect(table(terminalWith(64), HEADING, rows).split('\n')).toEqual([
      'VERSION  TITLE                            PUBLISHED AT',
      '1.10.0   Search finds words with accents  2026-01-02',
      '1.9.0    First                            2025-12-31',
    ])
  })

  test('a command on one line, even if that is longer than the terminal, so that it can be copied', () => {
    const command = 'changelogd version create acme/app 1.0.0 --title First'
    expect(columns(terminalWith(40), [['no version is published', fixed(command)]])).toEqual([
      `no version is published\n  ${command}`,
    ])
  })

  test('no line for cells that are empty', () => {
    const rows = [
      ['hidden', 'acme/app', 'the product is a draft'],
      ['public', 'acme/web', ''],
    ]
    expect(columns(terminalWith(30), rows)).toEqual([
      'hidden  acme/app\n  the product is a draft',
      'public  acme/web',
    ])
  })
})

test('whatever the width, no word is broken, none is lost, and no line is longer than it must be', () => {
  const word = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom('a', 'é', '漢', '…', '-') })
  const cell = fc.array(word, { minLength: 1, maxLength: 12 })
  const rows = fc
    .integer({ min: 1, max: 6 })
    .chain((count) =>
      fc.array(fc.array(cell, { minLength: count, maxLength: count }), { minLength: 1, maxLength: 5 }),
    )
  fc.assert(
    fc.property(rows, fc.integer({ min: 3, max: 120 }), (cells, width) => {
      const texts = cells.map((row) => row.map((words) => words.join(' ')))
      const written = columns(terminalWith(width), texts)
      for (const [at, text] of written.entries()) {
        const words = (cells[at] as string[][]).flat()
        expect([...(text.match(/\S+/g) ?? [])].sort()).toEqual(words.sort())
        for (const line of text.split('\n'))
          if (/\S\s+\S/.test(line)) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(width)
      }
    }),
  )
})
