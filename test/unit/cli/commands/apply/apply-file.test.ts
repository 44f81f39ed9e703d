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
    expect(problems[0]).toStartWith('file.yml:2:3: teams.a file.yml:1:1: fine has a wrong name')
  })
})

describe('aliases', () => {
  test('repeat values, and merges take what a mapping does not say itself', () => {
    const { teams } = readApplyFile(
      [
        'teams:',
        '  acme: &acme { name: &name Acme, plan: paid, products: &products { app: { name: App } } }',
        '  other: { <<: *acme, name: Other }',
        '  both: { <<: [{ visibility: public, plan: free }, *acme], name: *name, products: *products }',
      ].join('\n'),
      'file.yml',
    )
    const [acme, other, both] = [...teams.values()]
    expect(acme).toEqual({ name: 'Acme', plan: 'paid', products: { app: { name: 'App' } } })
    expect(other).toEqual({ ...acme, name: 'Other' })
    expect(both).toMatchObject({ name: 'Acme', plan: 'free', visibility: 'public', products: acme?.products })
  })

  test('that double at each step are refused', () => {
    const doubling = Array.from(
      { length: 40 },
      (_, at) => `  t${at + 1}: &t${at + 1} { <<: [*t${at}, *t${at}] }`,
    )
    expect(problemsOf(['teams:', '  t0: &t0 {}', ...doubling]).join()).toContain('Excessive alias count')
  })
})

test('a file that is nothing but errors lists a hundred of them, and how many more there are', () => {
  const problems = problemsOf([']'.repeat(5_000)])
  expect(problems).toHaveLength(101)
  expect(problems.at(-1)).toBe('… and 4,900 more')
})

test('however deep a file is nested, it is refused', () => {
  for (const opening of ['[', '{a: ', '- ', '? '])
    expect(problemsOf([opening.repeat(10_000)]).join()).toMatch(/this is nested too deeply|not text/)
})

test('dates and words are texts, whatever version of YAML the file names', () => {
  for (const version of ['%YAML 1.1', '%YAML 1.2'])
    expect(
      readApplyFile(`${version}\n---\nteams: { a: { name: no, keys: { k: { expires: 2099-01-01 } } } }`, '-')
        .teams,
    ).toEqual(new Map([['a', { name: 'no', keys: { k: { expires: '2099-01-01' } } }]]))
})
