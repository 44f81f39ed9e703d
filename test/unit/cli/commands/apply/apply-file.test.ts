import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readApplyFile } from '../../../../../src/cli/commands/apply/file.ts'
import { Refusal } from '../../../../../src/domain/refusal.ts'

/** The problems that the refusal of a file lists, each with its place. */
function problemsOf(lines: readonly string[]): string[] {
  try {
    readApplyFile(lines.join('\n'), 'file.yml')
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const [heading, ...problems] = error.message.split('\n  ')
    expect(heading).toStartWith('Nothing was applied')
    return problems
  }
  throw new Error('the file was not refused')
}

describe('a problem of a file has its line and column, and says what would be right', () => {
  /** Files behind `✂` and a name, each with its problems. */
  const refused = readFileSync(join(import.meta.dir, 'refused-files.txt'), 'utf8')
    .split(/^✂ /m)
    .slice(1)
  test.each(refused.map((story) => story.split(/^(.*)\n/).slice(1)))('%s', (_, story = '') => {
    const [file = '', problems = ''] = story.split('\nproblems:\n')
    expect(problemsOf(file.split('\n'))).toEqual(problems.trimEnd().split('\n'))
  })

  test('a name of several lines cannot pretend to be another problem', () => {
    const problems = problemsOf(['teams:', '  "a\\n  file.yml:1:1: fine": {}'])
    expect(problems).toHaveLength(1)
    expect(problems[0]).toStartWith('file.yml:2:3: teams.a file.yml:1:1: fine is named wrongly')
  })
})

describe('aliases', () => {
  test('repeat values, and merges take what a mapping does not say itself', () => {
    const [acme, other, both] = readApplyFile(
      [
        'teams:',
        '  acme: &acme { name: &name Acme, plan: paid, products: &products { app: { name: App } } }',
        '  other: { <<: *acme, name: Other }',
        '  both: { <<: [{ visibility: public, plan: free }, *acme], name: *name, products: *products }',
      ].join('\n'),
      'file.yml',
    )
    expect(acme).toMatchObject({ name: 'Acme', plan: 'paid', products: [{ slug: 'app', name: 'App' }] })
    expect(other).toMatchObject({ ...acme, slug: 'other', name: 'Other', place: { line: 3, column: 3 } })
    expect(both).toMatchObject({ name: 'Acme', plan: 'free', visibility: 'public', products: acme?.products })
  })

  test.each([
    [
      'that double at each step',
      [
        '  t0: &t0 {}',
        ...Array.from({ length: 40 }, (_, at) => `  t${at + 1}: &t${at + 1} { <<: [*t${at}, *t${at}] }`),
      ],
    ],
    [
      'that multiply a list',
      [
        `  a: { keys: { k: { products: &l [${list(1_000, (at) => `x${at}`)}] }, ${list(1_001, (at) => `k${at}: { products: *l }`)} } }`,
      ],
    ],
  ])('%s are refused at a million entries', (_, lines) => {
    const problems = problemsOf(['teams:', ...lines])
    expect(problems.join()).toMatch(
      /^file\.yml:\d+:\d+: with this, the file has more than 1,000,000 entries: it must repeat less with aliases$/,
    )
  })
})

test('a file that is nothing but errors lists a hundred of them, and how many more there are', () => {
  const problems = problemsOf([']'.repeat(5_000)])
  expect(problems).toHaveLength(101)
  expect(problems.at(-1)).toBe('… and 4,900 more')
})

test('however deep a file is nested, it is refused', () => {
  for (const opening of ['[', '{a: ', '- ', '? '])
    expect(problemsOf([opening.repeat(10_000)]).join()).toContain('this is nested too deeply')
})

test('aliases cannot nest deeper than a text may', () => {
  const chain = Array.from({ length: 200 }, (_, at) => `a${at + 1}: &a${at + 1} { inner: *a${at} }`)
  expect(problemsOf(['a0: &a0 {}', ...chain]).join()).toMatch(
    /^file\.yml:\d+:\d+: this is nested too deeply$/,
  )
})

test('dates and words are texts, whatever version of YAML the file names', () => {
  for (const version of ['%YAML 1.1', '%YAML 1.2'])
    expect(
      readApplyFile(`${version}\n---\nteams: { a: { name: no, keys: { k: { expires: 2099-01-01 } } } }`, '-'),
    ).toMatchObject([{ name: 'no', keys: [{ expires: Date.UTC(2099, 0, 1) }] }])
})

function list(length: number, item: (at: number) => string): string {
  return Array.from({ length }, (_, at) => item(at)).join(', ')
}
