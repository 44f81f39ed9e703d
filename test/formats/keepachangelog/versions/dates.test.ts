import { describe, expect, test } from 'bun:test'
import {
  findDate,
  onlyDate,
  resolveNumericDates,
} from '../../../../src/formats/keepachangelog/versions/dates.ts'

/** What `findDate` found: the moment, and the part of the text that it takes for the date. */
function found(text: string): { iso: string; part: string; warning: string | null } | null {
  const date = findDate(text)
  if (date === null) return null
  return {
    iso: new Date(date.at).toISOString(),
    part: text.slice(date.start, date.end),
    warning: date.warning,
  }
}

describe('a day', () => {
  test.each([
    '2024-01-02',
    '2024/01/02',
    '2024.01.02',
    '2024-1-2',
    'January 2, 2024',
    'Jan 2 2024',
    'Jan. 2nd, 2024',
    'JANUARY 2, 2024',
    'Tuesday, January 2, 2024',
    'Tue. January 2 2024',
    '2 January 2024',
    '2nd of January 2024',
    '02-Jan-2024',
    '02/Jan/2024',
    '2024-02-January',
    '2 Jan, 2024',
    'Tue Jan 02 2024',
  ])('written as %s begins at midnight UTC', (text) => {
    expect(found(text)).toEqual({ iso: '2024-01-02T00:00:00.000Z', part: text, warning: null })
  })

  test.each([
    ['Feb 3, 2024', '2024-02-03'],
    ['3 march 2024', '2024-03-03'],
    ['June 3, 2024', '2024-06-03'],
    ['Jul 3, 2024', '2024-07-03'],
    ['Sept 3, 2024', '2024-09-03'],
    ['3 Sep 2024', '2024-09-03'],
    ['December 3, 2024', '2024-12-03'],
    ['2024-02-29', '2024-02-29'],
    ['Fri 15 Jan 2021', '2021-01-15'],
    ['2022, September 8th', '2022-09-08'],
    ['2016-17-05', '2016-05-17'],
    ['28-Nov-96', '1996-11-28'],
    ['28/Nov/02', '2002-11-28'],
    ['28 Nov 96', '1996-11-28'],
    ["Nov 28, '96", '1996-11-28'],
    ['96/11/28', '1996-11-28'],
    ['11-28-96', '1996-11-28'],
    ['May 96', '1996-05-01'],
  ])('%s is %s', (text, day) => {
    expect(found(text)?.iso).toBe(`${day}T00:00:00.000Z`)
  })

  test.each([
    ['13/01/2024', '2024-01-13'],
    ['01/13/2024', '2024-01-13'],
    ['13.01.2024', '2024-01-13'],
    ['01-13-2024', '2024-01-13'],
    ['04/04/2024', '2024-04-04'],
  ])('before its year, %s, is read in the one way it can be', (text, day) => {
    expect(found(text)).toEqual({ iso: `${day}T00:00:00.000Z`, part: text, warning: null })
  })

  test.each([
    ['03.04.2024', '2024-04-03'],
    ['03-04-2024', '2024-04-03'],
    ['03/04/2024', '2024-03-04'],
    ['3/4/2024', '2024-03-04'],
  ])('that may be day or month first, %s, has its usual reading, and both', (text, day) => {
    expect(found(text)?.iso).toBe(`${day}T00:00:00.000Z`)
    expect(findDate(text)?.numeric).toEqual({
      dayFirst: Date.parse('2024-04-03'),
      monthFirst: Date.parse('2024-03-04'),
    })
  })

  test.each(['January 2024', 'Jan, 2024'])('that is missing, %s, is the first, with a warning', (text) => {
    const date = found(text)
    expect(date?.iso).toBe('2024-01-01T00:00:00.000Z')
    expect(date?.warning).toContain('no day')
  })
})

describe('a time of day', () => {
  test.each([
    ['2024-01-02T03:04', '2024-01-02T03:04:00.000Z'],
    ['2024-01-02 03:04', '2024-01-02T03:04:00.000Z'],
    ['2024-01-02T03:04:05.678Z', '2024-01-02T03:04:05.678Z'],
    ['2024-01-02t03:04:05z', '2024-01-02T03:04:05.000Z'],
    ['2024-01-02T03:04:05.123456', '2024-01-02T03:04:05.123Z'],
    ['2024-01-02, 03:04 UTC', '2024-01-02T03:04:00.000Z'],
    ['2024-01-02 20:04 PST', '2024-01-02T20:04:00.000Z'],
    ['2024-01-02 01:04 +0200', '2024-01-02T01:04:00.000Z'],
    ['2024-01-02T01:04+02:00', '2024-01-01T23:04:00.000Z'],
    ['2024-01-02 03:04:05 GMT', '2024-01-02T03:04:05.000Z'],
    ['2024-01-02 03:04:05 +02:00', '2024-01-02T01:04:05.000Z'],
    ['2024-01-02 03:04 -0130', '2024-01-02T04:34:00.000Z'],
    ['Tue Jan 02 03:04:05 2024', '2024-01-02T03:04:05.000Z'],
    ['Tue Jan  2 03:04:05 MYT 2024', '2024-01-02T03:04:05.000Z'],
    ['Tue 2 Jan 03:04:05 -03 2024', '2024-01-02T03:04:05.000Z'],
    ['Tue, 06 Oct 2026 00:04:37 GMT', '2026-10-06T00:04:37.000Z'],
    ['Thu, 22 Oct 2026 08:00:37 GMT', '2026-10-22T08:00:37.000Z'],
    ['January 2, 2024 9:04 UTC', '2024-01-02T09:04:00.000Z'],
    ['30. April 2024 9:04', '2024-04-30T09:04:00.000Z'],
  ])('as in %s is %s', (text, iso) => {
    expect(found(text)).toEqual({ iso, part: text, warning: null })
  })
})

describe('no date', () => {
  test.each([
    ['a day that does not exist', '2024-02-30'],
    ['the 29th of February in other years', '2023-02-29'],
    ['a month that does not exist', '2024-13-32'],
    ['a day after the 31st', 'January 32, 2024'],
    ['a 31st of a shorter month', '31 April 2024'],
    ['the same in other words', '31st of April 2024'],
    ['the same with a dot', '31. April 2024'],
    ['the same with a comma', '31,April 2024'],
    ['the same with spaces', '31  April  2024'],
    ['a year before 1000', '0999-01-02'],
    ['two kinds of separator', '2024-01/02'],
    ['part of a longer number', '12024-01-02'],
    ['part of a version', '1.2024-01-02'],
    ['a version of that form', 'v2024-01-02'],
    ['a version with a suffix', '2024-01-02-rc'],
    ['a word between day and year', 'Jan 2 near 2024'],
    ['a version of four parts', '2024-01-02.5'],
    ['a version', '1.2.3'],
    ['a month and a year in digits', '2024-01'],
    ['digits alone', '20240102'],
    ['a quarter', 'Q1 2024'],
    ['a word that begins like a month', 'maybe 2020'],
    ['nothing', ''],
  ])('is %s: %j', (_, text) => {
    expect(findDate(text)).toBeNull()
  })
})

describe('in a longer text', () => {
  test.each([
    ['version (2024-01-02), final', '(2024-01-02)'],
    ['version [2024-01-02]', '[2024-01-02]'],
    ['version { 2024-01-02 }', '{ 2024-01-02 }'],
    ['version ( released on 2024-01-02 )', '( released on 2024-01-02 )'],
    ['version (Published: 2024-01-02)', '(Published: 2024-01-02)'],
    ['version (2024-01-02', '2024-01-02'],
    ['version (since 2024-01-02)', '2024-01-02'],
    ['until 2024-01-02.', '2024-01-02'],
  ])('%j has the date %j', (text, part) => {
    expect(found(text)).toEqual({ iso: '2024-01-02T00:00:00.000Z', part, warning: null })
  })

  test('the first date counts, in whatever form it is', () => {
    expect(found('May 2, 2020 and 2019-01-01')?.part).toBe('May 2, 2020')
    expect(found('2019-01-01 and May 2, 2020')?.part).toBe('2019-01-01')
  })

  test('a day that does not exist is passed over', () => {
    expect(found('2024-02-31 and 2024-03-01')?.part).toBe('2024-03-01')
  })
})

describe('a text that is only a date', () => {
  test.each([
    '2024-01-02',
    '(2024-01-02)',
    'Released on January 2, 2024',
    'Release: 2024-01-02',
    '**Date:** 2024-01-02',
    'published 2024-01-02.',
  ])('such as %j has it', (text) => {
    expect(onlyDate(text)?.at).toBe(Date.parse('2024-01-02'))
  })

  test.each(['Released 2024-01-02 by me', 'on 2024-01-02', '2024-01-02, 2024-01-03', 'Released', ''])(
    'is not %j',
    (text) => {
      expect(onlyDate(text)).toBeNull()
    },
  )
})

describe('numeric dates of one file', () => {
  /** What becomes of them: the days, and whether it was reported that they are ambiguous. */
  function resolved(...texts: string[]): [days: string[], isReported: boolean] {
    const versions = texts.map((text, at) => {
      const date = findDate(text)
      return { date: date?.at ?? null, numericDate: date?.numeric ?? null, line: at + 1 }
    })
    const warnings: { line: number; message: string }[] = []
    resolveNumericDates(versions, warnings)
    return [versions.map(({ date }) => new Date(date ?? 0).toISOString().slice(0, 10)), warnings.length > 0]
  }

  test('are day first where one of them can only be that', () => {
    expect(resolved('03/04/2024', '28/11/2023')).toEqual([['2024-04-03', '2023-11-28'], false])
  })

  test('are month first where one of them can only be that', () => {
    expect(resolved('03.04.2024', '11.28.2023')).toEqual([['2024-03-04', '2023-11-28'], false])
  })

  test('are in the order of the file where none of them tells', () => {
    expect(resolved('06/02/2024', '05/09/2024', '05/04/2024')).toEqual([
      ['2024-06-02', '2024-05-09', '2024-05-04'],
      false,
    ])
    expect(resolved('02/06/2024', '09/05/2024', '04/05/2024')).toEqual([
      ['2024-06-02', '2024-05-09', '2024-05-04'],
      false,
    ])
  })

  test('keep the usual reading, which is reported, where nothing tells', () => {
    expect(resolved('02.03.2023')).toEqual([['2023-03-02'], true])
    expect(resolved('02/03/2023')).toEqual([['2023-02-03'], true])
    expect(resolved('04.04.2023')).toEqual([['2023-04-04'], false])
  })
})
