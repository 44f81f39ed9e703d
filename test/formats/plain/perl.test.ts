import { describe, expect, test } from 'bun:test'
import { parsePerlChanges } from '../../../src/formats/plain/perl.ts'

/** Forms that the Changes files of CPAN have: of the specification, of Dist::Zilla, of h2xs, and of no tool. */
const FILE = `Revision history for Foo::Bar, with __DATA__

{{$NEXT}}
  - Not yet out

1.02      2026-01-02 03:04:05+01:00 Europe/London (TRIAL RELEASE)
 [Bug Fixes]
 - Fix \`foo\` and __PACKAGE__ (see https://example.com/?a=1&b=_2_),
   for *all* of them
     * one case
     * another

 [Documentation]
 o Explain <STDIN>

1.01_03 2025-12-31 jane
Unindented words.

1.00   Sun Feb 27 16:50:11 CET 2000
\t- original version; created by h2xs 1.19
\t# not a heading

0.02\tTrial with another name
0.01
`

describe('a Changes file of Perl', () => {
  const { versions, warnings, preamble } = parsePerlChanges(FILE)

  test('becomes versions at the margin, dated and noted, and a preamble', () => {
    expect(
      versions.map(({ label, title, date, status, line }) => ({ label, title, date, status, line })),
    ).toEqual([
      { label: 'Unreleased', title: 'Unreleased', date: null, status: 'draft', line: 3 },
      {
        ...{ label: '1.02', title: '1.02 (TRIAL RELEASE)', status: 'published', line: 6 },
        date: Date.parse('2026-01-02T02:04:05Z'),
      },
      {
        ...{ label: '1.01_03', title: '1.01_03', status: 'published', line: 16 },
        date: Date.parse('2025-12-31'),
      },
      {
        ...{ label: '1.00', title: '1.00', status: 'published', line: 19 },
        date: Date.parse('2000-02-27T16:50:11Z'),
      },
      { label: '0.02', title: '0.02', date: null, status: 'published', line: 23 },
      { label: '0.01', title: '0.01', date: null, status: 'published', line: 24 },
    ])
    expect(warnings).toEqual([
      { line: 23, message: 'no date, published without one' },
      { line: 24, message: 'no date, published without one' },
    ])
    expect(preamble).toBe('Revision history for Foo::Bar, with \\_\\_DATA\\_\\_')
  })

  test('gives changes the type of their group, and keeps what is nested in them', () => {
    expect(versions[1]?.changes).toEqual([
      {
        type: 'bug-fixes',
        typeLabel: 'Bug Fixes',
        title:
          'Fix `foo` and \\_\\_PACKAGE\\_\\_ (see https://example.com/?a=1&b=_2_), for \\*all\\* of them',
        description: '- one case\n- another',
      },
      { type: 'documentation', title: 'Explain \\<STDIN>', description: null },
    ])
  })

  test('keeps what is behind a date in the description, and takes what is below it for changes', () => {
    expect(versions[2]).toMatchObject({ description: 'jane', changes: [{ title: 'Unindented words.' }] })
    expect(versions[4]?.description).toBe('Trial with another name')
    expect(versions[3]?.changes).toMatchObject([
      { type: 'changed', title: 'original version; created by h2xs 1.19 \\# not a heading' },
    ])
  })

  test('keeps what follows the last list of a version', () => {
    const { versions } = parsePerlChanges(
      '1.1 2026-01-02\n - One\n\nThanks to all.\n\n1.0 2026-01-01\n - Two\n\n# vim: set et:\n',
    )
    expect(versions).toMatchObject([
      { changes: [{ title: 'One' }], closing: 'Thanks to all.' },
      { changes: [{ title: 'Two' }], closing: '\\# vim: set et:' },
    ])
  })

  test('does not take a number within a text for a version', () => {
    const text = '1.1 2026-01-02\n- needs perl\n5.10 or later, or\n5.9 Patched\n\n5.8 was enough before\n'
    const { versions, warnings } = parsePerlChanges(text)
    expect(versions.map(({ label }) => label)).toEqual(['1.1'])
    expect(warnings.filter(({ line }) => line === 6)).toMatchObject([
      {
        line: 6,
        message:
          '"5.8 was enough before" holds a version number but begins no version, kept as a part of version 1.1',
      },
    ])
  })

  test.each(['2026-02-30', 'unknown', 'Unknown Release Date', 'developer release'])(
    'takes a version for one whose date is %s',
    (date) => {
      const { versions, warnings } = parsePerlChanges(`1.2 ${date}\n - One\n\n1.1 2026-01-02\n - Two\n`)
      expect(versions).toMatchObject([
        { label: '1.2', date: null, status: 'draft', description: date, changes: [{ title: 'One' }] },
        { label: '1.1', changes: [{ title: 'Two' }] },
      ])
      expect(warnings.at(-1)).toEqual({ line: 1, message: 'no date, kept as a draft' })
      expect(warnings.slice(0, -1).map(({ message }) => message.slice(0, 24))).toEqual(
        date.startsWith('2026') ? ['2026-02-30 is not a date'] : [],
      )
    },
  )
})

test('a weekday in another language, or mistyped, belongs to the date', () => {
  const text = '0.09  dom jul 10 13:25:46 VET 2011\n  - x\n\n0.08  Thr July 01 2010 -Yay!\n  - y\n'
  expect(parsePerlChanges(text).versions).toMatchObject([
    { label: '0.09', date: Date.UTC(2011, 6, 10, 13, 25, 46), description: null },
    { label: '0.08', date: Date.UTC(2010, 6, 1), description: 'Yay!' },
  ])
})

test('a date in brackets at the end of the line is that of the version, and empty brackets are none', () => {
  const text =
    'Revision history for X\n\n0.3 2006-11-01\n  - x\n\n0.22 - or the "about time" release [2006-09-01]\n  - y\n\n0.16  []\n  - z\n'
  expect(parsePerlChanges(text).versions).toMatchObject([
    { label: '0.3' },
    { label: '0.22', date: Date.UTC(2006, 8, 1), description: 'or the "about time" release' },
    { label: '0.16', date: null, changes: [{ title: 'z' }] },
  ])
})
