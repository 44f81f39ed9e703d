import { describe, expect, test } from 'bun:test'
import { readText } from '../../../src/formats/read-text.ts'

const read = (text: string) => readText(text, 'ChangeLog').versions
const labels = (text: string) => read(text).map(({ label }) => label)
const titles = (text: string) => read(text).map(({ changes }) => changes.map(({ title }) => title))

describe('a ChangeLog by date', () => {
  test('has days in eight digits with a colon behind', () => {
    const versions = read('20150208:\n\n  - Safer\n\n20130513: First release\n\n  - Begin\n')
    expect(versions.map(({ label, title, date }) => [label, title, date])).toEqual([
      ['2015-02-08', '2015-02-08', Date.parse('2015-02-08')],
      ['2013-05-13', 'First release', Date.parse('2013-05-13')],
    ])
  })

  test('has the versions of tags that git wrote behind a subject', () => {
    const text =
      '2023-03-03 Jane Doe\n\n        * Ready (HEAD -> main, tag: v1.1.0)\n        * Faster (1b2c3d4e)\n\n2023-02-02 Jane Doe\n\n        * Smaller (2b2c3d4e)\n        * Start again (3b2c3d4e) (tag: v1.0.1)\n\n2023-01-01 John Roe\n\n        * Begin (4b2c3d4e) (tag: app-1.0.0)\n'
    expect(labels(text)).toEqual(['1.1.0', '1.0.1', '1.0.0'])
  })

  test.each([
    'app: bump to',
    'Bump',
    'bump release to',
    'Bump for release',
    'bump version to',
    'update version to',
  ])('has a version where the subject of a commit is "%s 1.1"', (subject) => {
    const commit = (day: number, text: string) =>
      `commit 38216bdc81321a8bb70a4c7ce226194537cc63d${day}\nAuthor: Jane Doe <jane@example.com>\nDate:   Mon Oct ${20 + day} 10:00:00 2018 +0200\n\n    ${text}\n\n`
    const text = commit(3, `${subject} 1.1`) + commit(2, 'Add a flag') + commit(1, `${subject} 1.0 release`)
    expect(labels(text)).toEqual(['1.1', '1.0'])
  })
})

describe('an entry by date inside of a version', () => {
  const [version] = read(
    '2.0:\n\n2023-03-03  Jane Doe  <jane@example.com>\n\n\t* a.c: Be faster\n\tby far.\n\t* b.c: Be small.\n\n2023-02-02  Jane Doe  <jane@example.com>\n\n\t* c.c: Use\n\t2.1.1 of it.\n\n1.0:\n\n2022-02-02  John Roe\n\n\t* d.c: Begin.\n',
  )

  test('is no change: its day and author are told with its first one', () => {
    expect(version?.changes).toEqual([
      {
        ...{ type: 'changed', title: 'a.c: Be faster by far.' },
        description: '2023-03-03  Jane Doe  \\<jane@example.com>',
      },
      { type: 'changed', title: 'b.c: Be small.', description: null },
      {
        ...{ type: 'changed', title: 'c.c: Use 2.1.1 of it.' },
        description: '2023-02-02  Jane Doe  \\<jane@example.com>',
      },
    ])
  })

  test('stays a change if it tells one', () => {
    const [first] = titles(
      '1.1:\n - Faster\n\n2 January 2004: the parser was written again\n\n - in C\n\n1 January 2004: a flag came\n\n1.0:\n - Begin\n',
    )
    expect(first).toContain('2 January 2004: the parser was written again')
  })
})

test('a signature of Debian between changes is told with the one above, and dates the version at its end', () => {
  const sign = (day: string) => ` -- Jane Doe <jane@example.com>  ${day} 18:23:56 +0100`
  const text = `app (1.1)\n\n\t* Faster\n\n${sign('Sat, 13 Feb 2010')}\n\n\t* Smaller\n\n${sign('Fri, 12 Feb 2010')}\n\napp (1.0)\n\n\t* Begin\n\napp (0.9)\n\n\t* Think\n`
  const [version] = read(text)
  expect(version).toMatchObject({ date: Date.parse('2010-02-12T17:23:56Z') })
  expect(titles(text)[0]).toEqual(['Faster', 'Smaller'])
  expect(version?.changes[0]?.description).toContain('Jane Doe')
})

test('an item that is nothing but the number of its version is no change', () => {
  const text =
    'april 2022\n    - 1.6\n    - Faster\n\nmay 2021\n    - version 1.5\n    - Smaller\n\nmay 2020\n    - 1.4\n    - Begin\n'
  expect(labels(text)).toEqual(['1.6', '1.5', '1.4'])
  expect(titles(text)).toEqual([['Faster'], ['Smaller'], ['Begin']])
  const nested =
    '2013-09-28: Jane\n\t* 1.1\n\t - Faster\n\t - Smaller\n\n2013-08-28: Jane\n\t* 1.0\n\t - Begin\n'
  expect(titles(nested)).toEqual([['Faster', 'Smaller'], ['Begin']])
})

describe('sections of the NEWS of GNU', () => {
  const NEWS = (text: string) =>
    `* Noteworthy changes in release 1.1 (2024-02-02) [stable]\n\n${text}\n\n* Noteworthy changes in release 1.0 (2024-01-01) [stable]\n\nFirst.\n`

  test('are deeper with more stars, and no change by themselves', () => {
    const [version] = read(
      NEWS('** New features\n\n*** A flag\n\n  The flag is new.\n\n*** A key\n\n  So is the key.\n'),
    )
    expect(version?.changes).toMatchObject([
      { type: 'new-features', title: 'A flag', description: 'The flag is new.' },
      { type: 'new-features', title: 'A key', description: 'So is the key.' },
    ])
  })

  test('are items if nothing but others of their kind is below', () => {
    const [changes] = titles(
      NEWS('** Fix file names\n\n** Swedish translation\n\n** Fix the parser\n  It was slow.\n\n** Speed'),
    )
    expect(changes).toEqual(['Fix file names', 'Swedish translation', 'Fix the parser It was slow.', 'Speed'])
  })

  test('are no remarks in brackets about a commit', () => {
    const [version] = read('1.1:\n  * Faster\n\n  [Fixes #12]\n\n  * Smaller\n\n1.0:\n  * Begin\n')
    expect(version?.changes.map(({ type }) => type)).not.toContain('fixes-12')
  })
})

test('"name-1.2 Release Notes" with a date between rules begins a version', () => {
  const rule = '='.repeat(60)
  const text = `${rule}\napp-1.1 Release Notes            2014-08-26\n${rule}\n\n* Faster\n\n${rule}\napp-1.0 Release Notes            2013-08-26\n${rule}\n\n* Begin\n`
  expect(read(text).map(({ label, date }) => [label, date])).toEqual([
    ['1.1', Date.parse('2014-08-26')],
    ['1.0', Date.parse('2013-08-26')],
  ])
})

test('the commits of a day are one version, and their authors stand below their messages', () => {
  const commit = (day: string, message: string) =>
    `${day}  Jane Doe  <jane.doe@example.com>  [${'0123456789abcdef'.repeat(2)}01234567]\n\n\t${message}\n\n`
  const days =
    commit('2018-01-08', 'Mend a') + commit('2018-01-08', 'Mend b') + commit('2018-01-07', 'Mend c')
  expect(readText(days, 'ChangeLog').versions).toMatchObject([
    {
      label: '2018-01-08',
      changes: [
        { title: 'Mend a' },
        { title: 'Mend b', description: expect.stringMatching(/^2018-01-08 {2}Jane/) },
      ],
    },
    { label: '2018-01-07', changes: [{ title: 'Mend c' }] },
  ])
  const tagged = commit('2018-01-08', 'Mend d') + commit('2018-01-07', 'Version 1.1.0, tag foo-1.1.0') + days
  expect(readText(tagged, 'ChangeLog').versions.map(({ label }) => label)).toEqual(['Unreleased', '1.1.0'])
})

test('a line of nothing but the number of the entry is no change', () => {
  const entry = (day: string, number: string) =>
    `${day}  Jane Doe  <jane@example.com>\n\n\tversion ${number}\n\n\tMend it.\n\n`
  expect(titles(entry('2021-12-06', '1.6.1') + entry('2021-03-14', '1.6.0'))).toEqual([
    ['Mend it.'],
    ['Mend it.'],
  ])
})
