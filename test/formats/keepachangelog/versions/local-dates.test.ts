import { describe, expect, test } from 'bun:test'
import { parseMarkdown } from '../../../../src/formats/keepachangelog/read.ts'

const only = (text: string) => {
  const [version, ...others] = parseMarkdown(text).versions
  expect(others).toEqual([])
  return version
}

describe('the date of a version is read', () => {
  test.each([
    ...[
      '8 septembre 2026',
      '8 sept. 2026',
      '8. September 2026',
      '8 de septiembre de 2026',
      '8 settembre 2026',
    ],
    ...[
      '8 de setembro de 2026',
      '8 september 2026',
      '8 września 2026',
      '8 сентября 2026',
      '8 сентября 2026 г.',
    ],
    ...[
      '2026年9月8日',
      '2026年09月08日',
      '2026년 9월 8일',
      '8. září 2026',
      '2026. szeptember 8.',
      '8 вересня 2026 р.',
    ],
    ...['8 września 2026 r.', '8 вересня 2026 року', '8 сентября 2026 года', '8 tháng 9 năm 2026'],
  ])('in the language of its author: %s', (date) => {
    for (const heading of [`## 1.2.0 - ${date}`, `## 1.2.0 (${date})`, `## 1.2.0\n\n*${date}*`])
      expect(only(`${heading}\n\n- x\n`)).toMatchObject({
        ...{ label: '1.2.0', title: '1.2.0', date: Date.UTC(2026, 8, 8) },
        changes: [{ title: 'x' }],
      })
  })

  test.each([
    ['3. März 2025', Date.UTC(2025, 2, 3)],
    ['1er août 2024', Date.UTC(2024, 7, 1)],
    ['2 lutego 2024', Date.UTC(2024, 1, 2)],
    ['2 мая 2024', Date.UTC(2024, 4, 2)],
    ['2019-JAN-04', Date.UTC(2019, 0, 4)],
    ['2019 Jan 04', Date.UTC(2019, 0, 4)],
  ])('with its month by name: %s', (text, date) => {
    expect(only(`## 1.2.0 - ${text}\n\n- x\n`)).toMatchObject({ title: '1.2.0', date })
  })

  test.each(['## Version 2.3.4 - July 2025', '## 2.3.4 - juillet 2025', '## 2.3.4, July 2025'])(
    'and not begun with the end of a number: %s',
    (heading) => {
      expect(only(`${heading}\n\n- x\n`)).toMatchObject({ label: '2.3.4', date: Date.UTC(2025, 6, 1) })
    },
  )

  test('as the first of the month if only that is given, which is reported', () => {
    const { versions, warnings } = parseMarkdown('## 1.2.0 - März 2025\n\n- x\n')
    expect(versions).toMatchObject([{ title: '1.2.0', date: Date.UTC(2025, 2, 1) }])
    expect(warnings).toMatchObject([{ line: 1, message: expect.stringContaining('no day') }])
  })

  test.each([
    ['04-26-2019 16:54 PDT', '2019-04-26T23:54Z'],
    ['2019-04-26 4:54 PM', '2019-04-26T16:54Z'],
    ['April 26, 2019 at 12:05 am EST', '2019-04-26T05:05Z'],
    ['26.04.2019 16:54 CEST', '2019-04-26T16:54Z'],
  ])('with its time and zone: %s', (text, instant) => {
    expect(only(`## 1.2.0 (${text})\n\n- x\n`)).toMatchObject({ title: '1.2.0', date: Date.parse(instant) })
  })

  test.each(['## 1.2.0-8. September 2026', '## 1.2.0-8 Sep 2026', '## 1.2.0\n8. September 2026\n'])(
    'and neither a part of the label nor an item: %j',
    (heading) => {
      expect(only(`${heading}\n\n- x\n`)).toMatchObject({
        ...{ label: '1.2.0', date: Date.UTC(2026, 8, 8), changes: [{ title: 'x' }] },
      })
    },
  )
})

describe('full-width characters', () => {
  test.each([
    '2.0.38（2024-10-29）',
    '２．０．３８：２０２４－１０－２９',
    '【2.0.38】2024-10-29',
    '2.0.38　2024年10月29日',
  ])('are read as the usual ones: %s', (heading) => {
    expect(only(`## ${heading}\n\n- x\n`)).toMatchObject({
      ...{ label: '2.0.38', title: '2.0.38', date: Date.UTC(2024, 9, 29) },
    })
  })

  test('stay in a title', () => {
    expect(only('## 1.2.0（2024-10-29）：大きな変更（一）\n\n- x\n')?.title).toBe('大きな変更（一）')
  })
})

test.each([
  'Version 1.2.0 vom 8. September 2026',
  'Versión 1.2.0 del 8 de septiembre de 2026',
  'Wersja 1.2.0 z dnia 8 września 2026 r.',
  'Версия 1.2.0 от 8 сентября 2026 г.',
  'Версія 1.2.0 від 8 вересня 2026 року',
  'Sürüm 1.2.0 (8 Eylül 2026)',
  'Phiên bản 1.2.0 ngày 8 tháng 9 năm 2026',
])('%s is a version with its date, and words between are not in its title', (heading) => {
  const title = heading.slice(0, heading.indexOf('1.2.0') + 5)
  expect(only(`## ${heading}\n\n- x\n`)).toMatchObject({ label: '1.2.0', title, date: Date.UTC(2026, 8, 8) })
})

test.each([
  'Veröffentlicht am 8. September 2026',
  'Date de publication : 8 septembre 2026',
  'Fecha: 8 de septiembre de 2026',
  'Дата выпуска: 08.09.2026',
  '发布日期：2026年9月8日',
  '公開日：2026/09/08',
  '배포일: 2026-09-08',
])('%s below a version is its date', (line) => {
  expect(only(`## 1.2.0\n\n${line}\n\n- x\n`)).toMatchObject({
    date: Date.UTC(2026, 8, 8),
    description: null,
  })
})

test('the day is first in a date that nothing tells, in a language other than English', () => {
  const day = (word: string) => only(`## 1.2.0 - 02/03/2023\n\n- ${word}\n`)?.date
  expect(day('Adição de uma opção')).toBe(Date.UTC(2023, 2, 2))
  expect(day('Addition of an option')).toBe(Date.UTC(2023, 1, 3))
})
