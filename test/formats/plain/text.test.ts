import { describe, expect, test } from 'bun:test'
import { detectFormat } from '../../../src/formats/detect.ts'
import { readText } from '../../../src/formats/read-text.ts'

const labels = (text: string, name = 'NEWS') => readText(text, name).versions.map(({ label }) => label)

describe('versions of a plain text are lines', () => {
  test.each([
    [
      'only numbers, with a dash behind',
      'v0.2.2 -\n  one\n  two\n\nv0.2.1 -\n  three\n',
      ['v0.2.2', 'v0.2.1'],
    ],
    [
      'numbers right above their text',
      'v1.5.4 (Feb 2023)\nperf: faster\nfix: more\n\nv1.5.3 (dev version, unpublished)\n\nv1.5.2 (Jan, 2022)\nbuild: less\n',
      ['v1.5.4', 'v1.5.3', 'v1.5.2'],
    ],
    [
      'in bold right above their text',
      '**1.1.0 / 2024-02-03**  \nFaster  \nSmaller\n\n**1.0.0 / 2024-01-02**  \nFirst\n',
      ['1.1.0', '1.0.0'],
    ],
    [
      'of several numbers, as in East Asia',
      '>2.1.3\n\n- a\n\n>2.1.1、2.1.2\n\n- b\n\n>2.1.0\n\n- c\n\n>2.0.0\n\n- d\n',
      ['2.1.3', '2.1.1', '2.1.0', '2.0.0'],
    ],
    [
      'of V, a number and a text below each other',
      'V1.2.0 添加 a\nV1.1.9 修复 b\nV1.1.8 修复 c\n',
      ['V1.2.0', 'V1.1.9', 'V1.1.8'],
    ],
    ['in bold with a text behind', '**1.1.0** - Faster\n\n**1.0.0** - First\n', ['1.1.0', '1.0.0']],
    [
      'of letters behind a date',
      '2014-06-11 - **0.8.0**\n * a\n\n2013-08-23 - **r7**\n * b\n\n2013-06-06 - **r6**\n * c\n',
      ['0.8.0', 'r7', 'r6'],
    ],
    [
      'with a dot and no blank, from one to the next',
      '#0.6.5 -> 0.6.6\nFaster\n#0.6.0 -> 0.6.5\nSmaller\n',
      ['0.6.6', '0.6.5'],
    ],
    ['with a text behind, line below line', '1.1.0: Faster\n1.0.0: First\n', ['1.1.0', '1.0.0']],
    [
      'with a sentence behind, line below line',
      '1.0.0 add a flag.\n1.0.1 fix it.\n1.1.0 more\n1.2.0 less\n',
      ['1.0.0', '1.0.1', '1.1.0', '1.2.0'],
    ],
    ['marked items with a text behind', '- **1.1.0** Faster\n- `1.0.0` First\n', ['1.1.0', '1.0.0']],
    ['items in bold by underscores', '* __1.1.0__\n  Faster\n\n* __1.0.0__\n  First\n', ['1.1.0', '1.0.0']],
    [
      'with a date in brackets',
      'version 0.2 [April 2, 1995]\n* a\n* b\nversion 0.1 [March 29, 1995]\n* c\n',
      ['0.2', '0.1'],
    ],
    [
      'of GNU',
      '* Noteworthy changes in release 1.3 (2024-01-01) [stable]\n\n** Bug fixes\n\n  cp no longer fails.\n\n* Noteworthy changes in release 1.2 (2023-01-01) [beta]\n\n** New features\n\n  ls is new.\n',
      ['1.3', '1.2'],
    ],
    [
      'of GLib',
      'Overview of changes in GLib 2.74.6\n==================================\n\n* Fix\n\nOverview of changes in GLib 2.74.5\n==================================\n\n* Fix\n',
      ['2.74.6', '2.74.5'],
    ],
    [
      'of nginx',
      '\nChanges with nginx 1.22.1                 19 Oct 2022\n\n    *) Security: x\n       y\n\n\nChanges with nginx 1.22.0                 24 May 2022\n\n    *) z\n',
      ['1.22.1', '1.22.0'],
    ],
    [
      'of Apache',
      '        -*- coding: utf-8 -*-\nChanges with Apache 2.4.71\n\n  *) mod_a: x\n     [Name]\n\nChanges with Apache 2.4.70\n\n  *) y\n',
      ['2.4.71', '2.4.70'],
    ],
    [
      'of systemd',
      'systemd System and Service Manager\n\nCHANGES WITH 252 🎃:\n\n        Announcements:\n\n        * One.\n\nCHANGES WITH 251:\n\n        * Two.\n',
      ['252', '251'],
    ],
    [
      'of tmux',
      'CHANGES FROM 3.3 TO 3.3a\n\n* Do not crash.\n\nCHANGES FROM 3.2a TO 3.3\n\n* Add a flag.\n',
      ['3.3a', '3.3'],
    ],
    [
      'of bash',
      'This document details the changes between this version, bash-5.2-rc4, and\nthe previous version, bash-5.2-rc3.\n\n1.  Changes to Bash\n\na.  Fixed a bug.\n\n------\nThis document details the changes between this version, bash-5.2-rc3, and\nthe previous version, bash-5.2-rc2.\n\na.  Fixed another.\n',
      ['5.2-rc4', '5.2-rc3'],
    ],
    [
      'of htop',
      "What's new in version 3.2.2\n\n* CPU\n\nWhat's new in version 3.2.1\n\n* Fix\n",
      ['3.2.2', '3.2.1'],
    ],
    [
      'of libevent',
      'Changes in version 2.1.12-stable (05 Jul 2020)\n o evbuffer (abc Name)\n\nChanges in version 2.1.11-stable (01 Aug 2019)\n o x\n',
      ['2.1.12-stable', '2.1.11-stable'],
    ],
    [
      'of libuv',
      '2022.07.12, Version 1.44.2 (Stable)\n\nChanges since version 1.44.1:\n\n* Add x (Name)\n\n\n2014.07.32, Version 1.44.1 (Stable), e8b7eb69\n\nChanges since version 1.44.0:\n\n* y\n',
      ['1.44.2', '1.44.1'],
    ],
    [
      'of redis',
      '================================================================================\nRedis 7.0.15    Released Tue 09 Jan 2024 10:45:52 IST\n================================================================================\n\n* Fix\n\n================================================================================\nRedis 7.0.14    Released Wed 18 Oct 2023 10:33:40 IDT\n================================================================================\n\n* Fix\n',
      ['7.0.15', '7.0.14'],
    ],
    [
      'of gdb',
      'What has changed in GDB?\n\n*** Changes in GDB 13\n\n* A\n\n*** Changes in GDB-4.18:\n\n* B\n',
      ['13', '4.18'],
    ],
    [
      'of gnutls',
      'GnuTLS NEWS\n\n* Version 3.8.5 (unreleased)\n\n** libgnutls: RSA decryption\n   is safer.\n\n** certtool: faster.\n\n* Version 3.8.4 (released 2024-03-18)\n\n** libgnutls: x\n',
      ['3.8.5', '3.8.4'],
    ],
    [
      'in brackets, some with a text behind',
      'CHANGELOG\n\n[0.6.0]\n  - one\n[0.5.0] Clean code. Prepare for 1.0.0\n[0.4.0] Remove x\n',
      ['0.6.0', '0.5.0', '0.4.0'],
    ],
    [
      'below "Changelog for"',
      'Changelog for 3.8.0 (03/01/2018)\n\n  Fixed Bugs\n\n   1995 - make fails\n\nChangelog for 3.7.0 (05/26/2017)\n\n   1 - x\n',
      ['3.8.0', '3.7.0'],
    ],
    [
      'of GCC, by date',
      '2022-08-19  Release Manager\n\n\t* GCC 12.2.0 released.\n\n2022-04-19  Jane Doe  <jane@example.com>\n\n\t* configure: Update to\n\t1.641.2.228.\n\n2022-05-06  Release Manager\n\n\t* GCC 12.1.0 released.\n',
      ['12.2.0', '12.1.0'],
    ],
    [
      'but not names of parts inside of a version, nor its number again',
      '-----\n 2021.10 (2021-10-04)\n-----\n\nSummary of changes in 2021.10\n\n* x\n\nlibfoo v2.0.1:\n * y\n\n-----\n 2020.12 (2020-12-23)\n-----\n\n * z\n\n-----\n 2019.12 (2019-12-23)\n-----\n\n * z\n',
      ['2021.10', '2020.12', '2019.12'],
    ],
    [
      'indented, in the form of others at the margin',
      'Release 20220203/20220204:\n\n  • x\n\nRelease 20210210a:\n\n  • y\n\n    Release 20200225:\n\n      □ z\n\n    Release 20190621:\n\n      □ z\n',
      ['20220203/20220204', '20210210a', '20200225', '20190621'],
    ],
    [
      'but not the end of a sentence',
      ' 1.2 (2021-10-04)\n\n * x\n\n 1.1 (2020-10-04)\n\nThese items are still to be done before the coming\n1.2 release:\n\n * y\n',
      ['1.2', '1.1'],
    ],
    [
      'in any decoration that repeats, if the numbers are in order',
      '-----> frob-4.2.4 => frob-4.2.5 <-----\n1)  Fix x.\n\n-----> frob-4.2.3 => frob-4.2.4 <-----\n1)  Fix y.\n\n-----> frob-4.2.2 => frob-4.2.3 <-----\n1)  Fix z.\n',
      ['4.2.5', '4.2.4', '4.2.3'],
    ],
    [
      'right above their text, in order',
      'frob 0.0.7\n-- Targets bar 2.5.\n\nfrob 0.0.6\n-- Adds x.\n\nfrob 0.0.5\n-- Adds y.\n',
      ['0.0.7', '0.0.6', '0.0.5'],
    ],
    [
      'behind a date and an author, in order',
      '* Mon May 20 2019 Jane Doe <jane@example.com> 0.2.2-1\n- x\n\n* Sun May 12 2019 John <j@example.com> 0.2.1-1\n- y\n\n* Wed Apr 24 2019 Jane Doe <jane@example.com> 0.2-1\n- z\n',
      ['0.2.2-1', '0.2.1-1', '0.2-1'],
    ],
    [
      'indented, above lists, in order',
      '    * 2.02 - July 24, 2013\n          o Added x\n    * 2.01 - June 5, 2013\n          o Fixed y\n    * 2.00 - May 22, 2013\n          o z\n',
      ['2.02', '2.01', '2.00'],
    ],
    [
      'that entries by date name in order, also two in one',
      '2022-06-23  Jane\n\n\tf1663a42: Version 4.0.20\n\td51d4280: Fix x\n\t4c85f986: Version 4.0.19\n\n2021-02-08  Jane\n\n\tf5445b77: Fix y\n\t8684ed53: Version 4.0.18\n',
      ['4.0.20', '4.0.19', '4.0.18'],
    ],
    [
      'that entries by date name with a stage behind',
      '20000105\n\tversion: frob 0.60, alpha.\n20000205\n\tui: x\n\tversion: frob 0.61, alpha.\n20000305\n\tversion: frob 0.70, beta.\n',
      ['0.60', '0.61', '0.70'],
    ],
    [
      'as written, where code above never ends',
      '# Frob\n\n## v1.2.0\n```js\nx\n\n## v1.1.0\ny\n\n## v1.0.0\nz\n',
      ['v1.2.0', 'v1.1.0', 'v1.0.0'],
    ],
    [
      'in order, with candidates of a release below it',
      '*frob-2.0 (1 Feb 2020)\n\n  * x\n\n*frob-1.2 (1 Jan 2020)\n\n * y\n\n*frob-1.1 (2 Dec 2019)\n\n  * z\n\n*frob-1.1-rc (1 Dec 2019)\n\n  * z\n\n*frob-1.0@beta-1 (1 Nov 2019)\n\n  * z\n',
      ['2.0', '1.2', '1.1', '1.1-rc', '1.0@beta-1'],
    ],
    [
      'but not numbers of another program, which break the order',
      '1.4\n\n * Bar 2.7 compatibility\n\n1.3\n\n * Bar 2.6 compatibility\n\n1.2\n\n * Bar 2.5 compatibility\n',
      ['1.4', '1.3', '1.2'],
    ],
    ['with "NEWS" behind', '3.5 NEWS:\nFixed x.\n\n3.4 NEWS:\nFixed y.\n', ['3.5', '3.4']],
    ['of a wiki', '= Red Sun 1.5.1 =\n * x\n\n= Red Sun 1.5 =\nWeapons:\n * y\n', ['1.5.1', '1.5']],
    [
      'starred, with other bullets below',
      '* 0.7.3 - Like a Phoenix - release 2016-03-17\n- x\n\n* 0.7.2 - release 2010-06-15\n- y\n',
      ['0.7.3', '0.7.2'],
    ],
    ['marked, line below line', '== 0.2\n\nx\n\n== 0.1\n== 0.0\n\ny\n', ['0.2', '0.1', '0.0']],
    ['with the same number twice', 'ags (0.7)\n\n\t* x\n\nags (0.7)\n\n\t* y\n', ['0.7', '0.7 (2)']],
    [
      'with two hyphens, and no date that can be read',
      '0.4 -- May 2006\n  + x\n\n0.3 -- <fill month here> 2003\n  + y\n',
      ['0.4', '0.3'],
    ],
    [
      'of releases that end an entry by date',
      'Mon Nov 28 12:17:42 CET 2011\n\tFixing x. -CG\n\tReleasing GNU foo 0.6.3. -CG\n\nSun Jun 13 13:15:43 CEST 2010\n\tNew build.  Releasing foo 0.6.2.\n\nSat Jun 12 22:32:32 CEST 2010\n\tFix. -CG\n',
      ['0.6.3', '0.6.2'],
    ],
    [
      'of releases in an entry by date, behind a name',
      '2022-10-27  Jane\n\n\t* DESCRIPTION (Version, Date): Release 0.0.20\n\n2021-11-30  Jane\n\n\t* x\n\n2021-07-30  Jane\n\n\t* DESCRIPTION (Version, Date): Release 0.0.19\n',
      ['0.0.20', '0.0.19'],
    ],
    [
      'that are dates in italics',
      '# Log\n\n*2018-11-22*\n\n- x\n\n*2018-11-09*\n\n- y\n',
      ['2018-11-22', '2018-11-09'],
    ],
    [
      'above a date in angle brackets',
      '- 1.0.1<2015-09-26>\n\n  - x\n\n- 1.0.0 <2015-09-25>\n\n  - y\n',
      ['1.0.1', '1.0.0'],
    ],
    [
      'that are dates of eight digits',
      '20040220\n * Moved x.\n\n20031211\n * Started again.\n\n20010821\n * Version is 0.6.6\n\n20010820\n * y\n * Version is 0.6.5\n',
      ['Unreleased', '0.6.6', '0.6.5'],
    ],
    [
      'indented, above text that is deeper',
      'Notes:\n\n\tVersion 1.6.6\n\t\t\tAdded x\n\n\tVersion 1.6.5\n\t\t\tFixed y\n',
      ['1.6.6', '1.6.5'],
    ],
    [
      'starred, with a name, a title and a date',
      'NEWS -*- outline -*-\n\n* CCZE 0.2.1 [Fireflower] -- 2003-05-13\n\nText.\n\n* CCZE 0.2.0 [Mephisto] -- 2003-03-29\n\nText.\n',
      ['0.2.1', '0.2.0'],
    ],
    [
      'starred, with a date and an author',
      '* 2.0.33  2021-09-15  Jane <jane@example.com>\n  - x\n\n* 2.0.32  2019-08-31  Jane <jane@example.com>\n  - y\n',
      ['2.0.33', '2.0.32'],
    ],
    [
      'of an outline',
      '* 0.2.3\nA bugfix release.\n\n** x was fixed\nText.\n\n* 0.2.2\nText.\n',
      ['0.2.3', '0.2.2'],
    ],
    ['below "for"', 'for version 5.4\n    - x\n\nfor version 5.3\n    - y\n', ['5.4', '5.3']],
    [
      'in front of "release"',
      'Changes in 1.2.5 release\n- x\n\nChanges in 1.2.3 release\n\n57 y\n',
      ['1.2.5', '1.2.3'],
    ],
    [
      'behind "to"',
      'Version 2.1.3 to 2.1.4\n\n   - x\n\nVersion 2.1.2 to 2.1.3\n\n   - y\n',
      ['2.1.4', '2.1.3'],
    ],
    [
      'above a line with the date',
      'buku v4.7\n2022-07-01\n\n- x\n\n-----\n\nbuku v4.6\n2021-06-16\n\n- y\n',
      ['v4.7', 'v4.6'],
    ],
    [
      'whole numbers with a name and a date',
      'ngIRCd 26.1 (2021-01-02)\n\n  - x\n\nngIRCd 26 (2020-06-20)\n\n  - y\n\nngIRCd 26~rc2 (2020-06-11)\n\n  - z\n',
      ['26.1', '26', '26~rc2'],
    ],
    [
      'with a text behind, if the numbers are in order',
      'History:\n\n 0.49 Aug09-Sep10\n   x\n\n 0.48  fix y\n   z\n\n 0.47  fix z\n',
      ['0.49', '0.48', '0.47'],
    ],
    [
      'with a text behind, between two others',
      '0.9.20  2021-02-09\n  - x\n\n0.9.19  20220-12-19  A Winter Release.\n  - y\n\n0.9.18  2020-10-07\n  - z\n\n7.1  is not in order\n\n0.9.17  2020-09-08\n  - z\n',
      ['0.9.20', '0.9.19', '0.9.18', '0.9.17'],
    ],
    [
      'but not dates with dots and an author',
      '2004-03-17 Jane\n\t* release 1.5.7\n\n2004.03.16 Jane Doe <jane@example.com>\n\t* x\n\n2004.03.15 Jane Doe <jane@example.com>\n\t* release 1.5.6\n',
      ['1.5.7', '1.5.6'],
    ],
  ])('%s', (_, text, expected) => {
    expect(labels(text)).toEqual(expected)
  })

  test('that are bullets with a list inside', () => {
    const text = '# History\n\n- 1.2.0\n  - one\n  - two\n- 1.1.0 (2020-01-02)\n  - three\n'
    expect(readText(text, 'HISTORY.md').versions).toMatchObject([
      { label: '1.2.0', changes: [{ title: 'one' }, { title: 'two' }] },
      { label: '1.1.0', date: Date.UTC(2020, 0, 2), changes: [{ title: 'three' }] },
    ])
  })

  test('that are bullets in bold with a date beside it', () => {
    const text =
      '# Changelog\n\n- **v0.8.3**, *22 Apr 2013*\n  - one\n- **v0.8.2**\n  - two\n- **v0.8.1**\n  - three\n'
    expect(readText(text, 'CHANGELOG.md').versions).toMatchObject([
      { label: 'v0.8.3', title: 'v0.8.3', date: Date.UTC(2013, 3, 22), changes: [{ title: 'one' }] },
      { label: 'v0.8.2', title: 'v0.8.2', changes: [{ title: 'two' }] },
      { label: 'v0.8.1', changes: [{ title: 'three' }] },
    ])
  })

  test('that are bullets with a text beside the number, if nothing else is', () => {
    const text =
      '## Changelog\n\n* 0.6.3 Bump deps\n        Fix props\n\n* 0.6.2 Fix 0.6.1 (2022-03-22)\n* 0.6.1: Fix\n'
    expect(readText(text, 'CHANGELOG.md').versions).toMatchObject([
      { label: '0.6.3', title: 'Bump deps', changes: [{ title: 'Fix props' }] },
      { label: '0.6.2', title: 'Fix 0.6.1', date: Date.UTC(2022, 2, 22) },
      { label: '0.6.1', title: 'Fix' },
    ])
    expect(labels('# Notes\n\n- 1.2.0 is old\n- one\n- two\n- 1.1.0 too\n', 'NOTES.md')).toEqual([])
  })

  test('that are rows of a table, if nothing else is', () => {
    const rows =
      '| Version | Change |\n| --- | --- |\n| 1.1.0 | Faster |\n| name@1.0.0 | 2024-01-02 | First |\n'
    expect(readText(rows, 'CHANGELOG.md').versions).toMatchObject([
      { label: '1.1.0', title: 'Faster', date: null },
      { label: 'name@1.0.0', title: 'First', date: Date.UTC(2024, 0, 2) },
    ])
    expect(labels(`## 2.0.0\n\n${rows}`, 'CHANGELOG.md')).toEqual(['2.0.0'])
  })

  test('that are cells of a table in HTML, if nothing else is', () => {
    const rows =
      '<table>\n<tr>\n<td>1.1.0</td>\n<td>\n  <ul>\n    <li>Faster</li>\n    <li>Smaller</li>\n  </ul>\n</td>\n</tr>\n<tr><td>v1.0.0</td><td>First</td></tr>\n</table>\n'
    expect(readText(rows, 'CHANGELOG.md').versions).toMatchObject([
      { label: '1.1.0', changes: [{ title: 'Faster' }, { title: 'Smaller' }] },
      { label: 'v1.0.0', changes: [{ title: 'First' }] },
    ])
  })

  test('below headings that are their dates', () => {
    const text =
      '## 1 May 2019\n\n### [1.1.2](https://x.org/a)\n\n- x\n\n## 29 April 2019\n\n### 1.1.1\n\n- y\n\n#### 1.1.0\n\n- z\n'
    const { versions, preamble } = readText(text, 'CHANGELOG.md')
    const days = versions.map(
      ({ label, date }) => `${label} ${new Date(date ?? 0).toISOString().slice(0, 10)}`,
    )
    expect(days).toEqual(['1.1.2 2019-05-01', '1.1.1 2019-04-29', '1.1.0 2019-04-29'])
    expect(preamble).toBeNull()
  })

  test('below headings with their date, as the number that all packages have, else as the date', () => {
    const text =
      '# Changelog\n\n## Release (2025-01-17)\n\nfoo 0.2.2 (patch)\n@x/bar 0.2.2 (patch)\n\n#### Fixes\n- a\n\n## Release (2024-12-01)\n\nfoo 0.2.1 (minor)\n@x/bar 2.0.0 (major)\n\n- b\n'
    expect(readText(text, 'CHANGELOG.md').versions).toMatchObject([
      { label: '0.2.2', title: '0.2.2', date: Date.UTC(2025, 0, 17), changes: [{ title: 'a' }] },
      { label: '2024-12-01', date: Date.UTC(2024, 11, 1), changes: [{ title: 'b' }] },
    ])
  })

  test('above their dates, below a heading for what comes', () => {
    const text =
      '# unreleased\n\n## 2.0.0\n\n- a\n\nfoo v1.2.0\nReleased 2023-08-16\n\n- b\n\nfoo v1.1.0\nReleased: 2021-11-23\n\n- c\n\nfoo v1.0.0\nReleased: 2020-02-04\n\n- d\n'
    expect(labels(text, 'CHANGELOG.md')).toEqual(['Unreleased', '2.0.0', 'v1.2.0', 'v1.1.0', 'v1.0.0'])
  })

  test('that name the version before them, and are the one that the next newer names', () => {
    const since = (numbers: string[]) =>
      numbers.map((number) => `Changes since ${number}:\n- a change\n\n`).join('')
    const read = (text: string) => readText(text, 'NEWS').versions.map(({ label, title }) => [label, title])
    expect(
      read(`Foo\n===\n\n${since(['1.2', '1.1', '1.0'])}$Id: NEWS,v 1.21 2003/08/24 19:23:48 foo $\n`),
    ).toEqual([
      ['1.2+next', 'Changes since 1.2'],
      ['1.2', 'Changes since 1.1'],
      ['1.1', 'Changes since 1.0'],
    ])
    expect(read(since(['1.0', '1.1', '1.2'])).map(([label]) => label)).toEqual(['1.1', '1.2', '1.2+next'])
    const numbered = ['1.2', '1.1', '1.0'].map((number) => `Foo ${number}.1\n\n${since([number])}`).join('')
    expect(read(numbered).map(([label]) => label)).toEqual(['1.2.1', '1.1.1', '1.0.1'])
  })

  test('with an address behind, which is their link', () => {
    const text = 'HISTORY\n=======\n1.1.0 https://x.org/1.1.0\n   * a\n\n1.0.0 https://x.org/1.0.0\n   * b\n'
    expect(readText(text, 'HISTORY.md').versions).toMatchObject([
      { title: '1.1.0', description: '[1.1.0](https://x.org/1.1.0)', changes: [{ title: 'a' }] },
      { title: '1.0.0', description: '[1.0.0](https://x.org/1.0.0)', changes: [{ title: 'b' }] },
    ])
  })

  test('that are headings of HTML, if nothing else is', () => {
    const text =
      '- <a href="#1.1.0">1.1.0</a>\n\n<h1 id="1.1.0">[1.1.0] <span>(<a href="#top">up</a>)</span></h1>\n\n- one\n\n<H1>1.0.0</H1>\n- two\n'
    expect(readText(text, 'CHANGELOG.md').versions).toMatchObject([
      { label: '1.1.0', line: 3, changes: [{ title: 'one' }] },
      { label: '1.0.0', line: 7, changes: [{ title: 'two' }] },
    ])
    const described = '## 1.0.0\n\n<h2>2.0.0</h2>\n\n- one\n'
    expect(labels(described, 'CHANGELOG.md')).toEqual(['1.0.0'])
  })

  test('that are commits of a log of git', () => {
    const commit = (subject: string, day: string) =>
      `commit ${'a1'.repeat(20)}\nAuthor: Jane <jane@example.com>\nDate:   Tue May ${day} 15:09:54 2022 -0700\n\n    ${subject}\n`
    const text = ['foo 1.15', 'Fix *.txt\n    \n    Longer', 'Bump version for the 1.14 release'].map(
      (one, at) => commit(one, `${9 - at}`),
    )
    expect(readText(text.join('\n'), 'changelog').versions).toMatchObject([
      {
        label: '1.15',
        date: Date.UTC(2022, 4, 9),
        changes: [{ title: 'foo 1.15' }, { title: 'Fix \\*.txt' }],
      },
      { label: '1.14', date: Date.UTC(2022, 4, 7), line: 15 },
    ])
    expect(labels(`${text[1]}\n${text[1]}`, 'changelog')).toEqual(['2022-05-08'])
  })

  test('that have a date of eight digits beside them', () => {
    expect(readText('foo 2.4.6 (20220410)\n\n- x\n\n0.4 - 20050921\n\n- y\n', 'NEWS').versions).toMatchObject(
      [
        { label: '2.4.6', date: Date.UTC(2022, 3, 10) },
        { label: '0.4', date: Date.UTC(2005, 8, 21) },
      ],
    )
  })

  test('that are bullets with a date in front', () => {
    const text = '# Changelog\n\n - 2016-04-10   v0.6.0   Fixes x\n - 2016-01-06   v0.5.0   Adds y\n'
    expect(readText(text, 'CHANGELOG.md').versions).toMatchObject([
      { label: 'v0.6.0', date: Date.UTC(2016, 3, 10), title: 'Fixes x' },
      { label: 'v0.5.0' },
    ])
  })

  test('that are keys of YAML', () => {
    const text =
      'v0.4.5:\n  date: "2014-05-12"\n  changes:\n    - Fix *.txt\n    - Add x\nv0.4.4:\n  date: 2014-03-12\n  changes:\n    - Y\n'
    expect(readText(text, 'CHANGELOG').versions).toMatchObject([
      {
        label: 'v0.4.5',
        date: Date.UTC(2014, 4, 12),
        description: null,
        changes: [{ title: 'Fix \\*.txt' }, { title: 'Add x' }],
      },
      { label: 'v0.4.4', date: Date.UTC(2014, 2, 12), changes: [{ title: 'Y' }] },
    ])
  })
})

test('a word with a colon that continues a sentence is no section', () => {
  const text = '1.1\n\n- NEW: it now supports types of\n        files:\n          - one\n\n1.0\n\n- x\n'
  expect(readText(text, 'NEWS').versions[0]?.changes).toMatchObject([
    { type: 'changed', title: 'NEW: it now supports types of files:', description: '- one' },
  ])
})

test('a word in brackets that continues an item is no section', () => {
  const text = '1.1\n\n- #325: Invalid module (lms)\n        [Invalid]\n- #324: x\n\n1.0\n\n- x\n'
  expect(readText(text, 'NEWS').versions[0]?.changes).toMatchObject([
    { title: '#325: Invalid module (lms) \\[Invalid\\]' },
    { type: 'changed', title: '#324: x' },
  ])
})

test('starred lines with a blank one below are sections, others are changes', () => {
  const text =
    '* Version 1.2 (2024-01-01)\n\n** Bug fixes\n\n   cp no longer\n   fails.\n\n** lib: a change\n   in two lines.\n\n* Version 1.1 (2023-01-01)\n\n** x y\n   z\n'
  expect(readText(text, 'NEWS').versions[0]?.changes).toMatchObject([
    { type: 'bug-fixes', title: 'cp no longer fails.' },
    { title: 'lib: a change in two lines.' },
  ])
})

test('a line that begins a version is at its line in warnings', () => {
  const { versions } = readText('NEWS\n\nChanges in 1.2:\n\n- x\n\nChanges in 1.1:\n\n- y\n', 'NEWS')
  expect(versions.map(({ line }) => line)).toEqual([3, 7])
})

test('markup of markdown is text in a plain file, and stays in one that is named so', () => {
  const text = 'v1.1 -\n  see [x](https://example.com) and __init__\n\nv1.0 -\n  y\n'
  expect(readText(text, 'NEWS').versions[0]?.changes[0]?.title).toBe(
    'see \\[x\\](https://example.com) and \\_\\_init\\_\\_',
  )
  expect(readText(text, 'NEWS.md').versions[0]?.changes[0]?.title).toContain('[x](https://example.com)')
})

test('the text beside a number is the change, if most versions have nothing else', () => {
  const lines = ['0.3.0 - Mend the door', '0.2.0 - Sell the lamp', '0.1.0 - First release']
  const read = (text: string) =>
    readText(text, 'CHANGELOG.md').versions.map(({ title, changes }) => [
      title,
      ...changes.map((one) => one.title),
    ])
  const expected = [
    ['0.3.0', 'Mend the door'],
    ['0.2.0', 'Sell the lamp'],
    ['0.1.0', 'First release'],
  ]
  expect(read(`# Changes\n\n${lines.join('\n\n')}\n`)).toEqual(expected)
  const rows = lines.map((line) => `| ${line.replace(' - ', ' | ')} |`).join('\n')
  expect(read(`| Version | Notes |\n| --- | --- |\n${rows}\n`)).toEqual(expected)
  expect(read(lines.map((line) => `## ${line}\n\n- x\n`).join('\n'))[0]).toEqual(['Mend the door', 'x'])
  const exported = lines.map((line) => `## ${line.replace(/^\S+/, '[$&]')}\n`).join('\n')
  expect(read(exported)[0]).toEqual(['Mend the door'])
})

test('a named dash behind a number is a dash', () => {
  const text =
    '0.2.0\n\n* a\n\n0.1.1 &ndash; Mend the lamp\n\n0.1.0 &mdash; 2014-01-02\n\n0.0.1 &ndash; First.\n'
  expect(readText(text, 'CHANGELOG.md').versions).toMatchObject([
    { label: '0.2.0' },
    { label: '0.1.1', title: 'Mend the lamp' },
    { label: '0.1.0', date: Date.UTC(2014, 0, 2) },
    { label: '0.0.1', title: 'First.' },
  ])
})

test('a line begins one version, whatever else its shape is read as', () => {
  const entry = (line: string) => `${line}\n* Mend the door\n\n`
  const lines = ['v6.1.3.1 (3 May 2014)', 'v6.1.2.1 (2 May 2014)', 'v6.1.1.1 (1 May 2014)']
  const older = [
    '5.0.2.3 - 9 May 2013',
    '5.0.2.2 - 8 May 2013',
    '5.0.2.1 - 7 May 2013',
    '4.9.7.2 - 6 May 2013',
  ]
  const { versions, warnings } = readText([...lines, ...older].map(entry).join(''), 'ChangeLog.txt')
  expect(versions.map(({ line, changes }) => [line, changes.length])).toEqual(
    [...lines, ...older].map((_, at) => [1 + 3 * at, 1]),
  )
  expect(warnings).toEqual([])
})

test('sentences with a number at the margin are no versions', () => {
  const text =
    '# Changelog\n\n## 1.1.0 - 2024-01-02\n\nThis needs Node\n1.2.3.\n\n- x\n\n## 1.0.0 - 2024-01-01\n\n1.2 is next\n'
  expect(labels(text, 'CHANGELOG.md')).toEqual(['1.1.0', '1.0.0'])
})

test('one markdown heading does not keep a Changes file from being one of Perl', () => {
  const text = '# Revision 2\n\n1.02 2024-01-02\n  - x\n\n1.01 2024-01-01\n  - y\n\n1.00 2023-01-01\n  - z\n'
  expect(detectFormat('Changes', text)).toBe('perl')
})

test('a version in an entry by date has its day, and all words of both lines stay', () => {
  const text =
    '2022-06-23  Jane\n\n\tf1663a42: Version 4.0.20\n\t4c85f986: Version 4.0.19\n\n2021-02-08  Joe\n\n\t8684ed53: Version 4.0.18\n'
  const { versions } = readText(text, 'ChangeLog')
  const days = versions.map(({ date }) => new Date(date ?? 0).toISOString().slice(0, 10))
  expect(days).toEqual(['2022-06-23', '2022-06-23', '2021-02-08'])
  const written = JSON.stringify(versions)
  for (const word of ['Jane', 'f1663a42', '4c85f986', 'Joe', '8684ed53']) expect(written).toContain(word)
})

test('a line that compares versions begins none below the heading of its number', () => {
  const compare = (from: string, to: string) =>
    `[Compare versions ${from} and ${to}](https://x.y/${to})\n\n- a\n\n`
  const lines = [compare('1.2.0', '1.3.0'), compare('1.1.0', '1.2.0'), compare('1.0.0', '1.1.0')].join('')
  expect(labels(`## 1.3.0\n\n${lines}`, 'CHANGELOG.md')).toEqual(['1.3.0', '1.2.0', '1.1.0'])
})

test('numbered points are changes where a version has no other ones', () => {
  const text =
    'frob 0.3\n1) Fix x\n   and y.\n2) Add z, as of\n2004. No more.\n\nfrob 0.2\n * A\n 1. step\n\nfrob 0.1\n1. B\n'
  const titles = readText(text, 'NEWS').versions.map(({ changes }) => changes.map(({ title }) => title))
  expect(titles).toEqual([['Fix x and y.', 'Add z, as of 2004\\. No more.'], ['A 1\\. step'], ['B']])
})

test('marked lines are sections in a plain text too', () => {
  const text =
    '* 1.2, 2022-05-26\n\n### BUGFIXES\n- x\n\n* 1.1, 2021-03-28\n\n### BUGFIXES\n- y\n\n* 1.0, 2020-08-24\n\n### BUGFIXES\n- z\n'
  const types = readText(text, 'NEWS').versions.map(({ changes }) => changes.map(({ type }) => type))
  expect(types).toEqual([['bugfixes'], ['bugfixes'], ['bugfixes']])
})

test('a text with headings of Debian whose entries do not end is read by the order of their numbers', () => {
  const entry = (number: string) =>
    `frob (${number}) unstable; urgency=low\n\n* Fix x.\n-- Jane <jane@example.com> Sat Aug  6 16:40:46 CDT 2022\n\n`
  const text = ['3.3.6-1', '3.3.5-1', '3.3.4-1'].map(entry).join('')
  expect(detectFormat('changelog', text)).toBe('keepachangelog')
  expect(labels(text, 'changelog')).toEqual(['3.3.6-1', '3.3.5-1', '3.3.4-1'])
})

test('days with two digits of the year are read as the file shows them to be', () => {
  const text = 'frob 1.3 (07/27/19) Jane\n\n* x\n\nfrob 1.2 (05/25/19)\n\n* y\n\nfrob 1.1 (06/02/18)\n\n* z\n'
  const days = readText(text, 'NEWS').versions.map(({ date }) =>
    new Date(date ?? 0).toISOString().slice(0, 10),
  )
  expect(days).toEqual(['2019-07-27', '2019-05-25', '2018-06-02'])
})

test('a file whose headings are all written as in an export has no other versions', () => {
  const numbers = ['1.4.0', '1.3.0', '1.2.0', '1.1.0', '1.0.0']
  const changes = numbers.map((number) => `- Update NEWS for ${number}\n`).join('')
  expect(labels(`## [2.0] - 2024-01-02\n\n### Changed\n\n${changes}`, 'CHANGELOG.md')).toEqual(['2.0'])
  const older = numbers.map((number, day) => `- [${number}](https://x.org) - 2016-03-0${9 - day}\n`).join('')
  expect(labels(`## [2.0.0] - 2024-01-02\n\n- a\n\n## Older\n\n${older}`, 'CHANGELOG.md')).toEqual([
    '2.0.0',
    ...numbers,
  ])
})

test('versions in bold right above their text are versions beside those above an empty line', () => {
  const text =
    '### Changelog\n\n**1.3.0**\nAdd a flag.\n\n**1.2.0**\nMend it.\n\n**1.1.0**\n\nMore of it.\n\n**1.0.0**\n\nBegin.\n'
  expect(labels(text, 'CHANGELOG.md')).toEqual(['1.3.0', '1.2.0', '1.1.0', '1.0.0'])
})

test('a number as code and a dash begins an item, line below line', () => {
  const text = '## 1.1.0\n\n### Fixes\n\n`#1` - Mend a.\n`#2`, `#3` - Mend b.\n\n## 1.0.0\n\n- c\n'
  expect(readText(text, 'CHANGELOG.md').versions[0]?.changes.map(({ title }) => title)).toEqual([
    '`#1` - Mend a.',
    '`#2`, `#3` - Mend b.',
  ])
})

test.each([
  ['addresses behind a number', `1.0 ${'http://'.repeat(27)} x`],
  ['digits in bold', `**1.${'1'.repeat(30_000)}`],
  ['numbers behind words for what changed', `Changes since 1${'.1'.repeat(15_000)}!`],
])('a line of nothing but %s is read to its end', (_, line) => {
  expect(labels(`${line}\n\n1.1.0\n\n- a\n\n1.0.0\n\n- b\n`)).toEqual(
    expect.arrayContaining(['1.1.0', '1.0.0']),
  )
})
