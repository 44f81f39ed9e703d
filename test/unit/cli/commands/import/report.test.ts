import { expect, test } from 'bun:test'
import { readSummary, untakenLines, versionLines } from '../../../../../src/cli/commands/import/report.ts'
import type { Product } from '../../../../../src/domain/records.ts'
import { countKinds } from '../../../../../src/domain/versions/derived.ts'
import { NO_VERSION_PROPERTIES } from '../../../../../src/domain/versions/properties.ts'
import { emptyResult, type ImportedVersion } from '../../../../../src/transfer/import-result.ts'
import { contextWith, terminalWith } from '../../../../support/commands/context.ts'

const product = { slug: 'app', team: { slug: 'acme' } } as Product
const DAY = 86_400_000

/** As added by an import. */
const added = (at: number, fields: Partial<ImportedVersion['version']> = {}): ImportedVersion => {
  const texts = { label: `1.${at}.0`, title: `1.${at}.0`, ...NO_VERSION_PROPERTIES }
  const date = { publishedAt: at * DAY, dated: true, dateKnown: true, createdAt: 0 }
  const changes = [{ type: 'fixed', title: 'A bug', description: null }]
  return {
    ...{ product, outcome: 'added', label: texts.label, fields: [], corrections: [] },
    ...{ changes: { added: 1, changed: 0, removed: 0, moved: false }, changeCount: 1 },
    kinds: countKinds(changes),
    version: { ...texts, ...date, status: 'published', scheduled: false, ...fields },
  }
}

const resultOf = (versions: ImportedVersion[]) => ({ ...emptyResult(), product: product as never, versions })
const versions = Array.from({ length: 300 }, (_, at) => added(300 - at))

test('a terminal shows the newest and the oldest of many versions', () => {
  const lines = versionLines(terminalWith(100), resultOf(versions)).map((line) => line.trim().split(/ {2,}/))
  const labels = (from: number) => Array.from({ length: 20 }, (_, at) => `1.${from - at}.0`)
  expect(lines.map(([first]) => first)).toEqual([
    'VERSION',
    ...[...labels(300), '… 260 more', ...labels(20)],
    'To see all of them, use a pipe or --json.',
  ])
})

test('a pipe gets them all', () => {
  expect(versionLines(contextWith(), resultOf(versions))).toHaveLength(301)
})

test('what looks like a version and begins none is listed with its line and the reason', () => {
  const why = 'it repeats the number of version 9.14.0 inside it'
  const untaken = [
    { line: 12, written: '#### `@x/grid@9.14.0`', why },
    { line: 120, written: '#### G2 version 3.2.8', why: 'it does not look like the other versions' },
  ]
  expect(untakenLines(contextWith(), { ...emptyResult(), untaken }, 'CHANGELOG.md')).toEqual([
    'These lines look like versions, but are not:',
    '  LINE              TEXT                   REASON',
    '  CHANGELOG.md:12   #### `@x/grid@9.14.0`  it repeats the number of version 9.14.0 inside it',
    '  CHANGELOG.md:120  #### G2 version 3.2.8  it does not look like the other versions',
  ])
})

test('what was read is told in one line', () => {
  const read = { versions: 41, newest: '2.10.7', oldest: '0.1.0', dated: 38, drafts: 3, scheduled: 0 }
  const text = (fields: object) => readSummary({ ...emptyResult(), read: { ...read, ...fields } })
  expect(text({})).toBe('41 versions, 2.10.7 … 0.1.0, 38 dated, 3 drafts')
  expect(text({ drafts: 1, scheduled: 2 })).toBe(
    '41 versions, 2.10.7 … 0.1.0, 38 dated, 1 draft, 2 scheduled',
  )
  expect(text({ newest: null, oldest: null })).toBe('41 versions, 38 dated, 3 drafts')
  expect(text({ versions: 1, oldest: '2.10.7', dated: 1, drafts: 0 })).toBe(
    '1 version, 2.10.7, 1 dated, 0 drafts',
  )
})
