import { expect, test } from 'bun:test'
import { coreOf, isPrereleaseKey, precedenceOf } from '../../../src/domain/versions/precedence.ts'

/** Each before the next. */
const RISING = [
  ...['0.0.1', '0.9.9', '1.0.0-0', '1.0.0-9', '1.0.0-10', '1.0.0-alpha', '1.0.0-alpha.1'],
  ...['1.0.0-alpha.1.x', '1.0.0-alpha.2', '1.0.0-alpha.10', '1.0.0-alpha.beta', '1.0.0-alpha-2'],
  ...['1.0.0-beta', '1.0.0-beta-9.9.9', '1.0.0-rc.1', '1.0.0', '1.0.1-rc.1', '1.0.1', '1.2.0', '1.2.0.1'],
  ...['1.10.0', '2.0.0', '10.0.0', '20240102.0.0'],
  `${'9'.repeat(100)}.0.0`,
]

const keyOf = (label: string): string => precedenceOf(label) ?? 'none'

test('the keys of semantic versions sort by precedence, as texts', () => {
  const keys = RISING.map(keyOf)
  expect(keys).toEqual([...keys].sort())
  expect(new Set(keys).size).toBe(RISING.length)
})

test('a v, a package, a build and zeros before a number change nothing', () => {
  for (const label of [
    ...['v1.2.3', 'V1.2.3', 'core@1.2.3', '@acme/core@1.2.3', 'core-v1.2.3', 'pkg/core/v1.2.3', '1.2.3+5'],
    ...['01.02.3'],
  ])
    expect([label, precedenceOf(label)]).toEqual([label, keyOf('1.2.3')])
  expect(precedenceOf('1.2')).toBe(keyOf('1.2.0'))
})

test('other labels have no precedence', () => {
  for (const label of [
    'Unreleased',
    'latest',
    '7',
    'v7',
    '2024-01-02',
    '1.2.3 (2)',
    '1.x',
    '1.2.3-',
    'Rocket 1.2.0',
    '',
  ])
    expect([label, precedenceOf(label)]).toEqual([label, null])
})

test('a key tells a pre-release, and what is below all of its numbers', () => {
  expect(RISING.filter((label) => isPrereleaseKey(keyOf(label)))).toEqual(
    RISING.filter((label) => label.includes('-')),
  )
  expect(coreOf(keyOf('1.0.0-alpha.1')) < keyOf('1.0.0-0')).toBe(true)
  expect(coreOf(keyOf('1.0.0')) > keyOf('0.9.9')).toBe(true)
})
