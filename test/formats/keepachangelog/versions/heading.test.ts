import { describe, expect, test } from 'bun:test'
import type { Phrases } from '../../../../src/formats/keepachangelog/markdown/nodes.ts'
import { MarkdownDocument, MarkdownSource } from '../../../../src/formats/keepachangelog/markdown/source.ts'
import {
  readVersionHeading,
  type VersionHeading,
} from '../../../../src/formats/keepachangelog/versions/heading.ts'
import { isUnreleased } from '../../../../src/formats/keepachangelog/vocabulary.ts'

function read(text: string): VersionHeading | null {
  const source = new MarkdownSource(new MarkdownDocument(text))
  return readVersionHeading(source.nodes[0] as Phrases, source)
}

const JANUARY_2 = Date.parse('2024-01-02')

describe('the label', () => {
  test.each([
    ['## 1.2.0', '1.2.0'],
    ['## v1.2', 'v1.2'],
    ['## [1.2.0]', '1.2.0'],
    ['## [1.2.0](https://example.com)', '1.2.0'],
    ['**[1.2.0]**', '1.2.0'],
    ['## 2.4.4/5 - 2024-01-02', '2.4.4/5'],
    ['## 版本1.2.0', '1.2.0'],
    ['## v1.2.0版本', 'v1.2.0'],
    ['## Версия 1.2.0 от 02.01.2024', '1.2.0'],
    ['## [2024-01-02] 1.2.0', '1.2.0'],
    ['## [name] v1.2.0 - 2024-01-02', 'v1.2.0'],
    ['## [[1.2.0]](https://example.com)', '1.2.0'],
    ['## 1.2.0-rc.1+build.5', '1.2.0-rc.1+build.5'],
    ['## 1.2.0.RELEASE', '1.2.0.RELEASE'],
    ['## 1.2.0beta2', '1.2.0beta2'],
    ['## 1.2.0_3', '1.2.0_3'],
    ['## name@1.2.0', 'name@1.2.0'],
    ['## @scope/name@1.2.0', '@scope/name@1.2.0'],
    ['## 1.x', '1.x'],
    ['## 7', '7'],
    ['## v7', 'v7'],
    ['## Version 1.2.0', '1.2.0'],
    ['## Release: 7', '7'],
    ['## ver. 1.2', '1.2'],
    ['## Product 1.2.0', '1.2.0'],
    ['## 2024-01-02 - 1.2.0', '1.2.0'],
    ['## 2024-01-02', '2024-01-02'],
    ['## January 2024', 'January 2024'],
    ['## 🎉 1.2.0', '1.2.0'],
    ['## **1.2.0**', '1.2.0'],
    ['## `1.2.0`', '1.2.0'],
    ['## <a name="x"></a>1.2.0', '1.2.0'],
    ['## [nightly]', 'nightly'],
    ['## [a \\] b]', 'a ] b'],
    ['## [nightly](https://example.com) - 2024-01-02', 'nightly'],
    ['## ethers/v6.17.0 (2026-06-17 23:50)', 'ethers/v6.17.0'],
    ['## pkg-v1.2.0 (2024-04-01)', 'pkg-v1.2.0'],
    ['== 2.4.0 ==', '2.4.0'],
    ['#0.5.1', '0.5.1'],
    ['2022.01.26 Version 1.4.14', '1.4.14'],
    ['04-6-2020 (v3.2.0)', 'v3.2.0'],
    ['## [2020-12-08] Version 3.54.0', '3.54.0'],
    ['## v2.7.{0,1}', 'v2.7.{0,1}'],
    ['## 1.7.(1-2)', '1.7.(1-2)'],
    ['## v0.9.6/v0.9.7', 'v0.9.6/v0.9.7'],
    ['## CKEditor 4.5 Beta', '4.5 Beta'],
    ['__1.0 Beta 1__', '1.0 Beta 1'],
    ['## 1.0 beta 2012-01-02', '1.0 beta'],
    ['## 1.0 Preview of the engine', '1.0'],
    ['### \\*2.9.3 (2012/08/23) \\*', '2.9.3'],
    ['### (Deprecated v0.5.4)', 'v0.5.4'],
    ['## Apollo Client (2.6.4)', '2.6.4'],
    ['## 1.2.7 - REGRESSED', '1.2.7'],
    ['## 4.3.1.', '4.3.1'],
    ['## 2.1.1. / 2025-12-01', '2.1.1'],
    ['## Version 5.7.', '5.7'],
    ['## Version 5.7.-', '5.7'],
    ['# 2021-11-03, version 9.5.2`', '9.5.2'],
    ['## 2024-01-02: words', '2024-01-02'],
    ['## 2024-01-02, Version suite-1.0.0-5', 'suite-1.0.0-5'],
    ['## 0.4.2 => 0.4.3', '0.4.3'],
    ['## 0.4.3 => 0.4.2', '0.4.3'],
  ])('of %s is %s', (text, label) => {
    expect(read(text)?.label).toBe(label)
  })

  test.each(['## Unreleased', '## [unreleased]', '## un-released', '## UNRELEASED - 2024-01-02'])(
    'of %s is Unreleased, however it is spelled',
    (text) => {
      expect(read(text)?.label).toBe('Unreleased')
    },
  )

  test.each([
    'Next',
    'vNext',
    'Next release',
    'upcoming',
    'main',
    'HEAD',
    'In progress',
    'WIP',
    'Coming soon',
    'Unpublished',
    // as the translations of Keep a Changelog have it, or as it is commonly said in their languages
    ...[
      'لم يتم طرحه',
      'Nevydáno',
      'Ikke udgivet',
      'Unveröffentlicht',
      'Sin publicar',
      'منتشر نشده',
      'Non publié',
    ],
    ...[
      'Belum Dirilis',
      'Non rilasciato',
      '未リリース',
      '次期バージョン',
      '待发布',
      '开发中',
      '출시 예정',
      'В разработке',
      'Noch nicht veröffentlicht',
      'Prossima versione',
      'Chưa phát hành',
      'To be released',
      '미출시',
      'Ikke utgitt',
      'Niet uitgebracht',
      'Niewydane',
    ],
    ...[
      'Não publicado',
      'Nelansat',
      'Новое',
      'Nevydané',
      'Neobjavljeno',
      'Необјављено',
      'Ej släppt',
      'Yayımlanmadı',
    ],
    ...['Нове', '未发布', '未發佈', 'გამოუქვეყნებელი'],
  ])('of the version that is being worked on may be %s', (label) => {
    expect(read(`## ${label}`)?.label).toBe(label)
    expect(read(`## [${label}]`)?.label).toBe(label)
    expect(isUnreleased(label)).toBe(true)
  })

  test.each([
    '## Changelog',
    '## Added',
    '##',
    '## Next steps',
    '## Changes since 1.2.0',
    '## Upgrading from 1.2.0',
    '## Migration 1.2.0',
    '## Product 1.2.0 is out',
    '## A name of five words 1.2.0',
    '## 1.2.0!',
    '## [1.2.0',
    '## [nightly] build',
    '### [nightly]',
    '## [nightly](https://example.com)',
    '## 3-way merge',
  ])('is missing in %s, which is no version', (text) => {
    expect(read(text)).toBeNull()
  })
})

describe('the date', () => {
  test.each([
    '## 1.2.0 2024-01-02',
    '## 1.2.0 - 2024-01-02',
    '## 1.2.0 – 2024-01-02',
    '## 1.2.0: 2024-01-02',
    '## 1.2.0, 2024-01-02',
    '## 1.2.0 / 2024-01-02',
    '## 1.2.0 | 2024-01-02',
    '## 1.2.0 @ 2024-01-02',
    '## 1.2.0 ~ 2024-01-02',
    '## 1.2.0 • 2024-01-02',
    '## 1.2.0 (2024-01-02)',
    '## 1.2.0 (released on 2024-01-02)',
    '## 1.2.0 Released: 2024-01-02',
    '## 1.2.0 / released 2024-01-02',
    '## <small>1.2.0 (2024-01-02)</small>',
    '## 2024-01-02, 1.2.0',
    '## 2024-01-02 (1.2.0)',
    '**1.2.0** <small>January 2, 2024</small>',
    '## 1.2.0. / 2024-01-02',
    '== 1.2.0 / 2024-01-02',
    '## 1.2.0 - 20240102',
    '## 1.2.0 -2024-01-02',
    '## 1.2.0 (1/2/24)',
    '## 1.2.0 (2 Jan 24)',
    '## 1.2.0 [Jan-02-2024]',
    '## 1.2.0 - January, 2 2024',
    '## 20240102, 1.2.0',
    '## \\*1.2.0 (2024/01/02) \\*',
  ])('in %s is beside the label, which is the title too', (text) => {
    expect(read(text)).toMatchObject({ label: '1.2.0', title: '1.2.0', date: JANUARY_2, isOnlyLabel: true })
  })

  test.each([
    '## 1.2.0 - 2024-01-02 - The *big* one',
    '## 1.2.0 - The *big* one - 2024-01-02',
    '## 1.2.0: The *big* one (2024-01-02)',
    '## [1.2.0](https://example.com) The *big* one 2024-01-02',
  ])('in %s is beside the title', (text) => {
    expect(read(text)).toMatchObject({ title: 'The *big* one', date: JANUARY_2, isOnlyLabel: false })
  })

  test.each(['2024-01', '2024/01', '2024-01-XX'])('%s is the first of the month', (text) => {
    expect(read(`## 1.2.0 (${text})`)).toMatchObject({ title: '1.2.0', date: Date.UTC(2024, 0, 1) })
  })

  test.each(['4-16-17', '1/28/13'])('%s ends with its year', (text) => {
    expect(read(`## 1.2.0 (${text})`)?.date).not.toBeNull()
    expect(read(`## 1.2.0 ${text} of them`)?.date).toBeNull()
  })

  test('inside the title belongs to it', () => {
    expect(read('## 1.2.0 since 2024-01-02 better')).toMatchObject({
      title: 'since 2024-01-02 better',
      date: null,
    })
  })

  test('that can be read in two ways comes with both', () => {
    expect(read('## 1.2.0 (03/04/2024)')?.numericDate).not.toBeNull()
    expect(read('## 1.2.0 (2024-03-04)')?.numericDate).toBeNull()
  })
})

describe('the title', () => {
  test.each([
    ['## 1.2.0', '1.2.0'],
    ['## 1.2.0 The big one', 'The big one'],
    ['## 1.2.0 "The big one" (2024-01-02)', '"The big one"'],
    ['## Version 1.2.0 (2024-01-02)', 'Version 1.2.0'],
    ['## Product 1.2.0 (2024-01-02)', 'Product 1.2.0'],
    ['## Unreleased changes', 'Unreleased changes'],
    ['## 2024-01-02, Version 1.2.0 (Current), @name', 'Version 1.2.0 (Current), @name'],
    ['## 1.2.0 <a name="x"></a>', '1.2.0'],
    ['## 1.2.0 - \\- dashed', '- dashed'],
    ['## 1.2.0 - C \\#', 'C #'],
    ['== 1.2.0 ==', '1.2.0'],
    ['## 2024-01-02: words', 'words'],
    ['### (Deprecated v0.5.4)', 'v0.5.4 (Deprecated v0.5.4)'],
  ])('of %s is %s', (text, title) => {
    expect(read(text)?.title).toBe(title)
  })

  test.each([
    ['## 1.2.0 [YANKED]', '1.2.0 [YANKED]'],
    ['## [1.2.0] - 2024-01-02 [YANKED] (bad)', '1.2.0 [YANKED] (bad)'],
    ['## 1.2.0 (unreleased)', '1.2.0 (unreleased)'],
    ['## 1.2.0 - TBD', '1.2.0 (TBD)'],
    ['## 1.2.0 not yet released', '1.2.0 (not yet released)'],
    ['## 1.2.0 - 2024-xx-xx', '1.2.0 (2024-xx-xx)'],
    ['## 1.2.0 - YYYY-MM-DD', '1.2.0 (YYYY-MM-DD)'],
    ['## 1.2.0 in progress', '1.2.0 (in progress)'],
    ['## 1.2.0 <!-- note -->', '1.2.0 <!-- note -->'],
  ])('of %s is the label with a note: %s', (text, title) => {
    expect(read(text)).toMatchObject({ title, isOnlyLabel: true })
  })
})

describe('a heading is a version', () => {
  test.each([
    '## 1.2.0',
    '## [nightly]',
    '## Version 7',
    '## Unreleased',
    '## 1.2.0 [YANKED]',
    '## 1.2.0 The big one (2024-01-02)',
    '## Product 1.2.0 (2024-01-02)',
    '## 7 - 2024-01-02',
    '## Next (2024-01-02)',
  ])('for certain: %s', (text) => {
    expect(read(text)?.confidence).toBe('certain')
  })

  test.each([
    '## 1.2.0 Migration',
    '## 2.0 - The big one',
    '## Product 1.2.0',
    '## 7',
    '## 1.x',
    '## Next',
    '## Unreleased changes',
    '## 2024-01-02',
  ])('only where others are: %s', (text) => {
    expect(read(text)?.confidence).toBe('likely')
  })

  test('only up to a length of 2000 characters', () => {
    const heading = (length: number) => `## 1.2.0 ${'x'.repeat(length - '## 1.2.0 '.length)}`
    expect(read(heading(2000))?.label).toBe('1.2.0')
    expect(read(heading(2001))).toBeNull()
  })
})

describe('the link', () => {
  test.each([
    ['## [1.2.0](https://example.com) - 2024-01-02', '[1.2.0](https://example.com)'],
    ['## [1.2.0](https://example.com "T")', '[1.2.0](https://example.com "T")'],
    ['## [1.2.0] - 2024-01-02\n\n[1.2.0]: https://example.com', '[1.2.0](https://example.com)'],
    ['## [1.2.0][x]\n\n[x]: https://example.com', '[1.2.0](https://example.com)'],
    ['## [unreleased](https://example.com)', '[Unreleased](https://example.com)'],
    ['## **[1.2.0](https://example.com)**', '[1.2.0](https://example.com)'],
    ['## [v1.2.0 *notes*](https://example.com)', '[v1.2.0 *notes*](https://example.com)'],
    ['## [[1.2.0](https://example.com)]', '[1.2.0](https://example.com)'],
  ])('of %j is %s', (text, link) => {
    expect(read(text)?.link).toBe(link)
  })

  test.each([
    ['## 1.2.0 by [me](https://example.com)', 'by [me](https://example.com)'],
    ['## [Product](https://example.com) 1.2.0', '[Product](https://example.com) 1.2.0'],
  ])('of another word, as in %s, stays in the title', (text, title) => {
    expect(read(text)).toMatchObject({ title, link: null })
  })
})

describe('the comment at the end', () => {
  test.each([
    ['## 1.2.0 <!-- draft -->', { status: 'draft', undated: false, date: null }],
    ['## 1.2.0 - 2024-01-02 <!-- draft -->', { status: 'draft', undated: false, date: JANUARY_2 }],
    ['## Unreleased <!-- published -->', { status: 'published', undated: false, date: null }],
    ['## 1.2.0 - January 2, 2024 <!-- undated -->', { status: null, undated: true, date: null }],
    ['## 1.2.0 - 2024-01-02 <!-- 00:00:01.500Z -->', { status: null, date: JANUARY_2 + 1500 }],
    ['## 1.2.0 - 2024-01-02 <!-- draft 00:00:01.500Z -->', { status: 'draft', date: JANUARY_2 + 1500 }],
    ['## 1.2.0 <!-- Draft -->', { status: null, title: '1.2.0 <!-- Draft -->' }],
    ['## 1.2.0 <!-- draft --> x', { status: null }],
  ])('of %s says what the text does not', (text, expected) => {
    expect(read(text)).toMatchObject(expected)
  })

  test('counts in headings only', () => {
    expect(read('1.2.0 <!-- draft -->')?.status).toBeNull()
  })
})

test.each([
  ['digits and letters', `# 1.1${'a'.repeat(1900)}!`, null],
  ['names of packages', `# ${'a@'.repeat(900)}!`, null],
  ['words before a number', `# ${'a '.repeat(900)}1.1.1!`, null],
  ['parts of a number', `# ${'1.'.repeat(900)}!`, null],
  ['separators', `# 1.1 ${'- '.repeat(900)}!`, '1.1'],
  ['words for a date', `# 1.1 ${'on '.repeat(600)}!`, '1.1'],
  ['brackets', `# 1.1 ${'[x] '.repeat(450)}!`, '1.1'],
  ['tags', `# ${'a-v'.repeat(600)}1.0!`, null],
  ['numbers and slashes', `# ${'1.0/'.repeat(450)}!`, '1.0/1.0'],
  ['stages', `# 1.0${' beta'.repeat(350)}!`, '1.0'],
  ['marks', `# ${'=~'.repeat(900)}!`, null],
])('a heading of nothing but %s is read to its end', (_, text, label) => {
  expect(read(text)?.label ?? null).toBe(label)
})
