import { describe, expect, test } from 'bun:test'
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
  test.each<[string, string[], string[]]>([
    [
      'a name used twice, at every depth',
      ['teams:', '  acme: { name: Acme, name: Ame }', '  acme: {}', 'teams: {}'],
      [
        'file.yml:2:23: teams.acme.name is repeated: it must be in one place, and is on line 2 already',
        'file.yml:3:3: teams.acme is repeated: it must be in one place, and is on line 2 already',
        'file.yml:4:1: teams is repeated: it must be in one place, and is on line 1 already',
      ],
    ],
    [
      'a product and a key used twice',
      ['teams:', '  acme:', '    products: { app: {}, "app": {} }', '    keys: { ci: {}, ci: {} }'],
      [
        'file.yml:3:26: teams.acme.products.app is repeated: it must be in one place, and is on line 3 already',
        'file.yml:4:21: teams.acme.keys.ci is repeated: it must be in one place, and is on line 4 already',
      ],
    ],
    [
      'a merge used twice',
      ['teams:', '  acme: &acme { name: Acme }', '  other:', '    <<: *acme', '    <<: *acme'],
      ['file.yml:5:5: teams.other.<< is repeated: it must be in one place, and is on line 4 already'],
    ],
    [
      'a product that a key names twice',
      ['teams:', '  acme: { keys: { ci: { products: [app, web, app] } } }'],
      ['file.yml:2:35: teams.acme.keys.ci.products is wrong: it must be a list of slugs, each of them once'],
    ],
    [
      'labels of keys that look like others',
      ['teams:', '  acme:', '    keys:', '      ci: {}', '      "ci ": {}', '      " ci": {}'],
      ['ci ', ' ci'].map(
        (label, at) =>
          `file.yml:${at + 5}:7: teams.acme.keys.${label} is named wrongly: it must be one line that does not begin or end with a space`,
      ),
    ],
    [
      'names that are no texts',
      ['teams:', '  1.0: {}', '  2024: {}', '  true: {}', '  ~: {}', '  ? [acme]', '  : {}'],
      ['2:3: teams.1.0', '3:3: teams.2024', '4:3: teams.true', '5:3: teams.~', '6:5: teams.'].map(
        (name) => `file.yml:${name} is not a text: it must be in quotes`,
      ),
    ],
    [
      'slugs, fields and values that are wrong',
      [
        'teams:',
        '  Acme: {}',
        '  ok:',
        '    owner: me',
        '    name:',
        '    plan: gold',
        '    products: { app: { changelog: none } }',
        '    keys: { ci: { products: [app, 5], expires: 2030-02-30 } }',
      ],
      [
        'file.yml:2:3: teams.Acme is named wrongly: it must be a slug: lowercase letters, digits and single hyphens between them, at most 64 characters',
        'file.yml:4:5: teams.ok.owner is unknown: it must be one of name, visibility, plan, products, keys, hooks',
        'file.yml:5:10: teams.ok.name is wrong: it must be a text in quotes',
        'file.yml:6:11: teams.ok.plan is wrong: it must be one of free, paid',
        'file.yml:7:24: teams.ok.products.app.changelog is wrong: it must be a mapping of names to values',
        'file.yml:8:35: teams.ok.keys.ci.products.1 is wrong: it must be a slug: lowercase letters, digits and single hyphens between them, at most 64 characters',
        'file.yml:8:48: teams.ok.keys.ci.expires is wrong: it must be an ISO 8601 date or time such as 2026-01-02 or 2026-01-02T03:04:05Z',
      ],
    ],
    [
      'an alias without an anchor, and one of itself',
      ['teams:', '  acme: &acme', '    products: *acme', '  other: { name: *nothing }'],
      [
        'file.yml:3:15: *acme is a part of itself: repeat the value',
        'file.yml:4:18: *nothing has no anchor before it: mark a value with &nothing',
      ],
    ],
    [
      'a merge of something else than a mapping',
      ['teams:', '  acme: { <<: 5 }'],
      ['file.yml:1:1: Merge sources must be maps or map aliases'],
    ],
    [
      'tags',
      ['teams:', '  acme: !!binary YQ==', '  other: !ours {}'],
      [2, 3].map((line) => `file.yml:${line}:${line + 7}: this tag has no meaning here: leave it out`),
    ],
    [
      'a second document',
      ['teams: {}', '---', 'teams: {}'],
      ['file.yml:2:1: a second document begins here, but a file has one: remove the ---'],
    ],
    ['a tab', ['teams:', '\tacme: {}'], ['file.yml:2:1: Tabs are not allowed as indentation']],
    ['a quote that does not end', ['teams: "'], ['file.yml:1:9: Missing closing "quote']],
    [
      'a file that is not a mapping',
      ['- acme'],
      [
        'file.yml:1:1: the file is wrong: it must be a mapping of names to values',
        'file.yml:1:1: teams is missing: it must be a mapping of slugs to teams',
      ],
    ],
  ])('%s', (_, lines, problems) => {
    expect(problemsOf(lines)).toEqual(problems)
  })

  test('a name of several lines cannot pretend to be another problem', () => {
    const problems = problemsOf(['teams:', '  "a\\n  file.yml:1:1: fine": {}'])
    expect(problems).toHaveLength(1)
    expect(problems[0]).toStartWith('file.yml:2:3: teams.a file.yml:1:1: fine is named wrongly')
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
    expect(problemsOf([opening.repeat(10_000)]).join()).toContain('this is nested too deeply')
})

test('dates and words are texts, whatever version of YAML the file names', () => {
  for (const version of ['%YAML 1.1', '%YAML 1.2'])
    expect(
      readApplyFile(`${version}\n---\nteams: { a: { name: no, keys: { k: { expires: 2099-01-01 } } } }`, '-')
        .teams,
    ).toEqual(new Map([['a', { name: 'no', keys: { k: { expires: '2099-01-01' } } }]]))
})
