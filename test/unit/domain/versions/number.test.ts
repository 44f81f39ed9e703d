import { describe, expect, test } from 'bun:test'
import { dayIn, readDate } from '../../../../src/domain/time/date-forms.ts'
import { readNumber } from '../../../../src/domain/versions/number.ts'
import { labelsIn } from '../../../../src/domain/versions/number-in-line.ts'
import fc, { anyText } from '../../../support/fast-check.ts'

const orderOf = (label: string): string => readNumber(label)?.order ?? ''
const isPrerelease = (label: string): boolean | undefined => readNumber(label)?.prerelease

/** From the oldest to the newest; `|` is between labels, and `*` in front of pre-releases. */
const ORDERS = {
  'Semantic Versioning':
    '*2.3.0-alpha|*2.3.0-alpha.3|*2.3.0-alpha.gamma|*2.3.0-beta|*2.3.0-beta.2|*2.3.0-beta.11|*2.3.0-rc.1+build.9|2.3.0|2.3.1',
  'natural numbers': '*4.0.0-beta9|*4.0.0-beta10|*4.0.0-rc2|*4.0.0-rc10|4.0.0',
  'releases with a suffix, right behind their number':
    '1.4.0|1.4.0-1|1.4.0-2|1.4.0-hotfix.1|*1.4.1-rc.1|1.4.1',
  'Python, PEP 440':
    '*3.2.dev1|*3.2a1.dev3|*3.2a1|*3.2b2|*3.2rc1|3.2|3.2+cu121|*3.2.post1.dev4|3.2.post1|3.2.1|1!1.0',
  Maven: '*6.1.0.Alpha2|*6.1.0.Beta1|*6.1.0.M3|*6.1.0.M20|*6.1.0.CR1|*6.1.0-SNAPSHOT|6.1.0.Final|6.1.0.SP1',
  gems: '*7.1.0.alpha|*7.1.0.beta1|*7.1.0.pre|*7.1.0.rc2|7.1.0|7.1.0.1',
  Debian:
    '*3.38.0~rc1-1|3.38.0~deb12u1|3.38.0-2~bpo12+1|3.38.0-2|3.38.0-2+b1|3.38.0-10|3.38.0+dfsg-1|1:0.4-1|2:0.3-1',
  RPM: '*5.6-0.1.beta2.el9|*5.6-0.10.rc1.fc40|5.6-1.el9|5.6-60.el9',
  letters: '1.0.1|1.0.1a|1.0.1w|1.0.1za|*1.0.2-beta1|1.0.2',
  patches: '9.6|*9.6p1-beta2|9.6p1|9.6p2|9.7p1',
  'Java updates': '1.8.0|1.8.0_392-b08|1.8.0_401|8u20|8u402',
  Perl: '2.18|*2.18_01|*2.18_02|2.19',
  Go: '*v0.0.0-20230405102030-abcdefabcdef|v0.1.0|*v0.1.1-0.20230405102030-abcdefabcdef|v0.1.1|v0.1.1+incompatible',
  calendar: '2023.12.31|2024.1|2024.1.1|2024-01-02|15.01.2024|2024.10.1|20240101|20240102',
  words: '*Alpha 2|*Beta 1|*2.0 Developer Preview|2.0.0.1',
  'words behind a number': '*5.0 Alpha 3|*5.0 Beta 2|*5.0 beta 10|*5.0 Release Candidate 1|5.0 GA|5.0 SP1',
  'five numbers': '1.2.3.4|1.2.3.4.5|1.2.3.4.10|1.2.3.5',
  'whole numbers': '9|v10|*11-ea+3|11+4|*12.beta|12',
  'heads and trains':
    '*Paris.M2|Paris.SR1|*Rome.BUILD-SNAPSHOT|Rome.RELEASE|1.0|*nightly-2030-01-01|*master-snapshot',
}

describe.each(Object.entries(ORDERS))('%s', (_, line) => {
  const rows = line.split('|').map((row) => ({ label: row.replace('*', ''), pre: row.startsWith('*') }))

  test('has the order of the scheme', () => {
    const labels = rows.map(({ label }) => label)
    expect(labels.toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))).toEqual(labels)
    expect(new Set(labels.map(orderOf)).size).toBeGreaterThan(labels.length - 3)
  })

  test('marks pre-releases only', () => {
    for (const { label, pre } of rows) expect({ label, pre: isPrerelease(label) }).toEqual({ label, pre })
  })
})

test('words of other languages tell a pre-release, and others do not', () => {
  const before = `3.1 Betaversion|3.1 Vorabversion|3.1 préversion|3.1 aperçu|3.1 versión candidata|3.1 versão prévia|3.1 anteprima|
    3.1 Desktop Beta|3.1 Combat Test 8|3.1 бета 2|3.1 релиз-кандидат|3.1 предварительная версия|3.1 ベータ版|3.1 プレビュー|3.1 测试版|3.1候选版|3.1 베타`
  for (const label of before.split(/\|\s*/))
    expect({ label, pre: isPrerelease(label) }).toEqual({ label, pre: true })
  const releases =
    '3.1 stabile Version|3.1 versión estable|3.1 正式版|3.1 стабильная версия|3.1 안정판|3.1版本'
  for (const label of releases.split('|'))
    expect({ label, pre: isPrerelease(label) }).toEqual({ label, pre: false })
})

test('a title, the name of a package or of another system is no pre-release', () => {
  const labels = `2.0.0 - Alpha Centauri|2.0.0 "Beta"|next@14.2.0|@acme/beta-tools@1.0.0|rc@1.2.8|preview-server-1.2.0|
    33.0-jre|33.0-android|3.12.1-slim-bookworm|1.25.3-alpine3.18|4.1.0+beta.7|1.2.3 (LTS)|Alphabet 2.1|2.0.0 - Going Beta|6.6.58-gentoo-r1|1.30.4-eks-a737599`
  for (const label of labels.split(/\|\s*/))
    expect({ label, pre: isPrerelease(label) }).toEqual({ label, pre: false })
})

test('what is in front of the number is its name', () => {
  for (const [label, name, text, parts] of [
    ['@acme/core@v1.2.0-rc.1', '@acme/core@', '1.2.0-rc.1', [1, 2, 0]],
    ['release-1.2', 'release-', '1.2', [1, 2]],
    ['curl 8.5.0-2+deb13u1', 'curl ', '8.5.0-2+deb13u1', [8, 5, 0]],
    ['curl-8_5_0', 'curl-', '8_5_0', [8, 5, 0]],
    ['log4j-2.17.1', 'log4j-', '2.17.1', [2, 17, 1]],
    ['go1.21rc4', 'go', '1.21rc4', [1, 21]],
  ] as const)
    expect(readNumber(label)).toMatchObject({ name, text, parts: [...parts] })
  expect(orderOf('@acme/core@v1.2.0')).toBe(orderOf('1.2'))
})

test('a label that says nothing of an order is not understood', () => {
  const labels =
    'Unreleased|latest|nightly|Beta|Harbor|January 2024|Spring 2023|3 new things|2024 in review|10 years of Acme|'
  for (const label of labels.split('|'))
    expect({ label, number: readNumber(label) }).toEqual({ label, number: null })
})

test('labels in a line are found with their package and stage, and without what is around them', () => {
  const found = (line: string) => [...labelsIn(line)].map(({ label }) => label)
  expect(found('## [v1.2.0](https://example.com/x) - 2024-01-02')).toEqual(['v1.2.0'])
  expect(found('Version 4.5 Beta 2 (2024-01-02)')).toEqual(['4.5 Beta 2'])
  expect(found('acme (7.8-1+deb12u5) unstable; urgency=low')).toEqual(['7.8-1+deb12u5'])
  expect(found('Requires @acme/core@2.0.0-rc.1, 12.5% faster')).toEqual(['@acme/core@2.0.0-rc.1'])
  expect(found('4.5 beta users')).toEqual(['4.5'])
})

const NUMBERS = fc.array(fc.integer({ min: 0, max: 12_000 }), { minLength: 1, maxLength: 4 })
const STAGES = ['dev', 'alpha', 'beta', 'm', 'rc'] as const
const LABEL = fc.record({
  numbers: NUMBERS,
  stage: fc.option(fc.tuple(fc.constantFrom(...STAGES), fc.integer({ min: 1, max: 200 })), { nil: null }),
  post: fc.option(fc.integer({ min: 1, max: 200 }), { nil: null }),
})
type Written = { numbers: number[]; stage: [(typeof STAGES)[number], number] | null; post: number | null }

const write = ({ numbers, stage, post }: Written): string =>
  numbers.join('.') + (stage ? `.${stage.join('')}` : '') + (post === null ? '' : `-${post}`)

/** As people compare: by numbers, a stage before the release, its count, and what came after it. */
function compare(one: Written, other: Written): number {
  const ranks = ({ numbers, stage, post }: Written) => [
    ...[0, 1, 2, 3].map((at) => numbers[at] ?? 0),
    stage ? STAGES.indexOf(stage[0]) : STAGES.length,
    stage?.[1] ?? 0,
    post ?? 0,
  ]
  const [own, than] = [ranks(one), ranks(other)]
  const at = own.findIndex((rank, at) => rank !== than[at])
  return at === -1 ? 0 : Math.sign((own[at] ?? 0) - (than[at] ?? 0))
}

test('the order is total, and is that of the parts', () => {
  fc.assert(
    fc.property(LABEL, LABEL, (one, other) => {
      const [own, than] = [orderOf(write(one)), orderOf(write(other))]
      expect({ own, than, order: own < than ? -1 : own > than ? 1 : 0 }).toMatchObject({
        order: compare(one, other),
      })
    }),
  )
  fc.assert(
    fc.property(anyText(40), (text) => {
      const number = readNumber(text)
      expect(number === null || number.prerelease !== number.order.endsWith('~')).toBe(true)
    }),
  )
})

test('a label that is a day has its order in any form that cannot be mistaken, and a number is no day', () => {
  for (const label of [
    'November 12, 2026',
    '12 November 2026',
    '12.11.2026',
    'Nov 12th, 2026',
    '12 de noviembre de 2026',
  ])
    expect([label, orderOf(label)]).toEqual([label, orderOf('2026-11-12')])
  expect(orderOf('28. Oktober 2026')).not.toBeNull()
  expect(readNumber('2.1.1504')?.parts).toEqual([2, 1, 1504])
  expect(readNumber('1.5.1527')?.parts).toEqual([1, 5, 1527])
  expect(readNumber('2026.11.12')?.text).toBe('2026.11.12')
  expect(dayIn('2026.11.12')).toBeNull()
  expect(readDate({ year: '2160', by: '.', month: '1', day: '2' })).toBeNull()
})
